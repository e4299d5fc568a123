#include "runtime/mesh/Plan.h"

namespace tawa::mesh {

int64_t Plan::waveExtent(int grid, const TileProgram &program, const Machine &machine) const {
  int64_t cores = 1;
  for (int dim : splits[grid].spatial)
    cores *= machine.dims[dim].size;
  return (program.indices[grid].extent + cores - 1) / cores;
}

} // namespace tawa::mesh
