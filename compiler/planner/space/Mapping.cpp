#include "compiler/planner/space/Mapping.h"

#include <algorithm>
#include <numeric>
#include <set>

namespace tawa::mesh::planner {
namespace {

/// Tiles of each dimension of the grid in one wave.
std::vector<int64_t> stepsOf(const Mapping &mapping, const Machine &machine) {
  std::vector<int64_t> steps;
  for (const GridSplit &split : mapping.splits) {
    int64_t step = 1;
    for (int dim : split.spatial)
      step *= machine.dims[dim].size;
    steps.push_back(step);
  }
  return steps;
}

int64_t offsetOf(const GridSplit &split, const Machine &machine, const CoreArray &cores, int64_t core) {
  int64_t offset = 0;
  for (int dim : split.spatial)
    offset = offset * machine.dims[dim].size + cores.along(core, dim);
  return offset;
}

bool isUsed(const Mapping &mapping, int dim) {
  return std::ranges::any_of(mapping.splits, [&](const GridSplit &split) {
    return std::ranges::find(split.spatial, dim) != split.spatial.end();
  });
}

bool isOutside(const Mapping &mapping, const Machine &machine, const CoreArray &cores, int64_t core) {
  return std::ranges::any_of(machine.coreDims,
                             [&](int dim) { return cores.along(core, dim) != 0 && !isUsed(mapping, dim); });
}

/// Calls `visit` with the splits of every assignment of `dims` to dimensions of the grid, in every order. The dimension
/// of the grid after the last one stands for "none".
template <typename Visit> void assign(std::vector<int> dims, std::vector<GridSplit> &splits, const Visit &visit) {
  if (dims.empty())
    return visit(splits);
  int dim = dims.back();
  dims.pop_back();
  for (GridSplit &split : splits)
    for (size_t at = 0; at <= split.spatial.size(); ++at) {
      split.spatial.insert(split.spatial.begin() + at, dim);
      assign(dims, splits, visit);
      split.spatial.erase(split.spatial.begin() + at);
    }
}

std::vector<std::vector<int>> ordersOf(int count) {
  std::vector<int> order(count);
  std::iota(order.begin(), order.end(), 0);
  std::vector<std::vector<int>> orders;
  do
    orders.push_back(order);
  while (std::ranges::next_permutation(order).found);
  return orders;
}

Mapping exchanged(Mapping mapping, const std::vector<int> &permutation) {
  for (GridSplit &split : mapping.splits)
    for (int &dim : split.spatial)
      dim = permutation[dim];
  return mapping;
}

class Enumeration {
public:
  Enumeration(const TileProgram &program, const Machine &machine)
      : program(program), machine(machine), cores(machine), symmetries(findSymmetries(machine, cores)) {
    for (int dim : machine.coreDims)
      if (machine.dims[dim].size > 1)
        dims.push_back(dim);
  }

  MappingSpace run() {
    std::vector<GridSplit> splits(program.gridDims + 1);
    auto orders = ordersOf(program.gridDims);
    assign(dims, splits, [&](std::vector<GridSplit> assigned) {
      bool isWhole = assigned.back().spatial.empty() || program.gridDims == 0;
      // The order of dimensions without work says nothing: only one is counted.
      if (!std::ranges::is_sorted(assigned.back().spatial))
        return;
      assigned.pop_back();
      for (const std::vector<int> &order : orders) {
        consider({assigned, order}, isWhole);
        if (std::optional<Mapping> other = turned({assigned, order}); other && isWhole)
          consider(*other, isWhole);
      }
    });
    return std::move(space);
  }

private:
  void consider(const Mapping &mapping, bool isWhole) {
    ++space.considered;
    if (!isWhole)
      return space.pruned.add(PruneReason::IdleDimension);
    if (!seen.insert(keyOf(mapping)).second)
      return space.pruned.add(PruneReason::SameMapping);
    if (std::ranges::any_of(symmetries, [&](const std::vector<int> &permutation) {
          return kept.contains(keyOf(exchanged(mapping, permutation)));
        }))
      return space.pruned.add(PruneReason::SymmetricMapping);
    kept.insert(keyOf(mapping));
    space.mappings.push_back(mapping);
  }

  /// With every other wave in reverse, in the dimensions on which the length of a loop depends.
  std::optional<Mapping> turned(Mapping mapping) const {
    std::vector<int64_t> steps = stepsOf(mapping, machine);
    bool any = false;
    for (int grid = 0; grid < program.gridDims; ++grid) {
      int64_t extent = program.indices[grid].extent;
      mapping.splits[grid].turns =
          steps[grid] > 1 && extent > steps[grid] && extent % steps[grid] == 0 &&
          std::ranges::any_of(program.indices, [&](const Index &i) { return i.trips && i.trips->dependsOn(grid); });
      any |= mapping.splits[grid].turns;
    }
    return any ? std::optional(mapping) : std::nullopt;
  }

