// KernelNeeds: what a kernel takes of a multiprocessor, before it is compiled: shared memory, registers, and so CTAs.
#pragma once

#include "runtime/artifact/KernelConfig.h"
#include "runtime/artifact/WorkSummary.h"
#include "runtime/hardware/HardwareDescription.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace tawa {

inline constexpr int64_t kRegisterBytes = 4;

/// Requirements of a kernel's dots, over all of them.
struct DotFacts {
  explicit DotFacts(const WorkSummary &summary);
  int64_t fewestRows = 0; ///< Of a wgmma; 0: there is none.
  int64_t mostRows = 0, mostColumns = 0;
  int64_t largest = 0;       ///< Elements of the largest accumulator.
  int64_t inOneLoop = 0;     ///< Of all accumulators of a loop, and of what is carried beside them.
  int64_t keptInOneLoop = 0; ///< Of those that an iteration keeps for the next one, and the same beside them.
  int mostInOneLoop = 0;     ///< Dots.
  size_t shape = 0;          ///< A hash of the shapes of all sums; 0: there is no dot.
  int64_t syncSums = 0;      ///< Elements of the accumulators of a loop that wgmma does not take.
  int64_t syncOperand = 0;   ///< Bits of the largest operand A of such a product, of up to 16 bits an element.
  bool isPromoted = false, isPipelined = false;
  bool areAllWgmma = true;
  bool hasArithmeticBeside = false; ///< In a loop with dots, threads compute something else.
  bool areAllComputed = true; ///< Of every wgmma threads make an operand, so that none has only slots to wait for.

  /// Whether groups cannot share out the equal products of a loop, the rows of one tile: three among two groups.
  bool leavesRowsOver(int groups) const;
  /// Registers of a thread, of the widest wgmma.
  int64_t sumsOfInstruction(int groups) const;
  /// Registers of a thread, for products of mma.sync: their sums, those of each slice of K where warps have slices (of
  /// `slicedBytes` in all), and operand A, of which each warp has all rows.
  int64_t registersForSync(int groups, int64_t slicedBytes) const;

private:
  void add(const std::vector<WorkStep> &steps);
  int64_t added = 0; ///< As of carriedBeside().
};

/// Shared memory of a kernel that is split into roles.
struct SharedNeed {
  int64_t once = 0, slot = 0; ///< Bytes: beside the rings with slots; of one slot of all of these.
  int slots = 0;
  bool outerHaveOneSlot = false; ///< Rings that are filled around others are empty while a tile is stored.
  int64_t bytes() const { return once + slot * slots; }
};
/// Bytes of shared memory that a CTA may have.
int64_t sharedOfCta(const KernelConfig &config, const HardwareDescription &hardware);
SharedNeed sharedNeed(const WorkSummary &summary, const KernelConfig &config, const HardwareDescription &hardware);

/// CTAs of this kernel per multiprocessor, estimated before compilation.
uint32_t residentCtas(const WorkSummary &summary, const KernelConfig &config, const HardwareDescription &hardware);

/// CTAs that run concurrently: all that are resident, or those that a launch starts of a persistent kernel whose tiles
/// are equally long (runtime/jit/Grid.h).
uint32_t runningCtas(const WorkSummary &summary, const KernelConfig &config, const HardwareDescription &hardware,
                     const std::array<uint32_t, 3> &grid);

/// The number of rounds in which the CTAs that share a tile add up (compiler/target/hopper/TawaToSM90/ClusterSum.cpp).
int sumRounds(int split);

} // namespace tawa
