// The reference evaluator: runs a kernel of Triton IR on host memory, slowly and plainly, so that tests have something
// to compare compiled kernels with. README.md says how it rounds, what it takes for an error, and where each operation
// is.
#pragma once

#include "compiler/frontend/TT/TT.h"
#include "compiler/reference/ReferenceArgument.h"
#include "runtime/support/Status.h"

#include <array>

namespace tawa::reference {

/// Runs every program of the grid in order. What the kernel stores is in the arguments' memory afterwards, also when it
/// fails half way. At most `stepLimit` steps are taken by all programs together.
///
/// A perturbed run gives another result that the text allows; where such runs differ, a compiled kernel may too.
Status evaluate(tt::FuncOp kernel, std::vector<ReferenceArgument> &args, std::array<uint32_t, 3> grid,
                uint64_t stepLimit, Perturbation perturbation = {});

} // namespace tawa::reference
