// The reference evaluator: runs a kernel of Triton IR on host memory, slowly and plainly, as the reference for compiled
// kernels in tests. README.md has its rounding, its errors, and the file of each operation.
#pragma once

#include "compiler/frontend/TT/TT.h"
#include "compiler/reference/ReferenceArgument.h"
#include "runtime/support/Status.h"

#include <array>

namespace tawa::reference {

/// Runs every program of the grid in order. Afterwards the arguments' memory has the kernel's stores, also after a
/// failure. All programs together take at most `stepLimit` steps.
///
/// A perturbed run gives another result that the text allows; where such runs differ, a compiled kernel may too.
Status evaluate(tt::FuncOp kernel, std::vector<ReferenceArgument> &args, std::array<uint32_t, 3> grid,
                uint64_t stepLimit, Perturbation perturbation = {});

/// Runs one program of the grid, by its number, x fastest; races between programs are not looked for.
Status evaluateProgram(tt::FuncOp kernel, std::vector<ReferenceArgument> &args, std::array<uint32_t, 3> grid,
                       uint32_t number, uint64_t stepLimit);

} // namespace tawa::reference
