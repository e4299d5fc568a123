// Walks the steps of a summary for one program: segments of roles, blocks that are loaded and stored.
#include "runtime/tuner/model/TileWork.h"

#include "runtime/artifact/ClusterSharing.h"
#include "runtime/tuner/model/BlockTraffic.h"

#include <algorithm>

namespace tawa {

namespace {

constexpr double kUnknownTrips = 8; // of a loop whose bounds follow from memory

void collectLoads(const std::vector<WorkStep> &steps, std::vector<const WorkAccess *> &all) {
  for (const WorkStep &step : steps) {
    if (step.kind == WorkStep::Kind::Load)
      all.push_back(&step.access);
    collectLoads(step.body, all);
    collectLoads(step.otherwise, all);
  }
}

constexpr int64_t kLineBytes = 128; ///< Of L2, and of a row of a store's panel.

/// Every bit of the result depends on every bit.
uint64_t mixed(uint64_t hash) {
  hash = (hash ^ (hash >> 32)) * 0xd6e8feb86659fd93;
  hash = (hash ^ (hash >> 32)) * 0xd6e8feb86659fd93;
  return hash ^ (hash >> 32);
}

/// By tawa-multicast-tiles.
uint8_t partsOf(const WorkAccess &access) {
  if (!access.byTma || access.block.size() != 2)
    return 1;
  return static_cast<uint8_t>(partsOfTile(access.block[0], access.block[1] * access.elementBytes));
}

/// Narrow rows of a transposed tile take as long as those of 64 bytes: a warp has 16 columns of it
/// (layouts/algebra/StorePanels.h).
double transposedRows(const WorkAccess &store) {
  constexpr int64_t kColumnsOfWarp = 16, kLeastRowBytes = 64;
  return std::max(1.0, static_cast<double>(kLeastRowBytes) / static_cast<double>(kColumnsOfWarp * store.elementBytes));
}

void addDot(const WorkStep &dot, WorkSegment &segment) {
  int64_t rows = dot.isWgmma ? (dot.m + kWgmmaRows - 1) / kWgmmaRows * kWgmmaRows : dot.m;
  double flop = 2.0 * static_cast<double>(rows) * static_cast<double>(dot.n) * static_cast<double>(dot.k);
  size_t type = dot.bits <= 8 ? 0 : dot.bits <= 16 ? 1 : 2;
  if (dot.isWgmma)
    segment.wgmmaFlop[type] += flop;
  else if (dot.bits <= 16)
    segment.mmaFlop[type] += flop;
  else
    segment.vector += flop / 2; // f32 as it is: products and sums of the threads
  double pieces = static_cast<double>(rows) / kWgmmaRows;
  double operands =
      static_cast<double>(dot.n * dot.k) + (dot.aInRegisters ? 0 : static_cast<double>(kWgmmaRows * dot.k));
  segment.sharedBytes += pieces * operands * dot.bits / 8;
  (dot.isPipelined ? segment.pipelinedDots : segment.waits) += 1;
  segment.syncDots += dot.isWgmma ? 0 : 1;
  segment.byteDots += dot.isWgmma || dot.bits > 8 ? 0 : 1;
  segment.madeSyncDots += !dot.isWgmma && dot.isComputed ? 1 : 0;
  segment.computedDots += dot.isPipelined && dot.aInRegisters ? 1 : 0;
  segment.exchangedDots += !dot.isPipelined && dot.isWgmma && dot.isComputed && !dot.aInRegisters ? 1 : 0;
}

} // namespace

TileEvaluation::TileEvaluation(const WorkSummary &summary, std::span<const ArgumentValue> arguments,
                               const std::array<uint32_t, 3> &grid, KnownTiles &known)
    : summary(summary), arguments(arguments), grid(grid), known(known), values(summary, arguments, grid) {
  findMovingLoads();
}

void TileEvaluation::findMovingLoads() {
  std::vector<const WorkAccess *> all;
  for (const RoleWork &role : summary.roles)
    collectLoads(role.steps, all);
  std::vector<std::vector<int64_t>> first;
  for (int64_t ahead : {0, 1}) {
    values.evaluate({0, 0, 0}, 0, ahead);
    for (size_t i = 0; i < all.size(); ++i) {
      findPlaces(*all[i]);
      if (ahead == 0) {
        first.push_back(places);
      } else if (places != first[i] || places.empty()) {
        std::vector<int64_t> &steps = moving[all[i]] = places;
        for (size_t place = 0; place < std::min(steps.size(), first[i].size()); ++place)
          steps[place] -= first[i][place];
      }
    }
  }
}

const TileWork &TileEvaluation::tile(uint64_t program, uint64_t iteration) {
  uint64_t programs = uint64_t{grid[0]} * grid[1] * grid[2];
  auto [found, isNew] = known.tiles.try_emplace(iteration * programs + program);
  if (!isNew)
    return found->second;
  std::array<uint32_t, 3> place = {static_cast<uint32_t>(program % grid[0]),
                                   static_cast<uint32_t>(program / grid[0] % grid[1]),
                                   static_cast<uint32_t>(program / grid[0] / grid[1])};
  values.evaluate(place, static_cast<int64_t>(iteration));
  work = TileWork();
  work.firstFootprint = known.footprints.size();
  work.blocks = 0;
  form.producer.clear();
  form.consumer.clear();
  for (const RoleWork &role : summary.roles) {
    std::vector<WorkSegment> &segments = role.kind == RoleKind::Producer ? form.producer : form.consumer;
    segments.emplace_back();
    slots.clear();
    lastStore = nullptr;
    addSteps(role.steps, segments, 0, 1);
  }
  work.footprints = known.footprints.size() - work.firstFootprint;
  work.form = formOf(form);
  return found->second = work;
}

/// Few are different, and the last is the most likely.
size_t TileEvaluation::formOf(const TileClass &tile) {
  auto found = std::find(known.forms.rbegin(), known.forms.rend(), tile);
  if (found != known.forms.rend())
    return static_cast<size_t>(known.forms.rend() - found) - 1;
  known.forms.push_back(tile);
  return known.forms.size() - 1;
}

double TileEvaluation::tripsOfFirst(const WorkStep &loop, bool &isComplete) {
  values.evaluate({0, 0, 0}, 0);
  double trips = tripsOf(loop);
  isComplete &= work.isComplete;
  return trips;
}

/// Where a number from memory ends the loop, as often as the text lets it run at most.
double TileEvaluation::tripsOf(const WorkStep &loop) {
  std::optional<int64_t> upper = values.bound(loop.upper);
  bool isBounded = values.isKnown(loop.lower) && values.isKnown(loop.step) && upper;
  work.isComplete &= isBounded && values.isKnown(loop.upper);
  if (!isBounded)
    return kUnknownTrips;
  int64_t step = std::max<int64_t>(values[loop.step], 1), length = *upper - values[loop.lower];
  int64_t trips = length <= 0 ? 0 : (length + step - 1) / step;
  return static_cast<double>(trips);
}

/// False where one is unknown; then none is there.
bool TileEvaluation::findPlaces(const WorkAccess &access) {
  places.clear();
  for (int32_t place : access.places) {
    if (!values.isKnown(place)) {
      places.clear();
      return false;
    }
    places.push_back(values[place]);
  }
  return !places.empty();
}

/// The side of a branch that runs, or the first where its condition is unknown.
const std::vector<WorkStep> &TileEvaluation::taken(const WorkStep &branch) {
  bool isKnown = values.isKnown(branch.condition);
  work.isComplete &= isKnown;
  return !isKnown || values[branch.condition] != 0 ? branch.body : branch.otherwise;
}

/// Adds to segment `at`; `repeats` is how often it runs in all.
void TileEvaluation::addSteps(const std::vector<WorkStep> &steps, std::vector<WorkSegment> &segments, size_t at,
                              double repeats) {
  for (const WorkStep &step : steps)
    switch (step.kind) {
    case WorkStep::Kind::Loop:
      addLoop(step, segments, at, repeats);
      break;
    case WorkStep::Kind::Branch:
      addSteps(taken(step), segments, at, repeats);
      break;
    case WorkStep::Kind::Load:
      addLoad(step.access, segments, at, repeats);
      break;
    case WorkStep::Kind::Store:
      addStore(step.access, segments[at], repeats);
      break;
    case WorkStep::Kind::Dot:
      addDot(step, segments[at]);
      break;
    case WorkStep::Kind::Vector:
      segments[at].vector += step.operations;
      break;
    }
}

void TileEvaluation::addLoop(const WorkStep &loop, std::vector<WorkSegment> &segments, size_t at, double repeats) {
  double trips = tripsOf(loop);
  if (loop.walksGrid) {
    bool isThere = !values.isKnown(loop.upper) || values[loop.induction] < values[loop.upper];
    if (isThere)
      addSteps(loop.body, segments, at, repeats);
    return;
  }
  segments.emplace_back();
  segments.back().trips = repeats * trips;
  segments.back().isShared = at == 0; // a loop inside of another one is not
  if (trips > 0)
    addSteps(loop.body, segments, segments.size() - 1, repeats * trips);
}

const ArgumentValue *TileEvaluation::tensorOf(const WorkAccess &access) const {
  auto argument = static_cast<size_t>(access.argument); // none: beyond all
  return argument < arguments.size() ? &arguments[argument] : nullptr;
}

void TileEvaluation::addLoad(const WorkAccess &access, std::vector<WorkSegment> &segments, size_t at, double repeats) {
  WorkSegment &segment = segments[at];
  bool isKnown = findPlaces(access);
  BlockTraffic traffic = trafficOf(access, places, tensorOf(access));
  if (access.ring >= 0) {
    segment.loadBytes += traffic.bytes;
    segment.sharedBytes += traffic.bytes;
    segment.lines += traffic.lines;
    segment.brokenLines += traffic.brokenLines;
    segment.absentRows += traffic.absentRows;
    segment.isNarrow |= access.byTma && access.block.back() * access.elementBytes < kLineBytes;
    if (std::ranges::count(slots, std::pair(at, access.ring)) == 0) { // loads that share a slot come one by one
      slots.emplace_back(at, access.ring);
      segment.puts += 1;
    }
  } else {
    segment.directBytes += traffic.bytes;
  }
  segment.elements += access.isByElement ? traffic.bytes / access.elementBytes : 0;
  addToHash();
  addFootprints(access, isKnown, traffic.bytes, repeats);
}

/// What all iterations load is one block, which begins where the first one does. Of a few iterations that begin
/// somewhere else in each program, as in a window of keys, each has its own: programs beside each other load some of
/// them in common.
void TileEvaluation::addFootprints(const WorkAccess &access, bool isKnown, double bytes, double repeats) {
  constexpr double kMostApart = 32;
  auto add = [&](double loaded) {
    uint32_t block = isKnown ? numberOf(access.argument) : kUnknownBlock;
    known.footprints.push_back({block, access.argument, partsOf(access), loaded});
  };
  auto found = moving.find(&access);
  if (found == moving.end())
    return add(bytes);
  bool isWindow = false;
  for (size_t place = 0; isKnown && place < std::min(places.size(), found->second.size()); ++place)
    isWindow |= found->second[place] != 0 && places[place] != 0;
  if (!isWindow || repeats > kMostApart)
    return add(bytes * repeats);
  for (double iteration = 0; iteration < repeats; ++iteration) {
    add(bytes);
    for (size_t place = 0; place < places.size(); ++place)
      places[place] += found->second[place];
  }
}

void TileEvaluation::addStore(const WorkAccess &access, WorkSegment &segment, double repeats) {
  findPlaces(access);
  double bytes = trafficOf(access, places, tensorOf(access)).bytes;
  addToHash();
  segment.storeBytes += bytes;
  segment.panelBytes += panelBytesOf(access, bytes);
  work.stored += bytes * repeats;
}

/// A panel takes as long as one of whole rows, which tiles beside each other share (TawaToSM90/Stores.h).
double TileEvaluation::panelBytesOf(const WorkAccess &store, double bytes) {
  auto whole = [](int64_t row) { return (row + kLineBytes - 1) / kLineBytes * kLineBytes; };
  if (!store.byTma || store.block.size() != 2)
    return bytes;
  if (store.block[0] < kWgmmaRows)
    return bytes * transposedRows(store);
  bool isBeside = lastStore && lastStore->argument == store.argument && lastStore->block == store.block;
  int64_t before = isBeside ? rowBytes : 0, row = store.block[1] * store.elementBytes;
  lastStore = &store;
  rowBytes = before + row;
  return bytes * static_cast<double>(whole(rowBytes) - whole(before)) / static_cast<double>(row);
}

/// The places of the access at hand.
void TileEvaluation::addToHash() {
  if (places.empty())
    work.blocks.reset();
  for (int64_t place : places)
    if (work.blocks)
      work.blocks = extendHash(*work.blocks, static_cast<uint64_t>(place));
}

/// Of the block that begins at the places at hand.
uint32_t TileEvaluation::numberOf(int32_t argument) const {
  uint64_t hash = mixed(static_cast<uint64_t>(argument));
  for (int64_t place : places)
    hash = mixed(hash ^ static_cast<uint64_t>(place));
  auto next = static_cast<uint32_t>(known.blocks.size() + 1);
  return known.blocks.try_emplace(hash, next).first->second;
}

} // namespace tawa
