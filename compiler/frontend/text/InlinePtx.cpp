// The table of instructions permitted in inline PTX, and a recursive-descent parser of the grammar in InlinePtx.h.
#include "compiler/frontend/text/InlinePtx.h"

#include "runtime/support/Expression.h"

#include <algorithm>
#include <charconv>
#include <set>
#include <vector>

namespace tawa {
namespace {

// Instructions whose results depend only on their operands, without effects (PTX ISA, chapter 9.7).
constexpr std::string_view kComputing[] = {
    "abs",   "add",  "and",  "bfe", "bfi",  "bfind", "bmsk", "brev",  "clz",   "cnot",  "copysign", "cos", "cvt",
    "div",   "dp2a", "dp4a", "ex2", "fma",  "lg2",   "lop3", "mad",   "mad24", "max",   "min",      "mov", "mul",
    "mul24", "neg",  "not",  "or",  "popc", "prmt",  "rcp",  "rem",   "rsqrt", "sad",   "selp",     "set", "setp",
    "shf",   "shl",  "shr",  "sin", "slct", "sqrt",  "sub",  "szext", "tanh",  "testp", "xor"};

struct Refusal {
  std::string_view reason;
  std::vector<std::string_view> opcodes;
};

// Commonly tried instructions, with reasons for refusal; other opcodes are simply not known to be pure.
const Refusal kRefusals[] = {
    {"it moves the flow of control, which only the kernel's own code may",
     {"bra", "brx", "brkpt", "call", "exit", "ret", "trap", "nanosleep"}},
    {"threads wait or signal by it, and no proof of the kernel's barriers would see that",
     {"activemask", "bar", "barrier", "clusterlaunchcontrol", "elect", "fence", "griddepcontrol", "match", "mbarrier",
      "membar", "redux", "shfl", "vote"}},
    {"it changes how many registers a thread has, which is the compiler's affair", {"setmaxnreg"}},
    {"it accesses memory; write tt.load, tt.store or an atomic operation",
     {"applypriority", "atom", "cp",    "createpolicy", "cvta",      "discard",   "isspacep", "ld",
      "ldmatrix",      "ldu",  "mapa",  "multimem",     "prefetch",  "prefetchu", "red",      "st",
      "stmatrix",      "suld", "sured", "sust",         "tensormap", "tex"}},
    {"it multiplies tiles of a warp; write tt.dot", {"mma", "wgmma", "wmma"}},
};

constexpr std::string_view kRegisterTypes[] = {"pred",  "b8",   "b16",    "b32", "b64", "u8",  "u16",
                                               "u32",   "u64",  "s8",     "s16", "s32", "s64", "f16",
                                               "f16x2", "bf16", "bf16x2", "f32", "f64"};

constexpr std::string_view kRegisterLetters = "bchrlNfd";
constexpr size_t kMaxScopes = 8;

bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isNamePart(char c) { return isLetter(c) || isDigit(c); }
bool isSpace(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
std::string quoted(std::string_view text) { return "'" + std::string(text) + "'"; }
bool contains(std::string_view letters, char wanted) { return letters.find(wanted) != std::string_view::npos; }
template <typename Range> bool contains(const Range &range, std::string_view wanted) {
  return std::ranges::find(range, wanted) != std::end(range);
}

Status refuse(const std::string &reason) { return {StatusCode::Unsupported, "inline PTX: " + reason}; }

/// Comments become a space each; line comments leave their line's end.
Result<std::string> withoutComments(std::string_view text) {
  std::string plain;
  for (size_t at = 0; at < text.size();) {
    std::string_view two = text.substr(at, 2);
    if (two != "//" && two != "/*") {
      plain += text[at++];
      continue;
    }
    size_t end = text.find(two == "//" ? "\n" : "*/", at + 2);
    if (end == std::string_view::npos && two == "/*")
      return refuse("a comment is not closed");
    plain += ' ';
    at = two == "//" ? std::min(end, text.size()) : end + 2;
  }
  return plain;
}

/// How many results, and how many operands in all, the constraints name.
struct Operands {
  size_t results = 0;
  size_t all = 0;
};

Status readConstraint(std::string_view constraint, Operands &operands) {
  if (constraint.starts_with("~{") && constraint.ends_with("}"))
    return std::ranges::all_of(constraint.substr(2, constraint.size() - 3), isNamePart)
               ? Status()
               : refuse("the constraint " + quoted(constraint) + " cannot be read");
  std::string_view letter = constraint;
  bool isResult = letter.starts_with("=");
  letter.remove_prefix(isResult ? (letter.substr(1, 1) == "&" ? 2 : 1) : 0);
  if (letter == "i")
    return refuse("the constraint 'i' may name a symbol; 'n' takes a number");
  bool isImmediate = letter == "n" && !isResult;
  bool isTied = !isResult && !letter.empty() && letter.size() <= 2 && std::ranges::all_of(letter, isDigit);
  if (!isTied && !isImmediate && (letter.size() != 1 || !contains(kRegisterLetters, letter[0])))
    return refuse("the constraint " + quoted(constraint) +
                  " names no register; there are b, c, h, r, l, f and d, and n for a constant operand");
  if (isResult && operands.results != operands.all)
    return refuse("constraints of results stand before those of operands");
  operands.results += isResult;
  ++operands.all;
  return {};
}

Result<Operands> readConstraints(std::string_view text) {
  Operands operands;
  while (!text.empty()) {
    size_t end = std::min(text.find(','), text.size());
    std::string_view constraint = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    while (constraint.starts_with(" "))
      constraint.remove_prefix(1);
    while (constraint.ends_with(" "))
      constraint.remove_suffix(1);
    if (Status status = readConstraint(constraint, operands); !status)
      return status;
  }
  return operands;
}

class Reader {
public:
  Reader(std::string_view text, Operands operands) : text(text), operands(operands) {}

  Status run() {
    if (Status status = statements(); !status)
      return status;
    return position == text.size() ? Status() : unexpected();
  }

private:
  void skipSpace() {
    while (position < text.size() && isSpace(text[position]))
      ++position;
  }
  bool accept(char c) {
    skipSpace();
    if (position >= text.size() || text[position] != c)
      return false;
    ++position;
    return true;
  }
  bool isNext(char c) {
    skipSpace();
    return position < text.size() && text[position] == c;
  }
  std::string_view takeWhile(bool (*isPart)(char)) {
    size_t begin = position;
    while (position < text.size() && isPart(text[position]))
      ++position;
    return text.substr(begin, position - begin);
  }

  Status unexpected() {
    skipSpace();
    if (position >= text.size())
      return refuse("it ends within a statement; statements end with ';'");
    if (text[position] == '[')
      return refuse("'[' is an address: memory is accessed by tt.load, tt.store and atomic operations");
    return refuse("unexpected " + quoted(text.substr(position, text.substr(position).find_first_of(" \t\r\n;"))));
  }
  Status expect(char c) { return accept(c) ? Status() : unexpected(); }

  /// To a '}' of the scope around, or the end.
  Status statements() {
    for (skipSpace(); position < text.size() && text[position] != '}'; skipSpace()) {
      if (accept(';'))
        continue;
      Status status = isNext('{') ? scope() : isNext('.') ? declaration() : statement();
      if (!status)
        return status;
    }
    return {};
  }

  Status scope() {
    accept('{');
    if (scopes.size() == kMaxScopes)
      return refuse("scopes are nested deeper than " + std::to_string(kMaxScopes));
    scopes.emplace_back();
    if (Status status = statements(); !status)
      return status;
    scopes.pop_back();
    return expect('}');
  }

  Status declaration() {
    accept('.');
    std::string_view directive = takeWhile(isNamePart);
    if (directive != "reg")
      return refuse("'." + std::string(directive) + "': of all declarations there are registers only (.reg)");
    if (scopes.empty())
      return refuse("'.reg' outside of braces: the text is repeated for every element, its registers would be too");
    if (!accept('.'))
      return unexpected();
    if (std::string_view type = takeWhile(isNamePart); !contains(kRegisterTypes, type))
      return refuse("'." + std::string(type) + "' is no type of a register");
    do {
      if (Status status = declareName(); !status)
        return status;
    } while (accept(','));
    return expect(';');
  }

  /// One name, or name<count>: name0, name1, ...
  Status declareName() {
    skipSpace();
    std::string_view name = position < text.size() && isLetter(text[position]) ? takeWhile(isNamePart) : "";
    if (name.empty())
      return unexpected();
    if (!accept('<')) {
      scopes.back().emplace(name);
      return {};
    }
    std::string_view digits = takeWhile(isDigit);
    int count = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), count);
    if (count < 1 || count > 256)
      return refuse(quoted(name) + " is declared as " + quoted(digits) + " registers; there may be 1 to 256");
    for (int i = 0; i < count; ++i)
      scopes.back().insert(std::string(name) + std::to_string(i));
    return expect('>');
  }

