// The rules for tensors accessed through TMA (CUDA driver API, cuTensorMapEncodeTiled), checked in one place for both
// devices, with a message that names the argument, the rule, the dimension and the value.
#pragma once

#include "runtime/artifact/ArgumentValue.h"
#include "runtime/artifact/KernelArtifact.h"

namespace tawa {

inline constexpr uint32_t kMaxTensorMapRank = 5;

/// A tensor map's fields as both encoders take them: innermost dimension first, strides in bytes.
struct TensorMapGeometry {
  uint64_t address = 0;
  uint32_t rank = 0;
  std::array<uint64_t, kMaxTensorMapRank> dims{};
  std::array<uint64_t, kMaxTensorMapRank - 1> strideBytes{}; ///< Of dimensions 1 to rank-1.
  std::array<uint32_t, kMaxTensorMapRank> box{};
};

/// Turns a described tensor around into TMA's order and checks it. A dimension of extent 1 may have any stride: it is
/// replaced by a legal one. Broken rules of the caller's tensor are ShapeMismatch or InvalidArgument (the pointer), of
/// the recipe Internal.
Result<TensorMapGeometry> tensorMapGeometry(const TensorMapRecipe &recipe, std::string_view argument,
                                            const ArgumentValue &value);

/// Whether all rows begin at lines of L2. TMA fetches a row's line from L2 at a time; rows that do not begin at lines
/// take two, and more of them with a fetch of two lines.
bool beginsAtLines(const TensorMapGeometry &map);

/// The same rules for a tensor as described to a compile: extents may be kUnknownExtent, and the address is unknown.
/// Tensors that would fail every launch are refused with the launch's message.
Status checkPromisedTensor(const TensorMapRecipe &recipe, std::string_view argument, ArgumentValue promised);

} // namespace tawa
