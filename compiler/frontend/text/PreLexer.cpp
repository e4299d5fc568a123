// The rewrites of the pre-lexer, each a function of the token where it may begin. They are collected as edits of byte
// ranges and applied at the end, so that none sees the others' results.
#include "compiler/frontend/text/PreLexer.h"

#include "compiler/frontend/text/Scanner.h"
#include "compiler/frontend/text/ValueOrder.h"

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
      if (Status status = token(at); !status)
        return status;
    if (options.stripLocations || hasUnreadableLocation())
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

  Status token(size_t at) {
    if (isKind(at, Token::Kind::Word))
      return word(at);
    if (isKind(at, Token::Kind::String))
      return genericName(at);
    std::string_view spelled = spelling(at);
    bool isGpu = spelled.starts_with("#ttg.") || spelled.starts_with("#triton_gpu.") || spelled.starts_with("!ttg.");
    return isGpu ? laterStage(at, spelled) : Status();
  }

  Status word(size_t at) {
    std::string_view spelled = spelling(at);
    if (spelled == "llvm.intr.assume")
      return assume(at);
    if (spelled.starts_with("arith."))
      arithmeticFlags(at);
    else if (spelled == "cf.cond_br")
      flag(at, "weights", "(");
    else if (spelled == "scf.for" && isWord(at + 1, "unsigned"))
      return error(at + 1, "scf.for with unsigned bounds is not supported by this version of Tawa", "scf.for");
    else if (isBarrier(spelled))
      barrier(at);
    else if (spelled.starts_with(kGridDependency))
      gridDependency(at);
    else if (spelled == "tt.elementwise_inline_asm")
      inlineAsm(at);
    else if (spelled.starts_with("tt.experimental_descriptor_"))
      return oldDescriptor(at);
    else if (isOfLaterStage(spelled))
      return laterStage(at, spelled);
    else if (spelled == "affine_map" || spelled == "affine_set")
      return error(at, std::string(spelled) + " is no part of a tile kernel");
    else if (std::string_view type = foreignFloat(spelled); !type.empty())
      return error(
          at, "the type " + std::string(type) + " is not supported by this version of Tawa: " +
                  (type.ends_with("UZ") ? "it is not a type of NVIDIA hardware" : "Triton holds such elements in i8"));
    return {};
  }

  // Names of operations in the generic spelling, which are strings.
  Status genericName(size_t at) {
    std::string_view spelled = spelling(at).substr(1, spelling(at).size() - 2);
    if (spelled.starts_with(kGridDependency) && isMark(at + 1, "("))
      gridDependency(at);
    if (isBarrier(spelled) && isMark(at + 1, "("))
      edits.push_back({tokens[at].begin, tokens[at].end, "\"tt.debug_barrier\""});
    if (std::string_view modern = modernDescriptor(spelled); !modern.empty() && isMark(at + 1, "("))
      edits.push_back({tokens[at].begin, tokens[at].end, "\"" + std::string(modern) + "\""});
    bool isOperation = isMark(at + 1, "(") && (at == 0 || isMark(at - 1, "=") || !onLineOf(at - 1, at));
    if (isOperation && isOfLaterStage(spelled) && !isBarrier(spelled))
      return laterStage(at, spelled);
    if (isOperation && isForeign(spelled) && !isBarrier(spelled))
      return error(at,
                   "'" + std::string(spelled) + "' is no operation of a tile kernel; what Triton prints is of tt, " +
                       "arith, math, scf, cf and ub, so print the kernel from there",
                   std::string(spelled));
    return {};
  }

  bool onLineOf(size_t at, size_t other) const { return tokens[at].place.line == tokens[other].place.line; }

  // Operations of dialects that no phase reads, for which MLIR has no better word than "unregistered".
  static bool isForeign(std::string_view name) {
    constexpr std::string_view kRead[] = {"tt",      "arith", "math", "scf",  "cf",   "ub",  "llvm",
                                          "builtin", "func",  "gpu",  "nvvm", "tawa", "sm90"};
    size_t dot = name.find('.');
    return dot != std::string_view::npos && std::ranges::find(kRead, name.substr(0, dot)) == std::end(kRead);
  }

  static bool isBarrier(std::string_view name) {
    return name == "gpu.barrier" || name == "ttg.barrier" || name == "ttg.local_barrier";
  }

  // `gpu.barrier memfence [...]` and `ttg.barrier local|global_read`: what is ordered does not matter, since
  // tt.debug_barrier orders everything.
  void barrier(size_t at) {
    size_t end = at + 1;
    if (isWord(end, "memfence") && isMark(end + 1, "[") && afterGroup(end + 1)) {
      end = afterGroup(end + 1);
    } else if (spelling(at) == "ttg.barrier") {
      while (isBarrierScope(end))
        end += isMark(end + 1, "|") ? 2 : 1;
    }
    if (end > at + 1)
      blank(tokens[at].end, tokens[end - 1].end);
    edits.push_back({tokens[at].begin, tokens[at].end, "tt.debug_barrier"});
  }
  static constexpr std::string_view kGridDependency = "nvvm.griddepcontrol";

  // Programmatic dependent launch: this kernel is never started before its predecessor has ended, so the wait is over
  // and the signal has no effect. XLA prints both. The name is followed by
  //   wait | launch_dependents, in the generic form () <{..}> : () -> (), attributes, a location.
  void gridDependency(size_t at) {
    size_t end = at + 1;
    while (isWord(end, "wait") || isWord(end, "launch_dependents") || isMark(end, ":") || isMark(end, "->") ||
           isMark(end, "(") || isMark(end, "<") || isMark(end, "{") || afterLocation(end)) {
      size_t closed = afterLocation(end) ? afterLocation(end) : afterGroup(end);
      end = closed ? closed : end + 1;
    }
    blankTokens(at, end);
  }

  // Triton spells the same as assembly with an unused result: "griddepcontrol.wait; // dummy $0" {..} -> i32.
  void inlineAsm(size_t at) {
    size_t arrow = isMark(at + 2, "{") ? afterGroup(at + 2) : at + 2;
    std::string_view statement = spelling(at + 1);
    statement = statement.substr(0, statement.find(';'));
    bool isPlain = statement == "\"griddepcontrol.wait" || statement == "\"griddepcontrol.launch_dependents";
    std::string_view comment = spelling(at + 1).substr(std::min(statement.size() + 1, spelling(at + 1).size()));
    bool isAlone = comment.find(';') == std::string_view::npos && comment.find('\\') == std::string_view::npos;
    if (isPlain && isAlone && arrow && isMark(arrow, "->") && isWord(arrow + 1, "i32"))
      edits.push_back({tokens[at].begin, tokens[arrow].end, "arith.constant 0 :"});
  }

  bool isBarrierScope(size_t at) const {
    return isWord(at, "local") || isWord(at, "global_read") || isWord(at, "global_write") || isWord(at, "all") ||
           isWord(at, "none") || isWord(at, "tensor_read") || isWord(at, "tensor_write");
  }

  // Triton 3.3 has the descriptor operations of later releases under another name.
  static std::string_view modernDescriptor(std::string_view name) {
    constexpr std::string_view kOld = "tt.experimental_descriptor_";
    if (name.starts_with(kOld))
      for (std::string_view modern : {"tt.descriptor_load", "tt.descriptor_store", "tt.descriptor_gather",
                                      "tt.descriptor_scatter", "tt.descriptor_reduce"})
        if (modern.substr(std::string_view("tt.descriptor_").size()) == name.substr(kOld.size()))
          return modern;
    return {};
  }

  // Before 3.3 the same names applied to plain pointers; the dialect refuses those with a reason.
  Status oldDescriptor(size_t at) {
    std::string_view modern = modernDescriptor(spelling(at));
    size_t type = at + 1;
    while (type < tokens.size() && !isMark(type, ":") && !isMark(type, "}"))
      type = afterGroup(type) ? afterGroup(type) : type + 1;
    bool onPointer = spelling(type + 1) == "!tt.ptr";
    if (!modern.empty() && !onPointer)
      edits.push_back({tokens[at].begin, tokens[at].end, std::string(modern)});
    return {};
  }

  static bool isOfLaterStage(std::string_view name) {
    return name.starts_with("ttg.") || name.starts_with("ttng.") || name.starts_with("triton_gpu.");
  }

  // Operations, types and attributes of Triton's GPU dialects; module attributes of this name are harmless.
  Status laterStage(size_t at, std::string_view spelled) const {
    if (isMark(at + 1, "=") || isMark(at + 1, ",") || isMark(at + 1, "}"))
      return {};
    return error(at, "'" + std::string(spelled) +
                         "' belongs to a later stage of Triton (.ttgir); Tawa reads .ttir or .source");
  }

  // Flags of newer releases only permit optimizations, so they may be dropped. Flags that MLIR 19 reads are kept.
  void arithmeticFlags(size_t at) {
    std::string_view op = spelling(at);
    size_t place = afterOperand(at + 1);
    while (place && isMark(place, ","))
      place = afterOperand(place + 1);
    while (place && isKind(place, Token::Kind::Word)) {
      std::string_view word = spelling(place);
      bool plain = word == "nneg" || word == "exact" || word == "disjoint";
      bool grouped = (word == "overflow" && op == "arith.trunci") ||
                     (word == "fastmath" &&
                      (op == "arith.extf" || op == "arith.truncf" || op == "arith.sitofp" || op == "arith.uitofp"));
      size_t end = grouped && isMark(place + 1, "<") ? afterGroup(place + 1) : place + 1;
      if ((!plain && !grouped && word != "overflow" && word != "fastmath") || (!plain && !isMark(place + 1, "<")) ||
          !end)
        return; // something else, or malformed: the parser will say so
      if (plain || grouped)
        blankTokens(place, end);
      else
        end = afterGroup(place + 1);
      place = end;
    }
  }

  // The type itself, or the end of a shape ("x64xf8E8M0FNU"), if it is a float that no phase supports; else empty.
  static std::string_view foreignFloat(std::string_view spelled) {
    for (std::string_view type : {"f8E8M0FNU", "f8E4M3FNUZ", "f8E5M2FNUZ", "f8E4M3B11FNUZ", "f8E3M4", "f8E4M3",
                                  "f6E2M3FN", "f6E3M2FN", "f4E2M1FN"}) {
      if (!spelled.ends_with(type))
        continue;
      std::string_view shape = spelled.substr(0, spelled.size() - type.size());
      if (std::ranges::all_of(shape, [](char c) { return c == 'x' || (c >= '0' && c <= '9'); }))
        return type;
    }
    return {};
  }

  // Blanks a flag after the first operand, with its bracketed group.
  void flag(size_t at, std::string_view keyword, std::string_view bracket) {
    size_t place = afterOperand(at + 1);
    if (!place || !isWord(place, keyword))
      return;
    size_t end = place + 1;
    if (!bracket.empty())
      end = isMark(end, bracket) ? afterGroup(end) : 0;
    if (!end)
      return; // malformed: the parser will say so
    blankTokens(place, end);
  }

  // The custom form of llvm.intr.assume, which MLIR 19 has only in the generic one. Operand bundles (`["align"(..)]`)
  // say more of the same kind, and are dropped.
  Status assume(size_t at) {
    size_t operandEnd = afterOperand(at + 1);
    size_t colon = operandEnd;
    size_t bundlesEnd = colon && isMark(colon, "[") ? afterGroup(colon) : 0;
    if (bundlesEnd)
      colon = bundlesEnd;
    if (colon && isMark(colon, "{"))
      colon = afterGroup(colon);
    if (!colon || !isMark(colon, ":") || !isWord(colon + 1, "i1"))
      return error(at, "llvm.intr.assume is read as `llvm.intr.assume %condition : i1`", "llvm.intr.assume",
                   StatusCode::InvalidIR);
    bool sameLine = tokens[at].place.line == tokens[at + 1].place.line;
    edits.push_back({tokens[at].begin, sameLine ? tokens[at + 1].begin : tokens[at].end, "\"llvm.intr.assume\"("});
    edits.push_back({tokens[operandEnd - 1].end, tokens[operandEnd - 1].end, ")"});
    if (bundlesEnd)
      blankTokens(operandEnd, bundlesEnd);
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

  // MLIR 19 resolves an alias that is defined later only directly in an operation's `loc(#later)`, and does not support
  // ranges (`"file":1:2 to 3:4`).
  bool hasUnreadableLocation() const {
    std::set<std::string_view> defined;
    for (size_t at = 0; at < tokens.size(); ++at) {
      bool alias = isAlias(at);
      size_t first = alias ? at + 2 : at;
      size_t end = afterLocation(first);
      bool direct = !alias && end == first + 4; // loc ( #x )
      for (size_t inner = first; inner < end && !direct; ++inner)
        if ((isKind(inner, Token::Kind::Hash) && !defined.contains(spelling(inner))) || isWord(inner, "to"))
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
        continue; // inside a range that is already removed
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
