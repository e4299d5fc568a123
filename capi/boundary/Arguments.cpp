// Reading of tawa_arg_t.
#include "capi/boundary/Arguments.h"

#include <memory>

namespace tawa::capi {

namespace {

Status badArgument(uint32_t index, const std::string &what) {
  return {StatusCode::InvalidArgument, "args[" + std::to_string(index) + "]: " + what};
}

Status checkRanges(const tawa_arg_t &arg, uint32_t index) {
  if (static_cast<unsigned>(arg.kind) > TAWA_ARG_CONSTANT)
    return badArgument(index, "kind " + std::to_string(arg.kind) + " is no tawa_arg_kind_t");
  if (static_cast<unsigned>(arg.dtype) > TAWA_F64)
    return badArgument(index, "dtype " + std::to_string(arg.dtype) + " is no tawa_dtype_t");
  if (arg.rank > TAWA_MAX_RANK)
    return badArgument(index, "rank " + std::to_string(arg.rank) + " exceeds " + std::to_string(TAWA_MAX_RANK));
  return Status::ok();
}

/// Element `index` of the array, checked. Every element must have the size of the first, or they do not line up.
Status readArgument(const tawa_arg_t *args, uint32_t index, tawa_arg_t &arg) {
  if (!args)
    return nullArgument("args");
  if (Status status = checkStruct(args, layoutOf<tawa_arg_t>()); !status)
    return status;
  const tawa_arg_t *given = element(args, index);
  if (given->struct_size != args->struct_size)
    return badArgument(index, "struct_size differs from that of args[0]");
  if (Status status = readStruct(given, arg); !status)
    return status;
  return checkRanges(arg, index);
}

Status readTensor(const tawa_arg_t &arg, ArgumentValue &value) {
  value.rank = arg.rank;
  value.address = reinterpret_cast<uint64_t>(arg.data);
  bool isContiguous = true;
  for (uint32_t d = 0; d < arg.rank; ++d) {
    value.shape[d] = arg.shape[d];
    value.strides[d] = arg.strides[d];
    isContiguous &= arg.strides[d] == 0;
  }
  if (isContiguous)
    setContiguousStrides(value.shape.data(), value.rank, value.strides.data());
  return Status::ok();
}

Status readNumber(const tawa_arg_t &arg, ArgumentValue &value, uint32_t index) {
  Result<uint64_t> bits = isFloat(value.elementType) ? floatBits(value.elementType, arg.number)
                                                     : integerBits(value.elementType, arg.integer);
  if (!bits)
    return badArgument(index, bits.status().message());
  value.bits = *bits;
  return Status::ok();
}

Status checkCount(uint32_t count) {
  if (count > kMaxArguments)
    return {StatusCode::InvalidArgument,
            std::to_string(count) + " arguments, at most " + std::to_string(kMaxArguments) + " are taken"};
  return Status::ok();
}

Status readValue(const tawa_arg_t *args, uint32_t index, ArgumentValue &value) {
  tawa_arg_t arg = TAWA_ARG_INIT;
  if (Status status = readArgument(args, index, arg); !status)
    return status;
  value.kind = static_cast<LogicalArgument::Kind>(arg.kind);
  value.elementType = static_cast<ElementType>(arg.dtype);
  return arg.kind == TAWA_ARG_TENSOR ? readTensor(arg, value) : readNumber(arg, value, index);
}

} // namespace

Status ArgumentList::read(const tawa_arg_t *args, uint32_t wanted) {
  if (Status status = checkCount(wanted); !status)
    return status;
  auto *values = reinterpret_cast<ArgumentValue *>(storage);
  for (count = 0; count < wanted; ++count)
    if (Status status = readValue(args, count, *std::construct_at(values + count)); !status)
      return status;
  return Status::ok();
}

Result<std::vector<ArgumentValue>> readValues(const tawa_arg_t *args, uint32_t count) {
  if (Status status = checkCount(count); !status)
    return status;
  std::vector<ArgumentValue> values(count);
  for (uint32_t i = 0; i < count; ++i)
    if (Status status = readValue(args, i, values[i]); !status)
      return status;
  return values;
}

Result<std::vector<ArgumentFacts>> readFacts(const tawa_arg_t *args, std::span<const ArgumentValue> values) {
  std::vector<ArgumentFacts> facts(values.size());
  for (uint32_t i = 0; i < values.size(); ++i) {
    const ArgumentValue &value = values[i];
    tawa_arg_t arg = TAWA_ARG_INIT;
    if (Status status = readArgument(args, i, arg); !status)
      return status;
    facts[i].kind = value.kind;
    facts[i].elementType = value.elementType;
    facts[i].shape.assign(value.shape.begin(), value.shape.begin() + value.rank);
    facts[i].strides.assign(value.strides.begin(), value.strides.begin() + value.rank);
    facts[i].value = isFloat(value.elementType) ? static_cast<int64_t>(value.bits) : arg.integer;
    facts[i].alignment = arg.alignment;
  }
  return facts;
}

} // namespace tawa::capi
