// Time of a segment of the body on the units of a core. Internal to the simulator.
#pragma once

#include "runtime/mesh/simulator/Simulator.h"
#include "runtime/mesh/simulator/Time.h"

namespace tawa::mesh {

struct SegmentTime {
  Ticks total = 0;
  std::array<Ticks, 3> busy{}; ///< By Unit.
};

/// Operators start in order, each as soon as its unit is free and its operands in the segment are there. An operator
/// whose unit the machine does not have goes to the next simpler one. Results go to their buffers through the local
/// memory's port after the last operator.
SegmentTime timeOf(const Compute &compute, const CoreProgram &program, const Machine &machine,
                   const SimulatorOptions &options);

} // namespace tawa::mesh
