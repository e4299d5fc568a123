// The keys of a configuration as data (KernelConfig.def), and the message about a name that is none of them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace tawa {

struct KernelConfig;

/// Which numbers between least and most a key accepts, and how they are written.
enum class ConfigForm : uint8_t {
  Range,       ///< Every one.
  PowersOfTwo, ///< Powers of two, and 0 where it is the least.
  Schedules,   ///< Every one, as a word.
};

struct ConfigKey {
  std::string_view name;
  int KernelConfig::*member;
  int least;
  int most;
  ConfigForm form;
  std::string_view meaning;

  bool takes(int64_t value) const;
  /// Its written form: "4", "pingpong". Only for a value that the key accepts.
  std::string text(int value) const;
  /// "0 to 32", "0, 1, 2, 4, 8 or 16", "cooperative or pingpong".
  std::string values() const;
};

/// All keys, in the order in which a configuration prints.
std::span<const ConfigKey> configKeys();

/// Null where no key has this name.
const ConfigKey *findConfigKey(std::string_view name);

/// "configuration: 'num_stages' is ... ; did you mean D? Its keys are D, P, ...; the text's parameters are ...".
/// `parameters`: those that the kernel's text declares.
std::string unknownKey(std::string_view key, std::span<const std::string> parameters);

} // namespace tawa
