// The compile key of a request, and the guarantee that goes with it: the compiler sees nothing of a request that the
// key leaves out.
#pragma once

#include "compiler/pipeline/Compiler.h"
#include "runtime/store/Key.h"

namespace tawa::capi {

/// Takes out of the facts what no artifact depends on: sizes of dimensions and strides, of which launches are told, and
/// the values of scalars. The rank stays, since checkFacts() looks at it. So one artifact serves all shapes.
void forgetShapes(std::vector<ArgumentFacts> &facts);

/// The key of what compileKernel(input) makes, where checkFacts() finds nothing; forgetShapes() must have been applied.
/// The text's own error where its directives are wrong. Opens no MLIR.
Result<store::Key> compileKey(const CompileInput &input, std::string_view build);

} // namespace tawa::capi
