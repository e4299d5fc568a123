// LaunchBinding: the filled parameter buffer of one kernel together with the values it was filled from, so that the
// next launch only updates what changed. Fixed size; updating it allocates nothing.
//
// A binding belongs to one thread. Staleness is tracked per tensor map: a launch with an empty grid must not need a map
// (a tensor with a dimension of 0 has none), so maps are built just before a launch and not when an argument changes.
#pragma once

#include "runtime/artifact/ArgumentValue.h"
#include "runtime/device/Device.h"

#include <bitset>
#include <cstddef>
#include <span>

namespace tawa {

struct LaunchBinding {
  uint64_t kernel = 0; ///< Serial number of the kernel it is for; 0: none.
  uint32_t count = 0;
  bool isComplete = false; ///< `values` and the parameters other than maps stand for `given`.
  bool isGridKnown = false;
  bool isCovered = true; ///< The grid asked for can be launched with the kernel's tile sizes, as far as is known.
  std::bitset<kMaxTensorMaps> staleMaps;
  std::array<uint32_t, 3> gridRequest{}; ///< That `grid` was made of; all 0: the text's directive.
  std::array<uint32_t, 3> grid{};        ///< Programs of the launch, if isGridKnown.
  uint32_t walkers = 0;           ///< Programs that walk the tiles in the text, if isGridKnown; 0: it walks none.
  std::array<uint32_t, 3> told{}; ///< Extents of the grid that `params` holds.
  std::array<ArgumentValue, kMaxArguments> given;  ///< As the caller wrote them.
  std::array<ArgumentValue, kMaxArguments> values; ///< Checked and completed.
  alignas(128) std::array<std::byte, kMaxParamBytes> params{};

  std::span<const ArgumentValue> arguments() const { return {values.data(), count}; }
};

/// Applies new arguments: checks those that changed, writes the parameters made from them, marks the tensor maps built
/// from them stale. On failure the binding is left incomplete and safe to use again.
Status updateArguments(LaunchBinding &binding, const KernelArtifact &artifact, std::span<const ArgumentValue> promised,
                       std::span<const ArgumentValue> given);

/// Gives a complete binding other addresses of its tensors, those at `positions`; all else stays. Nothing is changed
/// where one is refused.
Status moveTensors(LaunchBinding &binding, const KernelArtifact &artifact, std::span<const uint32_t> positions,
                   std::span<const uint64_t> addresses);

/// Writes the parameters of a kernel whose CTAs walk the grid themselves.
void updateGrid(LaunchBinding &binding, const KernelArtifact &artifact, const std::array<uint32_t, 3> &grid);

/// Builds the stale tensor maps of a complete binding.
Status updateTensorMaps(LaunchBinding &binding, const KernelArtifact &artifact, const LoadedKernel &loaded);

} // namespace tawa
