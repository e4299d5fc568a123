// The emulated Hopper SM: runs a per-thread machine kernel on the CPU, with every GPU thread a fiber, and diagnoses
// errors in it. Deadlocks, races, protocol errors, accesses out of bounds and endless loops end the launch with a
// Status of code Emulator whose message names CTA, warp and address; README.md lists them. A launch may have a limit of
// wall time.
//
// launch() blocks until the grid is done and may be called from any number of threads.
#pragma once

#include "runtime/artifact/KernelArtifact.h"
#include "runtime/emulator/ThreadState.h"
#include "runtime/support/Status.h"

#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace tawa::emu {

/// Bytes of shared memory one CTA may have, and registers of the multiprocessor: those of the default description.
uint32_t maxSharedBytes();
uint32_t registerFile();

/// When asynchronous work is done. A right kernel gives the same result under every schedule.
struct Schedule {
  bool deferTma = false;   ///< Copies happen only when no thread can run; else at once.
  bool shuffleTma = false; ///< Deferred copies happen in an order drawn from `seed`; else first come, first served.
  bool deferWgmma = false; ///< Products happen at the wait that covers them; else at once.
  uint64_t seed = 0;

  static Schedule eager() { return {}; }
  static Schedule wgmmaLate() { return {false, false, true, 0}; }
  static Schedule lateRandom(uint64_t seed) { return {true, true, true, seed}; }
  /// "eager", "wgmma late", "tma late+random wgmma late seed=7".
  std::string str() const;
};

/// A piece of global memory the kernel may touch. An access outside every region names the nearest one.
struct MemoryRegion {
  void *base = nullptr;
  uint64_t bytes = 0;
  std::string name; ///< The argument's name, for messages.
  bool writable = true;
};

struct LaunchConfig {
  uint32_t grid[3] = {1, 1, 1}; ///< CTAs, each dimension a multiple of the cluster's.
  uint32_t threads = 0;         ///< Per CTA, a multiple of 32, at most 1024.
  uint32_t sharedBytes = 0;
  uint32_t cluster[3] = {1, 1, 1};
  uint32_t registersPerThread = 0; ///< At entry; 0: unknown, and setmaxnreg is refused, as ptxas does.
};

struct LaunchOptions {
  Schedule schedule;
  bool detectRaces = true;
  uint64_t instructionBudget = uint64_t(1) << 28; ///< Loop iterations of all threads of a CTA, a wgmma being 8.
  /// Wall time limit of the whole launch, which ends with code Timeout when it is exceeded; 0: no limit. It is checked
  /// before every cluster and every few loop iterations, so a launch may exceed it by as long as some of these take.
  std::chrono::duration<double> limit{0};
  unsigned workers = 0; ///< OS threads, one cluster each at a time; 0: one per core.
};

struct LaunchStats {
  uint64_t ctas = 0;
  uint64_t fiberSwitches = 0;
  uint64_t wgmmaInstructions = 0;
  uint64_t tmaLoads = 0; ///< One per destination CTA.
  uint64_t tmaStores = 0;
  uint64_t backEdges = 0;
  uint64_t blockedWaits = 0; ///< mbarrier waits that found their phase not yet completed.
  void add(const LaunchStats &other);
};

/// Runs `entry` once per thread of the grid. `params` is the kernel's parameter block and must stay valid meanwhile.
Status launch(KernelEntry entry, const void *params, uint32_t paramBytes, const LaunchConfig &config,
              const std::vector<MemoryRegion> &memory, const LaunchOptions &options = {}, LaunchStats *stats = nullptr);

/// A tensor map in the emulator's own terms; innermost dimension first. The caller has checked every TMA rule.
struct TensorMapFields {
  uint64_t base = 0;
  ElementType type = ElementType::F16;
  uint32_t rank = 0;
  uint64_t dims[5] = {};
  uint64_t strides[5] = {}; ///< Bytes; strides[0] is the element size.
  uint32_t box[5] = {};
  TensorMapRecipe::Swizzle swizzle = TensorMapRecipe::Swizzle::None;
  TensorMapRecipe::Fill fill = TensorMapRecipe::Fill::Zero;
};

/// Writes the 128 bytes a host kernel takes for a tensor map. They carry a magic word and a checksum: tma_load and
/// tma_store refuse anything else, a driver's CUtensorMap included.
void encodeTensorMap(const TensorMapFields &fields, void *out128);

/// One function of EmulatorAbi.def, for symbol resolution of generated code.
struct Symbol {
  const char *name;
  void *address;
};
std::span<const Symbol> symbols();

} // namespace tawa::emu
