// The names of a kernel's parameters, read from its text: MLIR does not keep the names of values, but callers, grids
// and errors speak of arguments by name.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tawa {

/// The parameters of the first function that is not private, in order, without the '%'. Empty when the text has none.
std::vector<std::string> readParameterNames(std::string_view text);

} // namespace tawa
