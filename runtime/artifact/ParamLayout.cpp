// Offsets of kernel parameters and the checks that a filled artifact is consistent.
#include "runtime/artifact/ParamLayout.h"

namespace tawa {

using Source = KernelParam::Source;

KernelParam makeParam(Source source, uint32_t index, uint32_t dimension, ElementType scalarType) {
  KernelParam param;
  param.source = source;
  param.index = index;
  param.dimension = dimension;
  switch (source) {
  case Source::TensorMap:
    param.bytes = kTensorMapBytes;
    param.alignment = kTensorMapAlignment;
    return param;
  case Source::TensorPointer:
  case Source::Scratch:
  case Source::Workspace:
    param.bytes = param.alignment = 8;
    return param;
  case Source::TensorShape:
  case Source::TensorStride:
  case Source::Scalar:
  case Source::GridExtent:
    break;
  }
  param.bytes = param.alignment = elementBytes(scalarType);
  return param;
}

uint32_t layoutParams(std::vector<KernelParam> &params) {
  uint32_t end = 0;
  for (KernelParam &param : params) {
    param.offset = (end + param.alignment - 1) / param.alignment * param.alignment;
    end = param.offset + param.bytes;
  }
  return end;
}

/// Why the size of `param` cannot be right, or null.
static const char *wrongSize(const KernelParam &param) {
  switch (param.source) {
  case Source::TensorMap:
    return param.bytes == kTensorMapBytes ? nullptr : "is a tensor map and not 128 bytes";
  case Source::TensorPointer:
  case Source::Scratch:
  case Source::Workspace:
    return param.bytes == 8 ? nullptr : "is a pointer and not 8 bytes";
  case Source::TensorShape:
  case Source::TensorStride:
    return param.bytes == 4 || param.bytes == 8 ? nullptr : "is a dimension and neither 4 nor 8 bytes";
  case Source::GridExtent:
    return param.bytes == 4 ? nullptr : "is an extent of the grid and not 4 bytes";
  case Source::Scalar:
    return param.bytes == 1 || param.bytes == 2 || param.bytes == 4 || param.bytes == 8 ? nullptr
                                                                                        : "is a scalar of odd size";
  }
  return "has an unknown source";
}

static bool tellsExtent(const LaunchMetadata &launch, uint32_t axis) {
  return axis < launch.walked.size() && (launch.walked[axis] || (axis == 0 && launch.paddedGrid));
}

/// Why the index of `param` points nowhere, or null.
static const char *wrongIndex(const KernelArtifact &artifact, const KernelParam &param) {
  if (param.source == Source::TensorMap)
    return param.index < artifact.tensorMaps.size() ? nullptr : "names a tensor map that is not there";
  if (param.source == Source::GridExtent)
    return tellsExtent(artifact.launch, param.dimension) ? nullptr : "is an axis of the grid of which no CTA is told";
  if (param.source == Source::Scratch)
    return artifact.launch.scratchBytes != 0 ? nullptr : "is scratch memory of no bytes";
  if (param.source == Source::Workspace)
    return artifact.launch.workspaceBytes != 0 ? nullptr : "is a workspace of no bytes";
  if (param.index >= artifact.arguments.size())
    return "names an argument that is not there";
  const LogicalArgument &argument = artifact.arguments[param.index];
  bool wantsTensor = param.source != Source::Scalar;
  if (wantsTensor != (argument.kind == LogicalArgument::Kind::Tensor))
    return "and its argument differ in kind";
  bool wantsDimension = param.source == Source::TensorShape || param.source == Source::TensorStride;
  return wantsDimension && param.dimension >= argument.rank ? "names a dimension beyond its argument's rank" : nullptr;
}

static Status broken(const KernelArtifact &artifact, const std::string &what) {
  return {StatusCode::Internal, "artifact of kernel '" + artifact.entry + "': " + what};
}

Status checkParams(const KernelArtifact &artifact) {
  if (artifact.arguments.size() > kMaxArguments || artifact.tensorMaps.size() > kMaxTensorMaps ||
      artifact.params.size() > kMaxParams || artifact.paramBytes > kMaxParamBytes)
    return {StatusCode::Unsupported, "kernel '" + artifact.entry + "' has more than " + std::to_string(kMaxArguments) +
                                         " arguments, " + std::to_string(kMaxTensorMaps) + " tensor maps, " +
                                         std::to_string(kMaxParams) + " parameters or " +
                                         std::to_string(kMaxParamBytes) + " bytes of them"};
  for (const LogicalArgument &argument : artifact.arguments)
    if (argument.rank > kMaxRank)
      return broken(artifact, "argument '" + argument.name + "' has rank " + std::to_string(argument.rank));
  for (const TensorMapRecipe &recipe : artifact.tensorMaps)
    if (recipe.argument >= artifact.arguments.size() ||
        artifact.arguments[recipe.argument].kind != LogicalArgument::Kind::Tensor)
      return broken(artifact, "a tensor map is built from something that is no tensor argument");
  uint32_t end = 0;
  for (size_t i = 0; i < artifact.params.size(); ++i) {
    const KernelParam &param = artifact.params[i];
    const char *reason = wrongSize(param);
    if (!reason)
      reason = wrongIndex(artifact, param);
    if (!reason && (param.alignment == 0 || param.offset % param.alignment != 0))
      reason = "is not at its alignment";
    if (!reason && (param.offset < end || param.offset + param.bytes > artifact.paramBytes))
      reason = "overlaps its neighbour or ends outside the buffer";
    if (reason)
      return broken(artifact, "parameter " + std::to_string(i) + " " + reason);
    end = param.offset + param.bytes;
  }
  return Status::ok();
}

} // namespace tawa
