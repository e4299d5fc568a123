// Random machines, tile programs, plans and faults in core programs, for tests of the check and the simulator.
#pragma once

#include "runtime/mesh/Plan.h"
#include "runtime/mesh/core/CoreProgram.h"

#include <random>

namespace tawa::mesh::examples {

class RandomPlans {
public:
  explicit RandomPlans(uint64_t seed) : random(seed) {}

  Machine machine();
  /// Of i32 tensors; every program of the grid stores to places of its own.
  TileProgram program();
  /// `isLegal`: its loads are shared by cores that need the same tile, and keep all that they say.
  Plan plan(const TileProgram &program, const Machine &machine, bool &isLegal);
  /// Changes one operation, guard, loop or buffer. Says what.
  std::string damage(CoreProgram &program);

  int64_t upTo(int64_t limit) { return static_cast<int64_t>(random() % limit); }
  bool chance(int percent) { return upTo(100) < percent; }

private:
  Network network(const Machine &machine, int dim);
  std::vector<TileStep> body(TileProgram &program, const std::vector<int> &loops, int depth);
  TripCount trips(const TileProgram &program, int64_t most);
  TileStep load(TileProgram &program, const std::vector<int> &loops);
  TileStep store(TileProgram &program, const std::vector<int> &loops);
  LoadPlan loadPlan(const Plan &plan, const TileProgram &program, const TileProgram::Place &place,
                    const Machine &machine, bool &isLegal);
  bool damage(Operation &operation);

  std::mt19937_64 random;
};

} // namespace tawa::mesh::examples
