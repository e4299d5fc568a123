// ProblemWork: a WorkSummary evaluated for the arguments and the grid of a launch. Tiles with equal work form one
// class; tiles that run concurrently form a wave, of which only the first, the last and some in between are evaluated.
#pragma once

#include "runtime/artifact/ArgumentValue.h"
#include "runtime/artifact/WorkSummary.h"
#include "runtime/tuner/model/Imbalance.h"

#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#include <span>
#include <vector>

namespace tawa {

/// The work of a role in each iteration of one loop, or, with one iteration, outside of the loops.
struct WorkSegment {
  double trips = 1;
  double puts = 0;        ///< Slots that are filled.
  double loadBytes = 0;   ///< Through rings, of what lies inside the tensors.
  double absentRows = 0;  ///< Of 128 bytes, of TMA boxes, outside of the tensors.
  double lines = 0;       ///< Of L2, for loadBytes (BlockTraffic.h).
  double brokenLines = 0; ///< Beside them, of rows that do not begin with a sector.
  double elements = 0;    ///< That threads load one by one, of loadBytes and directBytes.
  bool isNarrow = false;  ///< Rows of tiles are shorter than a line.
  double directBytes = 0; ///< Loaded to registers.
  double storeBytes = 0;
  double panelBytes = 0; ///< Of the panels through which stores by TMA go, and of other stores.
  std::array<double, 3> wgmmaFlop{},
      mmaFlop{};            ///< By type: 8, 16 and 32 bits; rows that pad a tile are multiplied too.
  double sharedBytes = 0;   ///< Read by wgmma, written by loads.
  double vector = 0;        ///< FMA-like operations of threads.
  double waits = 0;         ///< Dots that are waited for where they are issued.
  double pipelinedDots = 0; ///< Dots of which P may be in flight.
  double computedDots = 0;  ///< Of these, those whose operand the threads compute in each iteration.
  double exchangedDots = 0; ///< Dots that are waited for, whose operand threads compute and write to shared memory.
  double syncDots = 0;      ///< Dots of mma.sync,
  double byteDots = 0;      ///< of these, those of 8 bits, whose operands are converted,
  double madeSyncDots = 0;  ///< and those whose operand the threads compute.
  bool isShared = false;    ///< CTAs that share a tile divide its iterations.
  bool operator==(const WorkSegment &) const = default;
};

struct TileClass {
  std::vector<WorkSegment> producer, consumer; ///< A kernel of one role has a consumer only.
  bool operator==(const TileClass &) const = default;
};

struct TileWave {
  double count = 0;          ///< Waves that this one stands for.
  std::vector<double> tiles; ///< Per class.
  double uniqueBytes = 0;    ///< Loaded, each block once however many tiles load it.
  double loadBytes = 0, storeBytes = 0;
  std::vector<double> againBytes; ///< Per argument: loaded by a tile after another one.
  double distinctBytes = 0;       ///< Loaded, each block once for CTAs of neighbouring numbers (kTogether).
  bool operator==(const TileWave &) const = default;
};

struct ProblemWork {
  std::vector<TileClass> classes;
  std::vector<TileWave> waves; ///< In the order in which they run.
  double tiles = 0;
  double tensorBytes = 0; ///< Of all tensors of known shape.
  std::vector<double> argumentBytes;
  /// Of the bytes that a CTA gets in clusters of 2, 4 and 8 programs along x, the part that it loads itself.
  std::array<double, 3> fetchedInClusters{1, 1, 1};
  double commonShare = 0; ///< Of what two CTAs side by side load, the part that both do.
  double fetchedInClustersOf(int ctas) const {
    return ctas == 1 ? 1 : fetchedInClusters[static_cast<size_t>(std::countr_zero(static_cast<unsigned>(ctas)) - 1)];
  }
  bool walksGrid = false; ///< The text itself walks the tiles: it is persistent whatever the configuration says.
  bool isUneven = false;  ///< Tiles are not equally long. Then there is a wave for each round.
  Imbalance imbalance;    ///< Of those.
  bool isComplete = true; ///< False: trip counts or conditions follow from memory, and are guesses.
  /// A hash of the blocks that the programs load and store, in program order; none where unknown.
  std::optional<uint64_t> blocks = 0;

  /// Iterations of the longest loop of any tile.
  double mostTrips() const {
    double most = 0;
    for (const TileClass &tile : classes)
      for (const WorkSegment &segment : tile.consumer)
        most = std::max(most, segment.trips);
    return most;
  }
  /// Whether tiles in another order do the same work concurrently, and share as much of it, as far as known here.
  bool isOrderedLike(const ProblemWork &other) const {
    return waves == other.waves && imbalance == other.imbalance && fetchedInClusters == other.fetchedInClusters;
  }
  /// Whether each program does as much with the same blocks.
  bool doesTheSameAs(const ProblemWork &other) const {
    return blocks && blocks == other.blocks && isOrderedLike(other) && classes == other.classes;
  }
};

struct KnownTiles; // TileWork.h

/// `concurrent` tiles run at the same time. `split` CTAs share a tile: segments are those of one of them. `known` are
/// tiles of the same summary, arguments and grid from earlier calls, to which those of this one are added.
ProblemWork evaluateWork(const WorkSummary &summary, std::span<const ArgumentValue> arguments,
                         const std::array<uint32_t, 3> &grid, uint32_t concurrent, uint32_t split, KnownTiles &known);
ProblemWork evaluateWork(const WorkSummary &summary, std::span<const ArgumentValue> arguments,
                         const std::array<uint32_t, 3> &grid, uint32_t concurrent, uint32_t split = 1);

} // namespace tawa
