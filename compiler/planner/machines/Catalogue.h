// The described machines: the files of this folder, compiled into the library, and files of the user.
#pragma once

#include "runtime/mesh/Machine.h"
#include "runtime/support/Status.h"

#include <string>
#include <vector>

namespace tawa {

/// A description as text, with its name: that of its file, and of its df.machine.
struct MachineText {
  std::string name, text;
};

/// All files of compiler/planner/machines.
std::vector<MachineText> builtinMachines();

/// By name; or a file, if `nameOrFile` contains a '/' or ends in ".mlir". The error lists the names there are.
Result<mesh::Machine> lookUpMachine(const std::string &nameOrFile);

} // namespace tawa
