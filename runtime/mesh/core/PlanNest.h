// The loop nest of a plan in the variables of a CoreProgram: indices of the tile program as functions of them, which
// cores have work, and what each load keeps. Internal to the lowering of plans.
#pragma once

#include "runtime/mesh/Plan.h"
#include "runtime/mesh/core/CoreProgram.h"
#include "runtime/mesh/core/NetworkLine.h"

#include <map>
#include <set>

namespace tawa::mesh {

/// A loop of the nest: of waves, or of the body.
struct NestLoop {
  int variable = -1;
  int64_t extent = 0;
  std::optional<TripCount> trips = {}; ///< Its length from the variables, where that is not always `extent`.
  bool operator==(const NestLoop &) const = default;
};

/// A step of the way of a load's tiles: along one coordinate, from its root to all others.
struct MovementStage {
  NetworkLine line;
  int network = -1;
  bool chain = false; ///< From neighbour to neighbour, rather than by a multicast of the root.
};

/// A load in the nest.
struct PlacedLoad {
  TileProgram::Place place;
  int level = 0;
  int slots = 0;
  std::vector<NestLoop> kept; ///< Loops over the tiles that are fetched at once, outermost first.
  int64_t tiles = 1;          ///< Product of their extents.
  Affine slot;                ///< Of the tile at the current indices, among those.
  std::vector<MovementStage> stages;
  /// Whether any of the cores that share the tiles has work: only then do they take part in its movement.
  std::vector<Guard> sharers;
  /// Whether any of the cores that share the tile at the current indices needs it, now or until the tiles are popped.
  std::vector<Guard> needed;
  bool isBeyond = false; ///< Some tiles are there that a core does not compute with.
};

class PlanNest {
public:
  PlanNest(const Plan &plan, const TileProgram &program, const Machine &machine);

  /// Fills in the variables and indices of the program.
  void describe(CoreProgram &core) const;
  int waves() const { return static_cast<int>(waveLoops.size()); }
  const NestLoop &wave(int depth) const { return waveLoops[depth]; }
  /// At the beginning of each wave of the loop, where its dimension turns.
  std::optional<Turn> turn(int depth) const;
  /// The loop of index `index` of the tile program, one of the body's, as long as the core has to compute in it.
  NestLoop ownLoop(int index) const;
  /// The same, as long as any core has to that shares tiles with it which are fetched inside of the loop.
  NestLoop bodyLoop(int index) const;
  /// From now on bodyLoop() is the longest of cores that differ in these variables.
  void widen(int index, const std::set<int> &varied);
  /// The loop's length where it is longest, among all values of the variables.
  NestLoop longest(NestLoop loop, const std::set<int> &varied) const;
  /// The variable of the loop is below its length.
  static Guard within(const NestLoop &loop);
  const Affine &index(int number) const { return indices[number]; }
  /// A function of the tile program's indices, as a function of the variables.
  Affine substitute(const Affine &affine) const;
  TileAccess substitute(const TileAccess &access) const;
  /// Whether the core has a program of the grid to execute.
  const std::vector<Guard> &active() const { return hasWork; }
  /// The loops around a load, the waves first.
  std::vector<NestLoop> around(const TileProgram::Place &place) const;

private:
  void addWave(int grid);
  void addTurn(int grid);
  void addGuards();
  int64_t extentOf(int variable) const;

  const Plan &plan;
  const TileProgram &program;
  const Machine &machine;
  CoreArray array;
  std::vector<NestLoop> waveLoops;
  std::vector<Affine> indices;
  std::vector<Guard> hasWork;
  std::vector<Turn> turns;
  std::map<int, NestLoop> widened;
};

} // namespace tawa::mesh
