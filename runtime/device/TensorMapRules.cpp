// One function per rule group; the first broken rule is reported.
#include "runtime/device/TensorMapRules.h"

namespace tawa {

namespace {

constexpr uint64_t kAddressAlignment = 16;
constexpr uint64_t kStrideAlignment = 16;
constexpr uint64_t kStrideLimit = uint64_t{1} << 40;
constexpr int64_t kDimLimit = int64_t{1} << 32;
constexpr uint32_t kBoxLimit = 256;
constexpr uint64_t kLineBytes = 128; // of L2

std::string argumentName(std::string_view argument) { return "argument '" + std::string(argument) + "': "; }

Status shapeError(std::string_view argument, const std::string &what) {
  return {StatusCode::ShapeMismatch, argumentName(argument) + what};
}

/// Bytes within which a swizzle moves 16-byte chunks; 0 for none.
uint64_t swizzleSpan(TensorMapRecipe::Swizzle swizzle) {
  return swizzle == TensorMapRecipe::Swizzle::None ? 0 : uint64_t{16} << static_cast<unsigned>(swizzle);
}

Status checkBox(const TensorMapRecipe &recipe, std::string_view argument) {
  auto broken = [&](const std::string &what) {
    return Status(StatusCode::Internal, argumentName(argument) + "tensor map " + what);
  };
  if (recipe.box.empty() || recipe.box.size() > kMaxTensorMapRank)
    return broken("has rank " + std::to_string(recipe.box.size()) + ", TMA takes 1 to 5");
  for (size_t d = 0; d < recipe.box.size(); ++d)
    if (recipe.box[d] < 1 || recipe.box[d] > kBoxLimit)
      return broken("box dimension " + std::to_string(recipe.box.size() - 1 - d) + " is " +
                    std::to_string(recipe.box[d]) + ", TMA takes 1 to 256");
  uint64_t innerBytes = uint64_t{recipe.box[0]} * elementBytes(recipe.elementType);
  if (innerBytes % 16 != 0)
    return broken("inner box is " + std::to_string(innerBytes) + " bytes, TMA takes multiples of 16");
  if (uint64_t span = swizzleSpan(recipe.swizzle); span && innerBytes > span)
    return broken("inner box is " + std::to_string(innerBytes) + " bytes, its swizzle spans " + std::to_string(span));
  if (recipe.fill == TensorMapRecipe::Fill::NaN && !isFloat(recipe.elementType))
    return broken("fills with NaN but holds " + std::string(elementName(recipe.elementType)));
  return Status::ok();
}

Status checkTensor(const TensorMapRecipe &recipe, std::string_view argument, const ArgumentValue &value) {
  if (value.rank != recipe.box.size())
    return shapeError(argument, "rank is " + std::to_string(value.rank) + ", the kernel's TMA copies have rank " +
                                    std::to_string(recipe.box.size()));
  if (value.elementType != recipe.elementType)
    return shapeError(argument, "elements are " + std::string(elementName(value.elementType)) +
                                    ", the kernel was compiled for " + std::string(elementName(recipe.elementType)));
  if (value.address % kAddressAlignment != 0 || value.address == 0)
    return {StatusCode::InvalidArgument, argumentName(argument) + "address " + std::to_string(value.address) +
                                             " is not a non-null multiple of 16 bytes, as TMA needs"};
  for (uint32_t d = 0; d < value.rank; ++d)
    if (value.shape[d] < 1 || value.shape[d] > kDimLimit)
      return shapeError(argument, "dimension " + std::to_string(d) + " is " + std::to_string(value.shape[d]) +
                                      ", TMA takes 1 to 2^32");
  uint32_t inner = value.rank - 1;
  if (value.shape[inner] != 1 && value.strides[inner] != 1)
    return shapeError(argument, "stride of the last dimension (" + std::to_string(inner) + ") is " +
                                    std::to_string(value.strides[inner]) + " elements, TMA takes 1 only");
  return Status::ok();
}

Status checkStride(const TensorMapRecipe &recipe, std::string_view argument, const ArgumentValue &value, uint32_t d) {
  int64_t stride = value.strides[d];
  auto broken = [&](const std::string &rule) {
    return shapeError(argument, "stride of dimension " + std::to_string(d) + " is " + std::to_string(stride) +
                                    " elements of " + std::to_string(elementBytes(recipe.elementType)) +
                                    " bytes, TMA takes " + rule);
  };
  if (stride < 1)
    return broken("positive strides only");
  uint64_t bytes = static_cast<uint64_t>(stride) * elementBytes(recipe.elementType);
  if (static_cast<uint64_t>(stride) >= kStrideLimit || bytes >= kStrideLimit)
    return broken("less than 2^40 bytes");
  if (bytes % kStrideAlignment != 0)
    return broken("multiples of 16 bytes");
  return Status::ok();
}

/// Any legal stride for a dimension of extent 1, which no copy ever steps along: past the end of the one inside it.
uint64_t unusedStride(const TensorMapGeometry &map, uint32_t d, uint64_t elementSize) {
  uint64_t inside = d == 1 ? map.dims[0] * elementSize : map.dims[d - 1] * map.strideBytes[d - 2];
  uint64_t rounded = (inside + kStrideAlignment - 1) / kStrideAlignment * kStrideAlignment;
  return rounded < kStrideLimit ? rounded : kStrideAlignment;
}

} // namespace

Result<TensorMapGeometry> tensorMapGeometry(const TensorMapRecipe &recipe, std::string_view argument,
                                            const ArgumentValue &value) {
  if (Status status = checkBox(recipe, argument); !status)
    return status;
  if (Status status = checkTensor(recipe, argument, value); !status)
    return status;
  TensorMapGeometry map;
  map.address = value.address;
  map.rank = value.rank;
  uint64_t elementSize = elementBytes(recipe.elementType);
  for (uint32_t d = 0; d < map.rank; ++d) {
    uint32_t outer = map.rank - 1 - d;
    map.dims[d] = static_cast<uint64_t>(value.shape[outer]);
    map.box[d] = recipe.box[d];
    if (d == 0)
      continue;
    if (map.dims[d] == 1) {
      map.strideBytes[d - 1] = unusedStride(map, d, elementSize);
      continue;
    }
    if (Status status = checkStride(recipe, argument, value, outer); !status)
      return status;
    map.strideBytes[d - 1] = static_cast<uint64_t>(value.strides[outer]) * elementSize;
  }
  return map;
}

bool beginsAtLines(const TensorMapGeometry &map) {
  uint64_t all = map.address;
  for (uint32_t d = 1; d < map.rank; ++d)
    all |= map.strideBytes[d - 1];
  return all % kLineBytes == 0;
}

Status checkPromisedTensor(const TensorMapRecipe &recipe, std::string_view argument, ArgumentValue promised) {
  promised.address = kAddressAlignment;
  for (uint32_t d = 0; d < promised.rank; ++d) {
    // Of one element any stride is legal; a launch of a tensor without elements may have no programs and make no map.
    if (promised.shape[d] == kUnknownExtent || promised.shape[d] == 0)
      promised.shape[d] = 1;
    if (promised.strides[d] == kUnknownExtent)
      promised.strides[d] = d + 1 == promised.rank ? 1 : static_cast<int64_t>(kStrideAlignment);
  }
  Result<TensorMapGeometry> map = tensorMapGeometry(recipe, argument, promised);
  return map ? Status::ok() : map.status();
}

} // namespace tawa
