// Filling of parameter buffers.
#include "runtime/jit/ParamPack.h"

#include "runtime/jit/Arguments.h"
#include "runtime/jit/DescribedTensor.h"
#include "runtime/jit/Grid.h"

#include <cstring>

namespace tawa {

namespace {

using Source = KernelParam::Source;

/// Writes the low bytes of a number; both sides are little endian.
void store(LaunchBinding &binding, const KernelParam &param, uint64_t number) {
  std::memcpy(binding.params.data() + param.offset, &number, param.bytes);
}

/// A shape or stride; 32-bit parameters hold only what fits them.
Status storeExtent(LaunchBinding &binding, const KernelParam &param, const LogicalArgument &logical, const char *what,
                   int64_t extent) {
  if (param.bytes == 4 && extent != static_cast<int32_t>(extent))
    return {StatusCode::ShapeMismatch, "argument '" + logical.name + "': " + what + " " +
                                           std::to_string(param.dimension) + " is " + std::to_string(extent) +
                                           ", the kernel passes it in 32 bits"};
  store(binding, param, static_cast<uint64_t>(extent));
  return Status::ok();
}

Status storeParam(LaunchBinding &binding, const KernelArtifact &artifact, const KernelParam &param) {
  const ArgumentValue &value = binding.values[param.index];
  const LogicalArgument &logical = artifact.arguments[param.index];
  switch (param.source) {
  case Source::TensorPointer:
    store(binding, param, value.address);
    return Status::ok();
  case Source::TensorShape:
    return storeExtent(binding, param, logical, "dimension", value.shape[param.dimension]);
  case Source::TensorStride:
    return storeExtent(binding, param, logical, "stride of dimension", value.strides[param.dimension]);
  case Source::Scalar:
    store(binding, param, value.bits);
    return Status::ok();
  case Source::TensorMap:
  case Source::GridExtent:
  case Source::Scratch:
  case Source::Workspace:
    break;
  }
  return Status::ok();
}

/// Whether a parameter's value comes from the arguments as they are.
bool comesFromArgument(const KernelParam &param) {
  return param.source != Source::TensorMap && param.source != Source::GridExtent && param.source != Source::Scratch &&
         param.source != Source::Workspace;
}

bool differsBeyondAddress(const ArgumentValue &a, const ArgumentValue &b) {
  ArgumentValue moved = a;
  moved.address = b.address;
  return !(moved == b);
}

void markStaleMaps(LaunchBinding &binding, const KernelArtifact &artifact, const std::bitset<kMaxArguments> &changed) {
  for (size_t map = 0; map < artifact.tensorMaps.size(); ++map)
    if (artifact.tensorMaps[map].isDescribed() || changed.test(artifact.tensorMaps[map].argument))
      binding.staleMaps.set(map);
}

/// Checks the arguments that changed and notes which.
Status takeOver(LaunchBinding &binding, const KernelArtifact &artifact, std::span<const ArgumentValue> promised,
                std::span<const ArgumentValue> given, bool all, std::bitset<kMaxArguments> &changed) {
  for (size_t i = 0; i < given.size(); ++i) {
    if (!all && given[i] == binding.given[i])
      continue;
    Result<ArgumentValue> value = resolveArgument(artifact.arguments[i], promised[i], given[i]);
    if (!value)
      return value.status();
    if (all || differsBeyondAddress(*value, binding.values[i]))
      binding.isGridKnown = false;
    changed.set(i);
    binding.given[i] = given[i];
    binding.values[i] = *value;
  }
  return Status::ok();
}

} // namespace

Status updateArguments(LaunchBinding &binding, const KernelArtifact &artifact, std::span<const ArgumentValue> promised,
                       std::span<const ArgumentValue> given) {
  if (given.size() != artifact.arguments.size())
    return {StatusCode::InvalidArgument, "kernel '" + artifact.entry + "' takes " +
                                             std::to_string(artifact.arguments.size()) + " arguments, got " +
                                             std::to_string(given.size())};
  bool all = !std::exchange(binding.isComplete, false);
  std::bitset<kMaxArguments> changed;
  if (Status status = takeOver(binding, artifact, promised, given, all, changed); !status)
    return status;
  if (Status status = checkClusterDivides(artifact, {binding.values.data(), given.size()}); !status)
    return status;
  for (const KernelParam &param : artifact.params)
    if (comesFromArgument(param) && changed.test(param.index))
      if (Status status = storeParam(binding, artifact, param); !status)
        return status;
  markStaleMaps(binding, artifact, changed);
  binding.count = static_cast<uint32_t>(given.size());
  binding.isComplete = true;
  return Status::ok();
}

Status moveTensors(LaunchBinding &binding, const KernelArtifact &artifact, std::span<const uint32_t> positions,
                   std::span<const uint64_t> addresses) {
  std::bitset<kMaxArguments> changed;
  for (size_t i = 0; i < positions.size(); ++i) {
    if (binding.values[positions[i]].address == addresses[i])
      continue;
    ArgumentValue moved = binding.values[positions[i]];
    moved.address = addresses[i];
    if (Status status = checkAlignment(artifact.arguments[positions[i]], moved); !status)
      return status;
    changed.set(positions[i]);
  }
  if (changed.none())
    return Status::ok();
  for (size_t i = 0; i < positions.size(); ++i)
    binding.values[positions[i]].address = binding.given[positions[i]].address = addresses[i];
  for (const KernelParam &param : artifact.params)
    if (param.source == Source::TensorPointer && changed.test(param.index))
      store(binding, param, binding.values[param.index].address);
  markStaleMaps(binding, artifact, changed);
  return Status::ok();
}

void updateGrid(LaunchBinding &binding, const KernelArtifact &artifact, const std::array<uint32_t, 3> &grid) {
  if (binding.told == grid)
    return;
  for (const KernelParam &param : artifact.params)
    if (param.source == Source::GridExtent)
      store(binding, param, grid[param.dimension]);
  binding.told = grid;
}

Status updateTensorMaps(LaunchBinding &binding, const KernelArtifact &artifact, const LoadedKernel &loaded) {
  if (binding.staleMaps.none())
    return Status::ok();
  for (const KernelParam &param : artifact.params) {
    if (param.source != Source::TensorMap || !binding.staleMaps.test(param.index))
      continue;
    const TensorMapRecipe &recipe = artifact.tensorMaps[param.index];
    Result<ArgumentValue> described = describedTensor(artifact, recipe, binding.values);
    if (!described)
      return described.status();
    if (Status status = loaded.encodeTensorMap(recipe, artifact.arguments[recipe.argument].name, *described,
                                               binding.params.data() + param.offset);
        !status)
      return status;
  }
  binding.staleMaps.reset(); // only now: one map may fill several parameters
  return Status::ok();
}

} // namespace tawa
