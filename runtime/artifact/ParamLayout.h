// Layout of a kernel's parameter buffer: the rules of PTX .param space, used by the compiler (which records the
// offsets) and by the runtime (which checks them before it fills a buffer). Host kernels read the buffer as it is. A
// GPU kernel receives the address of each parameter in it: ptxas places them itself (maps are aligned in the constant
// bank, whose parameter space begins at an odd offset).
#pragma once

#include "runtime/artifact/KernelArtifact.h"

#include <string>

namespace tawa {

inline constexpr uint32_t kTensorMapBytes = 128;    ///< sizeof(CUtensorMap)
inline constexpr uint32_t kTensorMapAlignment = 64; ///< alignof(CUtensorMap)
inline constexpr uint32_t kMaxParamBytes = 4096;    ///< .param space of a kernel (PTX ISA, before 8.1; enough for us)
inline constexpr uint32_t kMaxParams = 256;
inline constexpr uint32_t kMaxArguments = 64; ///< Logical arguments of one kernel.
inline constexpr uint32_t kMaxTensorMaps = 16;
inline constexpr uint32_t kMaxRank = 8; ///< Of a tensor argument; tensor maps take at most 5.

/// A parameter of the given source with size and natural alignment set; `scalarType` counts for shapes, strides and
/// scalars only.
KernelParam makeParam(KernelParam::Source source, uint32_t index, uint32_t dimension = 0,
                      ElementType scalarType = ElementType::I64);

/// Writes the offset of each parameter and returns the size of the buffer: each at its alignment, no tail padding.
uint32_t layoutParams(std::vector<KernelParam> &params);

/// Bytes of scratch memory that a launch of `ctas` CTAs needs.
inline uint64_t scratchBytes(const LaunchMetadata &launch, const std::array<uint32_t, 3> &ctas) {
  return uint64_t{launch.scratchBytes} * ctas[0] * ctas[1] * ctas[2];
}

/// Bytes of the workspace of such a launch.
inline uint64_t workspaceBytes(const LaunchMetadata &launch, const std::array<uint32_t, 3> &ctas) {
  return uint64_t{launch.workspaceBytes} * ctas[0] * ctas[1] * ctas[2];
}

/// Checks what a well-formed artifact promises about its parameters: indices in range, sizes right, no overlap, all
/// inside paramBytes and the limits above. Broken data is an Internal error that names the parameter.
Status checkParams(const KernelArtifact &artifact);

/// XXH3-128 over everything of the artifact that decides how it behaves: code, entry, configuration, launch facts,
/// arguments, parameters, tensor maps and grid; not the report.
std::string contentHash(const KernelArtifact &artifact);

} // namespace tawa
