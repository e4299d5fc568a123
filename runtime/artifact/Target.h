// Target: the GPU that code is generated for, as far as the compiler needs it. It is made from a hardware description
// (runtime/hardware/TargetOf.h), whose keys name its limits; no other file states them.
//
// Two GPUs with equal targets get the same code, so of a GPU the compile key contains only str().
#pragma once

#include "runtime/artifact/Architecture.h"
#include "runtime/support/Status.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace tawa {

struct Target {
  std::string description;  ///< Name of the description it was made from, for messages; no part of str() and ==.
  std::string architecture; ///< As PTX names it: "sm_90a".

  int64_t sharedPerBlock = 0; ///< Bytes of shared memory that one CTA may have.
  int64_t registersPerMultiprocessor = 0;
  int64_t registersPerThread = 0; ///< The most that one thread can name.
  int64_t threadsPerMultiprocessor = 0;
  int64_t ctasPerMultiprocessor = 0;
  int64_t l2 = 0;              ///< Bytes.
  int64_t tensor16Bit = 0;     ///< FLOP of f16 per clock and multiprocessor.
  int64_t bytesUnderWay = 0;   ///< Loads in flight of one multiprocessor that hide the latency of memory.
  int64_t busyLoadLatency = 0; ///< Clocks from a free slot to its next tile while all multiprocessors load.

  /// Whether code for it may use this; false for an architecture that is none.
  bool has(Feature feature) const;
  /// What one of so many CTAs of a multiprocessor may take of it.
  Target shareFor(int ctas) const;
  bool operator==(const Target &other) const { return str() == other.str(); }
  /// "sm_90a shared_per_block=232448 ..."; parse() reads it and refuses a limit that is missing or not positive.
  std::string str() const;
  static Result<Target> parse(std::string_view text);
};

/// Bytes of shared memory that the system keeps for itself of each CTA's (CUDA C++ Programming Guide, compute
/// capability 9.0).
inline constexpr int64_t kReservedSharedBytes = 1024;

/// Shared memory that each of so many CTAs of a multiprocessor may have, where one alone may have `perBlock`. Bytes.
constexpr int64_t sharedOfShare(int64_t perBlock, int64_t ctas) {
  return (perBlock + kReservedSharedBytes) / ctas - kReservedSharedBytes;
}

/// The architecture of Target::str().
inline std::string architectureOf(std::string_view target) { return std::string(target.substr(0, target.find(' '))); }

/// A limit under the key that hardware descriptions give it.
struct TargetLimit {
  std::string_view name;
  int64_t Target::*member;
};
std::span<const TargetLimit> targetLimits();
/// Null where there is none of that name.
const TargetLimit *findLimit(std::string_view name);

/// An error where the compiler makes no code for the target.
Status checkCodeFor(const Target &target);

} // namespace tawa
