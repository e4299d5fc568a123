// Collects what has to depend on elements alone, and leaves dimensions out until all of it does.
#include "compiler/analysis/IterationSpace.h"

#include "compiler/analysis/ProgramGrid.h"
#include "compiler/analysis/ScalarFlow.h"
#include "compiler/analysis/SummingLoop.h"
#include "runtime/artifact/TileSizes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <numeric>

using namespace mlir;

namespace tawa {

static DenseSet<Value> scalarsOfPrograms(tt::FuncOp func) {
  SmallVector<Value> ids;
  func.walk([&](Operation *op) {
    if (isa<tt::GetProgramIdOp, tt::GetNumProgramsOp>(op))
      ids.push_back(op->getResult(0));
  });
  return scalarsFrom(ids);
}

IterationSpace::IterationSpace(tt::FuncOp func)
    : func(func), classes(func), fromPrograms(scalarsOfPrograms(func)),
      readForms(classes, [this](Value value) { return fromPrograms.contains(value); }),
      tileLoop(findWrittenTileLoop(func)) {
  nameDimensions();
  if (tiled.empty())
    return;
  func.walk([&](Operation *op) { oblige(op); });
  solve();
}

std::optional<size_t> IterationSpace::dimensionOf(int cls) const {
  for (auto [position, dimension] : llvm::enumerate(tiled))
    if (dimension.cls == cls && dimension.isOpen())
      return position;
  return std::nullopt;
}

void IterationSpace::close(size_t dimension, RetileReason reason, Operation *place) {
  if (!tiled[dimension].isOpen())
    return;
  tiled[dimension].reason = reason;
  tiled[dimension].place = place;
}

void IterationSpace::closePrograms(RetileReason reason, Operation *place) {
  for (auto [position, dimension] : llvm::enumerate(tiled))
    if (!dimension.loop)
      close(position, reason, place);
}

tt::DotOp firstProduct(tt::FuncOp func) {
  tt::DotOp dot;
  func.walk([&](tt::DotOp first) {
    dot = first;
    return WalkResult::interrupt();
  });
  return dot;
}

void IterationSpace::nameDimensions() {
  tt::DotOp dot = firstProduct(func);
  if (!dot)
    return;
  SmallVector<int> result = classes.of(dot.getResult());
  int named[] = {result[result.size() - 2], result.back(), summedClass(dot, classes)};
  for (auto [name, cls] : llvm::zip(kTileSizes, named)) {
    if (cls == TileDims::kNone)
      continue;
    TiledDimension dimension{name, cls, classes.sizeOf(cls), 0, {}};
    tiled.push_back(dimension);
    if (llvm::count(named, cls) > 1)
      close(tiled.size() - 1, RetileReason::SameDimension, dot);
    if (Operation *op = classes.boundBy(cls))
      close(tiled.size() - 1, RetileReason::Bound, op);
  }
}

//===--- What has to depend on elements alone ---------------------------------------------------------------------===//

static bool isInteger(Value value) { return isa<IntegerType, tt::PointerType>(tt::elementTypeOf(value.getType())); }

/// Operations that TileForms reads through: their users are asked.
bool IterationSpace::isReadAsForm(Operation *op) {
  return op->getNumResults() == 1 && !readForms.isOpaque(op->getResult(0));
}

/// Of values that a loop carries, those that are not read as the form of its iterations.
SmallVector<Value> IterationSpace::opaqueTiles(scf::ForOp loop, ValueRange values) {
  SmallVector<Value> tiles;
  for (auto [argument, value] : llvm::zip(loop.getRegionIterArgs(), values))
    if (isa<RankedTensorType>(value.getType()) && readForms.isOpaque(argument))
      tiles.push_back(value);
  return tiles;
}

static bool isOfScalars(Operation *op) {
  auto isTile = [](Type type) { return isa<RankedTensorType, tt::TensorDescType>(type); };
  bool onlyReads = isMemoryEffectFree(op) || isa<tt::LoadOp>(op);
  return op->getNumRegions() == 0 && onlyReads && llvm::none_of(op->getOperandTypes(), isTile) &&
         llvm::none_of(op->getResultTypes(), isTile);
}

void IterationSpace::obligeBlock(Operation *op, Value descriptor, ValueRange indices) {
  for (auto [dim, index] : llvm::enumerate(indices)) {
    int cls = classes.of(descriptor, dim);
    TileForm form = readForms.of(index);
    obligations.push_back({cls == TileDims::kNone ? form : TileForms::sum(form, readForms.index(cls)), op});
  }
}

void IterationSpace::oblige(Operation *op) {
  auto obligeAll = [&](ValueRange values) {
    for (Value value : values)
      if (isInteger(value) || !isa<RankedTensorType, tt::TensorDescType>(value.getType()))
        obligations.push_back({readForms.of(value), op});
  };
  if (isa<tt::FuncOp, scf::WhileOp>(op) || isOfScalars(op) || isReadAsForm(op))
    return;
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    if (loop != tileLoop)
      obligeAll({loop.getLowerBound(), loop.getUpperBound(), loop.getStep()});
    return obligeAll(opaqueTiles(loop, loop.getInitArgs()));
  }
  if (auto load = dyn_cast<tt::DescriptorLoadOp>(op))
    return obligeBlock(op, load.getDesc(), load.getIndices());
  if (auto store = dyn_cast<tt::DescriptorStoreOp>(op))
    return obligeBlock(op, store.getDesc(), store.getIndices());
  if (auto reduce = dyn_cast<tt::DescriptorReduceOp>(op))
    return obligeBlock(op, reduce.getDesc(), reduce.getIndices());
  if (auto compare = dyn_cast<arith::CmpIOp>(op)) {
    obligations.push_back({TileForms::sum(readForms.of(compare.getLhs()), readForms.of(compare.getRhs()), -1), op});
    return;
  }
  if (auto loop = dyn_cast<scf::ForOp>(op->getParentOp()); loop && isa<scf::YieldOp>(op))
    return obligeAll(opaqueTiles(loop, op->getOperands()));
  if (isa<scf::YieldOp>(op)) // of scalars, their users are asked
    return obligeAll(llvm::to_vector(llvm::make_filter_range(
        op->getOperands(), [](Value value) { return isa<RankedTensorType>(value.getType()); })));
  obligeAll(op->getOperands());
}

