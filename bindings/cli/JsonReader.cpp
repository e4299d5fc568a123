// A reader by recursive descent, with a limit on depth.
#include "bindings/cli/JsonReader.h"

#include <charconv>

namespace tawa::cli {

const JsonValue *JsonValue::member(const std::string &name) const {
  const Object *members = object();
  auto found = members ? members->find(name) : Object::const_iterator();
  return members && found != members->end() ? &found->second : nullptr;
}

namespace {

constexpr int kMaxDepth = 64;

class Reader {
public:
  explicit Reader(std::string_view text) : text(text) {}

  bool document(JsonValue &value) { return element(value, 0) && (at == text.size() || fail("something follows")); }

  std::string problem() const {
    size_t line = 1, start = 0;
    for (size_t i = 0; i < at && i < text.size(); ++i)
      if (text[i] == '\n') {
        ++line;
        start = i + 1;
      }
    return std::to_string(line) + ":" + std::to_string(at - start + 1) + ": " + why;
  }

private:
  bool fail(const char *what) {
    if (why.empty())
      why = what;
    return false;
  }
  void skipSpace() {
    while (at < text.size() && std::string_view(" \t\r\n").find(text[at]) != std::string_view::npos)
      ++at;
  }
  bool take(char wanted) {
    bool isThere = at < text.size() && text[at] == wanted;
    at += isThere;
    return isThere;
  }
  bool word(std::string_view wanted) {
    if (!text.substr(at).starts_with(wanted))
      return false;
    at += wanted.size();
    return true;
  }

  bool element(JsonValue &value, int depth) {
    if (depth > kMaxDepth)
      return fail("nested too deeply");
    skipSpace();
    bool isRight = something(value, depth);
    skipSpace();
    return isRight;
  }

  bool something(JsonValue &value, int depth) {
    if (take('{'))
      return members(value.value.emplace<JsonValue::Object>(), depth);
    if (take('['))
      return elements(value.value.emplace<JsonValue::Array>(), depth);
    if (take('"'))
      return string(value.value.emplace<std::string>());
    if (word("true"))
      return value.value = true, true;
    if (word("false"))
      return value.value = false, true;
    if (word("null"))
      return value.value = nullptr, true;
    return number(value.value.emplace<double>());
  }

  bool members(JsonValue::Object &object, int depth) {
    skipSpace();
    if (take('}'))
      return true;
    do {
      skipSpace();
      std::string name;
      if (!take('"') || !string(name))
        return fail("expected a name in quotes");
      skipSpace();
      if (!take(':'))
        return fail("expected ':'");
      if (!element(object[name], depth + 1))
        return false;
    } while (take(','));
    return take('}') || fail("expected ',' or '}'");
  }

  bool elements(JsonValue::Array &array, int depth) {
    skipSpace();
    if (take(']'))
      return true;
    do {
      if (!element(array.emplace_back(), depth + 1))
        return false;
    } while (take(','));
    return take(']') || fail("expected ',' or ']'");
  }

  bool string(std::string &value) {
    while (at < text.size() && text[at] != '"') {
      if (static_cast<unsigned char>(text[at]) < ' ')
        return fail("a control character in a string");
      if (text[at] != '\\')
        value += text[at++];
      else if (!escape(value))
        return fail("no such escape");
    }
    return take('"') || fail("a string without an end");
  }

  bool escape(std::string &value) {
    constexpr std::string_view letters = "\"\\/bfnrt", meanings = "\"\\/\b\f\n\r\t";
    ++at;
    if (at >= text.size())
      return false;
    if (size_t letter = letters.find(text[at]); letter != std::string_view::npos) {
      value += meanings[letter];
      ++at;
      return true;
    }
    unsigned code = 0;
    std::string_view digits = text.substr(at).substr(1, 4);
    auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), code, 16);
    bool isSurrogate = code >= 0xd800 && code < 0xe000; // outside the plane of names of files and settings
    if (text[at] != 'u' || digits.size() != 4 || error != std::errc() || end != digits.end() || isSurrogate)
      return false;
    appendUtf8(value, code);
    at += 5;
    return true;
  }

  static void appendUtf8(std::string &value, unsigned code) {
    if (code < 0x80)
      value += static_cast<char>(code);
    else if (code < 0x800)
      value.append(1, static_cast<char>(0xc0 | code >> 6)).append(1, static_cast<char>(0x80 | (code & 0x3f)));
    else
      value.append(1, static_cast<char>(0xe0 | code >> 12))
          .append(1, static_cast<char>(0x80 | (code >> 6 & 0x3f)))
          .append(1, static_cast<char>(0x80 | (code & 0x3f)));
  }

  bool number(double &value) {
    auto [end, error] = std::from_chars(text.data() + at, text.data() + text.size(), value);
    if (error != std::errc())
      return fail("expected a value");
    at = static_cast<size_t>(end - text.data());
    return true;
  }

  std::string_view text;
  size_t at = 0;
  std::string why;
};

} // namespace

bool readJson(std::string_view text, JsonValue &value, std::string &problem) {
  Reader reader(text);
  bool isRight = reader.document(value);
  if (!isRight)
    problem = reader.problem();
  return isRight;
}

} // namespace tawa::cli
