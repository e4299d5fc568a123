// Key: the canonical, versioned text that identifies a row of the store, and its hash. There are five kinds:
//
//   compile  kernel text, facts about the arguments, configuration, compiler  ->  artifact: code and launch facts
//   tune     kernel text, shapes, device                                      ->  one row per configuration tried
//   load     artifact, device, driver                                         ->  machine code (cubin)
//   preset   kernel text, sizes in buckets, device, compiler                  ->  the model's choice of a configuration
//   plan     kernel text, arguments, spatial machine, planner                 ->  plans, as tawa_plan() hands them out
//
// The text is one line per field, then blocks of bytes, each preceded by its length, so that different keys never give
// the same text and two keys can be compared field by field. It is stored with its value and compared on every hit:
// XXH3-128 only finds the row.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tawa::store {

/// Values stand in files; never renumber.
enum class KeyKind : uint8_t { Compile = 1, Tune = 2, Load = 3, Preset = 4, Plan = 5 };

std::string_view kindName(KeyKind kind);

class Key {
public:
  /// `version` is that of the kind's list of fields: raise it when a field changes its meaning.
  Key(KeyKind kind, int version);

  /// Adds "name value"; a line break or backslash in the value is escaped. `name` has no space.
  Key &field(std::string_view name, std::string_view value);
  Key &field(std::string_view name, int64_t value) { return field(name, std::to_string(value)); }
  /// Adds "name length", a line break, the bytes and a line break. Fields come before blocks.
  Key &block(std::string_view name, std::string_view bytes);

  KeyKind kind() const { return itsKind; }
  const std::string &text() const { return canonical; }
  /// 32 hexadecimal digits.
  std::string hash() const;

private:
  KeyKind itsKind;
  std::string canonical;
};

/// One line of a key's text; a block appears with its length and hash as value.
struct KeyField {
  std::string name;
  std::string value;
  bool operator==(const KeyField &) const = default;
};

/// The fields of a key's text, for people and for comparison; what cannot be read is left out.
std::vector<KeyField> fieldsOf(std::string_view text);

/// A field in which two keys differ; an empty side lacks the field.
struct KeyDifference {
  std::string name;
  std::string here;
  std::string there;
};
std::vector<KeyDifference> differences(std::string_view here, std::string_view there);

} // namespace tawa::store
