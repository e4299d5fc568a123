// The described machines: the files of this folder, compiled into the library, and files of the user.
#pragma once

#include "runtime/mesh/Machine.h"
#include "runtime/support/Status.h"

#include <string>
#include <vector>

namespace tawa {

/// A description as text, with its name: that of its file (of a user's, the path) in diagnostics.
struct MachineText {
  std::string name, text;
};

/// All files of compiler/planner/machines.
std::vector<MachineText> builtinMachines();

/// The text by name; or of a file, if `nameOrFile` contains a '/' or ends in ".mlir". The error lists the names there
/// are.
Result<MachineText> findMachine(const std::string &nameOrFile);

/// The same, read.
Result<mesh::Machine> lookUpMachine(const std::string &nameOrFile);

} // namespace tawa
