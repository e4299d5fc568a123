// Printing and parsing of KernelConfig. The words for the fixed keys stand in one table, used by both directions.
#include "runtime/artifact/KernelConfig.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <set>

namespace tawa {

namespace {

struct FixedKey {
  std::string_view name;
  int KernelConfig::*member;
  int least;
};
constexpr FixedKey fixedKeys[] = {
    {"D", &KernelConfig::ringDepth, 1},
    {"P", &KernelConfig::mmaDepth, 1},
    {"consumers", &KernelConfig::consumerGroups, 1},
    {"epilogue", &KernelConfig::epilogueStages, 1},
    {"warps", &KernelConfig::warps, 0},
};
constexpr int kMostOfAnything = 1024; // far beyond any legal value; keeps products of fields inside int

Status bad(std::string message) { return {StatusCode::InvalidArgument, "configuration: " + std::move(message)}; }

bool isSeparator(char c) { return std::isspace(static_cast<unsigned char>(c)) || c == ','; }

bool isIdentifier(std::string_view text) {
  auto wordChar = [](unsigned char c) { return std::isalnum(c) || c == '_'; };
  return !text.empty() && !std::isdigit(static_cast<unsigned char>(text[0])) &&
         std::all_of(text.begin(), text.end(), wordChar);
}

Status setKey(KernelConfig &config, std::string_view key, int64_t value) {
  for (const FixedKey &fixed : fixedKeys) {
    if (fixed.name != key)
      continue;
    if (value < fixed.least || value > kMostOfAnything)
      return bad(std::string(key) + "=" + std::to_string(value) + " must be between " + std::to_string(fixed.least) +
                 " and " + std::to_string(kMostOfAnything));
    config.*fixed.member = static_cast<int>(value);
    return Status::ok();
  }
  config.tile[std::string(key)] = value;
  return Status::ok();
}

Status parseItem(KernelConfig &config, std::string_view item, std::set<std::string_view> &seen) {
  size_t equals = item.find('=');
  std::string_view key = item.substr(0, equals);
  if (equals == item.npos || !isIdentifier(key))
    return bad("'" + std::string(item) + "' is not of the form name=integer");
  std::string_view digits = item.substr(equals + 1);
  int64_t value = 0;
  auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || end != digits.data() + digits.size())
    return bad("value of '" + std::string(key) + "' is '" + std::string(digits) + "', not a 64-bit integer");
  if (!seen.insert(key).second)
    return bad("'" + std::string(key) + "' is given twice");
  return setKey(config, key, value);
}

} // namespace

std::string KernelConfig::str() const {
  std::string text;
  auto add = [&](std::string_view key, int64_t value) {
    if (!text.empty())
      text += ' ';
    text.append(key).append("=").append(std::to_string(value));
  };
  for (const auto &[key, value] : tile)
    add(key, value);
  for (const FixedKey &fixed : fixedKeys)
    add(fixed.name, this->*fixed.member);
  return text;
}

Result<KernelConfig> KernelConfig::parse(std::string_view text) {
  KernelConfig config;
  std::set<std::string_view> seen;
  for (size_t at = 0; at < text.size();) {
    if (isSeparator(text[at])) {
      ++at;
      continue;
    }
    size_t end = at;
    while (end < text.size() && !isSeparator(text[end]))
      ++end;
    if (Status status = parseItem(config, text.substr(at, end - at), seen); !status)
      return status;
    at = end;
  }
  if (config.mmaDepth > config.ringDepth)
    return bad("P=" + std::to_string(config.mmaDepth) + " exceeds D=" + std::to_string(config.ringDepth) +
               ": a slot cannot be reused before the wgmma that reads it has finished");
  return config;
}

} // namespace tawa
