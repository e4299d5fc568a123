// What a kernel takes of a multiprocessor, from its summary.
#include "runtime/tuner/model/KernelNeeds.h"

#include "runtime/artifact/PtxShapes.h"
#include "runtime/artifact/RegisterBudget.h"
#include "runtime/artifact/StoreRoom.h"
#include "runtime/artifact/Target.h"
#include "runtime/jit/Grid.h"
#include "runtime/tuner/model/LoneRole.h"

#include <algorithm>
#include <bit>

namespace tawa {

/// Registers of each thread for a loop over tiles, where nothing bounds them.
static constexpr int64_t kTileLoopRegisters = 24;

int sumRounds(int split) { return std::bit_width(static_cast<unsigned>(std::max(split, 1) - 1)); }

DotFacts::DotFacts(const WorkSummary &summary) {
  for (const RoleWork &role : summary.roles)
    add(role.steps);
  int64_t beside = inOneLoop > 0 ? carriedBeside(summary, added) : 0;
  inOneLoop += beside;
  keptInOneLoop += beside;
}

void DotFacts::add(const std::vector<WorkStep> &steps) {
  int64_t here = 0, summed = 0, sync = 0;
  int dots = 0;
  bool isAnyDot = std::ranges::count(steps, WorkStep::Kind::Dot, &WorkStep::kind) != 0;
  for (const WorkStep &step : steps) {
    add(step.body);
    add(step.otherwise);
    hasArithmeticBeside |= isAnyDot && step.operations > 0;
    if (step.kind != WorkStep::Kind::Dot)
      continue;
    areAllWgmma &= step.isWgmma;
    if (!step.isWgmma) {
      sync += step.m * step.n;
      syncOperand = std::max(syncOperand, step.bits <= 16 ? step.m * step.k * step.bits : 0);
      continue;
    }
    fewestRows = fewestRows == 0 ? step.m : std::min(fewestRows, step.m);
    mostRows = std::max(mostRows, step.m);
    mostColumns = std::max(mostColumns, step.n);
    largest = std::max(largest, step.m * step.n);
    here += step.isContinued ? 0 : step.m * step.n;
    summed += step.isFresh || step.isContinued ? 0 : step.m * step.n;
    ++dots;
    for (int64_t extent : {step.m, step.n})
      shape = shape * 1000003 + static_cast<size_t>(extent);
    isPromoted |= step.isPromoted;
    isPipelined |= step.isPipelined;
    areAllComputed &= step.isComputed;
  }
  syncSums = std::max(syncSums, sync);
  inOneLoop = std::max(inOneLoop, here);
  keptInOneLoop = std::max(keptInOneLoop, summed);
  added += summed;
  mostInOneLoop = std::max(mostInOneLoop, dots);
}

bool DotFacts::leavesRowsOver(int groups) const {
  bool areEqual = fewestRows == mostRows && inOneLoop == largest * mostInOneLoop;
  bool comeOutEven = mostInOneLoop % groups == 0 || fewestRows % (kWgmmaRows * groups) == 0;
  return areEqual && mostInOneLoop > groups && !comeOutEven;
}

int64_t DotFacts::sumsOfInstruction(int groups) const {
  int64_t sharing = std::max<int64_t>(1, groups * kWgmmaRows / std::max(mostRows, kWgmmaRows));
  return kWgmmaRows * std::min(mostColumns / sharing, kWgmmaMostColumns) / kThreadsPerGroup;
}

int64_t DotFacts::registersForSync(int groups, int64_t slicedBytes) const {
  int64_t ofSlices = slicedBytes / kRegisterBytes,
          slices = std::max<int64_t>(ofSlices / std::max<int64_t>(syncSums, 1), 1);
  int64_t operand = syncOperand / (int64_t{kRegisterBytes} * 8 * kLanes * slices);
  return std::max(syncSums, ofSlices) / (int64_t{kThreadsPerGroup} * groups) + operand;
}

/// Whether tiles that wgmma cannot read are transposed by a role of its own, into slots of their own: where consumers
/// keep registers for their sums beside it (compiler/roles/DistributeRoles.cpp), as in the question or in more groups.
static bool transposesApart(const WorkSummary &summary, const KernelConfig &config, int groupsPerTile,
                            const HardwareDescription &hardware) {
  auto ctas = static_cast<size_t>(config.ctas), groups = static_cast<size_t>(std::max(config.consumerGroups, 1));
  const auto &counted = summary.registersBesideConverter;
  bool isAny = std::ranges::any_of(summary.rings, [](const RingWork &ring) { return ring.transposedBytes != 0; });
  if (summary.hasRole(RoleKind::Converter) || !isAny || ctas > counted.size() || groups > counted[ctas - 1].size())
    return summary.hasRole(RoleKind::Converter);
  DotFacts dots(summary);
  int64_t threads = kThreadsPerGroup * static_cast<int64_t>(groups + 2), owned = counted[ctas - 1][groups - 1];
  int64_t entry = registersAtEntry(static_cast<int64_t>(hardware.registersPerMultiprocessor) / config.ctas, threads);
  int64_t sums = dots.inOneLoop / (int64_t{kThreadsPerGroup} * groupsPerTile);
  return owned != 0 && fitsRegisters(RegisterQuestion::ConsumerBesideConverter, sums, owned) &&
         fitsRegisters(RegisterQuestion::SumsAtEntry, dots.sumsOfInstruction(groupsPerTile), entry);
}

int64_t sharedOfCta(const KernelConfig &config, const HardwareDescription &hardware) {
  return sharedOfShare(static_cast<int64_t>(hardware.sharedPerBlock), config.ctas);
}

SharedNeed sharedNeed(const WorkSummary &summary, const KernelConfig &config, const HardwareDescription &hardware) {
  int groups = std::max(config.consumerGroups, 1), together = config.schedule == PingPong ? 1 : groups;
  SharedNeed need;
  int64_t consumers = groups / together;
  StoreNeed stores{summary.panelBytes * int64_t{kWarpsPerGroup} * groups * config.epilogueStages,
                   summary.scratchBytesOf(together) * consumers};
  int64_t operands =
      (summary.operandBytes + summary.movedBytesOf(together)) * consumers + (together > 1 ? summary.exchangedBytes : 0);
  need.once = kSmallBuffers + (summary.hasConverter(config) ? 0 : operands);
  std::vector<RingWork> rings = config.persistent ? ringsInTileLoop(summary.rings) : summary.rings;
  if (summary.hasConverter(config))
    rings.push_back({summary.convertedBytes, /*repeats=*/true});
  int64_t room = sharedOfCta(config, hardware);
  bool mayLend = consumers == 1 && config.split == 1 && !config.stream;
  need.once += chooseStoreRoom(rings, stores, mayLend, room - need.once, config.ringDepth, config.mmaDepth).bytes;
  RingBytes bytes = ringBytes(rings, transposesApart(summary, config, together, hardware));
  SumExchange sums{summary.sumBytes, sumRounds(config.split), canHoldSums(rings)};
  ExchangeFit fit = fitExchange(rings, sums, room - need.once, config.ringDepth, config.mmaDepth);
  const SlotCounts &depth = fit.slots;
  need.once += fit.besideBytes;
  (depth.outerHaveOneSlot ? need.once : need.slot) += bytes.outer;
  need.outerHaveOneSlot = depth.outerHaveOneSlot && bytes.outer > 0;
  need.once += bytes.once;
  need.slot += bytes.inner;
  need.slots = static_cast<int>(std::max<int64_t>(depth.slots, config.mmaDepth));
  return need;
}

uint32_t residentCtas(const WorkSummary &summary, const KernelConfig &config, const HardwareDescription &hardware) {
  if (isOneRole(summary, config))
    return loneRole(summary, config, hardware).resident;
  auto groups = static_cast<size_t>(std::max(config.consumerGroups, 1));
  if (summary.consumerRegistersOf(config) != 0u) // all registers of a multiprocessor are spoken for
    return static_cast<uint32_t>(config.ctas);
  int64_t threads = kThreadsPerGroup * static_cast<int64_t>(groups + 1);
  DotFacts dots(summary);
  int64_t sums = dots.inOneLoop / (kThreadsPerGroup * static_cast<int64_t>(groups));
  int together = config.schedule == PingPong ? 1 : static_cast<int>(groups);
  sums += dots.registersForSync(together, summary.slicedBytesOf(together));
  int64_t registers =
      sums + registerMargin(RegisterQuestion::UnplannedKernel) + (config.persistent ? kTileLoopRegisters : 0);
  double byRegisters = hardware.registersPerMultiprocessor / static_cast<double>(threads * registers);
  double byShared =
      hardware.sharedPerMultiprocessor /
      (static_cast<double>(sharedNeed(summary, config, hardware).bytes()) + hardware.sharedReservedPerBlock);
  double byThreads = hardware.threadsPerMultiprocessor / static_cast<double>(threads);
  return static_cast<uint32_t>(std::max(std::min({byRegisters, byShared, byThreads}), 1.0));
}

uint32_t runningCtas(const WorkSummary &summary, const KernelConfig &config, const HardwareDescription &hardware,
                     const std::array<uint32_t, 3> &grid) {
  auto room = static_cast<uint32_t>(hardware.filledByClustersOf(config.split * config.cluster)) *
              residentCtas(summary, config, hardware);
  if (!config.persistent || !summary.uniformTileWork || config.stream)
    return room;
  uint64_t tiles = uint64_t{grid[0]} * grid[1] * grid[2];
  return static_cast<uint32_t>(evenlyLoadedCtas(tiles, room, static_cast<uint64_t>(config.cluster)));
}

} // namespace tawa