  Status statement() {
    if (accept('@')) {
      accept('!');
      if (Status status = single(); !status)
        return status;
    }
    if (Status status = opcode(); !status)
      return status;
    for (bool isFirst = true; !isNext(';'); isFirst = false) {
      if (!isFirst && !accept(','))
        return unexpected();
      if (Status status = isFirst ? destination() : operand(); !status)
        return status;
    }
    return expect(';');
  }

  Status opcode() {
    skipSpace();
    size_t begin = position;
    std::string_view base = position < text.size() && isLetter(text[position]) ? takeWhile(isNamePart) : "";
    if (base.empty())
      return unexpected();
    bool usesCarry = false;
    while (position < text.size() && (text[position] == '.' || text.substr(position, 2) == "::")) {
      position += text[position] == '.' ? 1 : 2;
      usesCarry |= takeWhile(isNamePart) == "cc";
    }
    std::string_view spelled = text.substr(begin, position - begin);
    for (const Refusal &refusal : kRefusals)
      if (contains(refusal.opcodes, base))
        return refuse(quoted(spelled) + ": " + std::string(refusal.reason));
    if (isNext(':'))
      return refuse(quoted(spelled) + " is a label: there is nothing that may jump to it");
    if (!contains(kComputing, base) || usesCarry)
      return refuse(quoted(spelled) + " is none of the instructions that only compute values from values");
    return {};
  }

