// Refuses values that are used before the region in which they are defined. No such text is valid: a region's values
// are seen only inside of it. But MLIR 19 takes the use for a forward reference, ties it to the later definition, and
// when it then fails inside that region, destroys the definition while the use still points at it. So the parser must
// not get to see such a text.
#pragma once

#include "compiler/frontend/text/Scanner.h"

namespace tawa {

/// Names are resolved as far as braces and the forms of definitions that structured text has go; what is doubtful
/// passes.
Status checkValueOrder(std::string_view text, std::string_view name, const std::vector<Token> &tokens);

} // namespace tawa
