// Registers the lowerings of the machine phase with tawa-opt and textual pipelines.
#pragma once

#include "compiler/conversion/SM90ToHost/SM90ToHost.h"
#include "compiler/conversion/SM90ToPTX/SM90ToPTX.h"

namespace tawa {

inline void registerSM90ConversionPasses() {
  registerSM90ToPTXPasses();
  registerSM90ToHostPasses();
}

} // namespace tawa