  std::vector<int64_t> keyOf(const Mapping &mapping) const {
    return GridShare(mapping, program, machine, cores).signature();
  }

  const TileProgram &program;
  const Machine &machine;
  CoreArray cores;
  std::vector<std::vector<int>> symmetries;
  std::vector<int> dims;
  std::set<std::vector<int64_t>> seen, kept;
  MappingSpace space;
};

/// The next wave tuple; false after the last.
bool advance(std::vector<int64_t> &wave, const std::vector<int64_t> &extents) {
  for (size_t i = wave.size(); i-- > 0;) {
    if (++wave[i] < extents[i])
      return true;
    wave[i] = 0;
  }
  return false;
}

} // namespace

GridShare::GridShare(const Mapping &mapping, const TileProgram &program, const Machine &machine, const CoreArray &cores)
    : active(machine.dims.size(), 1), idle(cores.count()) {
  std::vector<int64_t> steps = stepsOf(mapping, machine);
  for (int grid = 0; grid < program.gridDims; ++grid)
    extents.push_back((program.indices[grid].extent + steps[grid] - 1) / steps[grid]);
  for (int64_t core = 0; core < cores.count(); ++core) {
    bool isAway = isOutside(mapping, machine, cores, core);
    for (int grid = 0; grid < program.gridDims; ++grid) {
      int64_t extent = program.indices[grid].extent;
      int64_t offset = offsetOf(mapping.splits[grid], machine, cores, core);
      offsets.push_back(offset);
      visited.push_back(offset >= extent || isAway ? 0 : (extent - offset - 1) / steps[grid] + 1);
      isAway |= visited.back() == 0;
    }
    idle[core] = isAway;
    if (isAway)
      std::fill(visited.end() - program.gridDims, visited.end(), 0);
    for (int dim : machine.coreDims)
      active[dim] = std::max(active[dim], isAway ? 1 : cores.along(core, dim) + 1);
  }
  sign(mapping, steps, cores);
}

void GridShare::sign(const Mapping &mapping, const std::vector<int64_t> &steps, const CoreArray &cores) {
  for (int grid : mapping.waves)
    if (extents[grid] > 1)
      key.push_back(grid);
  for (size_t grid = 0; grid < steps.size(); ++grid)
    key.push_back(extents[grid] > 1 ? steps[grid] * (mapping.splits[grid].turns ? -1 : 1) : 0);
  for (size_t i = 0; i < offsets.size(); ++i)
    key.push_back(idle[i / steps.size()] ? -1 : offsets[i]);
}

MappingSpace enumerateMappings(const TileProgram &program, const Machine &machine) {
  return Enumeration(program, machine).run();
}

std::vector<int64_t> gridIndices(const Mapping &mapping, const Machine &machine, const CoreArray &cores, int64_t core,
                                 std::span<const int64_t> wave) {
  std::vector<int64_t> steps = stepsOf(mapping, machine), indices;
  for (size_t grid = 0; grid < steps.size(); ++grid)
    indices.push_back(
        mapping.splits[grid].index(wave[grid], offsetOf(mapping.splits[grid], machine, cores, core), steps[grid]));
  return indices;
}

std::vector<int64_t> countVisits(const Mapping &mapping, const TileProgram &program, const Machine &machine) {
  CoreArray cores(machine);
  std::vector<int64_t> steps = stepsOf(mapping, machine), extents;
  int64_t tiles = 1;
  for (int grid = 0; grid < program.gridDims; ++grid) {
    extents.push_back((program.indices[grid].extent + steps[grid] - 1) / steps[grid]);
    tiles *= program.indices[grid].extent;
  }
  std::vector<int64_t> visits(tiles), wave(extents.size());
  do
    for (int64_t core = 0; core < cores.count(); ++core) {
      int64_t tile = 0;
      bool isInside = !isOutside(mapping, machine, cores, core);
      std::vector<int64_t> indices = gridIndices(mapping, machine, cores, core, wave);
      for (int grid = 0; grid < program.gridDims; ++grid) {
        int64_t extent = program.indices[grid].extent;
        isInside &= indices[grid] < extent;
        tile = tile * extent + indices[grid];
      }
      if (isInside)
        ++visits[tile];
    }
  while (advance(wave, extents));
  return visits;
}

} // namespace tawa::mesh::planner
