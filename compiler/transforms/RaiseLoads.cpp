// RaiseLoads: loads through tensors of pointers that are blocks of a matrix become descriptor loads, which TMA does.
//
//   %p = a + (128 pid + i0) * ld + (64 k + i1)          %d = tt.make_tensor_descriptor %a, [M, K], [ld, 1]
//   %m = 128 pid + i0 < M & i1 < K - 64 k         ->    ..
//   %x = tt.load %p, %m, 0                              %x = tt.descriptor_load %d[128 pid, 64 k]
//
// Where there is no mask the text promises that what it reads is there, so the descriptor has no end on that side. A
// negative index is not part of any tensor for TMA, but an address for the text: it has to be masked off or impossible.
// Parameters, program numbers and quotients of such are not negative (AxisInfo); where a grid larger than the problem
// makes a quotient negative after all, the text reads in front of the tensor. Offsets that overflow 32 bits are not
// told from those that do not: wrapped, an offset is negative and the text reads in front of the tensor, or it is 2^32
// elements short and reads elements the program did not mean; TMA reads the element that was meant.
#include "compiler/analysis/AxisInfo.h"
#include "compiler/analysis/LaunchExpression.h"
#include "compiler/analysis/LogicalArguments.h"
#include "compiler/analysis/PointerTiles.h"
#include "compiler/transforms/Passes.h"
#include "compiler/transforms/RaiseLoadsAffine.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Matchers.h"

#include <array>

using namespace mlir;

namespace tawa {
#define GEN_PASS_DEF_RAISELOADS
#include "compiler/transforms/Passes.h.inc"

namespace raise {
namespace {

constexpr uint32_t kWarpsPerGroup = 4;
constexpr int64_t kTmaAlignment = 16; // of base and strides (CUDA driver API, cuTensorMapEncodeTiled)
constexpr int64_t kLargestBox = 256;  // per dimension, likewise
constexpr int64_t kNoEnd = INT32_MAX; // extent of a dimension without a mask

/// One dimension of a tile: index = start + 0, 1, 2, ...
struct Side {
  Polynomial start, stride;
  std::optional<Polynomial> bound; ///< index < bound where the mask is true.
  bool startsAtZero = false;       ///< The mask also says index >= 0.
  Value isEmpty;                   ///< True where the bound lets no index through; null where that cannot be.
};

/// A condition P < 0 of a mask.
using Conditions = SmallVector<Polynomial, 4>;

class Raiser {
public:
  explicit Raiser(tt::FuncOp func) : func(func), axes(func), affine(axes) {}

  /// Rewrites the load, or says why it has to stay.
  const char *raise(tt::LoadOp load);

private:
  const char *readSides(tt::LoadOp load);
  const char *readMask(Value mask);
  const char *applyCondition(const Polynomial &condition);
  const char *checkSides(tt::LoadOp load);
  bool collectConditions(Value mask, Conditions &conditions);
  bool neverNegative(const Polynomial &polynomial);
  bool knownAtEntry(const Polynomial &polynomial);
  bool strideIsAligned(const Polynomial &stride, int64_t elementBytes);
  void splitStarts(const Polynomial &rest);
  Value extentOf(OpBuilder &builder, Location loc, Side &side);
  void rewrite(tt::LoadOp load, Value descriptor);

