// Reuse analysis (TileLoom, section 3.2): where neighbouring cores, and where successive iterations, need the same
// tile.
#pragma once

#include "compiler/planner/space/Mapping.h"

namespace tawa::mesh::planner {

/// A loop of the program of a core: a wave loop or a loop of the body.
struct NestLoop {
  int index = -1; ///< Of TileProgram::indices.
  int64_t extent = 0;
};

/// The loops around a load or a store under a mapping, outermost first: the waves, then the loops of the body.
std::vector<NestLoop> nestOf(const Mapping &mapping, const GridShare &share, const TileProgram &program,
                             const TileProgram::Place &place);

struct Reuse {
  std::vector<int> spatial; ///< Dimensions of the machine with several cores at work along which the tile is the same.
  std::vector<bool> temporal; ///< Of each loop of the nest: all iterations need the same tile.
};

/// Where an access does not depend on an index, its tile stays the same along all loops and dimensions of that index.
Reuse analyzeReuse(const TileAccess &access, const std::vector<NestLoop> &nest, const Mapping &mapping,
                   const GridShare &share, const Machine &machine);

bool dependsOn(const TileAccess &access, int index);

} // namespace tawa::mesh::planner
