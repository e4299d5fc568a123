// Catalogue: the hardware descriptions there are. Those of runtime/hardware/gpus are part of the library; TAWA_HARDWARE
// names a file, or a folder of *.hw files, whose descriptions come before them.
#pragma once

#include "runtime/artifact/Target.h"
#include "runtime/device/Device.h"
#include "runtime/hardware/Builtin.h"
#include "runtime/hardware/HardwareDescription.h"

#include <vector>

namespace tawa {

class HardwareCatalogue {
public:
  /// The user's descriptions (`path`: a file or a folder; empty: none), then the built-in ones. A file that cannot be
  /// read, or a mistake in one, is an error: a description that is silently left out would be looked for long.
  static Result<HardwareCatalogue> open(const std::string &path);
  /// With the path that TAWA_HARDWARE gives.
  static Result<HardwareCatalogue> fromEnvironment();

  const std::vector<HardwareDescription> &all() const { return descriptions; }
  /// By name; the error lists the names there are.
  Result<HardwareDescription> find(std::string_view name) const;
  /// By name; or a file, if `nameOrFile` contains a '/' or ends in ".hw".
  Result<HardwareDescription> lookUp(const std::string &nameOrFile) const;
  /// A file that is no part of the catalogue, but may build on what is.
  Result<HardwareDescription> read(const std::string &path) const;
  /// By what the driver calls a GPU, with the driver's numbers put over the file's. The emulator, and a GPU that no
  /// description matches, get the first built-in one; `isGuess`, if given, says so.
  HardwareDescription describe(const DeviceInfo &device, bool *isGuess = nullptr) const;
  /// What the compiler reads of the same description. The file's numbers stand as they are: code that was compiled
  /// ahead, without the device, is then the code that is looked for on it.
  Target targetOf(const DeviceInfo &device) const;

private:
  const HardwareDescription *match(const DeviceInfo &device) const;
  Result<HardwareDescription> parse(const HardwareText &source) const;

  std::vector<HardwareDescription> descriptions;
  size_t users = 0; ///< How many of them, at the front, are the user's.
};

} // namespace tawa
