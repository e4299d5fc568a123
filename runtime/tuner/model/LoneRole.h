// LoneRole: what a kernel that is one role takes of a multiprocessor, estimated from its work before it is compiled:
// threads, slots for what its loops load ahead (tawa-pipeline-loads), registers, and so the CTAs beside each other.
#pragma once

#include "runtime/artifact/KernelConfig.h"
#include "runtime/artifact/WorkSummary.h"
#include "runtime/hardware/HardwareDescription.h"

namespace tawa {

/// Elements that loops with products carry beside accumulators, as where threads scale and add what each product
/// gives; `added` are those of accumulators of products that are not fresh.
inline int64_t carriedBeside(const WorkSummary &summary, int64_t added) {
  constexpr int64_t kSumBytes = 4;
  return std::max<int64_t>(summary.sumBytes / kSumBytes - added, 0);
}

/// Whether the kernel is one role in this configuration: it was not split, or is asked not to be (consumers=0).
inline bool isOneRole(const WorkSummary &summary, const KernelConfig &config) {
  return !summary.declined.empty() || config.consumerGroups == 0;
}

/// D of a kernel without products whose loops load an iteration ahead.
inline constexpr int kAheadByOne = 2;

struct LoneRole {
  uint32_t warps = 0;
  int64_t slotBytes = 0;  ///< Of what one iteration of a loop with a product loads ahead; 0: nothing.
  int64_t otherBytes = 0; ///< Shared memory beside the slots.
  int slots = 1;          ///< 1: each iteration waits for its own loads.
  uint32_t resident = 1;  ///< CTAs per multiprocessor.
  bool hasProducts = false;
  bool loadsInLoop = false; ///< Without products: which kAheadByOne makes an iteration ahead.
  int64_t sharedBytes() const { return otherBytes + (slots > 1 ? slotBytes * slots : 0); }
};
LoneRole loneRole(const WorkSummary &summary, const KernelConfig &config, const HardwareDescription &hardware);

} // namespace tawa
