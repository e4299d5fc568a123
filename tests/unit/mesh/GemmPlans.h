// Plans of examples::gemm with f32 tensors, for tests.
#pragma once

#include "tests/unit/mesh/Examples.h"

namespace tawa::mesh::examples {

inline TileProgram gemmF32(const GemmSizes &sizes) {
  TileProgram program = gemm(sizes);
  for (Tensor &tensor : program.tensors)
    tensor.type = ElementType::F32;
  return program;
}

inline LoadPlan perCore(int level, int64_t tiles = 1) {
  LoadPlan load;
  load.level = level;
  load.tiles = tiles;
  return load;
}

/// Along dimensions of examples::grid: 0 is y, 1 is x.
inline LoadPlan shared(Movement movement, std::vector<int> along, int level, int64_t tiles = 1, int slots = 2) {
  LoadPlan load = perCore(level, tiles);
  load.movement = movement;
  load.along = std::move(along);
  for (int dim : load.along)
    load.networks.push_back(dim == 1 ? 0 : 1);
  load.slots = slots;
  return load;
}

/// Rows of the result over y, columns over x.
inline Plan planOverBoth(LoadPlan a, LoadPlan b) {
  Plan plan;
  plan.splits = {{{0}}, {{1}}};
  plan.waves = {0, 1};
  plan.loads = {std::move(a), std::move(b)};
  plan.stores = {{2, 0}};
  return plan;
}

/// Rows of the result over all cores: B is the same for all of them.
inline Plan planOverRows(LoadPlan a, LoadPlan b) {
  Plan plan = planOverBoth(std::move(a), std::move(b));
  plan.splits = {{{0, 1}}, {{}}};
  return plan;
}

} // namespace tawa::mesh::examples
