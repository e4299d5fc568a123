// SumSlices: what is read of both operands decides.
#include "compiler/analysis/SumSlices.h"

#include "compiler/analysis/DotKind.h"
#include "compiler/analysis/TileRegisters.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tawa {
namespace {

constexpr int64_t kWarpLanes = 32;
/// Of each thread, for the sums of all slices.
constexpr int64_t kMostRegisters = 64;
/// Of a row of A in one slice: two instructions of mma.sync, so that a lane can have eight neighbours of 4 bits.
constexpr int64_t kLeastRowBits = 512;
/// Iterations of a loop that may have any number.
constexpr int64_t kUsualTrips = 8;

bool isZero(Value value) { return matchPattern(value, m_AnyZeroFloat()) || matchPattern(value, m_Zero()); }

int64_t tripsOf(scf::ForOp loop) {
  std::optional<int64_t> trips = constantTripCount(loop.getLowerBound(), loop.getUpperBound(), loop.getStep());
  return trips.value_or(kUsualTrips);
}

/// Bits of the tiles from which the loop computes an operand, element by element.
int64_t bitsOf(Value operand, llvm::DenseSet<Value> &seen) {
  auto type = dyn_cast<RankedTensorType>(operand.getType());
  if (!type || !seen.insert(operand).second)
    return 0;
  Operation *op = operand.getDefiningOp();
  bool isComputed = op && (OpTrait::hasElementwiseMappableTraits(op) || isView(op) || isa<tt::JoinOp>(op));
  if (!isComputed)
    return isa_and_nonnull<arith::ConstantOp, tt::SplatOp, tt::MakeRangeOp>(op)
               ? 0
               : type.getNumElements() * tt::elementTypeOf(type).getIntOrFloatBitWidth();
  int64_t bits = 0;
  for (Value source : op->getOperands())
    bits += bitsOf(source, seen);
  return bits;
}

int64_t bitsOf(Value operand) {
  llvm::DenseSet<Value> seen;
  return bitsOf(operand, seen);
}

/// Bits that all warps together read of both operands.
int64_t bitsRead(tt::DotOp dot, uint32_t warps, int64_t slices) {
  RankedTensorType sums = dot.getType();
  MmaWarps split = chooseMmaWarps(sums.getDimSize(0), sums.getDimSize(1), warps / slices, /*rowsFirst=*/false);
  return bitsOf(dot.getA()) * split.n + bitsOf(dot.getB()) * split.m;
}

int64_t sumBits(const CarriedSum &sum) {
  auto type = cast<RankedTensorType>(sum.carried.getType());
  return type.getNumElements() * type.getElementTypeBitWidth();
}

bool fits(tt::DotOp dot, uint32_t warps, int64_t slices) {
  auto a = cast<RankedTensorType>(dot.getA().getType());
  int64_t depth = a.getDimSize(1);
  int64_t registers = dot.getType().getNumElements() * slices / (int64_t{warps} * kWarpLanes);
  return depth % slices == 0 && depth / slices * a.getElementTypeBitWidth() >= kLeastRowBits &&
         registers <= kMostRegisters;
}

} // namespace

std::optional<CarriedSum> findCarriedSum(scf::ForOp loop, BlockArgument carried) {
  auto type = dyn_cast<RankedTensorType>(carried.getType());
  if (!type || type.getRank() < 2 || !isZero(loop.getTiedLoopInit(carried)->get()))
    return std::nullopt;
  CarriedSum sum{loop, carried, {}};
  Value next = carried;
  while (next != loop.getTiedLoopYieldedValue(carried)->get()) {
    if (!next.hasOneUse())
      return std::nullopt;
    auto dot = dyn_cast<tt::DotOp>(*next.user_begin());
    if (!dot || dot.getC() != next || dot->getBlock() != loop.getBody())
      return std::nullopt;
    sum.products.push_back(dot);
    next = dot.getResult();
  }
  return sum.products.empty() || !next.hasOneUse() ? std::nullopt : std::optional(std::move(sum));
}

int64_t slicesOf(const CarriedSum &sum, uint32_t warps) {
  auto isOnMma = [&](tt::DotOp dot) { return planDot(dot, warps).unit == DotUnit::MmaSync; };
  bool isOneTile = cast<RankedTensorType>(sum.carried.getType()).getRank() == 2;
  if (!isOneTile || !llvm::isPowerOf2_32(warps) || !llvm::all_of(sum.products, isOnMma))
    return 1;
  auto bitsMoved = [&](int64_t slices) {
    int64_t bits = 0;
    for (tt::DotOp dot : sum.products)
      bits += bitsRead(dot, warps, slices);
    int64_t exchanged = slices == 1 ? 0 : 2 * slices * sumBits(sum); // written and read
    return bits * tripsOf(sum.loop) + exchanged;
  };
  int64_t best = 1;
  for (int64_t slices = 2; slices <= warps; slices *= 2)
    if (llvm::all_of(sum.products, [&](tt::DotOp dot) { return fits(dot, warps, slices); }) &&
        bitsMoved(slices) < bitsMoved(best))
      best = slices;
  return best;
}

int64_t slicedSumBits(Operation *root, uint32_t warps) {
  int64_t most = 0;
  root->walk([&](scf::ForOp loop) {
    for (BlockArgument carried : loop.getRegionIterArgs())
      if (std::optional<CarriedSum> sum = findCarriedSum(loop, carried)) {
        bool isSliced = cast<RankedTensorType>(carried.getType()).getRank() == 3;
        int64_t slices = isSliced ? 1 : slicesOf(*sum, warps);
        most = std::max(most, isSliced || slices > 1 ? slices * sumBits(*sum) : 0);
      }
  });
  return most;
}

} // namespace tawa
