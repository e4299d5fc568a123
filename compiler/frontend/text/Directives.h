// Tile parameters: comment lines at the head of a kernel's text that declare them, and `${expression}` in its code
// where a number depends on them. include/tawa/kernel-text.md is the grammar for users.
//
//   // tawa.param BLOCK_M = 64 | 128 | 256
//   // tawa.setting CAUSAL = 0 | 1
//   // tawa.grid  ceildiv(M, BLOCK_M) * ceildiv(N, BLOCK_N)
//
// Text without directives is a kernel without parameters and expands to itself, byte for byte.
#pragma once

#include "compiler/frontend/text/TextError.h"
#include "runtime/support/Status.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace tawa {

/// A declared parameter. The first value is taken when the configuration names none.
struct TileParameter {
  std::string name;
  std::vector<int64_t> values;
  int line = 0;
  int column = 0;         ///< Of the name.
  bool isSetting = false; ///< It decides what the kernel computes, so that no search may choose it.
  size_t valuesBegin = 0; ///< The list of values, as bytes of the text.
  size_t valuesEnd = 0;
};

/// A `${expression}`: its bytes in the text, and the place of the expression in it.
struct Placeholder {
  size_t begin = 0;
  size_t end = 0;
  std::string expression;
  int line = 0;
  int column = 0;
};

/// A text with its directives read and checked.
struct TemplateText {
  std::string text;
  std::vector<TileParameter> parameters; ///< In the order of their declaration.
  std::vector<Placeholder> placeholders; ///< In the order of the text.
  /// One to three expressions (x, y, z) separated by commas, over parameters and kernel arguments; see
  /// runtime/support/Expression.h (evaluateList). Empty where the text does not say.
  std::string grid;
  TextPlace gridPlace; ///< Where it begins.
};

/// Reads and checks the directives. `name` is the file name for diagnostics.
Result<TemplateText> parseDirectives(std::string_view text, std::string_view name);

/// Those of a configuration's values that are for the text: without tile sizes (runtime/artifact/TileSizes.h) that it
/// does not declare, which are for the compiler.
std::map<std::string, int64_t> valuesOfText(const TemplateText &source, std::map<std::string, int64_t> values);

/// The text with each setting's list reduced to the value that `values` names, else to the first: requests for such a
/// text refer to one kernel. Fails for values for which expand() would.
Result<std::string> withSettings(const TemplateText &source, const std::map<std::string, int64_t> &values,
                                 std::string_view name);

/// The text with every placeholder replaced by its number; line numbers are preserved. Parameters without an entry in
/// `values` take their first value; a name that is no parameter, or a value that is not listed, is an error.
Result<std::string> expand(const TemplateText &source, const std::map<std::string, int64_t> &values,
                           std::string_view name);

} // namespace tawa
