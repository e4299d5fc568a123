// Matches affine pointer tensors and bounds masks against base, offsets and strides of a matrix.
#include "compiler/roles/RaiseBlocks.h"

#include "compiler/analysis/LaunchExpression.h"
#include "compiler/roles/Tawa/Tawa.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tawa::raise {

namespace {
// Of base and strides (CUDA driver API, cuTensorMapEncodeTiled), and of columns (analysis/TmaCoordinates.h).
constexpr int64_t kTmaAlignment = kTmaAlignmentBytes;
constexpr const char *kMayBeNegative = "an index of it may be negative";
constexpr const char *kMayBeLarge = "an offset of it is no row and no column, and may be large";
constexpr int64_t kNoEnd = int64_t{INT32_MAX} / 128 * 128; // extent of a dimension without a mask
} // namespace

BlockRaiser::BlockRaiser(tt::FuncOp func) : func(func), axes(func), affine(func, /*mayRelyOnHints=*/true) {
  func.walk([&](Operation *op) {
    if (ws::kNotNegativeAttr.on(op))
      if (auto polynomial = affine.read(op->getResult(0)))
        promises.push_back({op->getBlock(), *polynomial});
  });
}

//===--- Address --------------------------------------------------------------------------------------------------===//

const char *BlockRaiser::readSides(Value pointers, bool hasPlanes) {
  auto address = affine.readAddress(pointers);
  if (!address)
    return "its address is no sum of a parameter and products of its indices with strides";
  base = address->base;
  sides = {};
  planes.clear();
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
  Polynomial rest = address->offset.coefficientOf(-1);
  splitStarts(rest, hasPlanes || rest.wide);
  return nullptr;
}

/// A term that is a number times a stride known at entry: TMA has three dimensions for such.
bool BlockRaiser::addPlane(const Monomial &monomial, int64_t coefficient) {
  constexpr size_t kMostPlanes = 3; // besides rows and columns (CUDA driver API, cuTensorMapEncodeTiled)
  Monomial number, stride;
  for (unsigned factor : monomial.factors)
    (isParameter(factor) ? stride : number).factors.push_back(factor);
  if (coefficient <= 0 || number.factors.empty() || stride.factors.empty())
    return false;
  Plane plane;
  plane.number.terms[number] = 1;
  plane.stride.terms[stride] = coefficient;
  auto isAlike = [&](const Plane &other) { return other.stride == plane.stride; };
  if (auto *known = llvm::find_if(planes, isAlike); known != planes.end())
    known->number = known->number + plane.number;
  else if (planes.size() == kMostPlanes)
    return false;
  else
    planes.push_back(std::move(plane));
  return true;
}

/// Splits the remainder besides the indices as start * stride + start: multiples of the outer stride belong to that
/// side. What is neither a row nor a column may be a matrix.
void BlockRaiser::splitStarts(const Polynomial &rest, bool hasPlanes) {
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
    bool mayBePlane = hasPlanes && (!divides || quotient.factors.size() > 1);
    if (mayBePlane && addPlane(monomial, coefficient))
      continue;
    if (divides)
      sides[1 - inner].start.terms[quotient] += coefficient / scale;
    else
      sides[inner].start.terms[monomial] += coefficient;
  }
}

//===--- Mask -----------------------------------------------------------------------------------------------------===//

