// Reads scalars as numbers per program and multiples of loop indices.
#include "compiler/planner/affinize/Linear.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/SmallPtrSet.h"

#include <algorithm>

using namespace mlir;

namespace tawa {

void Linear::add(const Linear &other, int64_t factor) {
  for (size_t i = 0; i < programs.size(); ++i)
    programs[i] += factor * other.programs[i];
  for (auto [loop, coefficient] : other.loops)
    loops[loop] += factor * coefficient;
  std::erase_if(loops, [](const auto &entry) { return entry.second == 0; });
}

void Linear::add(int64_t constant) {
  for (int64_t &value : programs)
    value += constant;
}

static std::optional<int64_t> sameEverywhere(const ProgramFunction &function) {
  bool same = std::ranges::all_of(function, [&](int64_t value) { return value == function.front(); });
  return same ? std::optional(function.front()) : std::nullopt;
}

std::optional<int64_t> Linear::asConstant() const { return loops.empty() ? sameEverywhere(programs) : std::nullopt; }

std::optional<Linear> LinearReader::product(const Linear &a, const Linear &b) const {
  if (!a.loops.empty() && !b.loops.empty())
    return std::nullopt;
  const Linear &scale = a.loops.empty() ? a : b, &moving = a.loops.empty() ? b : a;
  Linear result = moving;
  std::optional<int64_t> factor = sameEverywhere(scale.programs);
  if (!moving.loops.empty() && !factor)
    return std::nullopt;
  for (size_t i = 0; i < result.programs.size(); ++i)
    result.programs[i] *= scale.programs[i];
  for (auto &[loop, coefficient] : result.loops)
    coefficient *= *factor;
  std::erase_if(result.loops, [](const auto &entry) { return entry.second == 0; });
  return result;
}

std::optional<Linear> LinearReader::read(const raise::Polynomial &polynomial) {
  Linear sum = constant(0);
  for (const auto &[monomial, coefficient] : polynomial.terms) {
    if (monomial.index >= 0)
      return std::nullopt;
    std::optional<Linear> term = constant(coefficient);
    for (unsigned factor : monomial.factors) {
      std::optional<Linear> value = read(addresses.value(factor));
      term = value ? product(*term, *value) : std::nullopt;
      if (!term)
        return std::nullopt;
    }
    sum.add(*term);
  }
  return sum;
}

std::optional<Linear> LinearReader::read(Value scalar) {
  if (const ProgramFunction *function = values.of(scalar))
    return Linear{*function, {}};
  if (auto argument = dyn_cast<BlockArgument>(scalar))
    return readArgument(argument);
  return readArithmetic(scalar);
}

void LinearReader::enter(scf::ForOp loop, int number, int64_t extent) {
  numbers[loop] = number;
  if (extent != 1)
    return;
  // What is computed from the variables of a single iteration need not be affine: it is one number per program. So it
  // is in a loop over the tiles of a grid, where there are as many programs as tiles.
  bindOnce(loop.getInductionVar(), loop.getLowerBound());
  for (auto [carried, init] : llvm::zip(loop.getRegionIterArgs(), loop.getInitArgs()))
    if (init.getType().isIntOrIndex())
      bindOnce(carried, init);
}

void LinearReader::bindOnce(Value variable, Value first) {
  std::optional<Linear> value = read(first);
  if (value && value->loops.empty())
    values.bind(variable, std::move(value->programs));
}

/// first + index * step.
std::optional<Linear> LinearReader::counted(scf::ForOp loop, const Linear &first, const Linear &step) {
  std::optional<int64_t> stride = step.asConstant();
  auto number = numbers.find(loop);
  if (!stride || number == numbers.end())
    return std::nullopt;
  Linear result = first;
  if (*stride != 0)
    result.loops[number->second] += *stride;
  return result;
}

std::optional<Linear> LinearReader::readArgument(BlockArgument argument) {
  auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
  if (!loop)
    return std::nullopt;
  if (argument != loop.getInductionVar())
    return readCarried(loop, argument.getArgNumber() - 1);
  std::optional<Linear> first = read(loop.getLowerBound()), step = read(loop.getStep());
  return first && step ? counted(loop, *first, *step) : std::nullopt;
}

/// A scalar that a loop advances by the same amount in every iteration.
std::optional<Linear> LinearReader::readCarried(scf::ForOp loop, unsigned index) {
  Value carried = loop.getRegionIterArg(index);
  auto next = loop.getYieldedValues()[index].getDefiningOp<arith::AddIOp>();
  if (!next || (next.getLhs() != carried && next.getRhs() != carried))
    return std::nullopt;
  std::optional<Linear> first = read(loop.getInitArgs()[index]);
  std::optional<Linear> step = read(next.getLhs() == carried ? next.getRhs() : next.getLhs());
  return first && step ? counted(loop, *first, *step) : std::nullopt;
}

/// The loop whose index this is: (induction variable - lower bound) / step, as raise::Affine writes it.
static scf::ForOp indexedLoop(Operation *op) {
  auto quotient = dyn_cast<arith::DivUIOp>(op);
  auto distance = quotient ? quotient.getLhs().getDefiningOp<arith::SubIOp>() : arith::SubIOp();
  auto variable = distance ? dyn_cast<BlockArgument>(distance.getLhs()) : BlockArgument();
  auto loop = variable ? dyn_cast<scf::ForOp>(variable.getOwner()->getParentOp()) : scf::ForOp();
  bool counts = loop && variable == loop.getInductionVar() && distance.getRhs() == loop.getLowerBound() &&
                quotient.getRhs() == loop.getStep();
  return counts ? loop : scf::ForOp();
}

std::optional<Linear> LinearReader::readArithmetic(Value scalar) {
  Operation *op = scalar.getDefiningOp();
  if (scf::ForOp loop = indexedLoop(op))
    return counted(loop, constant(0), constant(1));
  if (isa<arith::IndexCastOp, arith::ExtSIOp, arith::TruncIOp>(op))
    return read(op->getOperand(0));
  if (!isa<arith::AddIOp, arith::SubIOp, arith::MulIOp>(op) || isa<RankedTensorType>(scalar.getType()))
    return std::nullopt;
  std::optional<Linear> a = read(op->getOperand(0)), b = read(op->getOperand(1));
  if (!a || !b)
    return std::nullopt;
  if (isa<arith::MulIOp>(op))
    return product(*a, *b);
  a->add(*b, isa<arith::AddIOp>(op) ? 1 : -1);
  return a;
}

/// What a value is computed from, through loops.
static void pushSources(Value value, SmallVectorImpl<Value> &list) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    if (!loop)
      return;
    llvm::append_range(list, ValueRange{loop.getLowerBound(), loop.getUpperBound(), loop.getStep()});
    if (argument == loop.getInductionVar())
      return;
    unsigned index = argument.getArgNumber() - 1;
    list.push_back(loop.getInitArgs()[index]);
    list.push_back(loop.getYieldedValues()[index]);
    return;
  }
  llvm::append_range(list, value.getDefiningOp()->getOperands());
  if (auto loop = value.getDefiningOp<scf::ForOp>())
    list.push_back(loop.getYieldedValues()[cast<OpResult>(value).getResultNumber()]);
}

bool dependsOnData(Value value) {
  SmallVector<Value> list = {value};
  llvm::SmallPtrSet<Value, 32> seen;
  while (!list.empty()) {
    Value next = list.pop_back_val();
    if (!seen.insert(next).second)
      continue;
    if (isa_and_nonnull<tt::LoadOp, tt::DescriptorLoadOp, tt::DescriptorGatherOp, tt::AtomicRMWOp, tt::AtomicCASOp>(
            next.getDefiningOp()))
      return true;
    pushSources(next, list);
  }
  return false;
}

} // namespace tawa
