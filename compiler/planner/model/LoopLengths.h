// Loops that are not equally long in all programs of the grid, under a mapping: how long they are on each core in each
// wave, and which core has the most to compute.
#pragma once

#include "compiler/planner/model/ComputeTime.h"
#include "compiler/planner/model/Routing.h"
#include "compiler/planner/space/Mapping.h"

#include <map>
#include <span>

namespace tawa::mesh::planner {

class LoopLengths {
public:
  LoopLengths(const Mapping &mapping, const TileProgram &program, const GridShare &share, const MachineModel &model);

  /// Whether waves of this dimension of the grid differ in the length of any loop.
  bool differsInWaves(int grid) const { return differs[grid]; }
  bool isEqual(int loop) const { return !program.indices[loop].trips; }
  /// Mean over the programs of the core. `along`: cores that stay in the loop together, as long as any of a line along
  /// these dimensions has to.
  double mean(int loop, int64_t core, std::span<const int> along) const;
  /// The longest of the core's programs.
  double most(int loop, int64_t core, std::span<const int> along) const;
  /// In one wave, by the indices of the wave loops, outermost first.
  int64_t at(int loop, int64_t core, std::span<const int> along, std::span<const int64_t> waves) const;

  /// Cycles of a core's operators over all its programs.
  double cycles(const Work &work, int64_t core) const;
  /// The core with the most of them; the last of equal ones.
  int64_t busiest(const Work &work) const;

private:
  using Table =
      std::vector<int64_t>; ///< By wave, only of those dimensions whose waves differ, and core; -1: no program.

  const Table &table(int loop, std::span<const int> along) const;
  Table ownTable(int loop) const;
  Table widened(Table table, int dim) const;
  double cyclesOfWave(const Work &work, size_t wave, int64_t core) const;

  const Mapping &mapping;
  const TileProgram &program;
  const MachineModel &model;
  std::vector<bool> differs;     ///< By dimension of the grid.
  std::vector<int64_t> extents;  ///< Of the waves of each, 1 where they do not differ.
  std::vector<int64_t> programs; ///< Of each core in such a wave.
  size_t waves = 1;
  mutable std::map<std::pair<int, std::vector<int>>, Table> tables;
};

} // namespace tawa::mesh::planner
