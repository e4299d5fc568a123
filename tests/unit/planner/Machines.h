// Machines for the planner's tests that differ from the grid of tests/unit/mesh/Examples.h in one respect each.
#pragma once

#include "tests/unit/mesh/Examples.h"

namespace tawa::mesh::examples {

/// Cores in one ring, three networks apart: the shape of an accelerator with cores around a bus.
Machine ring(int64_t cores);

/// The grid with one memory instance for all cores, so that its dimensions can be exchanged.
Machine symmetricGrid(int64_t side);

/// The grid with links in both directions and none around the ends.
Machine mesh(int64_t rows, int64_t columns);

Machine withoutNetworks(Machine machine);
Machine withoutMulticast(Machine machine);
Machine withLocalMemory(Machine machine, int64_t bytes);

} // namespace tawa::mesh::examples
