// DescribedTensor: the tensor of a tensor map. Mostly it is an argument; a kernel that makes its own descriptors has
// expressions over the arguments for the tensor's base, shape and strides.
#pragma once

#include "runtime/artifact/ArgumentValue.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace tawa {

/// The tensor to build `recipe`'s map from. A launch error names the kernel and the expression that has no value.
Result<ArgumentValue> describedTensor(const KernelArtifact &artifact, const TensorMapRecipe &recipe,
                                      std::span<const ArgumentValue> arguments);

/// The value of a name in an expression over the arguments.
std::optional<int64_t> launchName(std::string_view name, std::span<const ArgumentValue> arguments);

/// The value of an expression over the arguments.
Result<int64_t> launchValue(const std::string &expression, std::span<const ArgumentValue> arguments);

} // namespace tawa
