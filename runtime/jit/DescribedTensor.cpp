// Evaluates the expressions of a described tensor for the arguments of a launch. A name is the letter a, the number of
// an argument and, of a tensor's dimension, "_shape" or "_stride" and its number.
#include "runtime/jit/DescribedTensor.h"

#include "runtime/support/Expression.h"

#include <charconv>

namespace tawa {

namespace {

/// The integer that a scalar or constant argument holds, its sign bit spread.
int64_t signedValue(const ArgumentValue &value) {
  unsigned unused = 64 - elementBits(value.elementType);
  return static_cast<int64_t>(value.bits << unused) >> unused;
}

bool takePrefix(std::string_view &text, std::string_view prefix) {
  bool starts = text.starts_with(prefix);
  text.remove_prefix(starts ? prefix.size() : 0);
  return starts;
}

std::optional<uint32_t> takeNumber(std::string_view &text) {
  uint32_t number = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc())
    return std::nullopt;
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  return number;
}

} // namespace

std::optional<int64_t> launchName(std::string_view name, std::span<const ArgumentValue> arguments) {
  auto index = takePrefix(name, "a") ? takeNumber(name) : std::nullopt;
  if (!index || *index >= arguments.size())
    return std::nullopt;
  const ArgumentValue &value = arguments[*index];
  bool isTensor = value.kind == LogicalArgument::Kind::Tensor;
  if (name.empty())
    return isTensor || isFloat(value.elementType) ? std::nullopt : std::optional(signedValue(value));
  bool isShape = takePrefix(name, "_shape");
  auto dimension = isShape || takePrefix(name, "_stride") ? takeNumber(name) : std::nullopt;
  if (!isTensor || !dimension || *dimension >= value.rank)
    return std::nullopt;
  return isShape ? value.shape[*dimension] : value.strides[*dimension];
}

Result<int64_t> launchValue(const std::string &expression, std::span<const ArgumentValue> arguments) {
  return evaluate(expression, [&](std::string_view name) { return launchName(name, arguments); });
}

Result<ArgumentValue> describedTensor(const KernelArtifact &artifact, const TensorMapRecipe &recipe,
                                      std::span<const ArgumentValue> arguments) {
  ArgumentValue tensor = arguments[recipe.argument];
  if (!recipe.isDescribed())
    return tensor;
  Status failure;
  auto value = [&](const std::string &expression) -> int64_t {
    Result<int64_t> result = launchValue(expression, arguments);
    if (result)
      return *result;
    failure =
        Status(StatusCode::InvalidArgument,
               "kernel '" + artifact.entry + "' describes a tensor by its arguments: " + result.status().message());
    return 0;
  };
  tensor.elementType = recipe.elementType;
  tensor.rank = static_cast<uint32_t>(recipe.shape.size());
  if (!recipe.offset.empty())
    tensor.address += static_cast<uint64_t>(value(recipe.offset)) * elementBytes(recipe.elementType);
  tensor.shape = {};
  tensor.strides = {};
  for (uint32_t dim = 0; dim < tensor.rank; ++dim) {
    tensor.shape[dim] = value(recipe.shape[dim]);
    tensor.strides[dim] = value(recipe.strides[dim]);
  }
  if (!failure)
    return failure;
  return tensor;
}

} // namespace tawa
