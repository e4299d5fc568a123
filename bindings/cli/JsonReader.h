// JsonReader: JSON texts (RFC 8259) as values, for the manifests of `tawa warm`.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace tawa::cli {

struct JsonValue {
  using Array = std::vector<JsonValue>;
  using Object = std::map<std::string, JsonValue>;
  std::variant<std::nullptr_t, bool, double, std::string, Array, Object> value;

  const std::string *text() const { return std::get_if<std::string>(&value); }
  const Array *array() const { return std::get_if<Array>(&value); }
  const Object *object() const { return std::get_if<Object>(&value); }
  /// A member of an object; null where there is none.
  const JsonValue *member(const std::string &name) const;
};

/// False where the text is not JSON; `problem` then has the error after "LINE:COLUMN: ".
bool readJson(std::string_view text, JsonValue &value, std::string &problem);

} // namespace tawa::cli
