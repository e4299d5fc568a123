// The rewrites of the pre-lexer, each a function over the token where it may begin. They are collected as edits of byte
// ranges and applied at the end, so that none sees what another did.
#include "compiler/text/PreLexer.h"

#include "compiler/text/Scanner.h"
#include "compiler/text/ValueOrder.h"

#include <algorithm>
#include <set>

namespace tawa {
namespace {

struct Edit {
  size_t begin;
  size_t end;
  std::string replacement;
};

class PreLexer {
public:
  PreLexer(std::string_view text, std::string_view name, const std::vector<Token> &tokens, PrelexOptions options)
      : text(text), name(name), tokens(tokens), options(options) {}

  Result<std::string> run() {
    for (size_t at = 0; at < tokens.size(); ++at)
      if (tokens[at].kind == Token::Kind::Word)
        if (Status status = word(at); !status)
          return status;
    if (options.stripLocations || hasForwardNestedLocation())
      stripLocations();
    return applied();
  }

private:
  std::string_view spelling(size_t at) const {
    return at < tokens.size() ? text.substr(tokens[at].begin, tokens[at].end - tokens[at].begin) : std::string_view();
  }
  bool isKind(size_t at, Token::Kind kind) const { return at < tokens.size() && tokens[at].kind == kind; }
  bool isWord(size_t at, std::string_view word) const { return isKind(at, Token::Kind::Word) && spelling(at) == word; }
  bool isMark(size_t at, std::string_view mark) const { return isKind(at, Token::Kind::Mark) && spelling(at) == mark; }
  // The token after the bracketed group that starts at `at`; 0 if it never closes.
  size_t afterGroup(size_t at) const {
    return at < tokens.size() && tokens[at].partner > at ? tokens[at].partner + 1 : 0;
  }
  Status error(size_t at, const std::string &reason, std::string op = {},
               StatusCode code = StatusCode::Unsupported) const {
    return textError(name, tokens[at].place, reason, code, std::move(op));
  }

  void blank(size_t begin, size_t end) {
    std::string spaces(text.substr(begin, end - begin));
    std::ranges::replace_if(spaces, [](char c) { return c != '\n'; }, ' ');
    edits.push_back({begin, end, std::move(spaces)});
  }
  void blankTokens(size_t first, size_t afterLast) { blank(tokens[first].begin, tokens[afterLast - 1].end); }

  // The token after an operand (%x or %x#1); 0 if there is none.
  size_t afterOperand(size_t at) const {
    if (!isKind(at, Token::Kind::Value))
      return 0;
    return isKind(at + 1, Token::Kind::Hash) ? at + 2 : at + 1;
  }

  Status word(size_t at) {
    std::string_view spelled = spelling(at);
    if (spelled == "llvm.intr.assume")
      return assume(at);
    if (spelled == "arith.trunci")
      flag(at, "overflow", "<");
    else if (spelled == "arith.extui" || spelled == "arith.uitofp")
      flag(at, "nneg", "");
    else if (spelled == "cf.cond_br")
      flag(at, "weights", "(");
    else if (spelled == "scf.for" && isWord(at + 1, "unsigned"))
      return error(at + 1, "scf.for with unsigned bounds is not supported by this version of Tawa", "scf.for");
    else if (spelled == "gpu.barrier")
      return error(at, "gpu.barrier (tier 3) is not supported by this version of Tawa", "gpu.barrier");
    else if (spelled == "affine_map" || spelled == "affine_set")
      return error(at, std::string(spelled) + " is no part of a tile kernel");
    else if (spelled.ends_with("f8E8M0FNU") && isTypeEnd(spelled))
      return error(at, "the type f8E8M0FNU is not supported by this version of Tawa");
    return {};
  }

  // "f8E8M0FNU" itself, or the end of a shape ("x64xf8E8M0FNU").
  static bool isTypeEnd(std::string_view spelled) {
    std::string_view shape = spelled.substr(0, spelled.size() - std::string_view("f8E8M0FNU").size());
    return std::ranges::all_of(shape, [](char c) { return c == 'x' || (c >= '0' && c <= '9'); });
  }

