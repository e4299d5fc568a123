// AxisInfo: parameters, control flow and hints. AxisInfoOps.cpp derives each operation's result facts from those of its
// operands.
#include "compiler/analysis/AxisInfo.h"

#include "compiler/frontend/TT/TT.h"
#include "compiler/roles/Tawa/Tawa.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include <bit>
#include <cstdlib>

using namespace mlir;

namespace tawa {

namespace {

/// Fixpoint iterations of a loop; facts only weaken, by halves, so a loop that needs more is treated as unknown.
constexpr unsigned kMaxRounds = 48;
constexpr int64_t kMaxAccessBytes = 16; // one vector access (PTX ISA, ld/st .v4.b32)
constexpr unsigned kAnyDivisorBits = 40;
/// Divisible by every number: far beyond any alignment in use.
constexpr int64_t kAnyDivisor = int64_t(1) << kAnyDivisorBits;

AxisInfo::Dims dimsOf(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.getRank() ? AxisInfo::Dims(tensor.getShape()) : AxisInfo::Dims{1};
}

} // namespace

int64_t powerOfTwoDivisor(int64_t value) {
  if (value == 0)
    return kAnyDivisor;
  unsigned zeros = std::countr_zero(uint64_t(value));
  return zeros >= kAnyDivisorBits ? kAnyDivisor : int64_t(1) << zeros;
}

int64_t AxisInfo::divisibilityAt(unsigned dim, int64_t group) const {
  return group >= contiguity[dim] ? divisibility[dim] : std::min(divisibility[dim], group * unit);
}

int64_t AxisInfo::commonDivisor() const {
  int64_t divisor = 1;
  for (unsigned dim = 0; dim < rank(); ++dim)
    divisor = std::max(divisor, divisibilityAt(dim, 1));
  return divisor;
}

AxisInfo unknownInfo(Type type) {
  size_t rank = dimsOf(type).size();
  AxisInfo info;
  info.contiguity.assign(rank, 1);
  info.constancy.assign(rank, 1);
  info.strided.assign(rank, 1);
  info.stride.assign(rank, 0);
  if (auto pointer = dyn_cast<tt::PointerType>(tt::elementTypeOf(type)))
    if (pointer.getPointeeType().isIntOrFloat())
      info.unit = std::max(1u, pointer.getPointeeType().getIntOrFloatBitWidth() / 8);
  // Addresses are at least where an element of their type can be.
  info.divisibility.assign(rank, info.unit);
  return info;
}

void completeStrides(AxisInfo &info) {
  for (unsigned dim = 0; dim < info.rank(); ++dim)
    for (auto [group, stride] : {std::pair(info.contiguity[dim], 1), std::pair(info.constancy[dim], 0)})
      if (group > info.strided[dim]) {
        info.strided[dim] = group;
        info.stride[dim] = stride;
      }
}

AxisInfo join(const AxisInfo &a, const AxisInfo &b) {
  AxisInfo result = a;
  for (unsigned dim = 0; dim < a.rank(); ++dim) {
    int64_t group = std::min(a.contiguity[dim], b.contiguity[dim]);
    result.divisibility[dim] = std::min(a.divisibilityAt(dim, group), b.divisibilityAt(dim, group));
    result.contiguity[dim] = group;
    result.constancy[dim] = std::min(a.constancy[dim], b.constancy[dim]);
    result.strided[dim] = a.stride[dim] == b.stride[dim] ? std::min(a.strided[dim], b.strided[dim]) : 1;
  }
  completeStrides(result);
  if (a.value != b.value)
    result.value.reset();
  result.mayBeNegative = a.mayBeNegative || b.mayBeNegative;
  return result;
}

//===--- Hints ----------------------------------------------------------------------------------------------------===//

AxisInfo::Dims readHint(Operation *op, StringRef name) {
  Attribute attr = op->getDiscardableAttr(name);
  if (auto number = dyn_cast_or_null<IntegerAttr>(attr))
    return {number.getInt()};
  AxisInfo::Dims hint;
  if (auto numbers = dyn_cast_or_null<DenseIntElementsAttr>(attr))
    for (const APInt &number : numbers.getValues<APInt>())
      hint.push_back(number.getSExtValue());
  return hint;
}

void applyHint(AxisInfo::Dims &facts, ArrayRef<int64_t> hint, ArrayRef<int64_t> limit) {
  if (hint.size() != facts.size() && hint.size() != 1)
    return;
  for (size_t dim = 0; dim < facts.size(); ++dim) {
    int64_t number = hint.size() == 1 ? hint[0] : hint[dim];
    if (number < 1)
      continue;
    if (!limit.empty())
      number = std::min<int64_t>(std::bit_floor(uint64_t(number)), limit[dim]);
    else
      number = powerOfTwoDivisor(number);
    facts[dim] = std::max(facts[dim], number);
  }
}

/// The hints on an operation about its result or, with a suffix, about an argument of its region.
static void applyHints(AxisInfo &info, Operation *op, Type type, const Twine &suffix = "") {
  if (op->getDiscardableAttrDictionary().empty())
    return;
  AxisInfo::Dims shape = dimsOf(type);
  // A divisibility hint refers to the groups of the contiguity hint.
  applyHint(info.contiguity, readHint(op, ("tt.contiguity" + suffix).str()), shape);
  applyHint(info.divisibility, readHint(op, ("tt.divisibility" + suffix).str()), {});
  applyHint(info.constancy, readHint(op, ("tt.constancy" + suffix).str()), shape);
  completeStrides(info);
}

//===--- Values ---------------------------------------------------------------------------------------------------===//

AxisInfoAnalysis::AxisInfoAnalysis(Operation *function, ArrayRef<Value> ignored) {
  visitArguments(function, ignored);
  for (Region &region : function->getRegions())
    for (Block &block : region)
      visitBlock(block);
}

AxisInfo AxisInfoAnalysis::of(Value value) const {
  auto found = facts.find(value);
  return found == facts.end() ? unknownInfo(value.getType()) : found->second;
}

AccessFacts AxisInfoAnalysis::access(Value pointer, Value mask) const {
  AxisInfo address = of(pointer);
  std::optional<AxisInfo> masked = mask ? std::optional(of(mask)) : std::nullopt;
  AccessFacts result{{}, address.contiguity, address.constancy, address.strided, address.stride, address.constancy};
  for (unsigned dim = 0; dim < address.rank(); ++dim) {
    int64_t elements =
        std::min({address.contiguity[dim], std::max<int64_t>(1, address.divisibility[dim] / address.unit),
                  std::max<int64_t>(1, kMaxAccessBytes / address.unit)});
    if (masked && masked->rank() == address.rank()) {
      elements = std::min(elements, masked->constancy[dim]);
      result.equal[dim] = std::min(result.equal[dim], masked->constancy[dim]);
    }
    result.vector.push_back(elements);
  }
  return result;
}

int64_t AccessFacts::neighboursWithin(unsigned dim, int64_t bytes, int64_t span) const {
  int64_t distance = std::max<int64_t>(1, std::abs(stride[dim]) * bytes);
  int64_t even = std::min(strided[dim], stride[dim] == 0 ? strided[dim] : span / distance);
  int64_t counting = std::min(contiguity[dim], span / bytes);
  return int64_t(std::bit_floor(uint64_t(std::max({even, counting, constancy[dim], int64_t(1)}))));
}

SmallVector<Value> hintedIntegers(Operation *function) {
  auto func = cast<FunctionOpInterface>(function);
  SmallVector<Value> hinted;
  for (BlockArgument argument : func.getArguments())
    if (isa<IntegerType>(argument.getType()) && func.getArgAttr(argument.getArgNumber(), kDivisibilityHint))
      hinted.push_back(argument);
  return hinted;
}

void AxisInfoAnalysis::visitArguments(Operation *function, ArrayRef<Value> ignored) {
  auto func = dyn_cast<FunctionOpInterface>(function);
  if (!func || func.isExternal())
    return;
  for (BlockArgument argument : func.getArguments()) {
    AxisInfo info = unknownInfo(argument.getType());
    info.mayBeNegative = false;
    auto hint = func.getArgAttrOfType<IntegerAttr>(argument.getArgNumber(), kDivisibilityHint);
    if (hint && !llvm::is_contained(ignored, argument))
      applyHint(info.divisibility, {hint.getInt()}, {});
    set(argument, std::move(info));
  }
}

bool AxisInfoAnalysis::joinInto(Value into, Value from) {
  AxisInfo joined = join(of(into), of(from));
  if (joined == of(into))
    return false;
  set(into, std::move(joined));
  return true;
}

//===--- Control flow ---------------------------------------------------------------------------------------------===//

void AxisInfoAnalysis::visitBlock(Block &block) {
  for (Operation &op : block)
    visitOperation(&op);
}

void AxisInfoAnalysis::visitOperation(Operation *op) {
  if (isa<scf::ForOp>(op))
    return visitFor(op);
  if (isa<scf::WhileOp>(op))
    return visitWhile(op);
  if (isa<scf::IfOp>(op))
    return visitIf(op);
  if (auto role = dyn_cast<ws::WarpGroupOp>(op))
    return visitBlock(role.getBody().front());
  if (op->getNumResults() == 0)
    return;
  if (op->getNumRegions() != 0 || op->getNumResults() > 2) {
    for (Value result : op->getResults())
      set(result, unknownInfo(result.getType()));
    return;
  }
  llvm::SmallVector<AxisInfo, 3> operands;
  for (Value operand : op->getOperands())
    operands.push_back(of(operand));
  AxisInfo info = transfer(op, operands);
  applyHints(info, op, op->getResult(0).getType());
  info.mayBeNegative &= !ws::kNotNegativeAttr.on(op);
  for (Value result : op->getResults())
    set(result, info.rank() == dimsOf(result.getType()).size() ? info : unknownInfo(result.getType()));
}

/// The body is visited with the facts of the initial values; yielded values weaken them until nothing changes.
void AxisInfoAnalysis::visitFor(Operation *op) {
  auto loop = cast<scf::ForOp>(op);
  AxisInfo first = of(loop.getLowerBound()), step = of(loop.getStep());
  AxisInfo counter = unknownInfo(loop.getInductionVar().getType());
  counter.divisibility[0] = std::min(first.commonDivisor(), step.commonDivisor());
  counter.mayBeNegative = first.mayBeNegative;
  applyHints(counter, op, loop.getInductionVar().getType(), "_arg0");
  set(loop.getInductionVar(), counter);
  for (auto [argument, init] : llvm::zip(loop.getRegionIterArgs(), loop.getInitArgs()))
    set(argument, of(init));
  bool changed = true;
  for (unsigned round = 0; changed; ++round) {
    for (BlockArgument argument : loop.getRegionIterArgs()) {
      AxisInfo info = round < kMaxRounds ? of(argument) : unknownInfo(argument.getType());
      applyHints(info, op, argument.getType(), "_arg" + Twine(argument.getArgNumber()));
      set(argument, std::move(info));
    }
    visitBlock(*loop.getBody());
    changed = false;
    for (auto [argument, yielded] : llvm::zip(loop.getRegionIterArgs(), loop.getYieldedValues())) {
      AxisInfo before = of(argument), joined = join(before, of(yielded));
      applyHints(joined, op, argument.getType(), "_arg" + Twine(argument.getArgNumber()));
      changed |= !(joined == before);
      set(argument, std::move(joined));
    }
    if (round > kMaxRounds)
      break;
  }
  for (auto [result, argument] : llvm::zip(loop.getResults(), loop.getRegionIterArgs()))
    set(result, of(argument));
}

void AxisInfoAnalysis::visitWhile(Operation *op) {
  auto loop = cast<scf::WhileOp>(op);
  for (auto [argument, init] : llvm::zip(loop.getBeforeArguments(), loop.getInits()))
    set(argument, of(init));
  bool changed = true;
  for (unsigned round = 0; changed && round <= kMaxRounds; ++round) {
    if (round == kMaxRounds)
      for (Value argument : loop.getBeforeArguments())
        set(argument, unknownInfo(argument.getType()));
    visitBlock(*loop.getBeforeBody());
    for (auto [argument, value] : llvm::zip(loop.getAfterArguments(), loop.getConditionOp().getArgs()))
      set(argument, of(value));
    visitBlock(*loop.getAfterBody());
    changed = false;
    for (auto [argument, yielded] : llvm::zip(loop.getBeforeArguments(), loop.getYieldOp().getResults()))
      changed |= joinInto(argument, yielded);
  }
  for (auto [result, value] : llvm::zip(loop.getResults(), loop.getConditionOp().getArgs()))
    set(result, of(value));
}

void AxisInfoAnalysis::visitIf(Operation *op) {
  auto branch = cast<scf::IfOp>(op);
  visitBlock(*branch.thenBlock());
  if (!branch.elseBlock())
    return;
  visitBlock(*branch.elseBlock());
  for (auto [result, then, otherwise] :
       llvm::zip(branch.getResults(), branch.thenYield().getResults(), branch.elseYield().getResults()))
    set(result, join(of(then), of(otherwise)));
}

} // namespace tawa
