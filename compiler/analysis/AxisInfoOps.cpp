// AxisInfo, transfer functions: the facts about each operation's result from those about its operands.
//
// The recurring argument: a group of g numbers that counts up from a multiple of g lies between two neighbouring
// multiples of g. So it is not cut by a comparison with, a division by, or a remainder of, a multiple of g.
#include "compiler/analysis/AxisInfo.h"

#include "compiler/frontend/TT/TT.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/TypeSwitch.h"

#include <bit>

using namespace mlir;

namespace tawa {
namespace {

using Dims = AxisInfo::Dims;

constexpr unsigned kMaxDivisorBits = 40;
/// Elements further apart share nothing.
constexpr int64_t kFarApart = int64_t(1) << 20;

/// Products of powers of two, saturated beyond any use.
int64_t multiply(int64_t a, int64_t b) {
  return int64_t(1) << std::min(kMaxDivisorBits,
                                unsigned(std::countr_zero(uint64_t(a)) + std::countr_zero(uint64_t(b))));
}

bool isPowerOfTwo(std::optional<int64_t> value) { return value && *value > 0 && std::has_single_bit(uint64_t(*value)); }

/// `value` as the type's two's complement has it.
int64_t wrap(Type type, int64_t value) {
  Type element = tt::elementTypeOf(type);
  unsigned width = element.isIndex() ? 64 : element.getIntOrFloatBitWidth();
  return width >= 64 ? value : int64_t(uint64_t(value) << (64 - width)) >> (64 - width);
}

AxisInfo constantInfo(Type type, int64_t value) {
  AxisInfo info = unknownInfo(type);
  info.value = value;
  info.mayBeNegative = value < 0;
  if (auto tensor = dyn_cast<RankedTensorType>(type); tensor && tensor.getRank())
    info.constancy.assign(tensor.getShape().begin(), tensor.getShape().end());
  info.divisibility.assign(info.rank(), powerOfTwoDivisor(value));
  return info;
}

//===--- Arithmetic -----------------------------------------------------------------------------------------------===//

/// Results that are equal where the operands are.
AxisInfo equalWhereOperandsAre(Type type, ArrayRef<AxisInfo> operands) {
  AxisInfo info = unknownInfo(type);
  for (unsigned dim = 0; dim < info.rank(); ++dim) {
    int64_t constancy = std::numeric_limits<int64_t>::max();
    for (const AxisInfo &operand : operands)
      if (operand.rank() == info.rank()) // a scalar among tensors is equal everywhere
        constancy = std::min(constancy, operand.constancy[dim]);
    auto tensor = dyn_cast<RankedTensorType>(type);
    info.constancy[dim] = std::min(constancy, tensor ? tensor.getDimSize(dim) : 1);
  }
  return info;
}

/// a + b or a - b, offsets of `scale` units.
AxisInfo sum(Type type, const AxisInfo &a, const AxisInfo &b, bool subtract, int64_t scale = 1) {
  AxisInfo info = equalWhereOperandsAre(type, {a, b});
  for (unsigned dim = 0; dim < info.rank(); ++dim) {
    int64_t group = std::min(a.contiguity[dim], b.constancy[dim]);
    if (!subtract)
      group = std::max(group, std::min(a.constancy[dim], b.contiguity[dim]));
    info.contiguity[dim] = group;
    info.divisibility[dim] = std::min(a.divisibilityAt(dim, group), multiply(scale, b.divisibilityAt(dim, group)));
    info.strided[dim] = std::min(a.strided[dim], b.strided[dim]);
    info.stride[dim] = subtract ? a.stride[dim] - b.stride[dim] : a.stride[dim] + b.stride[dim];
  }
  if (a.value && b.value && scale == 1)
    info.value =
        wrap(type, subtract ? uint64_t(*a.value) - uint64_t(*b.value) : uint64_t(*a.value) + uint64_t(*b.value));
  info.mayBeNegative = subtract || a.mayBeNegative || b.mayBeNegative;
  if (info.value)
    info.mayBeNegative = *info.value < 0;
  return info;
}

AxisInfo product(Type type, const AxisInfo &a, const AxisInfo &b) {
  if (b.value == 1)
    return a;
  if (a.value == 1)
    return b;
  AxisInfo info = equalWhereOperandsAre(type, {a, b});
  info.divisibility.assign(info.rank(), multiply(a.commonDivisor(), b.commonDivisor()));
  for (auto [number, factor] : {std::pair(&a, &b), std::pair(&b, &a)})
    if (factor->value && std::abs(*factor->value) < kFarApart)
      for (unsigned dim = 0; dim < info.rank(); ++dim)
        if (int64_t stride = number->stride[dim] * *factor->value; std::abs(stride) < kFarApart) {
          info.strided[dim] = number->strided[dim];
          info.stride[dim] = stride;
        }
  if (a.value && b.value)
    info.value = wrap(type, uint64_t(*a.value) * uint64_t(*b.value));
  info.mayBeNegative = info.value ? *info.value < 0 : a.mayBeNegative || b.mayBeNegative;
  return info;
}

/// The largest aligned group of `a` along `dim` that lies between two neighbouring multiples of `b`.
int64_t uncutGroup(const AxisInfo &a, const AxisInfo &b, unsigned dim) {
  return std::min({a.contiguity[dim], a.divisibility[dim], b.commonDivisor(), b.constancy[dim]});
}

/// Quotients towards zero, or (`floors`) towards minus infinity.
AxisInfo quotient(Type type, const AxisInfo &a, const AxisInfo &b, bool floors) {
  if (b.value == 1)
    return a;
  AxisInfo info = equalWhereOperandsAre(type, {a, b});
  for (unsigned dim = 0; dim < info.rank(); ++dim) {
    if (floors || !a.mayBeNegative)
      info.constancy[dim] = std::max(info.constancy[dim], uncutGroup(a, b, dim));
    // Quotients are those of the groups' first elements, which divide without rest.
    bool firstsStandForAll = a.contiguity[dim] == 1 || info.constancy[dim] >= a.contiguity[dim];
    if (isPowerOfTwo(b.value) && firstsStandForAll)
      info.divisibility[dim] = std::max<int64_t>(1, a.divisibility[dim] / *b.value);
  }
  info.mayBeNegative = a.mayBeNegative;
  return info;
}

AxisInfo remainder(Type type, const AxisInfo &a, const AxisInfo &b, bool isUnsigned) {
  AxisInfo info = equalWhereOperandsAre(type, {a, b});
  for (unsigned dim = 0; dim < info.rank(); ++dim) {
    if (!a.mayBeNegative || isUnsigned)
      info.contiguity[dim] = uncutGroup(a, b, dim);
    info.divisibility[dim] = std::min(a.divisibilityAt(dim, info.contiguity[dim]), b.commonDivisor());
  }
  info.mayBeNegative = a.mayBeNegative && !isUnsigned;
  return info;
}

AxisInfo compare(arith::CmpIOp op, const AxisInfo &a, const AxisInfo &b) {
  using Predicate = arith::CmpIPredicate;
  AxisInfo info = equalWhereOperandsAre(op.getType(), {a, b});
  Predicate predicate = op.getPredicate();
  // Only "below" and "not below a multiple of g" are the same for a whole group.
  bool leftCounts = llvm::is_contained({Predicate::slt, Predicate::sge, Predicate::ult, Predicate::uge}, predicate);
  bool rightCounts = llvm::is_contained({Predicate::sgt, Predicate::sle, Predicate::ugt, Predicate::ule}, predicate);
  for (unsigned dim = 0; dim < info.rank(); ++dim) {
    if (leftCounts)
      info.constancy[dim] = std::max(info.constancy[dim], uncutGroup(a, b, dim));
    if (rightCounts)
      info.constancy[dim] = std::max(info.constancy[dim], uncutGroup(b, a, dim));
  }
  info.mayBeNegative = false;
  return info;
}

AxisInfo choose(Type type, const AxisInfo &condition, const AxisInfo &a, const AxisInfo &b) {
  AxisInfo info = equalWhereOperandsAre(type, {condition, a, b});
  for (unsigned dim = 0; dim < info.rank(); ++dim) {
    int64_t group = std::min({a.contiguity[dim], b.contiguity[dim], condition.constancy[dim]});
    info.contiguity[dim] = group;
    info.divisibility[dim] = std::min(a.divisibilityAt(dim, group), b.divisibilityAt(dim, group));
  }
  info.mayBeNegative = a.mayBeNegative || b.mayBeNegative;
  return info;
}

/// min or max: each result is one of the two operands.
AxisInfo extremum(Type type, const AxisInfo &a, const AxisInfo &b, bool maximum) {
  AxisInfo info = equalWhereOperandsAre(type, {a, b});
  info.divisibility.assign(info.rank(), std::min(a.commonDivisor(), b.commonDivisor()));
  if (a.value && b.value)
    info.value = maximum ? std::max(*a.value, *b.value) : std::min(*a.value, *b.value);
  info.mayBeNegative = maximum ? a.mayBeNegative && b.mayBeNegative : a.mayBeNegative || b.mayBeNegative;
  return info;
}

//===--- Bits -----------------------------------------------------------------------------------------------------===//

AxisInfo bitwiseAnd(Type type, const AxisInfo &a, const AxisInfo &b) {
  for (auto [value, mask] : {std::pair(&a, &b), std::pair(&b, &a)}) {
    // value & 2^k - 1 is the remainder of 2^k, whatever the sign.
    if (!mask->value || *mask->value < 0 || !isPowerOfTwo(*mask->value + 1))
      continue;
    AxisInfo divisor = constantInfo(type, *mask->value + 1);
    return remainder(type, *value, divisor, /*isUnsigned=*/true);
  }
  AxisInfo info = equalWhereOperandsAre(type, {a, b});
  for (auto [value, mask] : {std::pair(&a, &b), std::pair(&b, &a)})
    if (mask->value) // the cleared low bits do not tell the members of a group apart
      for (unsigned dim = 0; dim < info.rank(); ++dim)
        info.constancy[dim] = std::max(info.constancy[dim], uncutGroup(*value, *mask, dim));
  info.divisibility.assign(info.rank(), std::max(a.commonDivisor(), b.commonDivisor()));
  info.mayBeNegative = a.mayBeNegative && b.mayBeNegative;
  return info;
}

/// a | b and a ^ b: where one counts in bits that are zero in the other, the result counts too.
AxisInfo bitwiseOr(Type type, const AxisInfo &a, const AxisInfo &b) {
  AxisInfo info = equalWhereOperandsAre(type, {a, b});
  for (unsigned dim = 0; dim < info.rank(); ++dim) {
    int64_t group = std::max(uncutGroup(a, b, dim), uncutGroup(b, a, dim));
    info.contiguity[dim] = group;
    info.divisibility[dim] = std::min(a.divisibilityAt(dim, group), b.divisibilityAt(dim, group));
  }
  info.mayBeNegative = a.mayBeNegative || b.mayBeNegative;
  return info;
}

AxisInfo shift(Operation *op, const AxisInfo &a, const AxisInfo &b) {
  Type type = op->getResult(0).getType();
  if (!b.value || *b.value < 0 || *b.value >= kMaxDivisorBits) {
    AxisInfo info = equalWhereOperandsAre(type, {a, b});
    if (isa<arith::ShLIOp>(op))
      info.divisibility.assign(info.rank(), a.commonDivisor());
    return info;
  }
  AxisInfo factor = constantInfo(type, int64_t(1) << *b.value);
  return isa<arith::ShLIOp>(op) ? product(type, a, factor) : quotient(type, a, factor, /*floors=*/true);
}

//===--- Tiles ----------------------------------------------------------------------------------------------------===//

AxisInfo splat(Type type, const AxisInfo &scalar) {
  AxisInfo info = unknownInfo(type);
  info.constancy.assign(cast<RankedTensorType>(type).getShape().begin(), cast<RankedTensorType>(type).getShape().end());
  info.constancy.resize(info.rank(), 1);
  info.divisibility.assign(info.rank(), scalar.divisibility[0]);
  info.value = scalar.value;
  info.mayBeNegative = scalar.mayBeNegative;
  return info;
}

AxisInfo expandDims(const AxisInfo &source, unsigned axis) {
  AxisInfo info = source;
  int64_t divisor = source.commonDivisor();
  info.contiguity.insert(info.contiguity.begin() + axis, 1);
  info.constancy.insert(info.constancy.begin() + axis, 1);
  info.strided.insert(info.strided.begin() + axis, 1);
  info.stride.insert(info.stride.begin() + axis, 0);
  info.divisibility.insert(info.divisibility.begin() + axis, divisor);
  return info;
}

AxisInfo broadcast(tt::BroadcastOp op, AxisInfo info) {
  auto from = cast<RankedTensorType>(op.getSrc().getType()), to = cast<RankedTensorType>(op.getType());
  for (unsigned dim = 0; dim < info.rank(); ++dim)
    if (from.getDimSize(dim) != to.getDimSize(dim)) {
      info.constancy[dim] = info.strided[dim] = to.getDimSize(dim);
      info.stride[dim] = 0;
    }
  return info;
}

AxisInfo permute(const AxisInfo &source, ArrayRef<int32_t> order) {
  AxisInfo info = source;
  for (auto [dim, from] : llvm::enumerate(order)) {
    info.contiguity[dim] = source.contiguity[from];
    info.divisibility[dim] = source.divisibility[from];
    info.constancy[dim] = source.constancy[from];
    info.strided[dim] = source.strided[from];
    info.stride[dim] = source.stride[from];
  }
  return info;
}

/// Distances in row-major order of neighbours along a dimension, before and after.
Dims stridesOf(ArrayRef<int64_t> shape) {
  Dims strides(shape.size(), 1);
  for (size_t dim = shape.size(); dim > 1; --dim)
    strides[dim - 2] = strides[dim - 1] * shape[dim - 1];
  return strides;
}

AxisInfo reshape(Type type, RankedTensorType from, const AxisInfo &source) {
  auto to = cast<RankedTensorType>(type);
  AxisInfo info = unknownInfo(type);
  info.value = source.value;
  info.mayBeNegative = source.mayBeNegative;
  info.divisibility.assign(info.rank(), source.commonDivisor());
  Dims strides = stridesOf(to.getShape()), sourceStrides = stridesOf(from.getShape());
  for (unsigned dim = 0; dim < strides.size(); ++dim) {
    for (unsigned at = 0; at < sourceStrides.size(); ++at) {
      int64_t extent = from.getDimSize(at);
      // The source dimension whose steps the result's are, at least the first of them.
      if (extent == 1 || strides[dim] < sourceStrides[at] || strides[dim] >= sourceStrides[at] * extent)
        continue;
      int64_t step = strides[dim] / sourceStrides[at];
      info.constancy[dim] = std::clamp<int64_t>(source.constancy[at] / step, 1, to.getDimSize(dim));
      if (step == 1) {
        info.contiguity[dim] = std::min(source.contiguity[at], to.getDimSize(dim));
        info.divisibility[dim] = source.divisibilityAt(at, info.contiguity[dim]);
      }
    }
  }
  return info;
}

AxisInfo joinTiles(const AxisInfo &a, const AxisInfo &b) {
  AxisInfo info = join(a, b);
  int64_t divisor = std::min(a.commonDivisor(), b.commonDivisor());
  info.contiguity.push_back(1);
  info.constancy.push_back(1);
  info.strided.push_back(1);
  info.stride.push_back(0);
  info.divisibility.push_back(divisor);
  return info;
}

AxisInfo splitTile(AxisInfo info) {
  info.contiguity.pop_back();
  info.constancy.pop_back();
  info.strided.pop_back();
  info.stride.pop_back();
  info.divisibility.pop_back();
  return info;
}

/// The same bits as another type: the unit of addresses may change.
AxisInfo reinterpret(Type type, const AxisInfo &source) {
  AxisInfo info = unknownInfo(type);
  info.constancy = source.constancy;
  info.value = source.value;
  if (info.unit == source.unit) {
    info.contiguity = source.contiguity;
    info.divisibility = source.divisibility;
  } else {
    info.divisibility.assign(info.rank(), source.commonDivisor());
  }
  return info;
}

AxisInfo range(tt::MakeRangeOp op) {
  AxisInfo info = unknownInfo(op.getType());
  info.contiguity[0] = cast<RankedTensorType>(op.getType()).getDimSize(0);
  info.divisibility[0] = powerOfTwoDivisor(op.getStart());
  info.mayBeNegative = int32_t(op.getStart()) < 0;
  return info;
}

AxisInfo constant(arith::ConstantOp op) {
  Attribute value = op.getValue();
  if (auto splat = dyn_cast<SplatElementsAttr>(value); splat && splat.getElementType().isIntOrIndex())
    return constantInfo(op.getType(), splat.getSplatValue<APInt>().getSExtValue());
  if (auto number = dyn_cast<IntegerAttr>(value))
    return constantInfo(op.getType(), number.getValue().getSExtValue());
  return unknownInfo(op.getType());
}

/// Loads from equal addresses are equal.
AxisInfo load(tt::LoadOp op, ArrayRef<AxisInfo> operands) {
  return op.getIsVolatile() ? unknownInfo(op.getType()) : equalWhereOperandsAre(op.getType(), operands);
}

bool isIndexLike(Type type) {
  Type element = tt::elementTypeOf(type);
  return isa<IntegerType, IndexType, tt::PointerType>(element);
}

AxisInfo factsOf(Operation *op, Type type, ArrayRef<AxisInfo> operands) {
  auto copied = [&](bool negative) {
    AxisInfo info = operands[0];
    info.mayBeNegative = negative;
    if (info.value && (wrap(type, *info.value) != *info.value || (*info.value < 0 && !negative)))
      info.value.reset();
    return info;
  };
  return llvm::TypeSwitch<Operation *, AxisInfo>(op)
      .Case([&](arith::ConstantOp op) { return constant(op); })
      .Case([&](tt::MakeRangeOp op) { return range(op); })
      .Case([&](tt::SplatOp) { return splat(type, operands[0]); })
      .Case([&](tt::ExpandDimsOp op) { return expandDims(operands[0], op.getAxis()); })
      .Case([&](tt::BroadcastOp op) { return broadcast(op, operands[0]); })
      .Case([&](tt::TransOp op) { return permute(operands[0], op.getOrder()); })
      .Case([&](tt::ReshapeOp op) { return reshape(type, cast<RankedTensorType>(op.getSrc().getType()), operands[0]); })
      .Case([&](tt::JoinOp) { return joinTiles(operands[0], operands[1]); })
      .Case([&](tt::SplitOp) { return splitTile(operands[0]); })
      .Case([&](tt::AddPtrOp) { return sum(type, operands[0], operands[1], false, operands[0].unit); })
      .Case([&](arith::AddIOp) { return sum(type, operands[0], operands[1], false); })
      .Case([&](arith::SubIOp) { return sum(type, operands[0], operands[1], true); })
      .Case([&](arith::MulIOp) { return product(type, operands[0], operands[1]); })
      .Case([&](arith::DivSIOp) { return quotient(type, operands[0], operands[1], false); })
      .Case([&](arith::DivUIOp) { return quotient(type, operands[0], operands[1], true); })
      .Case([&](arith::FloorDivSIOp) { return quotient(type, operands[0], operands[1], true); })
      .Case([&](arith::RemSIOp) { return remainder(type, operands[0], operands[1], false); })
      .Case([&](arith::RemUIOp) { return remainder(type, operands[0], operands[1], true); })
      .Case([&](arith::CmpIOp op) { return compare(op, operands[0], operands[1]); })
      .Case([&](arith::SelectOp op) {
        bool perElement = isa<RankedTensorType>(op.getCondition().getType()) || !isa<RankedTensorType>(type);
        return choose(type, perElement ? operands[0] : splat(type, operands[0]), operands[1], operands[2]);
      })
      .Case<arith::MaxSIOp, arith::MaxUIOp>([&](auto) { return extremum(type, operands[0], operands[1], true); })
      .Case<arith::MinSIOp, arith::MinUIOp>([&](auto) { return extremum(type, operands[0], operands[1], false); })
      .Case([&](arith::AndIOp) { return bitwiseAnd(type, operands[0], operands[1]); })
      .Case<arith::OrIOp, arith::XOrIOp>([&](auto) { return bitwiseOr(type, operands[0], operands[1]); })
      .Case<arith::ShLIOp, arith::ShRSIOp, arith::ShRUIOp>([&](auto) { return shift(op, operands[0], operands[1]); })
      .Case<arith::ExtSIOp, arith::IndexCastOp>([&](auto) { return copied(operands[0].mayBeNegative); })
      .Case([&](arith::ExtUIOp) { return copied(false); })
      .Case([&](arith::TruncIOp) { return copied(true); })
      .Case<arith::BitcastOp, tt::BitcastOp, tt::PtrToIntOp, tt::IntToPtrOp>([&](auto) {
        return isIndexLike(op->getOperand(0).getType()) ? reinterpret(type, operands[0]) : unknownInfo(type);
      })
      .Case([&](tt::LoadOp op) { return load(op, operands); })
      .Case<tt::GetProgramIdOp, tt::GetNumProgramsOp>([&](auto) {
        AxisInfo info = unknownInfo(type);
        info.mayBeNegative = false;
        return info;
      })
      .Default([&](Operation *) { return unknownInfo(type); });
}

} // namespace

AxisInfo transfer(Operation *op, ArrayRef<AxisInfo> operands) {
  Type type = op->getResult(0).getType();
  if (!isIndexLike(type))
    return unknownInfo(type);
  AxisInfo info = factsOf(op, type, operands);
  completeStrides(info);
  return info;
}

} // namespace tawa
