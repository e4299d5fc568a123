// Puts the findings together, and writes conditions of launches as expressions.
#include "compiler/analysis/Tiling.h"

#include "compiler/analysis/GlobalAccess.h"
#include "compiler/analysis/LaunchExpression.h"
#include "compiler/analysis/LogicalArguments.h"
#include "compiler/analysis/SummingLoop.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tawa {

Tiling::Tiling(tt::FuncOp func) : func(func), found(func), numbered(findNumberings(found)), counted(findTrips(found)) {
  closeShared();
  closeInexpressible();
}

/// A division that counts tiles of two dimensions could count those of one only.
void Tiling::closeShared() {
  for (const TileCount &trips : counted)
    for (const TileNumbering &numbering : numbered)
      for (const TileCount &count : numbering.counts)
        for (OpOperand *use : count.uses)
          if (llvm::is_contained(trips.uses, use))
            found.close(trips.dimension, RetileReason::SharedConstant, trips.division());
}

void Tiling::closeInexpressible() {
  for (const TileNumbering &numbering : numbered) {
    scf::ForOp loop = numbering.loop;
    bool isKnown = !loop || launchExpression(loop.getUpperBound());
    for (const TileCount &count : numbering.counts)
      isKnown &= launchExpression(count.value).has_value();
    for (size_t dimension : numbering.dimensions)
      if (!isKnown)
        found.close(dimension, RetileReason::GridUnknown, numbering.number.getDefiningOp());
  }
  for (auto [position, dimension] : llvm::enumerate(found.dimensions()))
    if (dimension.isOpen() && dimension.loop && end(position, dimension.size).empty())
      found.close(position, RetileReason::GridUnknown, dimension.loop);
}

//===--- Expressions ----------------------------------------------------------------------------------------------===//

static std::string number(int64_t value) {
  return value < 0 ? "(0 - " + std::to_string(-value) + ")" : std::to_string(value);
}

/// The number of tiles of this size, which need not be the text's; empty where the launch cannot know.
std::string Tiling::tiles(const TileCount &count, int64_t size) const {
  int64_t own = found.dimensions()[count.dimension].size;
  if (auto constant = constantOf(count.value))
    return number(llvm::divideCeil(*constant / count.factor * own, size));
  auto dividend = launchExpression(count.division()->getOperand(0));
  if (!dividend)
    return "";
  std::string sum = count.roundsUp && size != own ? "(" + *dividend + " + " + number(size - own) + ")" : *dividend;
  return "(" + sum + " / " + number(size) + ")";
}

const TileCount *Tiling::countOf(size_t dimension) const {
  for (const TileNumbering &numbering : numbered)
    for (const TileCount &count : numbering.counts)
      if (count.dimension == dimension)
        return &count;
  for (const TileCount &count : counted)
    if (count.dimension == dimension)
      return &count;
  return nullptr;
}

/// The product of the counts, which may be none.
std::string Tiling::product(const TileNumbering &numbering, ArrayRef<int64_t> sizes) const {
  std::string text;
  for (size_t position : numbering.dimensions)
    if (const TileCount *count = countOf(position))
      text += (text.empty() ? "" : " * ") + tiles(*count, sizes[position]);
  return text;
}

SmallVector<int64_t> Tiling::ownSizes() const {
  return llvm::map_to_vector(found.dimensions(), [](const TiledDimension &dimension) { return dimension.size; });
}

/// Elements that the grid which is asked for covers along a dimension that nothing else counts.
std::string Tiling::elementsOfGrid(const TileNumbering &numbering) const {
  std::string asked = "g" + std::to_string(numbering.axis), was = product(numbering, ownSizes());
  std::string each = was.empty() ? asked : asked + " / max(" + was + ", 1)";
  return "(" + each + " * " + number(found.dimensions()[*numbering.uncounted].size) + ")";
}

