#include "compiler/planner/space/Reuse.h"

#include <algorithm>

namespace tawa::mesh::planner {

std::vector<NestLoop> nestOf(const Mapping &mapping, const GridShare &share, const TileProgram &program,
                             const TileProgram::Place &place) {
  std::vector<NestLoop> nest;
  nest.reserve(mapping.waves.size() + place.loops.size());
  for (int grid : mapping.waves)
    nest.push_back({grid, share.waves(grid)});
  for (int loop : place.loops)
    nest.push_back({loop, program.indices[loop].extent});
  return nest;
}

bool dependsOn(const TileAccess &access, int index) {
  return std::ranges::any_of(access.start, [&](const Affine &start) { return start.dependsOn(index); });
}

Reuse analyzeReuse(const TileAccess &access, const std::vector<NestLoop> &nest, const Mapping &mapping,
                   const GridShare &share, const Machine &machine) {
  Reuse reuse;
  for (int grid = 0; grid < static_cast<int>(mapping.splits.size()); ++grid)
    for (int dim : mapping.splits[grid].spatial)
      if (!dependsOn(access, grid) && share.activeAlong(dim) > 1)
        reuse.spatial.push_back(dim);
  std::ranges::sort(reuse.spatial);
  for (const NestLoop &loop : nest)
    reuse.temporal.push_back(!dependsOn(access, loop.index));
  return reuse;
}

} // namespace tawa::mesh::planner