  // Blanks a flag that stands after the first operand, with the bracketed group that belongs to it.
  void flag(size_t at, std::string_view keyword, std::string_view bracket) {
    size_t place = afterOperand(at + 1);
    if (!place || !isWord(place, keyword))
      return;
    size_t end = place + 1;
    if (!bracket.empty() && (!isMark(end, bracket) || !(end = afterGroup(end))))
      return; // malformed: the parser will say so
    blankTokens(place, end);
  }

  // The custom form of llvm.intr.assume, which MLIR 19 has only in the generic one.
  Status assume(size_t at) {
    size_t operandEnd = afterOperand(at + 1);
    size_t colon = operandEnd;
    if (colon && isMark(colon, "{"))
      colon = afterGroup(colon);
    if (!colon || !isMark(colon, ":") || !isWord(colon + 1, "i1"))
      return error(at,
                   "llvm.intr.assume is read as `llvm.intr.assume %condition : i1` only; operand bundles are not "
                   "supported by this version of Tawa",
                   "llvm.intr.assume");
    bool sameLine = tokens[at].place.line == tokens[at + 1].place.line;
    edits.push_back({tokens[at].begin, sameLine ? tokens[at + 1].begin : tokens[at].end, "\"llvm.intr.assume\"("});
    edits.push_back({tokens[operandEnd - 1].end, tokens[operandEnd - 1].end, ")"});
    edits.push_back({tokens[colon + 1].begin, tokens[colon + 1].end, "(i1) -> ()"});
    return {};
  }

  // The token after `loc(...)` if one starts here; 0 otherwise.
  size_t afterLocation(size_t at) const { return isWord(at, "loc") && isMark(at + 1, "(") ? afterGroup(at + 1) : 0; }

  // `#name = ...`: an alias is defined where a hash name is followed by an equals sign at the start of a line.
  bool isAlias(size_t at) const {
    return isKind(at, Token::Kind::Hash) && isMark(at + 1, "=") &&
           (at == 0 || tokens[at - 1].place.line < tokens[at].place.line);
  }
  bool isLocationAlias(size_t at) const { return isAlias(at) && afterLocation(at + 2); }

  // MLIR 19 resolves an alias that is defined later only where it stands directly in an operation's `loc(#later)`.
  bool hasForwardNestedLocation() const {
    std::set<std::string_view> defined;
    for (size_t at = 0; at < tokens.size(); ++at) {
      bool alias = isAlias(at);
      size_t first = alias ? at + 2 : at;
      size_t end = afterLocation(first);
      bool direct = !alias && end == first + 4; // loc ( #x )
      for (size_t inner = first; inner < end && !direct; ++inner)
        if (tokens[inner].kind == Token::Kind::Hash && !defined.contains(spelling(inner)))
          return true;
      if (alias)
        defined.insert(spelling(at));
      if (end)
        at = end - 1;
    }
    return false;
  }

  void stripLocations() {
    for (size_t at = 0; at < tokens.size(); ++at) {
      size_t end = afterLocation(isLocationAlias(at) ? at + 2 : at);
      if (!end)
        continue;
      bool isValue = at > 0 && isMark(at - 1, "=") && tokens[at].kind == Token::Kind::Word;
      if (isValue) // of an attribute, which must keep one
        edits.push_back({tokens[at].begin, tokens[at].begin, "loc(unknown)"});
      blankTokens(at, end);
      at = end - 1;
    }
  }

  std::string applied() {
    std::ranges::sort(edits, {}, &Edit::begin);
    std::string result;
    result.reserve(text.size() + 32 * edits.size());
    size_t done = 0;
    for (const Edit &edit : edits) {
      if (edit.begin < done)
        continue; // inside of a range that is gone already
      result.append(text.substr(done, edit.begin - done)).append(edit.replacement);
      done = edit.end;
    }
    return result.append(text.substr(done));
  }

  std::string_view text;
  std::string_view name;
  const std::vector<Token> &tokens;
  PrelexOptions options;
  std::vector<Edit> edits;
};

} // namespace

Result<std::string> prelex(std::string_view text, std::string_view name, PrelexOptions options) {
  Result<std::vector<Token>> tokens = scan(text, name);
  if (!tokens)
    return tokens.status();
  if (Status status = checkValueOrder(text, name, *tokens); !status)
    return status;
  return PreLexer(text, name, *tokens, options).run();
}

} // namespace tawa
