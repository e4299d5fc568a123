// The host part of a core program: buffers, semaphores, kernels and their arguments. Internal to the printing of code.
#pragma once

#include "compiler/planner/metalium/ComputeCode.h"

namespace tawa::metalium {

/// Which coordinate of the cores is TT-Metalium's x (along a row), and which y; -1 where there is none.
struct LogicalAxes {
  int x = -1, y = -1;
};
LogicalAxes logicalAxes(const mesh::CoreProgram &program, Refusals &refusals);

struct HostInput {
  const mesh::CoreProgram &program;
  const Paging &paging;
  const KernelArguments &reader, &compute, &writer;
  const std::set<int> &unpackedTo32;
  LogicalAxes axes;
  const std::vector<std::string> &scalars;
};
std::string printHost(const HostInput &input);

} // namespace tawa::metalium
