// Reads conditions as sums that are negative.
#include "compiler/planner/affinize/MaskReader.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tawa {

std::optional<raise::Polynomial> readComparison(arith::CmpIOp compare, raise::Affine &addresses) {
  std::optional<raise::Polynomial> a = addresses.read(compare.getLhs()), b = addresses.read(compare.getRhs());
  if (!a || !b)
    return std::nullopt;
  const raise::Polynomial one = raise::Polynomial::constant(1);
  switch (compare.getPredicate()) {
  case arith::CmpIPredicate::slt:
  case arith::CmpIPredicate::ult:
    return *a - *b;
  case arith::CmpIPredicate::sle:
  case arith::CmpIPredicate::ule:
    return *a - *b - one;
  case arith::CmpIPredicate::sgt:
  case arith::CmpIPredicate::ugt:
    return *b - *a;
  case arith::CmpIPredicate::sge:
  case arith::CmpIPredicate::uge:
    return *b - *a - one;
  default:
    return std::nullopt;
  }
}

static ArrayRef<int64_t> shapeOf(Value value) {
  auto tensor = dyn_cast<RankedTensorType>(value.getType());
  return tensor ? tensor.getShape() : ArrayRef<int64_t>();
}

bool MaskReader::addNegative(const raise::Polynomial &polynomial, const Dims &dims, LinearMask &mask) {
  LinearMask::Sum sum{std::vector<int64_t>(rank), {}};
  for (auto [at, dim] : llvm::enumerate(dims)) {
    std::optional<Linear> step = linear.read(polynomial.coefficientOf(static_cast<int>(at)));
    std::optional<int64_t> constant = step ? step->asConstant() : std::nullopt;
    if (!constant)
      return false;
    if (dim >= 0)
      sum.steps[dim] = *constant;
  }
  std::optional<Linear> start = linear.read(polynomial.coefficientOf(-1));
  if (!start)
    return false;
  sum.start = std::move(*start);
  mask.negative.push_back(std::move(sum));
  return true;
}

/// Equality is two comparisons; an unsigned one may be of negative numbers, which are large then.
bool MaskReader::addComparison(arith::CmpIOp compare, const Dims &dims, LinearMask &mask) {
  if (compare.getPredicate() == arith::CmpIPredicate::eq) {
    std::optional<raise::Polynomial> a = addresses.read(compare.getLhs()), b = addresses.read(compare.getRhs());
    const raise::Polynomial one = raise::Polynomial::constant(1);
    return a && b && addNegative(*a - *b - one, dims, mask) && addNegative(*b - *a - one, dims, mask);
  }
  bool isUnsigned = compare.getPredicate() >= arith::CmpIPredicate::ult;
  std::optional<raise::Polynomial> negative = isUnsigned ? std::nullopt : readComparison(compare, addresses);
  return negative && addNegative(*negative, dims, mask);
}

bool MaskReader::add(Value part, Dims dims, LinearMask &mask) {
  Operation *op = part.getDefiningOp();
  if (!op)
    return false;
  if (matchPattern(op, m_One()))
    return true;
  if (isa<arith::AndIOp>(op))
    return add(op->getOperand(0), dims, mask) && add(op->getOperand(1), dims, mask);
  if (auto expand = dyn_cast<tt::ExpandDimsOp>(op)) {
    dims.erase(dims.begin() + expand.getAxis());
    return add(expand.getSrc(), dims, mask);
  }
  if (isa<tt::BroadcastOp>(op)) {
    for (auto [at, extent] : llvm::enumerate(shapeOf(op->getOperand(0))))
      dims[at] = extent == 1 ? -1 : dims[at];
    return add(op->getOperand(0), dims, mask);
  }
  if (isa<tt::SplatOp>(op))
    return add(op->getOperand(0), {}, mask);
  auto compare = dyn_cast<arith::CmpIOp>(op);
  return compare && addComparison(compare, dims, mask);
}

std::optional<LinearMask> MaskReader::read(Value value) {
  rank = shapeOf(value).size();
  LinearMask mask;
  bool isRead = add(value, llvm::to_vector<4>(llvm::seq<int>(0, static_cast<int>(rank))), mask);
  return isRead ? std::optional(std::move(mask)) : std::nullopt;
}

} // namespace tawa
