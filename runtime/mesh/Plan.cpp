#include "runtime/mesh/Plan.h"

#include "runtime/mesh/CoreArray.h"

#include <algorithm>

namespace tawa::mesh {
namespace {

/// Adds up the iterations of a loop on one core.
class CoreIterations {
public:
  CoreIterations(const Plan &plan, int loop, const TileProgram &program, const Machine &machine)
      : plan(plan), loop(program.indices[loop]), program(program), machine(machine), cores(machine) {}

  int64_t of(int64_t core) {
    for (int dim : machine.coreDims) {
      bool isUsed = std::ranges::any_of(
          plan.splits, [&](const GridSplit &split) { return std::ranges::count(split.spatial, dim) > 0; });
      if (!isUsed && cores.along(core, dim) > 0)
        return 0;
    }
    indices.assign(program.indices.size(), 0);
    return from(0, core);
  }

private:
  int64_t from(int grid, int64_t core) {
    if (grid == program.gridDims)
      return loop.trips ? loop.trips->at(indices) : loop.extent;
    int64_t position = 0, count = 1, sum = 0;
    for (int dim : plan.splits[grid].spatial) {
      position = position * machine.dims[dim].size + cores.along(core, dim);
      count *= machine.dims[dim].size;
    }
    for (int64_t wave = 0; wave < plan.waveExtent(grid, program, machine); ++wave) {
      indices[grid] = plan.splits[grid].index(wave, position, count);
      if (indices[grid] < program.indices[grid].extent)
        sum += from(grid + 1, core);
    }
    return sum;
  }

  const Plan &plan;
  const Index &loop;
  const TileProgram &program;
  const Machine &machine;
  CoreArray cores;
  std::vector<int64_t> indices;
};

} // namespace

int64_t Plan::waveExtent(int grid, const TileProgram &program, const Machine &machine) const {
  int64_t cores = 1;
  for (int dim : splits[grid].spatial)
    cores *= machine.dims[dim].size;
  return (program.indices[grid].extent + cores - 1) / cores;
}

std::vector<int64_t> Plan::iterationsOf(int loop, const TileProgram &program, const Machine &machine) const {
  std::vector<int64_t> iterations;
  for (int64_t core = 0; core < machine.cores(); ++core)
    iterations.push_back(CoreIterations(*this, loop, program, machine).of(core));
  return iterations;
}

} // namespace tawa::mesh
