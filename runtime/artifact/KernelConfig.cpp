// Printing, parsing and checking of KernelConfig, from the table of its keys (ConfigKeys.h).
#include "runtime/artifact/KernelConfig.h"

#include "runtime/artifact/ConfigKeys.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <set>

namespace tawa {

namespace {

Status bad(std::string message) { return {StatusCode::InvalidArgument, "configuration: " + std::move(message)}; }

bool isSeparator(char c) { return std::isspace(static_cast<unsigned char>(c)) || c == ','; }

bool isIdentifier(std::string_view text) {
  auto wordChar = [](unsigned char c) { return std::isalnum(c) || c == '_'; };
  return !text.empty() && !std::isdigit(static_cast<unsigned char>(text[0])) &&
         std::all_of(text.begin(), text.end(), wordChar);
}

Status badValue(const ConfigKey &key, std::string_view value) {
  return bad(std::string(key.name) + "=" + std::string(value) + " must be " + key.values());
}

/// For a key whose values are words.
Status setWord(KernelConfig &config, const ConfigKey &key, std::string_view word) {
  for (int value = key.least; value <= key.most; ++value)
    if (key.text(value) == word) {
      config.*key.member = value;
      return Status::ok();
    }
  return badValue(key, word);
}

Status setNumber(KernelConfig &config, std::string_view name, int64_t value) {
  const ConfigKey *key = findConfigKey(name);
  if (!key) {
    config.tile[std::string(name)] = value;
    return Status::ok();
  }
  if (!key->takes(value))
    return badValue(*key, std::to_string(value));
  config.*key->member = static_cast<int>(value);
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
  if (const ConfigKey *fixed = findConfigKey(key); fixed && fixed->form == ConfigForm::Schedules)
    return setWord(config, *fixed, digits);
  int64_t value = 0;
  auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || end != digits.data() + digits.size())
    return bad("value of '" + std::string(key) + "' is '" + std::string(digits) + "', not a 64-bit integer");
  return setNumber(config, key, value);
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
  for (const ConfigKey &key : configKeys())
    add(key.name, key.text(this->*key.member));
  return text;
}

Status KernelConfig::check() const {
  for (const ConfigKey &key : configKeys())
    if (int value = this->*key.member; !key.takes(value))
      return badValue(key, std::to_string(value));
  if (ringDepth != 0 && mmaDepth > ringDepth)
    return bad("P=" + std::to_string(mmaDepth) + " exceeds D=" + std::to_string(ringDepth) +
               ": a slot cannot be reused before the wgmma that reads it has finished");
  return Status::ok();
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
  if (Status status = config.check(); !status)
    return status;
  return config;
}

} // namespace tawa
