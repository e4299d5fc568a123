// The part of an emulated thread that generated code reads directly: special registers, at fixed offsets from the
// thread pointer every kernel receives. Constant while the thread lives.
#pragma once

#include <cstdint>

namespace tawa::emu {

struct ThreadState {
  uint32_t tid[3];
  uint32_t ntid[3];
  uint32_t ctaid[3];
  uint32_t nctaid[3];
  uint32_t clusterCtaRank;
  uint32_t laneId;
  uint32_t warpId;
  uint32_t sharedBase; ///< Address of dynamic shared memory in the shared::cta window; 1024-byte aligned, never 0.
};

/// The signature of a compiled host kernel: the thread and the parameter buffer of runtime/artifact.
using KernelEntry = void (*)(void *thread, const void *params);

} // namespace tawa::emu
