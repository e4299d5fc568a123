// SumSlices: what is read of both operands decides.
#include "compiler/analysis/SumSlices.h"

#include "compiler/analysis/DotKind.h"
#include "compiler/analysis/TileRegisters.h"
#include "runtime/artifact/PtxShapes.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tawa {
namespace {

/// Of each thread, for the sums of all slices.
constexpr int64_t kMostRegisters = 64;
/// Of a row of A in one slice: what an instruction of mma.sync takes. Where operand B is unpacked along K, twice that,
/// so that a lane can have eight neighbours of 4 bits.
constexpr int64_t kInstructionBits = 256, kUnpackedBits = 512;
constexpr int64_t kWordBits = 32, kLanesAlongColumns = 8;
/// Iterations of a loop that may have any number.
constexpr int64_t kUsualTrips = 8;

bool isZero(Value value) { return matchPattern(value, m_AnyZeroFloat()) || matchPattern(value, m_Zero()); }

int64_t tripsOf(scf::ForOp loop) {
  if (std::optional<int64_t> trips = constantTripCount(loop.getLowerBound(), loop.getUpperBound(), loop.getStep()))
    return *trips;
  // Where CTAs share the iterations (tawa-split-reduction), a loop begins at the CTA's own.
  std::optional<int64_t> end = getConstantIntValue(loop.getUpperBound()), step = getConstantIntValue(loop.getStep());
  return end && step.value_or(0) > 0
             ? std::clamp<int64_t>(llvm::divideCeil(std::max<int64_t>(*end, 0), *step), 0, kUsualTrips)
             : kUsualTrips;
}

/// The tiles from which the loop computes an operand, element by element.
void findSources(Value operand, llvm::DenseSet<Value> &seen, SmallVectorImpl<RankedTensorType> &sources) {
  auto type = dyn_cast<RankedTensorType>(operand.getType());
  if (!type || !seen.insert(operand).second)
    return;
  Operation *op = operand.getDefiningOp();
  bool isComputed = op && (OpTrait::hasElementwiseMappableTraits(op) || isView(op) || isa<tt::JoinOp>(op));
  if (isComputed) {
    for (Value source : op->getOperands())
      findSources(source, seen, sources);
    return;
  }
  if (type.getElementType().isIntOrFloat() && !isa_and_nonnull<arith::ConstantOp, tt::SplatOp, tt::MakeRangeOp>(op))
    sources.push_back(type);
}

SmallVector<RankedTensorType> sourcesOf(Value operand) {
  llvm::DenseSet<Value> seen;
  SmallVector<RankedTensorType> sources;
  findSources(operand, seen, sources);
  return sources;
}

int64_t bitsOf(RankedTensorType type) { return type.getNumElements() * type.getElementTypeBitWidth(); }

int64_t bitsOf(Value operand) {
  int64_t bits = 0;
  for (RankedTensorType source : sourcesOf(operand))
    bits += bitsOf(source);
  return bits;
}

/// How many columns of an operand B a word holds that it is made of; 1 where none holds several.
int64_t columnsInWords(Value operandB) {
  auto type = cast<RankedTensorType>(operandB.getType());
  int64_t most = 1;
  for (RankedTensorType source : sourcesOf(operandB))
    if (source.getRank() == 2 && source.getElementTypeBitWidth() == kWordBits &&
        source.getDimSize(0) == type.getDimSize(0) && source.getDimSize(1) > 1)
      most = std::max(most, type.getDimSize(1) / source.getDimSize(1));
  return most;
}

MmaWarps warpsOfSlice(tt::DotOp dot, uint32_t warps, int64_t slices) {
  RankedTensorType sums = dot.getType();
  return chooseMmaWarps(sums.getDimSize(0), sums.getDimSize(1), warps / slices, /*rowsFirst=*/false);
}

/// Bits that all warps together read of both operands.
int64_t bitsRead(tt::DotOp dot, uint32_t warps, int64_t slices) {
  MmaWarps split = warpsOfSlice(dot, warps, slices);
  return bitsOf(dot.getA()) * split.n + bitsOf(dot.getB()) * split.m;
}

int64_t sumBits(const CarriedSum &sum) {
  auto type = cast<RankedTensorType>(sum.carried.getType());
  return type.getNumElements() * type.getElementTypeBitWidth();
}

bool fits(tt::DotOp dot, uint32_t warps, int64_t slices) {
  auto a = cast<RankedTensorType>(dot.getA().getType());
  int64_t depth = a.getDimSize(1);
  int64_t registers = dot.getType().getNumElements() * slices / (int64_t{warps} * kLanes);
  int64_t inWords = columnsInWords(dot.getB());
  bool isUnpackedAlongK = inWords == 1 && bitsOf(dot.getB()) < bitsOf(cast<RankedTensorType>(dot.getB().getType()));
  int64_t least = isUnpackedAlongK ? kUnpackedBits : kInstructionBits;
  // Lanes along the columns each have all columns of a word.
  int64_t columns = dot.getType().getDimSize(1) / warpsOfSlice(dot, warps, slices).n;
  return depth % slices == 0 && depth / slices * a.getElementTypeBitWidth() >= least &&
         (inWords == 1 || columns >= inWords * kLanesAlongColumns) && registers <= kMostRegisters;
}

} // namespace