/// The element at which tiles of this size end; empty where a launch cannot know.
std::string Tiling::end(size_t position, int64_t size) {
  for (const TileNumbering &numbering : numbered)
    if (numbering.uncounted == position)
      return "(ceildiv(" + elementsOfGrid(numbering) + ", " + number(size) + ") * " + number(size) + ")";
  if (const TileCount *count = countOf(position)) {
    std::string number = tiles(*count, size);
    return number.empty() ? "" : "(" + number + " * " + std::to_string(size) + ")";
  }
  scf::ForOp loop = found.dimensions()[position].loop;
  auto from = loop ? launchExpression(loop.getLowerBound()) : std::nullopt;
  auto to = loop ? launchExpression(loop.getUpperBound()) : std::nullopt;
  if (!from || !to)
    return "";
  if (*from == "0")
    return "(ceildiv(" + *to + ", " + number(size) + ") * " + number(size) + ")";
  return "(" + *from + " + ceildiv(" + *to + " - " + *from + ", " + number(size) + ") * " + number(size) + ")";
}

/// The size of the dimension itself, where tiles of any size cover it.
std::optional<TileForm> Tiling::length(size_t position) {
  const TiledDimension &dimension = found.dimensions()[position];
  const TileCount *count = countOf(position);
  if (scf::ForOp loop = dimension.loop; !count)
    return loop ? std::optional(found.forms().of(loop.getUpperBound())) : std::nullopt;
  if (!count->roundsUp || constantOf(count->value))
    return std::nullopt;
  return TileForms::sum(found.forms().of(count->division()->getOperand(0)), {{{}, dimension.size - 1}}, -1);
}

/// Empty for a form that a launch cannot compute.
std::string Tiling::print(const TileForm &form) {
  std::string text;
  for (const auto &[factors, coefficient] : form) {
    std::string term = factors.empty() || coefficient != 1 ? number(coefficient) : "";
    for (unsigned factor : factors) {
      const TileSymbol &symbol = found.forms().symbol(factor);
      auto value = symbol.kind == TileSymbol::Kind::Site     ? std::optional(number(symbol.number))
                   : symbol.kind == TileSymbol::Kind::Scalar ? launchExpression(symbol.value)
                                                             : std::nullopt;
      if (!value)
        return "";
      term += (term.empty() ? "" : " * ") + *value;
    }
    text += (text.empty() ? "" : " + ") + term;
  }
  return text.empty() ? "0" : form.size() == 1 ? text : "(" + text + ")";
}

//===--- How far accesses reach -----------------------------------------------------------------------------------===//

/// index < bound, for an index that is the element's.
Tiling::Bound Tiling::boundOfCompare(Operation *op, size_t position) {
  auto compare = cast<arith::CmpIOp>(op);
  using Predicate = arith::CmpIPredicate;
  bool isBelow = llvm::is_contained({Predicate::slt, Predicate::sle, Predicate::ult}, compare.getPredicate());
  bool isAbove = llvm::is_contained({Predicate::sgt, Predicate::sge, Predicate::ugt}, compare.getPredicate());
  bool isIncluded = llvm::is_contained({Predicate::sle, Predicate::sge}, compare.getPredicate());
  Value less = isBelow ? compare.getLhs() : compare.getRhs(), more = isBelow ? compare.getRhs() : compare.getLhs();
  auto form = isBelow || isAbove
                  ? found.withoutOrigins(TileForms::sum(found.forms().of(less), found.forms().of(more), -1))
                  : std::nullopt;
  unsigned index = found.forms().indexSymbol(found.dimensions()[position].cls);
  auto own = form ? form->find({index}) : TileForm::iterator();
  if (!form || own == form->end() || own->second != 1)
    return {};
  form->erase(own);
  TileForm bound = TileForms::sum({}, *form, -1);
  if (isIncluded)
    bound = TileForms::sum(bound, {{{}, 1}});
  std::string expression = print(bound);
  return expression.empty() ? Bound() : Bound{expression, bound};
}

Tiling::Bound Tiling::boundOfMask(Value mask, size_t position) {
  Operation *op = mask ? mask.getDefiningOp() : nullptr;
  if (!op || found.dims().of(mask).empty())
    return {};
  if (isa<arith::CmpIOp>(op))
    return boundOfCompare(op, position);
  if (!isa<arith::AndIOp, tt::BroadcastOp, tt::ExpandDimsOp, tt::TransOp, tt::ReshapeOp>(op))
    return {};
  for (Value part : op->getOperands())
    if (Bound bound = boundOfMask(part, position); !bound.expression.empty())
      return bound;
  return {};
}