  tt::FuncOp func;
  AxisInfoAnalysis axes;
  Affine affine;
  // Of the load at hand:
  Value base;
  std::array<Side, 2> sides;
  unsigned inner = 1; ///< The dimension of stride 1.
};

//===--- Address
//----------------------------------------------------------------------------------------------------===//

const char *Raiser::readSides(tt::LoadOp load) {
  auto address = affine.readAddress(load.getPtr());
  if (!address)
    return "its address is no sum of a parameter and products of its indices with strides";
  base = address->base;
  sides = {};
  for (int dim : {0, 1})
    sides[dim].stride = address->offset.coefficientOf(dim);
  if (sides[1].stride.asConstant() == 1)
    inner = 1;
  else if (sides[0].stride.asConstant() == 1)
    inner = 0;
  else
    return "no dimension of it is known to be contiguous";
  if (sides[1 - inner].stride.terms.size() != 1)
    return "its rows are not one stride apart";
  splitStarts(address->offset.coefficientOf(-1));
  return nullptr;
}

/// What is left beside the indices, as start * stride + start: multiples of the outer stride belong to that side.
void Raiser::splitStarts(const Polynomial &rest) {
  const auto &[stride, scale] = *sides[1 - inner].stride.terms.begin();
  sides[0].start.wide = sides[1].start.wide = rest.wide;
  for (const auto &[monomial, coefficient] : rest.terms) {
    Monomial quotient = monomial;
    bool divides = coefficient % scale == 0;
    for (unsigned factor : stride.factors) {
      auto found = llvm::find(quotient.factors, factor);
      divides &= found != quotient.factors.end();
      if (found != quotient.factors.end())
        quotient.factors.erase(found);
    }
    if (divides)
      sides[1 - inner].start.terms[quotient] += coefficient / scale;
    else
      sides[inner].start.terms[monomial] += coefficient;
  }
}

//===--- Mask
//-------------------------------------------------------------------------------------------------------===//

/// False where some part of the mask is no comparison of polynomials.
bool Raiser::collectConditions(Value mask, Conditions &conditions) {
  Operation *op = mask.getDefiningOp();
  if (matchPattern(mask, m_One()))
    return true;
  if (!op)
    return false;
  if (isa<arith::AndIOp>(op))
    return collectConditions(op->getOperand(0), conditions) && collectConditions(op->getOperand(1), conditions);
  if (isa<tt::BroadcastOp>(op))
    return collectConditions(op->getOperand(0), conditions);
  if (auto expand = dyn_cast<tt::ExpandDimsOp>(op)) {
    Conditions inside;
    if (!collectConditions(expand.getSrc(), inside))
      return false;
    int axis = static_cast<int>(expand.getAxis());
    for (const Polynomial &condition : inside) {
      Polynomial moved;
      for (const auto &[monomial, coefficient] : condition.terms)
        moved.terms[{monomial.factors, monomial.index >= axis ? monomial.index + 1 : monomial.index}] = coefficient;
      conditions.push_back(std::move(moved));
    }
    return true;
  }
  auto compare = dyn_cast<arith::CmpIOp>(op);
  auto left = compare ? affine.read(compare.getLhs()) : std::nullopt;
  auto right = compare ? affine.read(compare.getRhs()) : std::nullopt;
  if (!left || !right)
    return false;
  Polynomial one = Polynomial::constant(1), difference = *left - *right;
  switch (compare.getPredicate()) {
  case arith::CmpIPredicate::slt:
    conditions.push_back(difference);
    return true;
  case arith::CmpIPredicate::sle:
    conditions.push_back(difference - one);
    return true;
  case arith::CmpIPredicate::sgt:
    conditions.push_back(difference.scaled(-1));
    return true;
  case arith::CmpIPredicate::sge:
    conditions.push_back(difference.scaled(-1) - one);
    return true;
  default:
    return false;
  }
}

const char *Raiser::applyCondition(const Polynomial &condition) {
  constexpr const char *kOther = "its mask says more than that indices lie inside of a tensor";
  if (auto number = condition.asConstant())
    return *number < 0 ? nullptr : kOther;
  for (unsigned dim : {0u, 1u}) {
    auto coefficient = condition.coefficientOf(dim).asConstant();
    if (!coefficient || (*coefficient != 1 && *coefficient != -1) || !condition.coefficientOf(1 - dim).isZero())
      continue;
    Polynomial rest = condition.coefficientOf(-1);
    Side &side = sides[dim];
    if (*coefficient == -1) { // start + rest < index
      auto first = (side.start + rest).asConstant();
      if (!first || *first != -1)
        return kOther;
      side.startsAtZero = true;
      return nullptr;
    }
    Polynomial bound = side.start - rest; // index < start - rest
    if (!knownAtEntry(bound) || (side.bound && !(*side.bound == bound)))
      return kOther;
    side.bound = std::move(bound);
    return nullptr;
  }
  return kOther;
}

const char *Raiser::readMask(Value mask) {
  if (!mask)
    return nullptr;
  Conditions conditions;
  if (!collectConditions(mask, conditions))
    return "its mask is not made of comparisons of indices with bounds";
  for (const Polynomial &condition : conditions)
    if (const char *why = applyCondition(condition))
      return why;
  return nullptr;
}

//===--- What TMA asks
//----------------------------------------------------------------------------------------------===//

bool Raiser::knownAtEntry(const Polynomial &polynomial) {
  return llvm::all_of(polynomial.terms, [&](const auto &term) {
    return llvm::all_of(term.first.factors, [&](unsigned factor) {
      auto argument = dyn_cast<BlockArgument>(affine.value(factor));
      return argument && argument.getOwner() == &func.getBody().front();
    });
  });
}

bool Raiser::neverNegative(const Polynomial &polynomial) {
  return llvm::all_of(polynomial.terms, [&](const auto &term) {
    return term.second > 0 && llvm::all_of(term.first.factors, [&](unsigned factor) {
             Value value = affine.value(factor);
             bool made = value.getDefiningOp<arith::DivUIOp>() || value.getDefiningOp<arith::RemUIOp>();
             return made || !axes.of(value).mayBeNegative;
           });
  });
}

bool Raiser::strideIsAligned(const Polynomial &stride, int64_t elementBytes) {
  const auto &[monomial, coefficient] = *stride.terms.begin();
  int64_t divisor = powerOfTwoDivisor(coefficient * elementBytes);
  for (unsigned factor : monomial.factors)
    divisor = std::min<int64_t>(divisor, kTmaAlignment) *
              std::min(axes.of(affine.value(factor)).commonDivisor(), kTmaAlignment);
  return coefficient > 0 && divisor % kTmaAlignment == 0;
}

const char *Raiser::checkSides(tt::LoadOp load) {
  auto type = cast<RankedTensorType>(load.getType());
  unsigned outer = 1 - inner, bits = type.getElementTypeBitWidth();
  auto argument = cast<BlockArgument>(base);
  auto hint = func.getArgAttrOfType<IntegerAttr>(argument.getArgNumber(), "tt.divisibility");
  if (!hint || hint.getInt() % kTmaAlignment != 0)
    return "its base is not known to be aligned to 16 bytes";
  if (!knownAtEntry(sides[outer].stride))
    return "its stride is not known when the kernel starts";
  if (!strideIsAligned(sides[outer].stride, bits / 8))
    return "its stride is not known to be a multiple of 16 bytes";
  for (const Side &side : sides) {
    if (!side.startsAtZero && !neverNegative(side.start))
      return "an index of it may be negative";
    // A product computed in 64 bits may not fit the 32 bits of a coordinate; sums and multiples are indices.
    bool product = llvm::any_of(side.start.terms, [](const auto &term) { return term.first.factors.size() > 1; });
    if (side.start.wide && product)
      return "an offset of it is no row and no column, and may be large";
  }
  LinearLayout slot = slotLayout(type, inner);
  auto swizzle = findTmaSwizzle(slot, bits);
  auto boxes = swizzle ? deriveTmaBoxes(slot, bits, *swizzle) : std::nullopt;
  if (!boxes || llvm::any_of(boxes->front().shape, [](int64_t extent) { return extent > kLargestBox; }))
    return "no TMA box fills its slot";
  return nullptr;
}

//===--- Rewriting
//--------------------------------------------------------------------------------------------------===//

/// A tensor map describes no empty tensor: such a one gets extent 1, and is read behind its end.
Value Raiser::extentOf(OpBuilder &builder, Location loc, Side &side) {
  Type type = builder.getI32Type();
  Polynomial bound = side.bound.value_or(Polynomial::constant(kNoEnd));
  Value extent = affine.materialize(builder, loc, bound, type);
  if (auto number = bound.asConstant(); number && *number > 0)
    return extent;
  Value one = affine.materialize(builder, loc, Polynomial::constant(1), type);
  side.isEmpty = builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::slt, extent, one);
  return builder.create<arith::MaxSIOp>(loc, extent, one);
}

void Raiser::rewrite(tt::LoadOp load, Value descriptor) {
  OpBuilder builder(load);
  Location loc = load.getLoc();
  SmallVector<Value, 2> indices;
  for (unsigned dim : {1 - inner, inner}) {
    Value start = affine.materialize(builder, loc, sides[dim].start, builder.getI32Type());
    if (Value isEmpty = sides[dim].isEmpty) {
      Value behind = affine.materialize(builder, loc, Polynomial::constant(1), builder.getI32Type());
      start = builder.create<arith::SelectOp>(loc, isEmpty, behind, start);
    }
    indices.push_back(start);
  }
  auto block = cast<tt::TensorDescType>(descriptor.getType()).getBlockType();
  Value tile = builder.create<tt::DescriptorLoadOp>(loc, block, descriptor, indices, load.getCache(), load.getEvict());
  if (inner == 0)
    tile = builder.create<tt::TransOp>(loc, load.getType(), tile, builder.getDenseI32ArrayAttr({1, 0}));
  load.getResult().replaceAllUsesWith(tile);
  load.erase();
}

const char *Raiser::raise(tt::LoadOp load) {
  if (const char *why = readSides(load))
    return why;
  if (const char *why = readMask(load.getMask()))
    return why;
  if (const char *why = checkSides(load))
    return why;
  OpBuilder builder = OpBuilder::atBlockBegin(&func.getBody().front());
  Location loc = load.getLoc();
  auto type = cast<RankedTensorType>(load.getType());
  SmallVector<Value, 2> shape, strides;
  SmallVector<int64_t, 2> extents;
  for (unsigned dim : {1 - inner, inner}) {
    shape.push_back(extentOf(builder, loc, sides[dim]));
    strides.push_back(affine.materialize(builder, loc, sides[dim].stride, builder.getI64Type()));
    extents.push_back(type.getDimSize(dim));
  }
  auto block = RankedTensorType::get(extents, type.getElementType());
  auto make = builder.create<tt::MakeTensorDescOp>(loc, tt::TensorDescType::get(block), base, shape, strides,
                                                   tt::PaddingOption::Zero);
  if (!isKnownAtLaunch(make)) {
    make.erase();
    return "its bounds or strides cannot be told to TMA before the kernel runs";
  }
  rewrite(load, make);
  return nullptr;
}

} // namespace
} // namespace raise

namespace {

struct RaiseLoadsPass : impl::RaiseLoadsBase<RaiseLoadsPass> {
  using RaiseLoadsBase::RaiseLoadsBase;

  void runOnOperation() override {
    tt::FuncOp func = findKernel(getOperation());
    if (!func)
      return signalPassFailure();
    PointerTiles tiles(func, uint32_t(consumerGroups) * raise::kWarpsPerGroup);
    SmallVector<tt::LoadOp> loads;
    func.walk([&](tt::LoadOp load) {
      if (tiles.find(load))
        loads.push_back(load);
    });
    if (loads.empty())
      return;
    raise::Raiser raiser(func);
    for (tt::LoadOp load : loads) {
      if (const char *why = raiser.raise(load))
        load.emitRemark() << "copied by threads instead of TMA: " << why;
      else
        ++raised;
    }
  }
};

} // namespace
} // namespace tawa