/// Follows a term back to its product through multiplications; false where it is none.
static bool followTerm(Value term, SummedProduct &product) {
  if (!term.hasOneUse())
    return false;
  if (auto dot = term.getDefiningOp<tt::DotOp>(); dot && isZero(dot.getC())) {
    product.dot = dot;
    return true;
  }
  auto scaling = term.getDefiningOp<arith::MulFOp>();
  if (!scaling || !(followTerm(scaling.getLhs(), product) || followTerm(scaling.getRhs(), product)))
    return false;
  product.scalings.push_back(scaling);
  return true;
}

/// What the only user of a sum adds to it.
static std::optional<SummedProduct> nextProduct(Value sum) {
  SummedProduct product;
  Operation *user = *sum.user_begin();
  if (auto dot = dyn_cast<tt::DotOp>(user); dot && dot.getC() == sum) {
    product.dot = dot;
    return product;
  }
  if (!isa<arith::AddFOp, arith::AddIOp>(user))
    return std::nullopt;
  product.sum = user;
  Value term = user->getOperand(user->getOperand(0) == sum ? 1 : 0);
  return followTerm(term, product) ? std::optional(product) : std::nullopt;
}

std::optional<CarriedSum> findCarriedSum(scf::ForOp loop, BlockArgument carried) {
  auto type = dyn_cast<RankedTensorType>(carried.getType());
  if (!type || type.getRank() < 2 || !isZero(loop.getTiedLoopInit(carried)->get()))
    return std::nullopt;
  CarriedSum sum{loop, carried, {}};
  Value next = carried;
  while (next != loop.getTiedLoopYieldedValue(carried)->get()) {
    std::optional<SummedProduct> product = next.hasOneUse() ? nextProduct(next) : std::nullopt;
    if (!product || product->dot->getBlock() != loop.getBody())
      return std::nullopt;
    next = product->sum ? Value(product->sum->getResult(0)) : Value(product->dot.getResult());
    sum.products.push_back(std::move(*product));
  }
  return sum.products.empty() || !next.hasOneUse() ? std::nullopt : std::optional(std::move(sum));
}

int64_t slicesOf(const CarriedSum &sum, uint32_t warps) {
  auto isOnMma = [&](const SummedProduct &product) { return planDot(product.dot, warps).unit == DotUnit::MmaSync; };
  bool isOneTile = cast<RankedTensorType>(sum.carried.getType()).getRank() == 2;
  if (!isOneTile || !llvm::isPowerOf2_32(warps) || !llvm::all_of(sum.products, isOnMma))
    return 1;
  auto bitsMoved = [&](int64_t slices) {
    int64_t bits = 0;
    for (const SummedProduct &product : sum.products)
      bits += bitsRead(product.dot, warps, slices);
    int64_t exchanged = slices == 1 ? 0 : 2 * slices * sumBits(sum); // written and read
    return bits * tripsOf(sum.loop) + exchanged;
  };
  int64_t best = 1;
  for (int64_t slices = 2; slices <= warps; slices *= 2)
    if (llvm::all_of(sum.products, [&](const SummedProduct &each) { return fits(each.dot, warps, slices); }) &&
        bitsMoved(slices) < bitsMoved(best))
      best = slices;
  return best;
}

static void forEachSum(Operation *root, llvm::function_ref<void(const CarriedSum &)> call) {
  root->walk([&](scf::ForOp loop) {
    for (BlockArgument carried : loop.getRegionIterArgs())
      if (std::optional<CarriedSum> sum = findCarriedSum(loop, carried))
        call(*sum);
  });
}

int64_t slicedSumBits(Operation *root, uint32_t warps) {
  int64_t most = 0;
  forEachSum(root, [&](const CarriedSum &sum) {
    bool isSliced = cast<RankedTensorType>(sum.carried.getType()).getRank() == 3;
    int64_t slices = isSliced ? 1 : slicesOf(sum, warps);
    most = std::max(most, isSliced || slices > 1 ? slices * sumBits(sum) : 0);
  });
  return most;
}

int64_t movedOperandBytes(Operation *root, uint32_t warps) {
  constexpr int64_t kByteBits = 8;
  llvm::DenseSet<Operation *> sliced;
  forEachSum(root, [&](const CarriedSum &sum) {
    if (slicesOf(sum, warps) > 1)
      for (const SummedProduct &product : sum.products)
        sliced.insert(product.dot);
  });
  int64_t most = 0;
  root->walk([&](tt::DotOp dot) {
    bool hasColumns = planDot(dot, warps).unit == DotUnit::MmaSync && !sliced.contains(dot);
    if (hasColumns && columnsInWords(dot.getB()) > 1)
      most = std::max(most, bitsOf(cast<RankedTensorType>(dot.getB().getType())) / kByteBits);
  });
  return most;
}

} // namespace tawa
