// One function per rule; no string is built unless a rule is broken.
#include "runtime/jit/Arguments.h"

namespace tawa {

namespace {

using Kind = LogicalArgument::Kind;

std::string kindName(Kind kind) {
  constexpr const char *names[] = {"tensor", "scalar", "constant"};
  return names[static_cast<size_t>(kind)];
}

Status breach(StatusCode code, const LogicalArgument &logical, const std::string &what) {
  return {code, "argument '" + logical.name + "': " + what};
}

Status checkKind(const LogicalArgument &logical, const ArgumentValue &given) {
  if (given.kind != logical.kind)
    return breach(StatusCode::InvalidArgument, logical,
                  "is a " + kindName(given.kind) + ", the kernel takes a " + kindName(logical.kind));
  if (given.elementType != logical.elementType)
    return breach(StatusCode::ShapeMismatch, logical,
                  "has type " + std::string(elementName(given.elementType)) + ", the kernel takes " +
                      std::string(elementName(logical.elementType)));
  return Status::ok();
}

Status checkRank(const LogicalArgument &logical, const ArgumentValue &value) {
  // A bare pointer (rank 0 in the kernel) takes a tensor of any rank, or none.
  if (logical.rank == 0 || value.rank == logical.rank)
    return Status::ok();
  return breach(StatusCode::ShapeMismatch, logical,
                "has rank " + std::to_string(value.rank) + ", the kernel takes rank " + std::to_string(logical.rank));
}

bool isKnown(const ArgumentValue &promised) {
  for (uint32_t d = 0; d < promised.rank; ++d)
    if (promised.shape[d] == kUnknownExtent || promised.strides[d] == kUnknownExtent)
      return false;
  return true;
}

Status checkExtents(const LogicalArgument &logical, const ArgumentValue &promised, const ArgumentValue &value) {
  auto mismatch = [&](const char *what, uint32_t d, int64_t is, int64_t was) {
    return breach(StatusCode::ShapeMismatch, logical,
                  std::string(what) + " " + std::to_string(d) + " is " + std::to_string(is) +
                      ", the kernel was compiled for " + std::to_string(was));
  };
  for (uint32_t d = 0; d < value.rank; ++d)
    if (value.shape[d] < 0)
      return breach(StatusCode::ShapeMismatch, logical,
                    "dimension " + std::to_string(d) + " is " + std::to_string(value.shape[d]));
  if (promised.rank != value.rank)
    return Status::ok(); // nothing was promised about this tensor's shape
  for (uint32_t d = 0; d < value.rank; ++d)
    if (promised.shape[d] != kUnknownExtent && promised.shape[d] != value.shape[d])
      return mismatch("dimension", d, value.shape[d], promised.shape[d]);
  for (uint32_t d = 0; d < value.rank; ++d) {
    bool isSteppedAlong = value.shape[d] > 1;
    if (isSteppedAlong && promised.strides[d] != kUnknownExtent && promised.strides[d] != value.strides[d])
      return mismatch("stride of dimension", d, value.strides[d], promised.strides[d]);
  }
  return Status::ok();
}

Status checkConstant(const LogicalArgument &logical, const ArgumentValue &value) {
  unsigned width = elementBits(logical.elementType);
  uint64_t mask = width == 64 ? ~uint64_t{0} : (uint64_t{1} << width) - 1;
  if ((static_cast<uint64_t>(logical.value) & mask) == value.bits)
    return Status::ok();
  return breach(StatusCode::InvalidArgument, logical,
                "is a constant compiled in as " + std::to_string(logical.value) + "; compile again for another value");
}

/// A dimension of one element is never stepped along.
Status checkStrides(const LogicalArgument &logical, const ArgumentValue &value) {
  for (uint32_t d = 0; logical.strideDivisor > 1 && d + 1 < value.rank; ++d)
    if (value.shape[d] > 1 && value.strides[d] % logical.strideDivisor != 0)
      return breach(StatusCode::InvalidArgument, logical,
                    "stride " + std::to_string(value.strides[d]) + " of dimension " + std::to_string(d) +
                        " is not a multiple of " + std::to_string(logical.strideDivisor) +
                        " elements, which the code relies on; compile again for this tensor");
  return Status::ok();
}

Status checkColumns(const LogicalArgument &logical, const ArgumentValue &value) {
  if (logical.columnDivisor <= 1 || value.rank == 0 || value.shape[value.rank - 1] % logical.columnDivisor == 0)
    return Status::ok();
  return breach(StatusCode::InvalidArgument, logical,
                "extent " + std::to_string(value.shape[value.rank - 1]) + " of dimension " +
                    std::to_string(value.rank - 1) + " is not a multiple of " + std::to_string(logical.columnDivisor) +
                    ", which the code relies on; compile again for this tensor");
}

Status checkTensor(const LogicalArgument &logical, const ArgumentValue &promised, ArgumentValue &value) {
  if (value.rank == 0 && promised.rank > 0 && isKnown(promised)) {
    value.rank = promised.rank;
    value.shape = promised.shape;
    value.strides = promised.strides;
  }
  if (Status status = checkRank(logical, value); !status)
    return status;
  if (Status status = checkStrides(logical, value); !status)
    return status;
  if (Status status = checkColumns(logical, value); !status)
    return status;
  return checkExtents(logical, promised, value);
}

} // namespace

Status checkAlignment(const LogicalArgument &logical, const ArgumentValue &value) {
  bool isPointer = logical.kind == Kind::Tensor;
  if (logical.alignment <= 1 || (!isPointer && isFloat(logical.elementType)))
    return Status::ok();
  uint64_t number = isPointer ? value.address : value.bits;
  if (number % logical.alignment == 0)
    return Status::ok();
  return breach(StatusCode::InvalidArgument, logical,
                (isPointer ? "address " : "value ") + std::to_string(number) + " is not a multiple of " +
                    std::to_string(logical.alignment) + ", which the code relies on");
}

Result<ArgumentValue> resolveArgument(const LogicalArgument &logical, const ArgumentValue &promised,
                                      const ArgumentValue &given) {
  ArgumentValue value = given;
  if (Status status = checkKind(logical, value); !status)
    return status;
  if (logical.kind == Kind::Tensor)
    if (Status status = checkTensor(logical, promised, value); !status)
      return status;
  if (logical.kind == Kind::Constant)
    if (Status status = checkConstant(logical, value); !status)
      return status;
  if (Status status = checkAlignment(logical, value); !status)
    return status;
  return value;
}

Status checkPromises(const KernelArtifact &artifact, std::span<const ArgumentValue> promised) {
  if (promised.size() != artifact.arguments.size())
    return {StatusCode::InvalidArgument, "kernel '" + artifact.entry + "' takes " +
                                             std::to_string(artifact.arguments.size()) + " arguments, " +
                                             std::to_string(promised.size()) + " were described"};
  for (size_t i = 0; i < promised.size(); ++i)
    if (Status status = checkKind(artifact.arguments[i], promised[i]); !status)
      return status;
  return Status::ok();
}

} // namespace tawa
