// A recursive-descent evaluator: it computes while it parses and builds no tree, since an expression is short and
// evaluated once per launch. The grammar is in Expression.h.
#include "runtime/support/Expression.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace tawa {
namespace {

constexpr int kMaxNesting = 64; // of parentheses, calls and signs; bounds the recursion on hostile text

constexpr std::string_view kFunctions[] = {"ceildiv", "min", "max", "log2", "dim"};

bool isNameStart(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isFunction(std::string_view name) { return std::ranges::find(kFunctions, name) != std::end(kFunctions); }

/// A number, or a value unknown before a launch. Operations on known values are evaluated, and fail, in any case.
struct Operand {
  int64_t number = 0;
  bool isKnown = true;
};
constexpr Operand kUnknown{1, false};

/// Parses one text. With `names` set it records variables, and values without a lookup are unknown; otherwise they are
/// errors.
class Evaluator {
public:
  Evaluator(std::string_view text, const VariableLookup &variables, const DimensionLookup &dimensions,
            std::vector<ExpressionName> *names)
      : text(text), variables(variables), dimensions(dimensions), names(names) {}

  Result<std::vector<int64_t>> list(bool single) {
    std::vector<int64_t> values;
    if (size_t at = findLongNumber(text); at != std::string_view::npos)
      fail(at, longNumberReason());
    do {
      values.push_back(sum().number);
    } while (!failed() && !single && accept(','));
    skipSpace();
    if (!failed() && position != text.size())
      fail(position, "unexpected '" + std::string(1, text[position]) + "'");
    if (failed())
      return failure;
    return values;
  }

private:
  bool failed() const { return !failure.isOk(); }

  // The first error stays; callers can go on to their end without checks.
  Operand fail(size_t at, const std::string &reason) {
    if (failed())
      return kUnknown;
    Diagnostic diagnostic;
    diagnostic.column = static_cast<int>(at) + 1;
    diagnostic.message = reason;
    failure = Status(StatusCode::InvalidArgument,
                     "column " + std::to_string(at + 1) + " of '" + std::string(text) + "': " + reason, {diagnostic});
    return kUnknown;
  }

  void skipSpace() {
    while (position < text.size() && (text[position] == ' ' || text[position] == '\t'))
      ++position;
  }

  bool accept(char c) {
    skipSpace();
    if (failed() || position >= text.size() || text[position] != c)
      return false;
    ++position;
    return true;
  }

  void expect(char c) {
    if (!accept(c))
      fail(position, std::string("expected '") + c + "'");
  }

  std::string_view name() {
    size_t begin = position;
    while (position < text.size() && (isNameStart(text[position]) || isDigit(text[position])))
      ++position;
    return text.substr(begin, position - begin);
  }

  Operand sum() {
    Operand value = product();
    while (!failed()) {
      skipSpace();
      size_t at = position;
      if (accept('+'))
        value = apply('+', value, product(), at);
      else if (accept('-'))
        value = apply('-', value, product(), at);
      else
        break;
    }
    return value;
  }

  Operand product() {
    Operand value = unary();
    while (!failed()) {
      skipSpace();
      size_t at = position;
      if (at >= text.size() || (text[at] != '*' && text[at] != '/' && text[at] != '%'))
        break;
      ++position;
      value = apply(text[at], value, unary(), at);
    }
    return value;
  }

  Operand unary() {
    skipSpace();
    size_t at = position;
    if (depth >= kMaxNesting)
      return fail(at, "nested deeper than " + std::to_string(kMaxNesting));
    ++depth;
    Operand value = accept('-') ? apply('-', {0}, unary(), at) : primary();
    --depth;
    return value;
  }

  Operand primary() {
    skipSpace();
    size_t at = position;
    if (accept('(')) {
      Operand value = sum();
      expect(')');
      return value;
    }
    if (at < text.size() && isDigit(text[at]))
      return integer();
    if (at >= text.size() || !isNameStart(text[at]))
      return fail(at, "expected a number, a name or '('");
    std::string_view word = name();
    if (isFunction(word))
      return call(word, at);
    if (names)
      names->push_back({std::string(word), static_cast<int>(at) + 1});
    std::optional<int64_t> value = variables ? variables(word) : std::nullopt;
    return value ? Operand{*value} : names ? kUnknown : fail(at, "'" + std::string(word) + "' is not known");
  }

  Operand integer() {
    size_t at = position;
    int64_t value = 0;
    for (; position < text.size() && isDigit(text[position]); ++position)
      if (__builtin_mul_overflow(value, 10, &value) || __builtin_add_overflow(value, text[position] - '0', &value))
        return fail(at, "the number does not fit into 64 bits");
    if (position < text.size() && (isNameStart(text[position]) || text[position] == '.'))
      return fail(at, "only decimal integers are numbers");
    return {value};
  }

  Operand call(std::string_view function, size_t at) {
    expect('(');
    if (function == "dim")
      return dimension(at);
    std::vector<Operand> arguments;
    do {
      arguments.push_back(sum());
    } while (!failed() && accept(','));
    expect(')');
    if (failed())
      return kUnknown;
    if (function == "min" || function == "max")
      return extreme(function == "min", arguments);
    size_t expected = function == "log2" ? 1 : 2;
    if (arguments.size() != expected)
      return fail(at, std::string(function) + " takes " + std::to_string(expected) + " operand" +
                          (expected == 1 ? "" : "s") + ", not " + std::to_string(arguments.size()));
    return function == "log2" ? log2(arguments[0], at) : apply('^', arguments[0], arguments[1], at);
  }

  static Operand extreme(bool isLeast, const std::vector<Operand> &operands) {
    if (!std::ranges::all_of(operands, &Operand::isKnown))
      return kUnknown;
    return isLeast ? *std::ranges::min_element(operands, {}, &Operand::number)
                   : *std::ranges::max_element(operands, {}, &Operand::number);
  }

  Operand dimension(size_t at) {
    skipSpace();
    std::string_view tensor = name();
    if (tensor.empty() || isDigit(tensor[0]))
      return fail(at, "dim takes the name of a tensor and a dimension");
    expect(',');
    skipSpace();
    if (!failed() && (position >= text.size() || !isDigit(text[position])))
      return fail(position, "expected the number of a dimension");
    int64_t axis = failed() ? 0 : integer().number;
    expect(')');
    if (failed() || names)
      return kUnknown;
    std::optional<int64_t> size = dimensions ? dimensions(tensor, axis) : std::nullopt;
    return size ? Operand{*size}
                : fail(at, "there is no dimension " + std::to_string(axis) + " of '" + std::string(tensor) + "'");
  }

  Operand log2(Operand value, size_t at) {
    if (!value.isKnown)
      return kUnknown;
    if (value.number <= 0)
      return fail(at, "log2 of " + std::to_string(value.number) + ", which is not positive");
    return {static_cast<int64_t>(std::bit_width(static_cast<uint64_t>(value.number))) - 1};
  }

  // One operation; '^' stands for ceildiv.
  Operand apply(char operation, Operand of, Operand by, size_t at) {
    bool divides = operation == '/' || operation == '%' || operation == '^';
    if (!failed() && divides && by.isKnown && by.number == 0)
      return fail(at, "division by zero");
    if (failed() || !of.isKnown || !by.isKnown)
      return kUnknown;
    int64_t left = of.number, right = by.number, value = 0;
    bool overflow = false;
    switch (operation) {
    case '+':
      overflow = __builtin_add_overflow(left, right, &value);
      break;
    case '-':
      overflow = __builtin_sub_overflow(left, right, &value);
      break;
    case '*':
      overflow = __builtin_mul_overflow(left, right, &value);
      break;
    default:
      overflow = left == std::numeric_limits<int64_t>::min() && right == -1;
      if (!overflow)
        value = operation == '%' ? left % right : left / right;
      if (!overflow && operation == '^' && left % right != 0 && (left < 0) == (right < 0))
        ++value;
    }
    return overflow ? fail(at, "the result does not fit into 64 bits") : Operand{value};
  }

  std::string_view text;
  const VariableLookup &variables;
  const DimensionLookup &dimensions;
  std::vector<ExpressionName> *names;
  size_t position = 0;
  int depth = 0;
  Status failure;
};

} // namespace

Result<int64_t> evaluate(std::string_view expression, const VariableLookup &variables,
                         const DimensionLookup &dimensions) {
  Result<std::vector<int64_t>> values = Evaluator(expression, variables, dimensions, nullptr).list(/*single=*/true);
  if (!values)
    return values.status();
  return values->front();
}

Result<std::vector<int64_t>> evaluateList(std::string_view expressions, const VariableLookup &variables,
                                          const DimensionLookup &dimensions) {
  return Evaluator(expressions, variables, dimensions, nullptr).list(/*single=*/false);
}

Result<std::vector<ExpressionName>> variablesOf(std::string_view expressions, size_t *count,
                                                const VariableLookup &known) {
  std::vector<ExpressionName> names;
  Result<std::vector<int64_t>> values = Evaluator(expressions, known, {}, &names).list(/*single=*/false);
  if (!values)
    return values.status();
  if (count)
    *count = values->size();
  return names;
}

size_t findLongNumber(std::string_view text) {
  size_t digits = 0;
  for (size_t at = 0; at < text.size(); ++at) {
    digits = isDigit(text[at]) ? digits + 1 : 0;
    if (digits > kMaxDigits)
      return at + 1 - digits;
  }
  return std::string_view::npos;
}

std::string longNumberReason() { return "a number of more than " + std::to_string(kMaxDigits) + " digits"; }

bool isVariableName(std::string_view text) {
  return !text.empty() && isNameStart(text[0]) && !isFunction(text) &&
         std::ranges::all_of(text, [](char c) { return isNameStart(c) || isDigit(c); });
}

} // namespace tawa
