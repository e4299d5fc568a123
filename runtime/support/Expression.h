// Integer expressions over names, as the `tawa.` directives of a kernel's text hold them: tile sizes when the text is
// expanded, the grid at every launch. All arithmetic is on 64-bit signed integers and checked for overflow.
//
//   sum     = product (("+" | "-") product)*
//   product = unary (("*" | "/" | "%") unary)*          division and remainder truncate toward zero, as in C
//   unary   = "-" unary | integer | name | "(" sum ")" | call
//   call    = ceildiv(a, b) | min(a, b, ...) | max(a, b, ...) | log2(a) | dim(tensor, integer)
//
// ceildiv rounds up; log2 is the floor and needs a positive operand; dim is the size of one dimension of a tensor
// argument, counted from the outermost.
#pragma once

#include "runtime/support/Status.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tawa {

/// Digits that a number of a kernel's text may have. A double has 17 significant ones, and LLVM's time to read a
/// decimal number grows cubically with them.
inline constexpr size_t kMaxDigits = 64;

/// Position in a text of a number with more digits; npos where there is none.
size_t findLongNumber(std::string_view text);
/// The error for such a number.
std::string longNumberReason();

/// Value of a name; nothing if the name is not known.
using VariableLookup = std::function<std::optional<int64_t>(std::string_view name)>;
/// Size of a dimension of a tensor; nothing if there is no such tensor or dimension.
using DimensionLookup = std::function<std::optional<int64_t>(std::string_view tensor, int64_t dimension)>;

/// Value of one expression. An error has StatusCode::InvalidArgument and one diagnostic without file and line, whose
/// column is the place in the expression, counted from 1.
Result<int64_t> evaluate(std::string_view expression, const VariableLookup &variables,
                         const DimensionLookup &dimensions = {});

/// Values of expressions separated by commas; columns of errors count from the start of the whole.
Result<std::vector<int64_t>> evaluateList(std::string_view expressions, const VariableLookup &variables,
                                          const DimensionLookup &dimensions = {});

/// A variable in an expression, and its position.
struct ExpressionName {
  std::string name;
  int column = 0;
};

/// The variables of comma-separated expressions, in order. Fails for a wrong spelling, and where the expressions fail
/// for all values of the variables unknown to `known` (1/0). `count`, if given, receives the number of expressions.
Result<std::vector<ExpressionName>> variablesOf(std::string_view expressions, size_t *count = nullptr,
                                                const VariableLookup &known = {});

/// Whether a text can name a variable: a letter or underscore, then letters, digits and underscores; not a function.
bool isVariableName(std::string_view text);

} // namespace tawa
