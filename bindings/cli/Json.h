// Json: a writer for `--json`. Values are appended in order; the writer handles commas, nesting and escapes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tawa::cli {

class JsonWriter {
public:
  JsonWriter &beginObject(std::string_view key = {});
  JsonWriter &endObject();
  JsonWriter &beginArray(std::string_view key = {});
  JsonWriter &endArray();

  /// A member of the open object, or with an empty key an element of the open array.
  JsonWriter &text(std::string_view key, std::string_view value);
  JsonWriter &integer(std::string_view key, int64_t value);
  JsonWriter &number(std::string_view key, double value); ///< NaN and infinities become null.
  JsonWriter &boolean(std::string_view key, bool value);
  JsonWriter &json(std::string_view key, std::string_view document); ///< What is JSON already, on one line.

  /// The text written so far; a document ends with a newline.
  std::string take();

private:
  void separate(std::string_view key);

  std::string out;
  std::vector<bool> filled; ///< For each open bracket: does it hold something yet?
};

/// `value` as a JSON string, with its quotes.
std::string quoteJson(std::string_view value);

} // namespace tawa::cli
