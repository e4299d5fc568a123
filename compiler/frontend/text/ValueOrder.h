// Refuses values that are used before the region in which they are defined. No such text is valid: a region's values
// are visible only inside it. But MLIR 19 takes the use for a forward reference, binds it to the later definition, and
// when it then fails inside that region, destroys the definition while the use still points at it. So such text must
// not reach the parser.
#pragma once

#include "compiler/frontend/text/Scanner.h"

namespace tawa {

/// Resolves names as far as braces and the definition forms of structured text permit; doubtful cases pass.
Status checkValueOrder(std::string_view text, std::string_view name, const std::vector<Token> &tokens);

} // namespace tawa
