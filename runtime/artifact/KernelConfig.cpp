// Printing and parsing of KernelConfig. The words for the fixed keys stand in one table, used by both directions.
#include "runtime/artifact/KernelConfig.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <set>
#include <span>

namespace tawa {

namespace {

constexpr int kMostOfAnything = 1024; // far beyond any legal value; keeps products of fields inside int
constexpr std::string_view scheduleWords[] = {"cooperative", "pingpong"}; // by value of ConsumerSchedule

struct FixedKey {
  std::string_view name;
  int KernelConfig::*member;
  int least;
  int most = kMostOfAnything;
  std::span<const std::string_view> words = {}; ///< What its values are called; empty: they are numbers.
};
constexpr FixedKey fixedKeys[] = {
    {"D", &KernelConfig::ringDepth, 0},
    {"P", &KernelConfig::mmaDepth, 1},
    {"coarse", &KernelConfig::coarse, 0, 1},
    {"consumers", &KernelConfig::consumerGroups, 0},
    {"epilogue", &KernelConfig::epilogueStages, 1},
    {"warps", &KernelConfig::warps, 0},
    {"persistent", &KernelConfig::persistent, 0, 1},
    {"schedule", &KernelConfig::schedule, Cooperative, PingPong, scheduleWords},
    {"raster", &KernelConfig::raster, -kMostOfAnything},
    {"cluster", &KernelConfig::cluster, 1},
    {"split", &KernelConfig::split, 1},
};

Status bad(std::string message) { return {StatusCode::InvalidArgument, "configuration: " + std::move(message)}; }

bool isSeparator(char c) { return std::isspace(static_cast<unsigned char>(c)) || c == ','; }

bool isIdentifier(std::string_view text) {
  auto wordChar = [](unsigned char c) { return std::isalnum(c) || c == '_'; };
  return !text.empty() && !std::isdigit(static_cast<unsigned char>(text[0])) &&
         std::all_of(text.begin(), text.end(), wordChar);
}

const FixedKey *findFixed(std::string_view key) {
  const auto *found = std::ranges::find(fixedKeys, key, &FixedKey::name);
  return found == std::end(fixedKeys) ? nullptr : found;
}

Status setWord(KernelConfig &config, const FixedKey &fixed, std::string_view word) {
  auto found = std::ranges::find(fixed.words, word);
  if (found != fixed.words.end()) {
    config.*fixed.member = static_cast<int>(found - fixed.words.begin());
    return Status::ok();
  }
  std::string all;
  for (std::string_view known : fixed.words)
    all.append(all.empty() ? "" : " or ").append(known);
  return bad(std::string(fixed.name) + "=" + std::string(word) + " must be " + all);
}

Status setKey(KernelConfig &config, std::string_view key, int64_t value) {
  const FixedKey *fixed = findFixed(key);
  if (!fixed) {
    config.tile[std::string(key)] = value;
    return Status::ok();
  }
  if (value < fixed->least || value > fixed->most)
    return bad(std::string(key) + "=" + std::to_string(value) + " must be between " + std::to_string(fixed->least) +
               " and " + std::to_string(fixed->most));
  config.*fixed->member = static_cast<int>(value);
  return Status::ok();
}

Status parseItem(KernelConfig &config, std::string_view item, std::set<std::string_view> &seen) {
  size_t equals = item.find('=');
  std::string_view key = item.substr(0, equals);
  if (equals == item.npos || !isIdentifier(key))
    return bad("'" + std::string(item) + "' is not of the form name=integer");
  std::string_view digits = item.substr(equals + 1);
  if (!seen.insert(key).second)
    return bad("'" + std::string(key) + "' is given twice");
  if (const FixedKey *fixed = findFixed(key); fixed && !fixed->words.empty())
    return setWord(config, *fixed, digits);
  int64_t value = 0;
  auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || end != digits.data() + digits.size())
    return bad("value of '" + std::string(key) + "' is '" + std::string(digits) + "', not a 64-bit integer");
  return setKey(config, key, value);
}

} // namespace

std::string KernelConfig::str() const {
  std::string text;
  auto add = [&](std::string_view key, std::string_view value) {
    if (!text.empty())
      text += ' ';
    text.append(key).append("=").append(value);
  };
  for (const auto &[key, value] : tile)
    add(key, std::to_string(value));
  for (const FixedKey &fixed : fixedKeys) {
    int value = this->*fixed.member;
    add(fixed.name, fixed.words.empty() ? std::to_string(value) : fixed.words[static_cast<size_t>(value)]);
  }
  return text;
}

std::vector<std::string> KernelConfig::keys() {
  std::vector<std::string> names;
  for (const FixedKey &fixed : fixedKeys)
    names.emplace_back(fixed.name);
  return names;
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
  if (config.ringDepth != 0 && config.mmaDepth > config.ringDepth)
    return bad("P=" + std::to_string(config.mmaDepth) + " exceeds D=" + std::to_string(config.ringDepth) +
               ": a slot cannot be reused before the wgmma that reads it has finished");
  return config;
}

} // namespace tawa
