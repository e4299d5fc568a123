// TileWork: what single tiles of a launch do, evaluated from a WorkSummary. Which tiles run beside each other, and how
// many CTAs share one, changes nothing of that, so that each tile is evaluated once for all configurations of a
// summary.
#pragma once

#include "runtime/tuner/model/ProblemWork.h"
#include "runtime/tuner/model/ProgramValues.h"

#include <map>
#include <unordered_map>

namespace tawa {

/// A block that a tile loads over all its iterations.
struct Footprint {
  /// Which argument, and where it begins: numbered in the order in which such blocks are seen; kUnknownBlock: it is not
  /// known where, and so not the same as any other.
  uint32_t block = 0;
  int32_t argument = -1;
  uint8_t parts = 1; ///< For so many CTAs TMA can cut it; a power of two.
  double bytes = 0;
};
inline constexpr uint32_t kUnknownBlock = 0;

/// FNV-1a, of the blocks of a tile, and of tiles.
inline uint64_t extendHash(uint64_t hash, uint64_t next) { return (hash ^ next) * 0x100000001b3; }

struct TileWork {
  size_t form = 0; ///< Of KnownTiles::forms.
  size_t firstFootprint = 0, footprints = 0;
  double stored = 0;
  bool isComplete = true;         ///< As in ProblemWork.
  std::optional<uint64_t> blocks; ///< A hash of the blocks that it loads and stores; none where one is unknown.
};

/// Tiles of one summary, list of arguments and grid.
struct KnownTiles {
  std::unordered_map<uint64_t, TileWork> tiles;
  std::vector<TileClass> forms; ///< As one CTA does them.
  std::vector<Footprint> footprints;
  std::unordered_map<uint64_t, uint32_t> blocks; ///< Numbers by hashes.
};

/// Summary, arguments, grid and what is known outlive it.
class TileEvaluation {
public:
  TileEvaluation(const WorkSummary &summary, std::span<const ArgumentValue> arguments,
                 const std::array<uint32_t, 3> &grid, KnownTiles &known);

  /// Of a program; where the text walks the grid, of its iteration. The answer is valid until the next question.
  const TileWork &tile(uint64_t program, uint64_t iteration);
  std::span<const Footprint> footprintsOf(const TileWork &tile) const {
    return std::span(known.footprints).subspan(tile.firstFootprint, tile.footprints);
  }
  /// Of a loop in the first program; a guess where its bounds are unknown.
  double tripsOfFirst(const WorkStep &loop, bool &isComplete);

private:
  void findMovingLoads();
  double tripsOf(const WorkStep &loop);
  const std::vector<WorkStep> &taken(const WorkStep &branch);
  void addSteps(const std::vector<WorkStep> &steps, std::vector<WorkSegment> &segments, size_t at, double repeats);
  void addLoop(const WorkStep &loop, std::vector<WorkSegment> &segments, size_t at, double repeats);
  void addLoad(const WorkAccess &access, std::vector<WorkSegment> &segments, size_t at, double repeats);
  void addStore(const WorkAccess &access, WorkSegment &segment, double repeats);
  double panelBytesOf(const WorkAccess &store, double bytes);
  void addFootprints(const WorkAccess &access, bool isKnown, double bytes, double repeats);
  void addToHash();
  uint32_t numberOf(int32_t argument) const;
  size_t formOf(const TileClass &form);
  bool findPlaces(const WorkAccess &access);
  const ArgumentValue *tensorOf(const WorkAccess &access) const;

  const WorkSummary &summary;
  std::span<const ArgumentValue> arguments;
  const std::array<uint32_t, 3> &grid;
  KnownTiles &known;
  ProgramValues values;
  /// Loads that bring something new in every iteration of their loop, and how far their places move; empty: unknown.
  std::map<const WorkAccess *, std::vector<int64_t>> moving;
  // Of the tile at hand.
  TileWork work;
  TileClass form;
  std::vector<int64_t> places;                   ///< Of the access at hand.
  std::vector<std::pair<size_t, int32_t>> slots; ///< Segment and ring, of the role at hand.
  const WorkAccess *lastStore = nullptr;         ///< Of the role at hand; the next one may lie beside it,
  int64_t rowBytes = 0;                          ///< and follow so many in rows that it shares with others.
};

} // namespace tawa