/// The tensor's size along the dimension, where the block begins at the tile's first element.
Tiling::Bound Tiling::boundOfBlock(Value descriptor, ValueRange indices, size_t position) {
  int cls = found.dimensions()[position].cls;
  for (auto [dim, index] : llvm::enumerate(indices)) {
    if (found.dims().of(descriptor, dim) != cls)
      continue;
    auto form = found.withoutOrigins(TileForms::sum(found.forms().of(index), found.forms().index(cls)));
    if (!form || *form != found.forms().index(cls))
      return {};
    if (auto make = descriptor.getDefiningOp<tt::MakeTensorDescOp>()) {
      auto size = launchExpression(make.getShape()[dim]);
      return size ? Bound{*size, found.forms().of(make.getShape()[dim])} : Bound();
    }
    auto argument = dyn_cast<BlockArgument>(descriptor);
    auto role = argument && argument.getOwner() == &func.getBody().front()
                    ? parameterRole(func, argument.getArgNumber())
                    : std::nullopt;
    if (role)
      return {"a" + std::to_string(role->argument) + "_shape" + std::to_string(dim), std::nullopt};
  }
  return {};
}

Tiling::Bound Tiling::boundOf(Operation *access, size_t position) {
  if (auto load = dyn_cast<tt::DescriptorLoadOp>(access))
    return boundOfBlock(load.getDesc(), load.getIndices(), position);
  if (auto store = dyn_cast<tt::DescriptorStoreOp>(access))
    return boundOfBlock(store.getDesc(), store.getIndices(), position);
  if (auto reduce = dyn_cast<tt::DescriptorReduceOp>(access))
    return boundOfBlock(reduce.getDesc(), reduce.getIndices(), position);
  return isa<tt::LoadOp, tt::StoreOp, tt::AtomicRMWOp>(access) ? boundOfMask(maskOf(access), position) : Bound();
}

/// Whether an address does not grow with the index: it contains it in remainders alone.
bool Tiling::isConfined(Value pointer, int cls) {
  unsigned index = found.forms().indexSymbol(cls);
  for (const auto &[factors, coefficient] : found.forms().of(pointer))
    for (unsigned factor : factors) {
      Value value = found.forms().symbol(factor).value;
      bool isAlong = value && llvm::is_contained(found.dims().of(value), cls);
      if (factor == index || (isAlong && !isa_and_nonnull<arith::RemSIOp, arith::RemUIOp>(value.getDefiningOp())))
        return false;
    }
  return true;
}

/// Whether a product's operand is zero outside of what its load reaches.
bool Tiling::isZeroOutside(Value operand, size_t position) {
  Operation *op = operand.getDefiningOp();
  if (!op)
    return false;
  if (auto load = dyn_cast<tt::DescriptorLoadOp>(op)) {
    auto make = load.getDesc().getDefiningOp<tt::MakeTensorDescOp>();
    return !(make && make.getPadding() == tt::PaddingOption::NaN) && !boundOf(op, position).expression.empty();
  }
  if (auto load = dyn_cast<tt::LoadOp>(op))
    return load.getOther() &&
           (matchPattern(load.getOther(), m_AnyZeroFloat()) || matchPattern(load.getOther(), m_Zero())) &&
           !boundOf(op, position).expression.empty();
  if (isa<tt::TransOp, tt::ReshapeOp, tt::ExpandDimsOp, tt::BroadcastOp, tt::FpToFpOp, arith::ExtFOp, arith::TruncFOp,
          arith::SIToFPOp, arith::UIToFPOp, arith::ExtSIOp, arith::ExtUIOp>(op))
    return isZeroOutside(op->getOperand(0), position);
  return isa<arith::MulFOp, arith::MulIOp>(op) &&
         (isZeroOutside(op->getOperand(0), position) || isZeroOutside(op->getOperand(1), position));
}

//===--- The launch -----------------------------------------------------------------------------------------------===//

static void addZero(RetiledGrid &launch, std::string expression) {
  if (!llvm::is_contained(launch.zeros, expression))
    launch.zeros.push_back(std::move(expression));
}

/// Whether an access of elements that only one of two sizes covers shows.
bool Tiling::shows(Operation *access, size_t position) {
  const TiledDimension &dimension = found.dimensions()[position];
  Bound bound = boundOf(access, position);
  if (bound.form && bound.form == length(position))
    return false;
  auto load = dyn_cast<tt::LoadOp>(access);
  bool isSafe = isa<tt::DescriptorLoadOp>(access) || (load && isConfined(load.getPtr(), dimension.cls));
  return !isSafe || dimension.loop; // what is loaded beside the elements that both cover is not stored
}

