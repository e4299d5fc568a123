// RaiseBlocks, polynomials: reads offsets, masks and advancing pointers as polynomials.
#include "compiler/analysis/AffineAddress.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

#include <algorithm>

using namespace mlir;

namespace tawa::raise {

namespace {
constexpr size_t kMostTerms = 24;  // longer expressions are not handwritten addresses
constexpr size_t kMostFactors = 4; // of one product
} // namespace

Affine::Affine(Operation *function, bool mayRelyOnHints)
    : function(function), mayRelyOnHints(mayRelyOnHints), axes(function, hintedIntegers(function)) {}

//===--- Polynomials ----------------------------------------------------------------------------------------------===//

Polynomial Polynomial::constant(int64_t value) {
  Polynomial result;
  if (value != 0)
    result.terms[{}] = value;
  return result;
}

std::optional<int64_t> Polynomial::asConstant() const {
  if (terms.empty())
    return 0;
  if (terms.size() == 1 && terms.begin()->first == Monomial())
    return terms.begin()->second;
  return std::nullopt;
}

Polynomial Polynomial::operator+(const Polynomial &other) const {
  Polynomial sum = *this;
  sum.wide |= other.wide;
  for (const auto &[monomial, coefficient] : other.terms) {
    int64_t &here = sum.terms[monomial];
    here += coefficient;
    if (here == 0)
      sum.terms.erase(monomial);
  }
  return sum;
}

Polynomial Polynomial::scaled(int64_t factor) const {
  Polynomial result;
  result.wide = wide;
  if (factor != 0)
    for (const auto &[monomial, coefficient] : terms)
      result.terms[monomial] = coefficient * factor;
  return result;
}

Polynomial Polynomial::dividedBy(int64_t divisor) const {
  Polynomial result = *this;
  for (auto &[monomial, coefficient] : result.terms)
    coefficient /= divisor;
  return result;
}

Polynomial Polynomial::coefficientOf(int dim) const {
  Polynomial result;
  result.wide = wide;
  for (const auto &[monomial, coefficient] : terms)
    if (monomial.index == dim)
      result.terms[{monomial.factors, -1}] = coefficient;
  return result;
}

std::optional<Polynomial> Affine::multiply(const Polynomial &a, const Polynomial &b) const {
  Polynomial product;
  product.wide = a.wide || b.wide;
  for (const auto &[left, leftCoefficient] : a.terms)
    for (const auto &[right, rightCoefficient] : b.terms) {
      if (left.index >= 0 && right.index >= 0)
        return std::nullopt;
      Monomial monomial{left.factors, std::max(left.index, right.index)};
      monomial.factors.insert(monomial.factors.end(), right.factors.begin(), right.factors.end());
      std::sort(monomial.factors.begin(), monomial.factors.end());
      int64_t coefficient = 0;
      if (monomial.factors.size() > kMostFactors ||
          __builtin_mul_overflow(leftCoefficient, rightCoefficient, &coefficient))
        return std::nullopt;
      Polynomial term;
      term.terms[monomial] = coefficient;
      product = product + term;
    }
  return product.terms.size() <= kMostTerms ? std::optional(product) : std::nullopt;
}

//===--- Reading --------------------------------------------------------------------------------------------------===//

unsigned Affine::numberOf(Value scalar) {
  auto found = llvm::find(scalars, scalar);
  if (found == scalars.end())
    found = scalars.insert(found, scalar);
  return found - scalars.begin();
}

Polynomial Affine::atom(Value scalar) {
  Polynomial result;
  result.terms[{{numberOf(scalar)}, -1}] = 1;
  result.wide = scalar.getType().isInteger(64);
  return result;
}

std::optional<Polynomial> Affine::read(Value value) {
  if (auto found = known.find(value); found != known.end())
    return found->second;
  Operation *op = value.getDefiningOp();
  std::optional<Polynomial> result;
  if (op)
    result = readOperation(op);
  bool isScalar = value.getType().isInteger(32) || value.getType().isInteger(64);
  if (!result && isScalar) // whatever it is, it is one number
    result = atom(value);
  if (result && tt::elementTypeOf(value.getType()).isInteger(64))
    result->wide = true;
  known[value] = result;
  return result;
}

bool Affine::isComputedIn32Bits(const Polynomial &number) const {
  return llvm::any_of(known, [&](const auto &entry) {
    const auto &[value, polynomial] = entry;
    return polynomial && !polynomial->wide && tt::elementTypeOf(value.getType()).isInteger(32) &&
           polynomial->coefficientOf(-1) == number;
  });
}

/// The polynomial with every index of dimension i become one of dimension `to[i]`.
static Polynomial renamed(const Polynomial &polynomial, ArrayRef<int> to) {
  Polynomial result;
  result.wide = polynomial.wide;
  for (const auto &[monomial, coefficient] : polynomial.terms)
    result.terms[{monomial.factors, monomial.index < 0 ? -1 : to[monomial.index]}] = coefficient;
  return result;
}

static std::optional<Polynomial> expanded(std::optional<Polynomial> source, unsigned axis, int64_t rank) {
  if (!source)
    return source;
  SmallVector<int> to;
  for (int dim = 0; dim < rank; ++dim)
    to.push_back(dim < static_cast<int>(axis) ? dim : dim + 1);
  return renamed(*source, to);
}

static std::optional<Polynomial> transposed(std::optional<Polynomial> source, ArrayRef<int32_t> order) {
  if (!source)
    return source;
  SmallVector<int> to(order.size());
  for (auto [dim, from] : llvm::enumerate(order))
    to[from] = static_cast<int>(dim);
  return renamed(*source, to);
}

std::optional<Polynomial> Affine::readOperation(Operation *op) {
  APInt number;
  if (matchPattern(op, m_ConstantInt(&number)))
    return Polynomial::constant(number.getSExtValue());
  auto both = [&](auto combine) -> std::optional<Polynomial> {
    auto a = read(op->getOperand(0)), b = read(op->getOperand(1));
    auto result = a && b ? combine(*a, *b) : std::nullopt;
    return result && result->terms.size() <= kMostTerms ? result : std::nullopt;
  };
  auto source = [&] { return read(op->getOperand(0)); };
  return llvm::TypeSwitch<Operation *, std::optional<Polynomial>>(op)
      .Case([&](tt::MakeRangeOp range) {
        Polynomial index;
        index.terms[{{}, 0}] = 1;
        return std::optional(index + Polynomial::constant(static_cast<int32_t>(range.getStart())));
      })
      .Case<tt::SplatOp, tt::BroadcastOp, arith::ExtSIOp>([&](auto) { return source(); })
      .Case([&](tt::ExpandDimsOp expand) {
        return expanded(source(), expand.getAxis(), cast<RankedTensorType>(expand.getSrc().getType()).getRank());
      })
      .Case([&](tt::TransOp trans) { return transposed(source(), trans.getOrder()); })
      .Case<arith::AddIOp>(
          [&](auto) { return both([](const Polynomial &a, const Polynomial &b) { return std::optional(a + b); }); })
      .Case<arith::SubIOp>(
          [&](auto) { return both([](const Polynomial &a, const Polynomial &b) { return std::optional(a - b); }); })
      .Case<arith::MulIOp>(
          [&](auto) { return both([&](const Polynomial &a, const Polynomial &b) { return multiply(a, b); }); })
      .Case<arith::RemSIOp, arith::RemUIOp>([&](auto) { return readRemainder(op); })
      .Default([](Operation *) { return std::nullopt; });
}

/// Whether a tile of one dimension is between two multiples of its extent, of which the divisor is one, too.
bool Affine::startsTogether(Operation *remainder) {
  AxisInfo from = axes.of(remainder->getOperand(0)), divisor = axes.of(remainder->getOperand(1));
  int64_t extent = cast<RankedTensorType>(remainder->getResult(0).getType()).getDimSize(0);
  return !from.mayBeNegative && from.contiguity[0] >= extent && from.divisibility[0] >= extent &&
         divisor.commonDivisor() >= extent;
}

bool Affine::relyOn(ArrayRef<Value> parameters, llvm::function_ref<bool()> holds) {
  if (holds())
    return true;
  SmallVector<Value> all = hintedIntegers(function);
  auto hinted = llvm::make_filter_range(parameters, [&](Value each) { return llvm::is_contained(all, each); });
  if (!mayRelyOnHints || hinted.empty())
    return false;
  size_t before = relied.size();
  auto count = [&] {
    SmallVector<Value> ignored = all;
    llvm::erase_if(ignored, [&](Value each) { return llvm::is_contained(relied, each); });
    axes = AxisInfoAnalysis(function, ignored);
  };
  llvm::append_range(relied, hinted);
  count();
  if (holds())
    return true;
  relied.truncate(before);
  count();
  return false;
}

/// (first + index) % size is first % size + index where the tile is between two multiples of its extent and the size is
/// a multiple, too. Hints on the remainder itself do not count: frameworks write them for the last tile as well.
std::optional<Polynomial> Affine::readRemainder(Operation *op) {
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  auto value = read(op->getOperand(0)), size = read(op->getOperand(1));
  if (!type || type.getRank() != 1 || !value || !size || !(value->coefficientOf(0) == Polynomial::constant(1)) ||
      !size->coefficientOf(0).isZero())
    return std::nullopt;
  bool isOne = size->terms.size() == 1 && size->terms.begin()->first.factors.size() == 1;
  auto sizes = isOne ? SmallVector<Value>{scalars[size->terms.begin()->first.factors.front()]} : SmallVector<Value>();
  if (!relyOn(sizes, [&] { return startsTogether(op); }))
    return std::nullopt;
  OpBuilder builder(op);
  Location loc = op->getLoc();
  Value first = materialize(builder, loc, value->coefficientOf(-1), type.getElementType());
  Value around = materialize(builder, loc, size->coefficientOf(-1), type.getElementType());
  Polynomial result = atom(builder.create<arith::RemUIOp>(loc, first, around));
  result.terms[{{}, 0}] = 1;
  return result;
}

//===--- Addresses ------------------------------------------------------------------------------------------------===//

std::optional<Affine::Address> Affine::readAddress(Value pointer) {
  if (auto argument = dyn_cast<BlockArgument>(pointer)) {
    if (isa<tt::FuncOp>(argument.getOwner()->getParentOp()))
      return Address{pointer, {}};
    return readCarried(argument);
  }
  Operation *op = pointer.getDefiningOp();
  if (isa<tt::SplatOp, tt::BroadcastOp>(op))
    return readAddress(op->getOperand(0));
  std::optional<Address> source;
  if (isa<tt::AddPtrOp, tt::ExpandDimsOp, tt::TransOp>(op))
    source = readAddress(op->getOperand(0));
  if (!source)
    return std::nullopt;
  std::optional<Polynomial> offset;
  if (isa<tt::AddPtrOp>(op)) {
    if (auto step = read(op->getOperand(1)))
      offset = source->offset + *step;
  } else if (auto expand = dyn_cast<tt::ExpandDimsOp>(op)) {
    offset = expanded(source->offset, expand.getAxis(), cast<RankedTensorType>(expand.getSrc().getType()).getRank());
  } else {
    offset = transposed(source->offset, cast<tt::TransOp>(op).getOrder());
  }
  if (!offset || offset->terms.size() > kMostTerms)
    return std::nullopt;
  source->offset = std::move(*offset);
  return source;
}

/// What earlier iterations of a loop with a constant step have added to a number that each advances by `advance`.
std::optional<Polynomial> Affine::advanceBefore(Operation *op, const Polynomial &advance) {
  auto loop = cast<scf::ForOp>(op);
  auto first = read(loop.getLowerBound()), step = read(loop.getStep());
  auto stride = step ? step->asConstant() : std::nullopt;
  if (!first || !stride || *stride <= 0 || loop.getInductionVar().getType().isIndex())
    return std::nullopt;
  Polynomial distance = atom(loop.getInductionVar()) - *first;
  // In terms of the induction variable, as masks are, where that is exact.
  if (llvm::all_of(advance.terms, [&](const auto &term) { return term.second % *stride == 0; }))
    return multiply(distance, advance.dividedBy(*stride));
  // A scalar of its own, at the top of the body; without a use it is swept away.
  OpBuilder builder = OpBuilder::atBlockBegin(loop.getBody());
  Location loc = loop.getLoc();
  Value since = builder.create<arith::SubIOp>(loc, loop.getInductionVar(), loop.getLowerBound());
  return multiply(atom(builder.create<arith::DivUIOp>(loc, since, loop.getStep())), advance);
}

/// A pointer that a loop advances by the same amount in every iteration.
std::optional<Affine::Address> Affine::readCarried(BlockArgument argument) {
  auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
  if (!loop || argument == loop.getInductionVar())
    return std::nullopt;
  unsigned index = argument.getArgNumber() - 1;
  Polynomial advance;
  Value next = loop.getYieldedValues()[index];
  while (next != argument) {
    auto step = next.getDefiningOp<tt::AddPtrOp>();
    auto offset = step ? read(step.getOffset()) : std::nullopt;
    if (!offset)
      return std::nullopt;
    advance = advance + *offset;
    next = step.getPtr();
  }
  for (const auto &[monomial, coefficient] : advance.terms) {
    if (monomial.index >= 0)
      return std::nullopt;
    for (unsigned factor : monomial.factors)
      if (!loop.isDefinedOutsideOfLoop(scalars[factor]))
        return std::nullopt;
  }
  auto start = readAddress(loop.getInitArgs()[index]);
  auto moved = start && !advance.isZero() ? advanceBefore(loop, advance) : Polynomial();
  if (!start || !moved)
    return std::nullopt;
  start->offset = start->offset + *moved;
  return start;
}

Value Affine::materialize(OpBuilder &builder, Location loc, const Polynomial &polynomial, Type type) {
  Value sum;
  auto toType = [&](Value scalar) -> Value {
    unsigned have = scalar.getType().getIntOrFloatBitWidth(), want = type.getIntOrFloatBitWidth();
    if (have == want)
      return scalar;
    return have < want ? builder.create<arith::ExtSIOp>(loc, type, scalar).getResult()
                       : builder.create<arith::TruncIOp>(loc, type, scalar).getResult();
  };
  auto number = [&](int64_t value) -> Value {
    return builder.create<arith::ConstantOp>(loc, builder.getIntegerAttr(type, value));
  };
  for (const auto &[monomial, coefficient] : polynomial.terms) {
    Value product;
    for (unsigned factor : monomial.factors) {
      Value scalar = toType(scalars[factor]);
      product = product ? builder.create<arith::MulIOp>(loc, product, scalar).getResult() : scalar;
    }
    if (!product)
      product = number(coefficient);
    else if (coefficient != 1)
      product = builder.create<arith::MulIOp>(loc, product, number(coefficient));
    sum = sum ? builder.create<arith::AddIOp>(loc, sum, product).getResult() : product;
  }
  return sum ? sum : number(0);
}

} // namespace tawa::raise
