// Time of a body's operators on the units of one core (TileLoom, section 3.4): ceil(N / (U r)) cycles for N
// instructions on U units that start r each per cycle; operators that depend on each other, or need the same unit, one
// after another.
#pragma once

#include "runtime/mesh/Machine.h"
#include "runtime/mesh/TileProgram.h"

#include <array>
#include <functional>
#include <memory>

namespace tawa::mesh::planner {

constexpr size_t kUnits = 3; ///< Of the enum Unit.

/// Cycles of one operator. A unit that the machine lacks is replaced by the next simpler one.
double cyclesOf(const TileOperator &op, const Machine &machine);
Unit unitOf(const TileOperator &op, const Machine &machine);

/// The work of one body, without loads and stores: operators, and loops with bodies of their own.
struct Work {
  double cycles = 0;                 ///< Of the operators of this body itself, once.
  std::vector<double> segments;      ///< The same, between its loops: one more than these.
  std::array<double, kUnits> busy{}; ///< Of each unit, for the same.
  struct Inner {
    int index = -1;
    int64_t extent = 0;
    std::unique_ptr<Work> body;
  };
  std::vector<Inner> loops;
};

Work measureWork(const std::vector<TileStep> &body, const TileProgram &program, const Machine &machine);

/// How often a loop's body runs.
using LoopLength = std::function<double(const Work::Inner &loop)>;
inline double longest(const Work::Inner &loop) { return static_cast<double>(loop.extent); }

/// Cycles of each unit over all iterations of the work's loops.
std::array<double, kUnits> totalBusy(const Work &work, const LoopLength &length = longest);
double totalCycles(const Work &work, const LoopLength &length = longest);

} // namespace tawa::mesh::planner
