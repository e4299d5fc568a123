// Constants that the PTX ISA, or CUDA, fixes for every GPU; Target.h has those that differ between GPUs.
#pragma once

#include <cstdint>

namespace tawa {

inline constexpr unsigned kLanes = 32; ///< Threads of a warp.
/// A warp group, which runs a wgmma together.
inline constexpr uint32_t kWarpsPerGroup = 4, kThreadsPerGroup = kWarpsPerGroup * kLanes;
/// Rows, and most columns, of one wgmma (wgmma.mma_async, shapes).
inline constexpr int64_t kWgmmaRows = 64, kWgmmaMostColumns = 256;
/// Products that a wait can leave in flight: as many as the provers tell apart. What more of them are on PTX than an
/// instruction can name, once the parts of a tile are one product, its wait does not leave in flight (LowerWgmma.cpp).
inline constexpr uint32_t kMostPendings = 127;
/// CTAs of a cluster on any GPU that has clusters (CUDA programming guide, thread block clusters).
inline constexpr uint32_t kPortableCluster = 8;

} // namespace tawa
