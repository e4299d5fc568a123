// SampledAddress, evaluation: from the pointer back to ranges, constants and scalars.
#include "compiler/analysis/SampledAddress.h"

#include "compiler/frontend/TT/TT.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/TypeSwitch.h"

#include <algorithm>

using namespace mlir;

namespace tawa {

namespace {

constexpr int64_t kUnknownScalar = int64_t(1) << 16; // a multiple of every alignment, further than any line
constexpr unsigned kMostSteps = 20000;               // operations per access, all its elements together
constexpr int64_t kPointerBytes = 8;

/// What a loop begins with; null where the argument is none of a loop's.
Value initialValue(BlockArgument argument) {
  auto loop = dyn_cast_or_null<scf::ForOp>(argument.getOwner()->getParentOp());
  if (!loop)
    return {};
  if (argument == loop.getInductionVar())
    return loop.getLowerBound();
  return loop.getInitArgs()[argument.getArgNumber() - 1];
}

int64_t pointeeBytes(Type type) {
  auto pointer = cast<tt::PointerType>(tt::elementTypeOf(type));
  Type pointee = pointer.getPointeeType();
  return pointee.isIntOrFloat() ? std::max<int64_t>(1, pointee.getIntOrFloatBitWidth() / 8) : kPointerBytes;
}

bool isFarShift(int64_t count) { return count < 0 || count >= 63; }

/// Numbers of addresses are taken for small: widths do not matter, nor do signs of divisions.
std::optional<int64_t> arithmetic(Operation *op, int64_t a, int64_t b) {
  if (isa<arith::AddIOp>(op))
    return int64_t(uint64_t(a) + uint64_t(b));
  if (isa<arith::SubIOp>(op))
    return int64_t(uint64_t(a) - uint64_t(b));
  if (isa<arith::MulIOp>(op))
    return int64_t(uint64_t(a) * uint64_t(b));
  if (isa<arith::DivSIOp, arith::DivUIOp, arith::FloorDivSIOp>(op))
    return b > 0 ? std::optional(a / b) : std::nullopt;
  if (isa<arith::RemSIOp, arith::RemUIOp>(op))
    return b > 0 ? std::optional(a % b) : std::nullopt;
  if (isa<arith::AndIOp>(op))
    return a & b;
  if (isa<arith::OrIOp>(op))
    return a | b;
  if (isa<arith::XOrIOp>(op))
    return a ^ b;
  if (isa<arith::ShLIOp>(op))
    return isFarShift(b) ? std::nullopt : std::optional(int64_t(uint64_t(a) << b));
  if (isa<arith::ShRSIOp, arith::ShRUIOp>(op))
    return isFarShift(b) ? std::nullopt : std::optional(a >> b);
  if (isa<arith::MinSIOp, arith::MinUIOp>(op))
    return std::min(a, b);
  if (isa<arith::MaxSIOp, arith::MaxUIOp>(op))
    return std::max(a, b);
  return std::nullopt;
}

} // namespace

std::optional<int64_t> SampledAddress::at(ArrayRef<int64_t> coordinates) {
  return read(pointer, Coordinates(coordinates));
}

std::optional<int64_t> SampledAddress::read(Value value, const Coordinates &at) {
  auto found = known.find(value);
  if (found != known.end() && found->second.first == at)
    return found->second.second;
  if (++steps > kMostSteps)
    return std::nullopt;
  std::optional<int64_t> result = evaluate(value, at);
  known[value] = {at, result};
  return result;
}

std::optional<int64_t> SampledAddress::evaluate(Value value, const Coordinates &at) {
  bool isTile = isa<RankedTensorType>(value.getType());
  Operation *op = value.getDefiningOp();
  if (!op) {
    if (Value initial = initialValue(cast<BlockArgument>(value)))
      return read(initial, at);
    bool isBase = isa<tt::PointerType>(value.getType());
    return isTile ? std::nullopt : std::optional(isBase ? int64_t(0) : kUnknownScalar);
  }
  if (isa<tt::GetProgramIdOp>(op))
    return 0;
  std::optional<int64_t> result = evaluateTile(op, at);
  if (!result)
    result = evaluateArithmetic(op, at);
  return result || isTile ? result : std::optional(kUnknownScalar);
}

/// Operations that make tiles or change their shapes.
std::optional<int64_t> SampledAddress::evaluateTile(Operation *op, const Coordinates &at) {
  return llvm::TypeSwitch<Operation *, std::optional<int64_t>>(op)
      .Case([&](tt::MakeRangeOp range) { return int64_t(range.getStart()) + at.front(); })
      .Case([&](tt::SplatOp splat) { return read(splat.getSrc(), {}); })
      .Case([&](tt::ExpandDimsOp expand) {
        Coordinates source(at);
        source.erase(source.begin() + expand.getAxis());
        return read(expand.getSrc(), source);
      })
      .Case([&](tt::BroadcastOp broadcast) {
        Coordinates source(at);
        for (auto [coordinate, extent] :
             llvm::zip(source, cast<RankedTensorType>(broadcast.getSrc().getType()).getShape()))
          coordinate = extent == 1 ? 0 : coordinate;
        return read(broadcast.getSrc(), source);
      })
      .Case([&](tt::TransOp trans) {
        Coordinates source(at.size());
        for (auto [dim, from] : llvm::enumerate(trans.getOrder()))
          source[from] = at[dim];
        return read(trans.getSrc(), source);
      })
      .Case([&](tt::ReshapeOp reshape) {
        int64_t number = 0;
        for (auto [coordinate, extent] : llvm::zip(at, cast<RankedTensorType>(reshape.getType()).getShape()))
          number = number * extent + coordinate;
        auto shape = cast<RankedTensorType>(reshape.getSrc().getType()).getShape();
        Coordinates source(shape.size());
        for (size_t dim = shape.size(); dim-- > 0; number /= shape[dim])
          source[dim] = number % shape[dim];
        return read(reshape.getSrc(), source);
      })
      .Default([](Operation *) { return std::nullopt; });
}

std::optional<int64_t> SampledAddress::evaluateArithmetic(Operation *op, const Coordinates &at) {
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    if (auto number = dyn_cast<IntegerAttr>(constant.getValue()))
      return number.getValue().sextOrTrunc(64).getSExtValue();
    auto same = dyn_cast<SplatElementsAttr>(constant.getValue());
    bool isInteger = same && isa<IntegerType>(same.getElementType());
    return isInteger ? std::optional(same.getSplatValue<APInt>().sextOrTrunc(64).getSExtValue()) : std::nullopt;
  }
  if (isa<arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp, arith::IndexCastOp, arith::IndexCastUIOp, tt::BitcastOp>(op))
    return read(op->getOperand(0), at);
  if (auto select = dyn_cast<arith::SelectOp>(op)) {
    bool isScalar = !isa<RankedTensorType>(select.getCondition().getType());
    std::optional<int64_t> condition = read(select.getCondition(), isScalar ? Coordinates() : at);
    return condition ? read(*condition ? select.getTrueValue() : select.getFalseValue(), at) : std::nullopt;
  }
  if (op->getNumOperands() != 2 || op->getNumResults() != 1)
    return std::nullopt;
  std::optional<int64_t> a = read(op->getOperand(0), at), b = read(op->getOperand(1), at);
  if (!a || !b)
    return std::nullopt;
  if (isa<tt::AddPtrOp>(op))
    return int64_t(uint64_t(*a) + uint64_t(*b) * uint64_t(pointeeBytes(op->getResult(0).getType())));
  if (auto cmp = dyn_cast<arith::CmpIOp>(op))
    return arith::applyCmpPredicate(cmp.getPredicate(), APInt(64, *a, true), APInt(64, *b, true));
  return arithmetic(op, *a, *b);
}

} // namespace tawa