/// Both sizes reach the same elements; of loads for other dimensions than sums, the new one reaches no more.
void Tiling::addAccess(Operation *access, size_t position, int64_t size, RetiledGrid &launch) {
  const TiledDimension &dimension = found.dimensions()[position];
  std::string bound = boundOf(access, position).expression;
  std::string was = end(position, dimension.size), now = end(position, size);
  if (!bound.empty()) {
    was = "min(" + was + ", " + bound + ")";
    now = "min(" + now + ", " + bound + ")";
  }
  bool mayReachLess = isa<tt::LoadOp, tt::DescriptorLoadOp>(access) && !dimension.loop;
  addZero(launch, mayReachLess ? "max(" + now + " - " + was + ", 0)" : now + " - " + was);
}

/// Products along the dimension whose operands are not zero where nothing bounds them.
bool Tiling::isUnboundedSum(Operation *op, size_t position) {
  auto dot = dyn_cast<tt::DotOp>(op);
  return dot && summedClass(dot, found.dims()) == found.dimensions()[position].cls &&
         !isZeroOutside(dot.getA(), position) && !isZeroOutside(dot.getB(), position);
}

void Tiling::forEachAccess(size_t position, llvm::function_ref<void(Operation *)> call) {
  func.walk([&](Operation *op) {
    auto isAlong = [&](Value value) {
      return llvm::is_contained(found.dims().of(value), found.dimensions()[position].cls);
    };
    if (isa<tt::LoadOp, tt::DescriptorLoadOp, tt::StoreOp, tt::DescriptorStoreOp, tt::DescriptorReduceOp,
            tt::AtomicRMWOp, tt::AtomicCASOp>(op) &&
        llvm::any_of(op->getOperands(), isAlong) && shows(op, position))
      call(op);
  });
}

void Tiling::addAccesses(size_t position, int64_t size, RetiledGrid &launch) {
  func.walk([&](Operation *op) {
    if (isUnboundedSum(op, position))
      addZero(launch, end(position, size) + " - " + end(position, found.dimensions()[position].size));
  });
  forEachAccess(position, [&](Operation *op) { addAccess(op, position, size, launch); });
}

void Tiling::addPrograms(const TileNumbering &numbering, ArrayRef<int64_t> sizes, RetiledGrid &launch) {
  std::string counted = product(numbering, ownSizes()), now = product(numbering, sizes);
  std::string was = "max(" + counted + ", 1)", asked = "g" + std::to_string(numbering.axis);
  std::string &programs = launch.programs[numbering.axis];
  if (scf::ForOp loop = numbering.loop) {
    auto step = constantOf(loop.getStep());
    if (!step) // of as many programs as there are
      return;
    std::string tiles = *launchExpression(loop.getUpperBound());
    addZero(launch, "max(min(" + number(*step) + ", " + tiles + ") - " + asked + ", 0)");
    programs = "min(" + number(*step) + ", " + tiles + " / " + was + " * " + now + ")";
    return;
  }
  if (!counted.empty())
    addZero(launch, asked + (numbering.hasOthers || numbering.uncounted ? " % " : " - ") + was);
  if (numbering.uncounted)
    programs = "ceildiv(" + elementsOfGrid(numbering) + ", " + number(sizes[*numbering.uncounted]) + ")" +
               (now.empty() ? "" : " * " + now);
  else
    programs = asked + " / " + was + " * " + now;
}

RetiledGrid Tiling::launchFor(ArrayRef<int64_t> sizes) {
  RetiledGrid launch;
  for (auto [position, dimension] : llvm::enumerate(found.dimensions())) {
    if (dimension.isOpen() && sizes[position] != dimension.size)
      addAccesses(position, sizes[position], launch);
  }
  for (const TileNumbering &numbering : numbered)
    if (llvm::any_of(numbering.dimensions,
                     [&](size_t position) { return sizes[position] != found.dimensions()[position].size; }))
      addPrograms(numbering, sizes, launch);
  return launch;
}

} // namespace tawa
