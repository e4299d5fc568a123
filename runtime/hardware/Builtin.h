// The files of runtime/hardware/gpus, compiled into the library.
#pragma once

#include <string>
#include <vector>

namespace tawa {

/// A description as text, with the name of the file it came from.
struct HardwareText {
  std::string file, text;
};

/// All of them but the template; none of them builds on a later one.
std::vector<HardwareText> builtinHardware();

struct HardwareDescription;
/// The first of them (gpus/h200.hw), as the default: for the emulated multiprocessor, and for passes that run alone.
const HardwareDescription &defaultHardware();

} // namespace tawa
