// Estimates for kernels of one role, from the products and loads of their loops.
#include "runtime/tuner/model/LoneRole.h"

#include "runtime/artifact/OneRoleWarps.h"
#include "runtime/artifact/PtxShapes.h"
#include "runtime/artifact/RegisterBudget.h"
#include "runtime/artifact/RingSlots.h"
#include "runtime/tuner/model/KernelNeeds.h"

#include <algorithm>

namespace tawa {

namespace {

constexpr int64_t kLeastSlotBytes = 1024; // as compiler/roles/PipelineLoads
/// Of a thread, where the loads of a loop have no slots: their addresses and what they load. With them, 11 texts take
/// 64 to 223 registers beside their sums, half of them up to 151.
constexpr int64_t kLoadedRegisters = 64;

/// Of the loop that needs most of each.
struct LoopNeeds {
  int64_t aheadBytes = 0;   ///< Loaded by one iteration in tiles that are worth a slot.
  int64_t operandBytes = 0; ///< Of products that read shared memory.
  int64_t sums = 0;         ///< Elements of accumulators.
  int64_t added = 0;        ///< Likewise, of products that are not fresh, of all loops.
  int64_t largest = 0;      ///< Elements of the largest tile.
  int products = 0;
  bool loads = false, loadsInLoop = false;

  void add(const std::vector<WorkStep> &steps, bool isLoop = false) {
    LoopNeeds here;
    for (const WorkStep &step : steps) {
      add(step.body, step.kind == WorkStep::Kind::Loop);
      add(step.otherwise);
      here.addStep(step);
    }
    products += here.products;
    largest = std::max(largest, here.largest);
    sums = std::max(sums, here.sums);
    added += here.added;
    operandBytes = std::max(operandBytes, here.operandBytes);
    loads |= here.loads;
    loadsInLoop |= isLoop && here.loads;
    if (isLoop && here.products > 0)
      aheadBytes = std::max(aheadBytes, here.aheadBytes);
  }

private:
  void addStep(const WorkStep &step) {
    loads |= step.kind == WorkStep::Kind::Load;
    if (step.kind == WorkStep::Kind::Dot) {
      ++products;
      sums += step.m * step.n;
      added += step.isFresh ? 0 : step.m * step.n;
      operandBytes += (step.n * step.k + (step.aInRegisters ? 0 : step.m * step.k)) * step.bits / 8;
      largest = std::max({largest, step.m * step.n, step.m * step.k, step.n * step.k});
    } else if (step.kind == WorkStep::Kind::Load && step.access.block.size() == 2) {
      largest = std::max(largest, step.access.bytes() / std::max<int64_t>(step.access.elementBytes, 1));
      if (step.access.isCopyable && step.access.bytes() >= kLeastSlotBytes)
        aheadBytes += step.access.bytes();
    }
  }
};

LoopNeeds needsOf(const WorkSummary &summary) {
  LoopNeeds needs;
  for (const RoleWork &role : summary.roles)
    needs.add(role.steps);
  if (summary.declined.empty()) { // loads and products are in loops of several roles
    RingBytes bytes = ringBytes(summary.rings, /*ofTransposedToo=*/false);
    needs.aheadBytes = bytes.inner;
    needs.operandBytes = bytes.once + bytes.inner + bytes.outer;
  }
  return needs;
}

uint32_t warpsFor(const WorkSummary &summary, const KernelConfig &config, const LoopNeeds &needs) {
  if (config.warps > 0)
    return static_cast<uint32_t>(config.warps);
  if (!summary.declined.empty())
    return summary.roles.front().warps;
  return oneRoleGroups(needs.largest) * kWarpsPerGroup;
}

/// Without products, registers are chosen so that threads are at ease (compiler/roles/WrapOneRole).
uint32_t residentAtEase(uint32_t warps, const HardwareDescription &hardware) {
  return static_cast<uint32_t>(
      std::clamp(double{kThreadsAtEase} / (kLanes * std::max(warps, 1u)), 1.0, hardware.threadsPerMultiprocessor / 32));
}

uint32_t residentWith(const LoneRole &role, int64_t registers, const HardwareDescription &hardware) {
  double threads = kLanes * role.warps;
  double byRegisters = hardware.registersPerMultiprocessor / (threads * static_cast<double>(registers));
  double byShared =
      hardware.sharedPerMultiprocessor / (static_cast<double>(role.sharedBytes()) + hardware.sharedReservedPerBlock);
  double byThreads = hardware.threadsPerMultiprocessor / threads;
  return static_cast<uint32_t>(std::max(std::min({byRegisters, byShared, byThreads}), 1.0));
}

} // namespace

LoneRole loneRole(const WorkSummary &summary, const KernelConfig &config, const HardwareDescription &hardware) {
  LoopNeeds needs = needsOf(summary);
  LoneRole role;
  role.warps = warpsFor(summary, config, needs);
  role.hasProducts = needs.products > 0;
  if (!role.hasProducts) {
    role.loadsInLoop = needs.loadsInLoop;
    role.resident = residentAtEase(role.warps, hardware);
    return role;
  }
  role.slotBytes = needs.aheadBytes;
  role.otherBytes = kSmallBuffers + std::max<int64_t>(needs.operandBytes - needs.aheadBytes, 0);
  OwnSlots room = {role.slotBytes, role.otherBytes, sharedOfCta(config, hardware)};
  role.slots = std::max(1, static_cast<int>(countOwnSlots(room, config.ringDepth, config.mmaDepth)));
  int64_t sums = (needs.sums + carriedBeside(summary, needs.added)) / (int64_t{kLanes} * role.warps);
  int64_t beside = registerMargin(RegisterQuestion::UnplannedKernel) +
                   (needs.loadsInLoop && needs.aheadBytes == 0 ? kLoadedRegisters : 0);
  int64_t registers = std::min<int64_t>(sums + beside, static_cast<int64_t>(hardware.registersPerThread));
  role.resident = residentWith(role, registers, hardware);
  return role;
}

} // namespace tawa