//===--- Tiles' numbers -------------------------------------------------------------------------------------------===//

bool IterationSpace::isNumber(const TileSymbol &symbol) const {
  if (symbol.kind == TileSymbol::Kind::Rounds)
    return true;
  return symbol.kind == TileSymbol::Kind::Scalar && symbol.value.getType().isIntOrIndex() &&
         fromPrograms.contains(symbol.value);
}

/// `factors` without `others`, of which all have to be there; equal constants, such as strides that stand at several
/// places, are the same.
static std::optional<TileFactors> without(const TileForms &forms, const TileFactors &factors,
                                          const TileFactors &others) {
  TileFactors rest = factors;
  for (unsigned other : others) {
    const TileSymbol &symbol = forms.symbol(other);
    auto found = llvm::find(rest, other);
    if (found == rest.end() && symbol.kind == TileSymbol::Kind::Site)
      found = llvm::find_if(rest, [&](unsigned factor) {
        return forms.symbol(factor).kind == symbol.kind && forms.symbol(factor).number == symbol.number;
      });
    if (found == rest.end())
      return std::nullopt;
    rest.erase(found);
  }
  return rest;
}

/// Symbols q for which the form has a term (size * q * a), where it has a term (index * a).
std::vector<unsigned> IterationSpace::candidatesFor(const TiledDimension &dimension, const TileForm &form) {
  std::vector<unsigned> found;
  unsigned index = readForms.indexSymbol(dimension.cls);
  auto ofIndex = llvm::find_if(form, [&](const auto &term) { return llvm::is_contained(term.first, index); });
  TileFactors beside = ofIndex->first;
  beside.erase(llvm::find(beside, index));
  for (const auto &[factors, coefficient] : form) {
    auto rest = without(readForms, factors, beside);
    if (!rest || rest->size() != 2)
      continue;
    for (auto [site, number] : {std::pair(rest->front(), rest->back()), std::pair(rest->back(), rest->front())})
      if (const TileSymbol &symbol = readForms.symbol(site);
          symbol.kind == TileSymbol::Kind::Site && isNumber(readForms.symbol(number)) &&
          coefficient * symbol.number == ofIndex->second * dimension.size)
        found.push_back(number);
  }
  llvm::sort(found);
  return found;
}

