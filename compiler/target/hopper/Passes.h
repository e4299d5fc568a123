// The passes of the Hopper target: to the machine phase, within it and below it.
#pragma once

#include "compiler/target/hopper/ExpandMath/ExpandMath.h"
#include "compiler/target/hopper/SM90ToHost/SM90ToHost.h"
#include "compiler/target/hopper/SM90ToPTX/SM90ToPTX.h"
#include "compiler/target/hopper/SchedulePipes/SchedulePipes.h"
#include "compiler/target/hopper/TawaToSM90/TawaToSM90.h"
#include "compiler/target/hopper/prover/Passes.h"

namespace tawa {

/// For tawa-opt and textual pipelines.
inline void registerHopperPasses() {
  registerTawaToSM90Passes();
  registerExpandMathPasses();
  registerSchedulePipesPasses();
  registerTawaMachineProverPasses();
  registerSM90ToPTXPasses();
  registerSM90ToHostPasses();
}

} // namespace tawa
