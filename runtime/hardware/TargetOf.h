// From hardware descriptions to what the compiler reads of them. Only this header of the folder is for the compiler.
#pragma once

#include "runtime/artifact/Target.h"

namespace tawa {

struct HardwareDescription;

Target targetOf(const HardwareDescription &hardware);

/// Of the first built-in description (gpus/h200.hw), for passes that run alone, on a module that names no target.
const Target &defaultTarget();

} // namespace tawa
