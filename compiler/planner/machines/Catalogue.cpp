// Finds descriptions of machines by name or file.
#include "compiler/planner/machines/Catalogue.h"

#include "compiler/planner/DF/Import.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace tawa {

static bool isFile(const std::string &name) { return name.find('/') != std::string::npos || name.ends_with(".mlir"); }

static Result<mesh::Machine> readMachineFile(const std::string &path) {
  std::error_code code;
  std::ifstream stream;
  if (std::filesystem::is_regular_file(path, code)) // what else there is may have no end
    stream.open(path, std::ios::binary);
  if (!stream.is_open())
    return Status(StatusCode::InvalidArgument, "the machine's description " + path + " cannot be read");
  std::ostringstream text;
  text << stream.rdbuf();
  return df::readMachine(text.str(), path);
}

static Status unknownMachine(const std::string &name, const std::vector<MachineText> &known) {
  std::string names;
  for (const MachineText &machine : known)
    names += (names.empty() ? "" : ", ") + machine.name;
  return Status(StatusCode::InvalidArgument,
                "no machine is called '" + name + "'; there are " + names + ", and files (a path, or *.mlir)");
}

Result<mesh::Machine> lookUpMachine(const std::string &nameOrFile) {
  if (isFile(nameOrFile))
    return readMachineFile(nameOrFile);
  std::vector<MachineText> known = builtinMachines();
  auto found = std::ranges::find(known, nameOrFile, &MachineText::name);
  if (found == known.end())
    return unknownMachine(nameOrFile, known);
  return df::readMachine(found->text, found->name + ".mlir");
}

} // namespace tawa
