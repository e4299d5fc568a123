// Registers the passes over and below the machine phase with tawa-opt and textual pipelines.
#pragma once

#include "compiler/conversion/ExpandMath/ExpandMath.h"
#include "compiler/conversion/SM90ToHost/SM90ToHost.h"
#include "compiler/conversion/SM90ToPTX/SM90ToPTX.h"

namespace tawa {

inline void registerSM90ConversionPasses() {
  registerExpandMathPasses();
  registerSM90ToPTXPasses();
  registerSM90ToHostPasses();
}

} // namespace tawa
