// The reader and the writer of a core program as kernels of TT-Metalium's dataflow interface. Internal to the printing
// of code.
#pragma once

#include "compiler/planner/metalium/Paging.h"

namespace tawa::metalium {

/// What the host passes to a kernel, in order. Values are C++ of the host program, within its loop over the cores.
struct KernelArguments {
  struct Argument {
    std::string name, value, type = "int32_t";
  };
  std::vector<Argument> runtime;
  std::vector<std::string> semaphores; ///< First of the arguments of compilation: ids.
  std::vector<int> tensors;            ///< The layouts that follow.
};

struct KernelCode {
  std::string text;
  KernelArguments arguments;
};

KernelCode printDataflow(const mesh::CoreProgram &program, mesh::Thread thread, const Paging &paging);

} // namespace tawa::metalium
