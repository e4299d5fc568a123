// Architectures as PTX names them: which the compiler makes code for, which devices run that code, and which
// instructions there are. Whoever needs one of these instructions asks for its Feature; names of architectures are
// compared here alone.
#pragma once

#include "runtime/support/Status.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace tawa {

/// What only some architectures have.
enum class Feature : uint8_t {
  Wgmma,            ///< Asynchronous products of a warp group.
  RegisterDonation, ///< setmaxnreg: roles give each other registers.
  Tma,              ///< Bulk and tensor copies that count bytes on mbarriers, and the async proxy they belong to.
  Clusters,         ///< CTAs that see each other's shared memory.
  EarlyLaunch,      ///< griddepcontrol: a launch begins while the one before it ends.
  MatrixStores,     ///< stmatrix.
  SuspendingWaits,  ///< mbarrier.try_wait, which lets the thread sleep.
  Bf16Arithmetic,   ///< Sums and products of bf16, besides fma.
  Bf16Atomics,      ///< Atomic sums of bf16.
  VectorAtomics,    ///< Atomic sums of neighbours by one instruction.
  Fp8Conversions,   ///< cvt from and to e4m3 and e5m2.
};

struct FeatureInfo {
  Feature feature;
  std::string_view name; ///< "wgmma": as a sentence "the GPU has no wgmma" names it.
  uint32_t major, minor; ///< The first architecture that has it.
  bool isSpecific;       ///< That one alone has it, under its name with the suffix a.
};
std::span<const FeatureInfo> allFeatures();

/// "sm_90a" as its parts.
struct Architecture {
  uint32_t major = 0, minor = 0;
  bool isSpecific = false; ///< Has instructions that no other architecture runs (suffix a).

  bool has(Feature feature) const;
};
/// An error where the text is not of the form sm_NN or sm_NNa.
Result<Architecture> parseArchitecture(std::string_view text);

/// The architectures that the compiler makes code for, the best for a device that runs several first.
std::span<const std::string_view> codeArchitectures();
/// Whether a device of this compute capability runs code for the architecture.
bool runsCodeFor(std::string_view architecture, uint32_t major, uint32_t minor);
/// The first of codeArchitectures() whose code such a device runs; empty where there is none.
std::string_view codeArchitectureOf(uint32_t major, uint32_t minor);

} // namespace tawa
