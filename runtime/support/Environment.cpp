// The only file that calls getenv.
#include "runtime/support/Environment.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <iterator>
#include <string_view>

extern char **environ;

namespace tawa::env {

static constexpr Entry entries[] = {
#define TAWA_ENV(id, name, fallback, help, ...) {name, fallback, help __VA_OPT__(, Form::__VA_ARGS__)},
#include "runtime/support/Environment.def"
#undef TAWA_ENV
};

std::span<const Entry> table() { return entries; }

const char *name(Variable variable) { return entries[static_cast<size_t>(variable)].name; }

std::optional<std::string> get(Variable variable) {
  const char *value = std::getenv(name(variable));
  if (!value || !*value)
    return std::nullopt;
  return std::string(value);
}

std::string searchPath() {
  const char *path = std::getenv("PATH");
  return path ? path : "";
}

std::string userCacheFolder() {
  for (auto [variable, below] : {std::pair("XDG_CACHE_HOME", "/tawa"), std::pair("HOME", "/.cache/tawa")})
    if (const char *folder = std::getenv(variable); folder && *folder == '/')
      return std::string(folder) + below;
  return {};
}

static std::optional<bool> parseFlag(std::string_view text) {
  auto is = [text](auto... words) { return ((text == words) || ...); };
  if (is("1", "true", "on", "yes"))
    return true;
  if (is("0", "false", "off", "no"))
    return false;
  return std::nullopt;
}

static std::optional<uint32_t> parseCount(std::string_view text) {
  uint32_t number = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  bool isRight = error == std::errc() && end == text.data() + text.size() && number > 0;
  return isRight ? std::optional(number) : std::nullopt;
}

std::optional<uint64_t> parseBytes(std::string_view text) {
  uint64_t number = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  std::string_view unit = text.substr(end - text.data());
  int shift = unit == "K" ? 10 : unit == "M" ? 20 : unit == "G" ? 30 : 0;
  if (error != std::errc() || (!unit.empty() && shift == 0) || number > (UINT64_MAX >> shift))
    return std::nullopt;
  return number << shift;
}

bool flag(Variable variable, bool fallback) {
  auto value = get(variable);
  return value ? parseFlag(*value).value_or(fallback) : fallback;
}

std::optional<uint32_t> count(Variable variable) {
  auto value = get(variable);
  return value ? parseCount(*value) : std::nullopt;
}

std::optional<uint64_t> bytes(Variable variable) {
  auto value = get(variable);
  return value ? parseBytes(*value) : std::nullopt;
}

/// The values that a form accepts, in words; null where the value is valid.
static const char *wantedInsteadOf(std::string_view value, Form form) {
  switch (form) {
  case Form::Text:
    return nullptr;
  case Form::Switch:
    return parseFlag(value) ? nullptr : "on or off (or 1, true, yes, 0, false, no)";
  case Form::Count:
    return parseCount(value) ? nullptr : "a whole number from 1 on";
  case Form::Size:
    return parseBytes(value) ? nullptr : "a number of bytes, or with suffix K, M or G: 64M, 4G";
  }
  return nullptr;
}

std::vector<std::string> malformedValues() {
  std::vector<std::string> complaints;
  for (size_t i = 0; i < std::size(entries); ++i)
    if (auto value = get(static_cast<Variable>(i)))
      if (const char *wanted = wantedInsteadOf(*value, entries[i].form))
        complaints.push_back(std::string(entries[i].name) + "=" + *value + " counts as unset (" + entries[i].fallback +
                             "): it wants " + wanted);
  return complaints;
}

std::vector<std::string> unknownNames() {
  std::vector<std::string> unknown;
  for (char **variable = environ; variable && *variable; ++variable) {
    std::string_view text = *variable;
    text = text.substr(0, text.find('='));
    auto matches = [&](const Entry &entry) { return text == entry.name; };
    if (text.starts_with("TAWA_") && std::none_of(std::begin(entries), std::end(entries), matches))
      unknown.emplace_back(text);
  }
  return unknown;
}

} // namespace tawa::env
