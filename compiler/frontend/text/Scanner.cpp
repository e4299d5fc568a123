// The scanner: one pass, no backtracking. It continues after malformed text (an unterminated string, an unmatched
// closing bracket), because MLIR's parser gives better errors.
#include "compiler/frontend/text/Scanner.h"

#include "runtime/support/Expression.h"

#include <algorithm>
#include <cctype>

namespace tawa {
namespace {

bool isWordStart(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; }
bool isWordPart(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$' || c == '.'; }
bool isNamePart(char c) { return isWordPart(c) || c == '-'; } // after % # @ ! ^

char closerOf(char opener) {
  switch (opener) {
  case '(':
    return ')';
  case '[':
    return ']';
  case '{':
    return '}';
  case '<':
    return '>';
  default:
    return 0;
  }
}

class Scanner {
public:
  Scanner(std::string_view text, std::string_view name) : text(text), name(name) {}

  Result<std::vector<Token>> run() {
    if (text.substr(0, 4) == "ML\xefR")
      return textError(name, {}, "this is MLIR bytecode; Tawa reads the textual form", StatusCode::InvalidIR);
    if (text.size() > kMaxTextBytes)
      return textError(name, {},
                       "the text has " + std::to_string(text.size()) + " bytes; at most " +
                           std::to_string(kMaxTextBytes) + " are read");
    while (skipSpace()) {
      if (text[position] == '\0')
        return textError(name, place(position), "a NUL byte is no part of a text");
      next();
      const Token &token = tokens.back();
      if (token.kind == Token::Kind::Word && token.end - token.begin > kMaxWordBytes)
        return textError(name, token.place, "a word of more than " + std::to_string(kMaxWordBytes) + " bytes");
      if (Status status = checkNumber(token); !status)
        return status;
      if (open.size() > kMaxTextNesting)
        return textError(name, tokens.back().place,
                         "nested deeper than " + std::to_string(kMaxTextNesting) + " brackets");
    }
    return std::move(tokens);
  }

private:
  static TextPlace placeIn(const Token &token, size_t at) {
    return {token.place.line, token.place.column + static_cast<int>(at)};
  }
  TextPlace place(size_t at) const { return {line, static_cast<int>(at - lineStart) + 1}; }

  // Digits of numbers, and of words that begin with a dimension ("x128xf16"). Strings are no numbers.
  Status checkNumber(const Token &token) const {
    if (token.kind == Token::Kind::String)
      return {};
    size_t at = findLongNumber(text.substr(token.begin, token.end - token.begin));
    return at == std::string_view::npos ? Status() : textError(name, placeIn(token, at), longNumberReason());
  }

  // To the next token; false at the end of the text.
  bool skipSpace() {
    while (position < text.size()) {
      char c = text[position];
      if (c == '\n') {
        ++line;
        lineStart = position + 1;
      } else if (text.substr(position, 2) == "//") {
        position = std::min(text.find('\n', position), text.size());
        continue;
      } else if (c != ' ' && c != '\t' && c != '\r') {
        return true;
      }
      ++position;
    }
    return false;
  }

  size_t endOf(size_t from, bool (*isPart)(char)) const {
    while (from < text.size() && isPart(text[from]))
      ++from;
    return from;
  }

  size_t endOfString(size_t from) const {
    for (++from; from < text.size() && text[from] != '\n'; ++from) {
      if (text[from] == '"')
        return from + 1;
      if (text[from] == '\\' && from + 1 < text.size() && text[from + 1] != '\n')
        ++from;
    }
    return from;
  }

  void next() {
    char c = text[position];
    Token token;
    token.begin = position;
    token.place = place(position);
    char after = position + 1 < text.size() ? text[position + 1] : 0;
    if (isWordStart(c)) {
      token.kind = Token::Kind::Word;
      token.end = endOf(position, isWordPart);
    } else if (std::isdigit(static_cast<unsigned char>(c))) {
      token.kind = Token::Kind::Number;
      token.end = endOf(position, [](char d) { return d >= '0' && d <= '9'; });
    } else if (c == '"') {
      token.kind = Token::Kind::String;
      token.end = endOfString(position);
    } else if (c == '@' && after == '"') {
      token.kind = Token::Kind::Other;
      token.end = endOfString(position + 1);
    } else if ((c == '%' || c == '#' || c == '@' || c == '!' || c == '^') && isWordPart(after)) {
      token.kind = c == '%' ? Token::Kind::Value : c == '#' ? Token::Kind::Hash : Token::Kind::Other;
      token.end = endOf(position + 1, isNamePart);
    } else {
      bool two = (c == '-' && after == '>') || (after == '=' && (c == '<' || c == '>' || c == '='));
      token.end = position + (two ? 2 : 1);
    }
    position = token.end;
    tokens.push_back(token);
    if (token.kind == Token::Kind::Mark && token.end == token.begin + 1)
      bracket(c);
  }

  // A closer that does not match the innermost opener is left to the parser, and does not make room for more.
  void bracket(char c) {
    if (closerOf(c)) {
      open.push_back(tokens.size() - 1);
    } else if (!open.empty() && closerOf(text[tokens[open.back()].begin]) == c) {
      tokens.back().partner = open.back();
      tokens[open.back()].partner = tokens.size() - 1;
      open.pop_back();
    }
  }

  std::string_view text;
  std::string_view name;
  size_t position = 0;
  int line = 1;
  size_t lineStart = 0;
  std::vector<Token> tokens;
  std::vector<size_t> open; ///< Tokens that opened a bracket not closed yet.
};

} // namespace

Result<std::vector<Token>> scan(std::string_view text, std::string_view name) { return Scanner(text, name).run(); }

} // namespace tawa
