// Converts hardware descriptions to the compiler's Target. The only header of this folder meant for the compiler.
#pragma once

#include "runtime/artifact/Target.h"

namespace tawa {

struct HardwareDescription;

Target targetOf(const HardwareDescription &hardware);

/// Of the first built-in description (gpus/h200.hw), for passes that run alone, on a module without a target.
const Target &defaultTarget();

} // namespace tawa
