// What computes the tiles of a simulation with real data: one program of the grid at a time, from the tiles that its
// loads got.
#pragma once

#include "runtime/support/Status.h"

#include <cstdint>
#include <vector>

namespace tawa::mesh {

/// A tile as a load got it or a store writes it: dense, row-major, in the element type of its tensor.
struct TileOfRun {
  int operation = -1;         ///< Number of the load, or of the store.
  std::vector<int64_t> loops; ///< Values of all loop indices of the tile program; 0 of loops that are not around it.
  std::vector<char> bytes;
};

/// One execution of a program of the grid, after its last step.
struct ProgramRun {
  std::vector<int64_t> grid;     ///< Its indices. A wrong plan may have them outside of the grid.
  std::vector<TileOfRun> loads;  ///< In the order of execution.
  std::vector<TileOfRun> stores; ///< Likewise; their bytes are to be filled in.
};

class TileComputer {
public:
  virtual ~TileComputer() = default;
  /// Fills in the bytes of all stores. What a plan did not load is missing in `loads`; what it loaded wrongly is
  /// there with wrong contents.
  virtual Status run(ProgramRun &program) = 0;
};

} // namespace tawa::mesh
