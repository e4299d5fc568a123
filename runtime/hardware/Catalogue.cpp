// Loads hardware descriptions and finds them by name or by device. Files are read here and nowhere else in this folder.
#include "runtime/hardware/Catalogue.h"

#include "runtime/hardware/TargetOf.h"
#include "runtime/support/Environment.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace tawa {

namespace {

Status unreadable(const std::string &path, const char *why) {
  return {StatusCode::InvalidArgument, "hardware description " + path + ": " + why + "; " +
                                           env::name(env::Variable::Hardware) +
                                           " must name a file or a folder of *.hw files"};
}

/// The text of a plain file: a device or a pipe may have no end, or never begin.
Result<std::string> readText(const std::string &path) {
  constexpr size_t kLongest = 1 << 20;
  std::error_code error;
  std::filesystem::file_status kind = std::filesystem::status(path, error);
  if (std::filesystem::exists(kind) && !std::filesystem::is_regular_file(kind))
    return unreadable(path, "it is no plain file");
  std::ifstream stream(path, std::ios::binary);
  if (!stream.is_open())
    return unreadable(path, "it cannot be read");
  std::string text(kLongest + 1, '\0');
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<size_t>(stream.gcount()));
  return text.size() > kLongest ? Result<std::string>(unreadable(path, "it has more than 1 MiB")) : text;
}

/// The *.hw files of a folder by name, or the file itself.
Result<std::vector<std::string>> filesOf(const std::string &path) {
  std::error_code error;
  if (!std::filesystem::is_directory(path, error))
    return std::vector<std::string>{path};
  std::vector<std::string> files;
  for (std::filesystem::directory_iterator entry(path, error), end; !error && entry != end; entry.increment(error))
    if (entry->path().extension() == ".hw")
      files.push_back(entry->path().string());
  if (error)
    return unreadable(path, "the folder cannot be listed");
  std::ranges::sort(files);
  return files;
}

} // namespace

Result<HardwareDescription> HardwareCatalogue::parse(const HardwareText &source) const {
  return HardwareDescription::parse(source.text, source.file, [this](std::string_view name) { return find(name); });
}

Result<HardwareDescription> HardwareCatalogue::read(const std::string &path) const {
  Result<std::string> text = readText(path);
  return text ? parse({path, std::move(*text)}) : text.status();
}

Result<HardwareCatalogue> HardwareCatalogue::open(const std::string &path) {
  HardwareCatalogue catalogue;
  auto add = [&catalogue](Result<HardwareDescription> parsed) {
    if (parsed)
      catalogue.descriptions.push_back(std::move(*parsed));
    return parsed.status();
  };
  for (const HardwareText &source : builtinHardware())
    if (Status status = add(catalogue.parse(source)); !status)
      return status;
  if (path.empty())
    return catalogue;
  Result<std::vector<std::string>> files = filesOf(path);
  if (!files)
    return files.status();
  size_t builtins = catalogue.descriptions.size();
  for (const std::string &file : *files)
    if (Status status = add(catalogue.read(file)); !status)
      return status;
  // The user's come last, so that they can build on ours, and are found first.
  std::ranges::rotate(catalogue.descriptions, catalogue.descriptions.begin() + static_cast<ptrdiff_t>(builtins));
  catalogue.users = catalogue.descriptions.size() - builtins;
  return catalogue;
}

Result<HardwareCatalogue> HardwareCatalogue::fromEnvironment() {
  return open(env::get(env::Variable::Hardware).value_or(std::string()));
}

Result<HardwareDescription> HardwareCatalogue::find(std::string_view name) const {
  auto found = std::ranges::find(descriptions, name, &HardwareDescription::name);
  if (found != descriptions.end())
    return *found;
  std::string names;
  for (const HardwareDescription &description : descriptions)
    names += (names.empty() ? "" : ", ") + description.name;
  return Status(StatusCode::InvalidArgument, "no hardware description is called '" + std::string(name) +
                                                 "'; there are " + names + ", and " +
                                                 env::name(env::Variable::Hardware) + " can name files with others");
}

Result<HardwareDescription> HardwareCatalogue::lookUp(const std::string &nameOrFile) const {
  bool isFile = nameOrFile.find('/') != nameOrFile.npos || nameOrFile.ends_with(".hw");
  return isFile ? read(nameOrFile) : find(nameOrFile);
}

const HardwareDescription *HardwareCatalogue::match(const DeviceInfo &device) const {
  auto fits = [&](const HardwareDescription &description) {
    return !description.matches.empty() && fitsPattern(device.description, description.matches);
  };
  auto found = std::ranges::find_if(descriptions, fits);
  return found == descriptions.end() ? nullptr : &*found;
}

const HardwareDescription &HardwareCatalogue::guess(const DeviceInfo &device) const {
  auto first = descriptions.begin() + static_cast<ptrdiff_t>(users);
  if (device.isEmulator)
    return *first;
  std::string_view best = codeArchitectureOf(device.computeMajor, device.computeMinor);
  auto found = std::find_if(first, descriptions.end(),
                            [&](const HardwareDescription &description) { return description.architecture == best; });
  return found == descriptions.end() ? *first : *found;
}

Target HardwareCatalogue::targetOf(const DeviceInfo &device) const {
  const HardwareDescription *found = match(device);
  return tawa::targetOf(found ? *found : guess(device));
}

HardwareDescription HardwareCatalogue::describe(const DeviceInfo &device, bool *isGuess) const {
  const HardwareDescription *found = match(device);
  if (isGuess)
    *isGuess = !found;
  HardwareDescription description = found ? *found : guess(device);
  if (!device.isEmulator)
    description.refine(device);
  return description;
}

} // namespace tawa
