// Catalogue: the available hardware descriptions. Those of runtime/hardware/gpus are part of the library; TAWA_HARDWARE
// names a file, or a folder of *.hw files, whose descriptions take precedence.
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
  /// read, or a mistake in one, is an error, because a silently omitted description would be hard to find.
  static Result<HardwareCatalogue> open(const std::string &path);
  /// With the path that TAWA_HARDWARE gives.
  static Result<HardwareCatalogue> fromEnvironment();

  const std::vector<HardwareDescription> &all() const { return descriptions; }
  /// By name; the error lists the names there are.
  Result<HardwareDescription> find(std::string_view name) const;
  /// By name; or a file, if `nameOrFile` contains a '/' or ends in ".hw".
  Result<HardwareDescription> lookUp(const std::string &nameOrFile) const;
  /// A file outside the catalogue, which may build on descriptions in it.
  Result<HardwareDescription> read(const std::string &path) const;
  /// Looks up a GPU by the driver's name for it; the driver's numbers override the file's. A GPU that no description
  /// matches gets the first built-in one whose code is the best that it runs, and the emulator the first of all;
  /// `isGuess`, if given, says so.
  HardwareDescription describe(const DeviceInfo &device, bool *isGuess = nullptr) const;
  /// The compiler's part of the same description. The file's numbers are not overridden: code that was compiled ahead,
  /// without the device, is then the code that is looked up on it.
  Target targetOf(const DeviceInfo &device) const;

private:
  const HardwareDescription *match(const DeviceInfo &device) const;
  const HardwareDescription &guess(const DeviceInfo &device) const;
  Result<HardwareDescription> parse(const HardwareText &source) const;

  std::vector<HardwareDescription> descriptions;
  size_t users = 0; ///< How many of them, at the front, are the user's.
};

} // namespace tawa
