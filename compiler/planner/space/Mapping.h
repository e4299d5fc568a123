// Space-time mappings (TileLoom, section 3.1): enumeration of the ways to distribute the grid of a tile program over
// the cores of a machine and over waves.
//
// Every spatial dimension of the cores goes to one dimension of the grid. Where one of these has several, their order
// counts: it decides which cores get neighbouring tiles. What does not fit at once becomes wave loops, in every order.
// Where the length of loops depends on the index of a dimension, there is a second mapping with turns. The index
// formula is Plan.h's; a core whose index is at or beyond the extent idles in that wave. So does every core whose index
// along a dimension that no split names is not 0.
//
// Idle cores: those without a tile in a wave compute and store nothing, and read nothing for themselves alone. In a
// line that shares a tile they receive and forward it like the others, as long as any core of the line has work. Within
// a split, indices grow with the index along each spatial dimension, so that this is the case exactly if the core with
// index 0 along the line has work; the first of a line reads for all, even where it is another one and idle.
#pragma once

#include "compiler/planner/space/PruneReason.h"
#include "compiler/planner/space/Topology.h"
#include "runtime/mesh/Plan.h"

namespace tawa::mesh::planner {

struct Mapping {
  std::vector<GridSplit> splits; ///< One per dimension of the grid.
  std::vector<int> waves;        ///< Dimensions of the grid, outermost first.
};

/// When each core works: its number of waves per dimension of the grid. A core works in the wave tuples below these.
class GridShare {
public:
  GridShare(const Mapping &mapping, const TileProgram &program, const Machine &machine, const CoreArray &cores);

  /// Waves of a dimension of the grid, over all cores.
  int64_t waves(int grid) const { return extents[grid]; }
  /// Waves of the dimension in which the core is inside of it; the others of its split and of unused dimensions count
  /// as 0 waves of every dimension.
  int64_t waves(int64_t core, int grid) const { return visited[core * extents.size() + grid]; }
  bool isIdle(int64_t core) const { return idle[core]; }
  /// Indices along a spatial dimension at which some core works.
  int64_t activeAlong(int dim) const { return active[dim]; }
  /// What the cores compute, as numbers: equal for mappings that are the same.
  const std::vector<int64_t> &signature() const { return key; }

private:
  void sign(const Mapping &mapping, const std::vector<int64_t> &steps, const CoreArray &cores);

  std::vector<int64_t> extents, visited, offsets, active, key;
  std::vector<bool> idle;
};

struct MappingSpace {
  std::vector<Mapping> mappings;
  int64_t considered = 0;
  PruneCounts pruned;
};

/// All mappings that differ. Duplicates and mappings that leave a dimension of the machine without work are counted.
MappingSpace enumerateMappings(const TileProgram &program, const Machine &machine);

/// Indices of the grid that the core computes in a wave, by the wave's index of each dimension; one may be beyond the
/// extent.
std::vector<int64_t> gridIndices(const Mapping &mapping, const Machine &machine, const CoreArray &cores, int64_t core,
                                 std::span<const int64_t> wave);

/// How often the cores compute each tile of the grid (row-major), by walking over all cores and waves: 1 everywhere for
/// a legal mapping.
std::vector<int64_t> countVisits(const Mapping &mapping, const TileProgram &program, const Machine &machine);

} // namespace tawa::mesh::planner
