// The compile key of a request, and the guarantee that goes with it: the compiler sees nothing of a request that the
// key leaves out.
#pragma once

#include "compiler/pipeline/Compiler.h"
#include "runtime/store/Key.h"

namespace tawa::capi {

/// Removes what no artifact depends on: sizes, strides and values of scalars, which a launch passes. The rank stays,
/// since checkFacts() reads it, and whether TMA can take a tensor. So one artifact serves all shapes.
void forgetShapes(std::vector<ArgumentFacts> &facts);

/// The key of what compileKernel(input) makes, where checkFacts() finds nothing; forgetShapes() must have been applied.
/// The text's own error where its directives are wrong. Opens no MLIR.
Result<store::Key> compileKey(const CompileInput &input, std::string_view build);

} // namespace tawa::capi
