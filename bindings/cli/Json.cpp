// The JSON writer of Json.h.
#include "bindings/cli/Json.h"

#include <cmath>
#include <cstdio>
#include <utility>

namespace tawa::cli {

std::string quoteJson(std::string_view value) {
  std::string quoted = "\"";
  for (char c : value) {
    switch (c) {
    case '"':
      quoted += "\\\"";
      break;
    case '\\':
      quoted += "\\\\";
      break;
    case '\n':
      quoted += "\\n";
      break;
    case '\t':
      quoted += "\\t";
      break;
    default:
      if (static_cast<unsigned char>(c) < 0x20) {
        char escape[8];
        std::snprintf(escape, sizeof(escape), "\\u%04x", static_cast<unsigned>(c));
        quoted += escape;
      } else {
        quoted += c;
      }
    }
  }
  return quoted + "\"";
}

void JsonWriter::separate(std::string_view key) {
  if (!filled.empty()) {
    if (filled.back())
      out += ',';
    filled.back() = true;
    out += '\n';
    out.append(filled.size() * 2, ' ');
  }
  if (!key.empty())
    out += quoteJson(key) + ": ";
}

JsonWriter &JsonWriter::beginObject(std::string_view key) {
  separate(key);
  out += '{';
  filled.push_back(false);
  return *this;
}

JsonWriter &JsonWriter::beginArray(std::string_view key) {
  separate(key);
  out += '[';
  filled.push_back(false);
  return *this;
}

JsonWriter &JsonWriter::endObject() {
  bool hadMembers = filled.back();
  filled.pop_back();
  if (hadMembers)
    out += '\n' + std::string(filled.size() * 2, ' ');
  out += '}';
  return *this;
}

JsonWriter &JsonWriter::endArray() {
  bool hadElements = filled.back();
  filled.pop_back();
  if (hadElements)
    out += '\n' + std::string(filled.size() * 2, ' ');
  out += ']';
  return *this;
}

JsonWriter &JsonWriter::text(std::string_view key, std::string_view value) {
  separate(key);
  out += quoteJson(value);
  return *this;
}

JsonWriter &JsonWriter::integer(std::string_view key, int64_t value) {
  separate(key);
  out += std::to_string(value);
  return *this;
}

JsonWriter &JsonWriter::number(std::string_view key, double value) {
  separate(key);
  char digits[40] = "null";
  if (std::isfinite(value))
    std::snprintf(digits, sizeof(digits), "%.9g", value);
  out += digits;
  return *this;
}

JsonWriter &JsonWriter::json(std::string_view key, std::string_view document) {
  separate(key);
  out += document;
  return *this;
}

JsonWriter &JsonWriter::boolean(std::string_view key, bool value) {
  separate(key);
  out += value ? "true" : "false";
  return *this;
}

std::string JsonWriter::take() { return std::exchange(out, {}) + "\n"; }

} // namespace tawa::cli