bool IterationSpace::findNumber(TiledDimension &dimension) {
  std::optional<std::vector<unsigned>> common;
  unsigned index = readForms.indexSymbol(dimension.cls);
  auto fail = [&](Operation *op) {
    dimension.reason = RetileReason::NoOrigin;
    dimension.place = op;
    return false;
  };
  for (const Obligation &obligation : obligations) {
    if (llvm::none_of(obligation.form, [&](const auto &term) { return llvm::is_contained(term.first, index); }))
      continue;
    std::vector<unsigned> both, here = candidatesFor(dimension, obligation.form);
    if (common)
      std::set_intersection(common->begin(), common->end(), here.begin(), here.end(), std::back_inserter(both));
    common = common ? both : here;
    if (common->empty())
      return fail(obligation.op);
  }
  if (!common)
    return fail(func);
  dimension.number = common->front();
  const TileSymbol &symbol = readForms.symbol(dimension.number);
  if (symbol.kind == TileSymbol::Kind::Rounds)
    dimension.loop = cast<scf::ForOp>(Value(symbol.value).getParentBlock()->getParentOp());
  return true;
}

/// Takes size * q * a out of the form for each index * a; what stands for the size goes to `used`.
bool IterationSpace::cancel(const TiledDimension &dimension, TileForm &form, std::vector<OpOperand *> &used) {
  unsigned index = readForms.indexSymbol(dimension.cls);
  TileForm rest = form;
  for (const auto &[factors, coefficient] : form) {
    if (llvm::count(factors, index) == 0)
      continue;
    TileFactors origin = factors;
    origin.erase(llvm::find(origin, index));
    origin.push_back(dimension.number);
    const TileSymbol *size = nullptr; // what stands for it
    auto isOrigin = [&, amount = coefficient * dimension.size](const auto &term) {
      auto more = without(readForms, term.first, origin);
      size = more && more->size() == 1 ? &readForms.symbol(more->front()) : nullptr;
      return size && size->kind == TileSymbol::Kind::Site && term.second * size->number == amount;
    };
    auto found = llvm::find_if(rest, isOrigin);
    if (found == rest.end() || llvm::count(factors, index) > 1)
      return false;
    used.push_back(size->site);
    rest.erase(found);
  }
  form = std::move(rest);
  return true;
}

std::optional<TileForm> IterationSpace::withoutOrigins(TileForm form) {
  std::vector<OpOperand *> used;
  for (const TiledDimension &dimension : tiled)
    if (dimension.isOpen() && !cancel(dimension, form, used))
      return std::nullopt;
  return form;
}

//===--- The proof ------------------------------------------------------------------------------------------------===//

bool IterationSpace::keepSites(size_t dimension, ArrayRef<OpOperand *> used, Operation *op) {
  for (OpOperand *site : used)
    if (auto [found, isNew] = foundSites.try_emplace(site, dimension); !isNew && found->second != dimension) {
      close(dimension, RetileReason::SharedConstant, op);
      return false;
    }
  return true;
}

/// Whether a division is (S * q) / c for a size S that divides c, as the number of a group of scales is: then it is the
/// same for all elements of a tile, of each size that divides c. Numbers q of a loop are not negative.
bool IterationSpace::isQuotient(size_t position, Operation *division) {
  TiledDimension &dimension = tiled[position];
  auto divisor =
      isa<arith::DivSIOp, arith::DivUIOp>(division) ? constantOf(division->getOperand(1)) : std::optional<int64_t>();
  if (!divisor || *divisor <= 0 || *divisor % dimension.size != 0)
    return false;
  TileForm index = readForms.index(dimension.cls);
  TileForm element = TileForms::sum(readForms.of(division->getOperand(0)), index);
  std::vector<OpOperand *> used;
  if (!cancel(dimension, element, used) || element != index || !keepSites(position, used, division))
    return false;
  dimension.period = std::gcd(dimension.period, *divisor);
  return true;
}

/// Whether a scalar of the dimension's loop follows from such quotients, and from nothing else in the loop. What `seen`
/// has was asked.
bool IterationSpace::isOfQuotients(size_t position, Value scalar, DenseSet<Value> &seen) {
  scf::ForOp loop = tiled[position].loop;
  Operation *op = scalar.getDefiningOp();
  if (loop.isDefinedOutsideOfLoop(scalar) || !seen.insert(scalar).second)
    return true;
  return op && (isQuotient(position, op) || (isOfScalars(op) && llvm::all_of(op->getOperands(), [&](Value operand) {
                                               return isOfQuotients(position, operand, seen);
                                             })));
}

