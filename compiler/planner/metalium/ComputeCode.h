// The compute thread of a core program as a kernel of TT-Metalium's compute interface. Internal to the printing of
// code.
#pragma once

#include "compiler/planner/metalium/DataflowCode.h"
#include "compiler/planner/metalium/TileValues.h"

namespace tawa::metalium {

struct ComputeCode {
  KernelCode kernel;
  std::set<int> unpackedTo32; ///< Buffers of 32-bit tiles that are copied to the registers as they are.
};

/// Adds the circular buffers of values to `paging`.
ComputeCode printCompute(const mesh::CoreProgram &program, const mesh::TileProgram &tiles, Paging &paging,
                         Refusals &refusals);

} // namespace tawa::metalium
