// Registers the passes over and below the machine phase with tawa-opt and textual pipelines.
#pragma once

#include "compiler/conversion/ExpandMath/ExpandMath.h"
#include "compiler/conversion/SM90ToHost/SM90ToHost.h"
#include "compiler/conversion/SM90ToPTX/SM90ToPTX.h"
#include "compiler/conversion/SchedulePipes/SchedulePipes.h"

namespace tawa {

inline void registerSM90ConversionPasses() {
  registerExpandMathPasses();
  registerSchedulePipesPasses();
  registerSM90ToPTXPasses();
  registerSM90ToHostPasses();
}

} // namespace tawa