/// What is left of a form must not depend on how elements are divided into tiles.
bool IterationSpace::checkSymbol(const Obligation &obligation, const TileSymbol &symbol) {
  if (symbol.kind == TileSymbol::Kind::Site) {
    auto found = foundSites.find(symbol.site);
    if (found == foundSites.end())
      return true;
    close(found->second, RetileReason::SharedConstant, obligation.op);
    return false;
  }
  if (symbol.kind == TileSymbol::Kind::Index)
    return true;
  for (auto [position, dimension] : llvm::enumerate(tiled)) {
    if (!dimension.isOpen())
      continue;
    bool isItsNumber = !dimension.loop && symbol.value == numberOf(dimension);
    bool isOfLoop = dimension.loop && fromLoops[position].contains(symbol.value);
    DenseSet<Value> seen;
    if (isItsNumber || (isOfLoop && !isOfQuotients(position, symbol.value, seen))) {
      close(position, RetileReason::NumberEscapes, obligation.op);
      return false;
    }
  }
  if (symbol.value && fromPrograms.contains(symbol.value))
    otherScalars.insert(symbol.value);
  return true;
}

bool IterationSpace::checkRest(const Obligation &obligation, const TileForm &rest) {
  for (const auto &[factors, coefficient] : rest)
    for (unsigned factor : factors)
      if (!checkSymbol(obligation, readForms.symbol(factor)))
        return false;
  return true;
}

/// Besides addresses: sums along the dimension.
bool IterationSpace::checkUse(size_t position) {
  TiledDimension &dimension = tiled[position];
  bool isOpen = true;
  func.walk([&](tt::DotOp dot) {
    bool isElsewhere = !dimension.loop || dot->getParentOp() != dimension.loop;
    if (summedClass(dot, classes) == dimension.cls && isElsewhere && isOpen) {
      close(position, RetileReason::SummedInTile, dot);
      isOpen = false;
    }
  });
  func.walk([&](Operation *op) {
    bool isAtomic = isa<tt::AtomicRMWOp, tt::AtomicCASOp, tt::DescriptorReduceOp>(op);
    auto isAlong = [&](Value value) { return llvm::is_contained(classes.of(value), dimension.cls); };
    if (isOpen && isAtomic && !dimension.loop && llvm::none_of(op->getOperands(), isAlong)) {
      close(position, RetileReason::OncePerTile, op);
      isOpen = false;
    }
  });
  if (isOpen && dimension.loop)
    if (auto reason = declineSum(dimension.loop, dimension.cls, classes, readForms)) {
      close(position, *reason, dimension.loop);
      isOpen = false;
    }
  return isOpen;
}

/// False where a dimension was closed, so that what the others need has to be asked again.
bool IterationSpace::solveOnce() {
  foundSites.clear();
  otherScalars.clear();
  for (TiledDimension &dimension : tiled)
    dimension.period = 0;
  for (auto [position, dimension] : llvm::enumerate(tiled)) {
    if (!dimension.isOpen())
      continue;
    if (!findNumber(dimension) || !checkUse(position))
      return false;
    if (dimension.loop)
      fromLoops[position] = scalarsFrom(llvm::to_vector_of<Value>(dimension.loop.getBody()->getArguments()));
    auto step = dimension.loop ? constantOf(dimension.loop.getStep()) : std::nullopt;
    if (step == dimension.size && !keepSites(position, {&dimension.loop.getStepMutable()}, dimension.loop))
      return false;
  }
  std::vector<std::pair<const Obligation *, TileForm>> rests;
  for (const Obligation &obligation : obligations) {
    auto isAlong = [&](const TiledDimension &dimension) {
      return dimension.isOpen() && dimension.loop && dimension.loop == obligation.op;
    };
    if (llvm::any_of(tiled, isAlong))
      continue; // its bounds are numbers of tiles
    TileForm rest = obligation.form;
    for (auto [position, dimension] : llvm::enumerate(tiled)) {
      std::vector<OpOperand *> used;
      if (!dimension.isOpen())
        continue;
      if (!cancel(dimension, rest, used)) {
        close(position, RetileReason::NoOrigin, obligation.op);
        return false;
      }
      if (!keepSites(position, used, obligation.op))
        return false;
    }
    rests.emplace_back(&obligation, std::move(rest));
  }
  return llvm::all_of(rests, [&](const auto &rest) { return checkRest(*rest.first, rest.second); });
}

void IterationSpace::solve() {
  while (llvm::any_of(tiled, [](const TiledDimension &dimension) { return dimension.isOpen(); }) && !solveOnce())
    ;
}

} // namespace tawa
