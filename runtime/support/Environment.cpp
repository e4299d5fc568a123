// The only file that calls getenv.
#include "runtime/support/Environment.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <string_view>

extern char **environ;

namespace tawa::env {

static constexpr Entry entries[] = {
#define TAWA_ENV(id, name, fallback, help) {name, fallback, help},
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

bool flag(Variable variable, bool fallback) {
  auto is = [value = get(variable)](auto... words) { return value && ((*value == words) || ...); };
  if (is("1", "true", "on", "yes"))
    return true;
  if (is("0", "false", "off", "no"))
    return false;
  return fallback;
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