/// False where some part of the mask is no comparison of polynomials.
bool BlockRaiser::collectConditions(Value mask, Conditions &conditions) {
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

const char *BlockRaiser::applyCondition(const Polynomial &condition) {
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

const char *BlockRaiser::readMask(Value mask) {
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

//===--- What TMA asks --------------------------------------------------------------------------------------------===//

bool BlockRaiser::isParameter(unsigned factor) {
  auto argument = dyn_cast<BlockArgument>(affine.value(factor));
  return argument && argument.getOwner() == &func.getBody().front();
}

bool BlockRaiser::knownAtEntry(const Polynomial &polynomial) {
  return llvm::all_of(polynomial.terms, [&](const auto &term) {
    return llvm::all_of(term.first.factors, [&](unsigned factor) { return isParameter(factor); });
  });
}

/// At least 0 by itself, or what is promised there and something that is at least 0.
bool BlockRaiser::neverNegative(const Polynomial &polynomial) {
  return hasNoNegativeTerm(polynomial) || llvm::any_of(promises, [&](const auto &promise) {
           bool holds = promise.first->getParent()->isAncestor(place->getParent());
           return holds && hasNoNegativeTerm(polynomial - promise.second);
         });
}

bool BlockRaiser::hasNoNegativeTerm(const Polynomial &polynomial) {
  return llvm::all_of(polynomial.terms, [&](const auto &term) {
    return term.second > 0 && llvm::all_of(term.first.factors, [&](unsigned factor) {
             Value value = affine.value(factor);
             bool made = value.getDefiningOp<arith::DivUIOp>() || value.getDefiningOp<arith::RemUIOp>();
             return made || !axes.of(value).mayBeNegative;
           });
  });
}

/// Whether the first column lies within its row: a constant does, and what counts up to a bound that is no more.
bool BlockRaiser::startsInRow() {
  const Polynomial &column = sides[inner].start, &stride = sides[1 - inner].stride;
  auto number = column.asConstant(), length = stride.asConstant();
  if (number)
    return *number == 0 || (*number > 0 && length && *number < *length);
  if (column.terms.size() != 1 || column.terms.begin()->second != 1 || column.terms.begin()->first.factors.size() != 1)
    return false;
  auto count = dyn_cast<BlockArgument>(affine.value(column.terms.begin()->first.factors.front()));
  auto loop = count ? dyn_cast<scf::ForOp>(count.getOwner()->getParentOp()) : scf::ForOp();
  if (!loop || count != loop.getInductionVar() || axes.of(loop.getLowerBound()).mayBeNegative)
    return false;
  std::optional<Polynomial> end = affine.read(loop.getUpperBound());
  return end && *end == stride;
}

/// Whether a negative start of side `dim` means elements before the parameter. It does for rows whose first column lies
/// within the row, if their number is made of numbers from memory and numbers that a loop carries.
bool BlockRaiser::negativeIsBeforeTensor(unsigned dim) {
  return dim != inner && startsInRow() && llvm::all_of(sides[dim].start.terms, [&](const auto &term) {
           return term.second > 0 && llvm::all_of(term.first.factors, [&](unsigned factor) {
                    Value value = affine.value(factor);
                    auto argument = dyn_cast<BlockArgument>(value);
                    auto loop = argument ? dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp()) : scf::ForOp();
                    bool isCarried = loop && argument != loop.getInductionVar();
                    return isCarried || value.getDefiningOp<tt::LoadOp>() || !axes.of(value).mayBeNegative;
                  });
         });
}

/// Of matrices, too, a negative number from memory means elements before the parameter.
const char *BlockRaiser::checkPlanes(int64_t elementBytes) {
  for (const Plane &plane : planes) {
    bool isNumber = llvm::all_of(plane.number.terms, [&](const auto &term) {
      return llvm::all_of(term.first.factors, [&](unsigned factor) {
        Value value = affine.value(factor);
        return value.getDefiningOp<tt::LoadOp>() || !axes.of(value).mayBeNegative;
      });
    });
    if (!isNumber)
      return kMayBeNegative;
    if (!fitsCoordinate(plane.number))
      return kMayBeLarge;
    if (!isAligned(plane.stride, elementBytes, axes))
      return "its matrices are not known to begin at multiples of 16 bytes";
  }
  return nullptr;
}

/// Of an address in 64 bits, a product may not fit the 32 bits of a coordinate, unless the text computes the number in
/// as many; sums and multiples are indices.
bool BlockRaiser::fitsCoordinate(const Polynomial &number) {
  bool hasProduct = llvm::any_of(number.terms, [](const auto &term) { return term.first.factors.size() > 1; });
  return !sides[inner].start.wide || !hasProduct || affine.isComputedIn32Bits(number);
}

bool BlockRaiser::strideIsAligned(const Polynomial &stride, int64_t elementBytes) {
  return stride.terms.begin()->second > 0 && isAligned(stride, elementBytes, axes);
}

/// Whether each term of `elements` is known to be a multiple of 16 bytes.
bool BlockRaiser::isAligned(const Polynomial &elements, int64_t elementBytes, const AxisInfoAnalysis &facts) {
  return llvm::all_of(elements.terms, [&](const auto &term) {
    int64_t divisor = powerOfTwoDivisor(term.second * elementBytes);
    for (unsigned factor : term.first.factors)
      divisor = std::min<int64_t>(divisor, kTmaAlignment) *
                std::min(facts.of(affine.value(factor)).commonDivisor(), kTmaAlignment);
    return divisor % kTmaAlignment == 0;
  });
}

/// Likewise of what no tensor map shows: a launch checks the hints on the parameters that it takes for that.
bool BlockRaiser::isAlignedAtLaunch(const Polynomial &elements, int64_t elementBytes) {
  SmallVector<Value> parameters;
  for (const auto &[monomial, coefficient] : elements.terms)
    for (unsigned factor : monomial.factors)
      if (isParameter(factor) && powerOfTwoDivisor(coefficient * elementBytes) % kTmaAlignment != 0)
        parameters.push_back(affine.value(factor));
  return affine.relyOn(parameters, [&] { return isAligned(elements, elementBytes, affine.facts()); });
}

const char *BlockRaiser::checkSides(RankedTensorType type) {
  unsigned outer = 1 - inner, bits = type.getElementTypeBitWidth();
  auto argument = cast<BlockArgument>(base);
  auto hint = func.getArgAttrOfType<IntegerAttr>(argument.getArgNumber(), "tt.divisibility");
  if (!hint || hint.getInt() % kTmaAlignment != 0)
    return "its base is not known to be aligned to 16 bytes";
  if (!knownAtEntry(sides[outer].stride))
    return "its stride is not known when the kernel starts";
  if (!strideIsAligned(sides[outer].stride, bits / 8))
    return "its stride is not known to be a multiple of 16 bytes";
  if (const char *why = checkPlanes(bits / 8))
    return why;
  for (const Side &side : sides) {
    if (!side.startsAtZero && !neverNegative(side.start) && !negativeIsBeforeTensor(&side - sides.begin()))
      return kMayBeNegative;
    if (!fitsCoordinate(side.start))
      return kMayBeLarge;
  }
  if (!isAlignedAtLaunch(sides[inner].start, bits / 8))
    return "its first column is not known to be a multiple of 16 bytes";
  return nullptr;
}

/// TMA stores begin nowhere below 0, whatever a mask says, and end rows at multiples of 16 bytes.
const char *BlockRaiser::checkStore(RankedTensorType type) {
  if (llvm::any_of(sides, [&](const Side &side) { return !neverNegative(side.start); }))
    return kMayBeNegative;
  if (llvm::any_of(planes, [&](const Plane &plane) { return !neverNegative(plane.number); }))
    return kMayBeNegative;
  if (sides[inner].bound && !isAlignedAtLaunch(*sides[inner].bound, type.getElementTypeBitWidth() / 8))
    return "its rows are not known to end at a multiple of 16 bytes";
  return nullptr;
}

const char *BlockRaiser::readAs(Value pointers, Value mask, RankedTensorType type, bool hasPlanes) {
  if (const char *why = readSides(pointers, hasPlanes))
    return why;
  if (const char *why = readMask(mask))
    return why;
  return checkSides(type);
}

/// Without a mask a matrix of its own tells TMA nothing: rows and columns have no end either way.
const char *BlockRaiser::read(Value pointers, Value mask, RankedTensorType type) {
  place = pointers.getParentBlock();
  const char *why = readAs(pointers, mask, type, /*hasPlanes=*/false);
  bool mayHavePlanes = why && mask && planes.empty();
  return mayHavePlanes && !readAs(pointers, mask, type, /*hasPlanes=*/true) ? nullptr : why;
}

//===--- Descriptors ----------------------------------------------------------------------------------------------===//

/// A tensor map cannot describe an empty tensor: it gets extent 1, and is read beyond its end.
Value BlockRaiser::extentOf(OpBuilder &builder, Location loc, Side &side) {
  Type type = builder.getI32Type();
  Polynomial bound = side.bound.value_or(Polynomial::constant(kNoEnd));
  Value extent = affine.materialize(builder, loc, bound, type);
  if (auto number = bound.asConstant(); number && *number > 0)
    return extent;
  Value one = affine.materialize(builder, loc, Polynomial::constant(1), type);
  side.isEmpty = builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::slt, extent, one);
  return builder.create<arith::MaxSIOp>(loc, extent, one);
}

/// Where the mask is false everywhere, the block begins after the one element of the tensor, and after the 16 bytes
/// that TMA stores.
Value BlockRaiser::startOf(OpBuilder &builder, Location loc, const Side &side) {
  Value start = affine.materialize(builder, loc, side.start, builder.getI32Type());
  if (!side.isEmpty)
    return start;
  Value after = affine.materialize(builder, loc, Polynomial::constant(kTmaAlignment), builder.getI32Type());
  return builder.create<arith::SelectOp>(loc, side.isEmpty, after, start);
}

const char *BlockRaiser::make(Operation *access, RankedTensorType type, RaisedBlock &block) {
  OpBuilder builder = OpBuilder::atBlockBegin(&func.getBody().front());
  Location loc = access->getLoc();
  SmallVector<Value> shape, strides;
  SmallVector<int64_t> extents;
  auto stride = [&](const Polynomial &polynomial) {
    strides.push_back(affine.materialize(builder, loc, polynomial, builder.getI64Type()));
  };
  for (const Plane &plane : planes) {
    shape.push_back(affine.materialize(builder, loc, Polynomial::constant(kNoEnd), builder.getI32Type()));
    stride(plane.stride);
    extents.push_back(1);
  }
  for (unsigned dim : {1 - inner, inner}) {
    shape.push_back(extentOf(builder, loc, sides[dim]));
    stride(sides[dim].stride);
    extents.push_back(type.getDimSize(dim));
  }
  auto described = tt::TensorDescType::get(RankedTensorType::get(extents, type.getElementType()));
  auto make = builder.create<tt::MakeTensorDescOp>(loc, described, base, shape, strides, tt::PaddingOption::Zero);
  if (!isKnownAtLaunch(make)) {
    make.erase();
    return "its bounds or strides cannot be told to TMA before the kernel runs";
  }
  for (Value hinted : affine.reliedHints()) { // a launch checks them
    unsigned index = cast<BlockArgument>(hinted).getArgNumber();
    ws::kDivisibleAttr.set(func, index, func.getArgAttrOfType<IntegerAttr>(index, kDivisibilityHint));
  }
  builder.setInsertionPoint(access);
  block.descriptor = make;
  for (const Plane &plane : planes)
    block.indices.push_back(affine.materialize(builder, loc, plane.number, builder.getI32Type()));
  for (unsigned dim : {1 - inner, inner})
    block.indices.push_back(startOf(builder, loc, sides[dim]));
  return nullptr;
}

} // namespace tawa::raise