  /// The destination: a result or a declared register, or several of them.
  Status destination() {
    isWritten = true;
    Status status = operand();
    isWritten = false;
    return status;
  }

  Status operand() {
    if (!accept('{'))
      return single();
    do {
      if (Status status = single(); !status)
        return status;
    } while (accept(','));
    return expect('}');
  }

  /// One operand, or the two results p|q of a comparison.
  Status single() {
    Status status = simple();
    return status && accept('|') ? simple() : status;
  }

  Status simple() {
    if (!accept('-'))
      accept('!');
    skipSpace();
    char c = position < text.size() ? text[position] : 0;
    return c == '$' ? argument() : c == '%' ? special() : isLetter(c) ? name() : isDigit(c) ? number() : unexpected();
  }

  Status argument() {
    ++position;
    std::string_view digits = takeWhile(isDigit);
    size_t index = operands.all;
    if (digits.size() <= 3)
      std::from_chars(digits.data(), digits.data() + digits.size(), index);
    if (digits.empty() || index >= operands.all)
      return refuse("'$" + std::string(digits) + "' is none of the " + std::to_string(operands.all) +
                    " results and operands that the constraints name");
    return !isWritten || index < operands.results
               ? Status()
               : refuse("'$" + std::string(digits) + "' is an operand, and an instruction writes to it");
  }

  Status special() {
    ++position;
    return refuse("'%" + std::string(takeWhile(isNamePart)) +
                  "': special registers say where or when a thread runs, and a tile's values must not depend on that");
  }

  Status name() {
    std::string_view name = takeWhile(isNamePart);
    bool isKnown = name == "_" || std::ranges::any_of(scopes, [&](const std::set<std::string, std::less<>> &scope) {
                     return scope.contains(name);
                   });
    return isKnown ? Status() : refuse(quoted(name) + " is no register declared in braces around its use (.reg)");
  }

  /// 12, 0x1F, 0f3F800000, 1.5, 1e-3.
  Status number() {
    size_t begin = position;
    takeWhile([](char c) { return isNamePart(c) || c == '.'; });
    bool hasPrefix = position > begin + 1 && text[begin] == '0' && contains("xXfFdDbB", text[begin + 1]);
    bool isExponent = !hasPrefix && contains("eE", text[position - 1]);
    if (isExponent && position < text.size() && (text[position] == '-' || text[position] == '+')) {
      ++position;
      takeWhile(isDigit);
    }
    std::string_view spelled = text.substr(begin, position - begin);
    if (isWritten)
      return refuse(quoted(spelled) + " is a number, and an instruction writes to it");
    return spelled.size() <= kMaxDigits ? Status() : refuse(longNumberReason());
  }

  std::string_view text;
  Operands operands;
  size_t position = 0;
  bool isWritten = false; ///< The operand that is being read.
  std::vector<std::set<std::string, std::less<>>> scopes;
};

} // namespace

Result<std::string> readInlinePtx(std::string_view text, std::string_view constraints) {
  Result<Operands> operands = readConstraints(constraints);
  if (!operands)
    return operands.status();
  Result<std::string> plain = withoutComments(text);
  if (!plain)
    return plain.status();
  if (Status status = Reader(*plain, *operands).run(); !status)
    return status;
  return std::move(*plain);
}

} // namespace tawa
