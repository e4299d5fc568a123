// Finds descriptions of machines by name or file.
#include "compiler/planner/machines/Catalogue.h"

#include "compiler/planner/DF/Import.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace tawa {

static bool isFile(const std::string &name) { return name.find('/') != std::string::npos || name.ends_with(".mlir"); }

static Result<MachineText> readFile(const std::string &path) {
  std::error_code code;
  std::ifstream stream;
  if (std::filesystem::is_regular_file(path, code)) // what else there is may have no end
    stream.open(path, std::ios::binary);
  if (!stream.is_open())
    return Status(StatusCode::InvalidArgument, "the machine's description " + path + " cannot be read");
  std::ostringstream text;
  text << stream.rdbuf();
  return MachineText{path, text.str()};
}

static Status unknownMachine(const std::string &name, const std::vector<MachineText> &known) {
  std::string names;
  for (const MachineText &machine : known)
    names += (names.empty() ? "" : ", ") + machine.name;
  return Status(StatusCode::InvalidArgument,
                "no machine is called '" + name + "'; there are " + names + ", and files (a path, or *.mlir)");
}

Result<MachineText> findMachine(const std::string &nameOrFile) {
  if (isFile(nameOrFile))
    return readFile(nameOrFile);
  std::vector<MachineText> known = builtinMachines();
  auto found = std::ranges::find(known, nameOrFile, &MachineText::name);
  if (found == known.end())
    return unknownMachine(nameOrFile, known);
  return *found;
}

Result<mesh::Machine> lookUpMachine(const std::string &nameOrFile) {
  Result<MachineText> found = findMachine(nameOrFile);
  return found ? df::readMachine(found->text, found->name) : found.status();
}

} // namespace tawa
