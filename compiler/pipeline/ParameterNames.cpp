// Scans the signature of the kernel for the names of its parameters.
#include "compiler/pipeline/ParameterNames.h"

#include "compiler/frontend/text/Scanner.h"

namespace tawa {

std::vector<std::string> readParameterNames(std::string_view text) {
  Result<std::vector<Token>> scanned = scan(text, "");
  if (!scanned)
    return {};
  const std::vector<Token> &tokens = *scanned;
  auto spelling = [&](size_t i) {
    return i < tokens.size() ? text.substr(tokens[i].begin, tokens[i].end - tokens[i].begin) : std::string_view();
  };
  size_t func = 0;
  while (func < tokens.size() && !(spelling(func) == "tt.func" && spelling(func + 1) != "private"))
    ++func;
  size_t open = func;
  while (open < tokens.size() && spelling(open) != "(")
    ++open;
  std::vector<std::string> names;
  if (open >= tokens.size())
    return names;
  for (size_t i = open + 1; i < tokens[open].partner; ++i) {
    bool begins = i == open + 1 || spelling(i - 1) == ",";
    if (begins && tokens[i].kind == Token::Kind::Value)
      names.emplace_back(spelling(i).substr(1));
    if (tokens[i].partner > i) // attributes, types and locations of a parameter
      i = tokens[i].partner;
  }
  return names;
}

} // namespace tawa
