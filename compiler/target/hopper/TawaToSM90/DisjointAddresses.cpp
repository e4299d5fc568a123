// DisjointAddresses.cpp: compares the offsets of all elements of two tiles.
#include "compiler/target/hopper/TawaToSM90/DisjointAddresses.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/Sequence.h"

#include <algorithm>

using namespace mlir;

namespace tawa {

using raise::Polynomial;

static constexpr int64_t kMostElements = 1 << 14; // of one tile: counting must stay cheap

static ArrayRef<int64_t> shapeOf(Value pointer) {
  auto tensor = dyn_cast<RankedTensorType>(pointer.getType());
  return tensor ? tensor.getShape() : ArrayRef<int64_t>();
}

/// `first` and every element's distance from it; none where an index has a step that is not a constant.
static std::optional<SmallVector<int64_t>> offsetsOf(const Polynomial &offset, ArrayRef<int64_t> shape, int64_t first) {
  SmallVector<int64_t> offsets{first};
  for (auto [dim, size] : llvm::enumerate(shape)) {
    std::optional<int64_t> step = offset.coefficientOf(dim).asConstant();
    if (!step || static_cast<int64_t>(offsets.size()) * size > kMostElements)
      return std::nullopt;
    size_t count = *step == 0 ? 0 : offsets.size();
    for (int64_t index = 1; index < size; ++index)
      for (size_t at = 0; at < count; ++at)
        offsets.push_back(offsets[at] + index * *step);
  }
  return offsets;
}

bool DisjointAddresses::areDisjoint(Value a, Value b) {
  if (getElementTypeOrSelf(a.getType()) != getElementTypeOrSelf(b.getType()))
    return false;
  auto left = affine.readAddress(a), right = affine.readAddress(b);
  if (!left || !right || left->base != right->base)
    return false;
  auto distance = (right->offset.coefficientOf(-1) - left->offset.coefficientOf(-1)).asConstant();
  if (!distance)
    return false;
  auto ofLeft = offsetsOf(left->offset, shapeOf(a), 0), ofRight = offsetsOf(right->offset, shapeOf(b), *distance);
  if (!ofLeft || !ofRight)
    return false;
  llvm::DenseSet<int64_t> touched(ofLeft->begin(), ofLeft->end());
  return llvm::none_of(*ofRight, [&](int64_t offset) { return touched.contains(offset); });
}

//===--- Around a loop --------------------------------------------------------------------------------------------===//

/// The polynomial with every index of dimension i become one of dimension `dims[i]`.
static Polynomial renamed(const Polynomial &polynomial, ArrayRef<int> dims) {
  Polynomial result;
  for (const auto &[monomial, coefficient] : polynomial.terms)
    result.terms[{monomial.factors, monomial.index < 0 ? -1 : dims[monomial.index]}] = coefficient;
  return result;
}

/// Whether every term has all factors of `length`, which is one product of scalars.
static bool isMultipleOf(const Polynomial &polynomial, const Polynomial &length) {
  if (length.terms.size() != 1 || length.terms.begin()->second != 1)
    return false;
  const raise::Monomial &divisor = length.terms.begin()->first;
  return divisor.index < 0 && !divisor.factors.empty() &&
         llvm::all_of(
             polynomial.terms,
             [&](const auto &term) {
               return std::includes(term.first.factors.begin(), term.first.factors.end(), divisor.factors.begin(),
                                    divisor.factors.end());
             });
}

/// Adds what the comparisons of a conjunction say; dimension i of `mask` is dimension `dims[i]` of the tile.
void DisjointAddresses::addColumns(const Polynomial &offset, Value mask, ArrayRef<int> dims,
                                   SmallVectorImpl<Column> &columns) {
  Operation *op = mask.getDefiningOp();
  if (isa_and_nonnull<arith::AndIOp>(op)) {
    addColumns(offset, op->getOperand(0), dims, columns);
    addColumns(offset, op->getOperand(1), dims, columns);
  } else if (isa_and_nonnull<tt::BroadcastOp>(op)) {
    addColumns(offset, op->getOperand(0), dims, columns);
  } else if (auto expand = dyn_cast_or_null<tt::ExpandDimsOp>(op)) {
    SmallVector<int> inner(dims);
    inner.erase(inner.begin() + expand.getAxis());
    addColumns(offset, expand.getSrc(), inner, columns);
  } else if (auto compare = dyn_cast_or_null<arith::CmpIOp>(op)) {
    bool isBelow = compare.getPredicate() == arith::CmpIPredicate::slt && isa<RankedTensorType>(mask.getType()) &&
                   !axes.of(compare.getLhs()).mayBeNegative;
    auto index = isBelow ? affine.read(compare.getLhs()) : std::nullopt;
    auto length = index ? affine.read(compare.getRhs()) : std::nullopt;
    if (!length)
      return;
    Column column = {renamed(*index, dims), *length};
    if (isMultipleOf(offset - column.place, *length))
      columns.push_back(std::move(column));
  }
}

SmallVector<DisjointAddresses::Column> DisjointAddresses::columnsOf(const Polynomial &offset, Value mask) {
  SmallVector<Column> columns{{offset, {}}};
  auto type = mask ? dyn_cast<RankedTensorType>(mask.getType()) : nullptr;
  if (type)
    addColumns(offset, mask, llvm::to_vector(llvm::seq<int>(0, type.getRank())), columns);
  return columns;
}

bool DisjointAddresses::isInvariant(const raise::Monomial &monomial, scf::ForOp loop) {
  return llvm::all_of(monomial.factors,
                      [&](unsigned factor) { return loop.isDefinedOutsideOfLoop(affine.value(factor)); });
}

std::optional<int64_t> DisjointAddresses::advanceOf(const Polynomial &polynomial, scf::ForOp loop) {
  APInt step;
  if (!matchPattern(loop.getStep(), m_ConstantInt(&step)))
    return std::nullopt;
  int64_t advance = 0;
  for (const auto &[monomial, coefficient] : polynomial.terms) {
    if (isInvariant(monomial, loop))
      continue;
    if (monomial.factors.size() != 1 || affine.value(monomial.factors[0]) != loop.getInductionVar())
      return std::nullopt;
    advance += coefficient * step.getSExtValue();
  }
  return advance;
}

/// The least and the largest part of a tile's offsets that depends on its indices.
static std::optional<std::pair<int64_t, int64_t>> extentOf(const Polynomial &offset, ArrayRef<int64_t> shape) {
  int64_t least = 0, largest = 0;
  for (auto [dim, size] : llvm::enumerate(shape)) {
    std::optional<int64_t> step = offset.coefficientOf(dim).asConstant();
    if (!step)
      return std::nullopt;
    (*step < 0 ? least : largest) += *step * (size - 1);
  }
  return std::pair(least, largest);
}

bool DisjointAddresses::staysBehind(const Column &earlier, const Column &later, ArrayRef<int64_t> shapeOfEarlier,
                                    ArrayRef<int64_t> shapeOfLater, scf::ForOp loop) {
  if (!(earlier.length == later.length) ||
      !llvm::all_of(later.length.terms, [&](const auto &term) { return isInvariant(term.first, loop); }))
    return false;
  auto distance = (later.place.coefficientOf(-1) - earlier.place.coefficientOf(-1)).asConstant();
  auto advance = advanceOf(later.place.coefficientOf(-1), loop);
  auto before = extentOf(earlier.place, shapeOfEarlier), after = extentOf(later.place, shapeOfLater);
  if (!distance || !advance || !before || !after)
    return false;
  return (*advance > 0 && *distance + *advance + after->first > before->second) ||
         (*advance < 0 && *distance + *advance + after->second < before->first);
}

bool DisjointAddresses::areDisjoint(const Access &earlier, const Access &later, scf::ForOp loop) {
  if (getElementTypeOrSelf(earlier.pointer.getType()) != getElementTypeOrSelf(later.pointer.getType()))
    return false;
  auto first = affine.readAddress(earlier.pointer), second = affine.readAddress(later.pointer);
  if (!first || !second || first->base != second->base)
    return false;
  SmallVector<Column> ofFirst = columnsOf(first->offset, earlier.mask),
                      ofSecond = columnsOf(second->offset, later.mask);
  return llvm::any_of(ofFirst, [&](const Column &left) {
    return llvm::any_of(ofSecond, [&](const Column &right) {
      return staysBehind(left, right, shapeOf(earlier.pointer), shapeOf(later.pointer), loop);
    });
  });
}

} // namespace tawa
