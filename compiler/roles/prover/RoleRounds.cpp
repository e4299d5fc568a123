// Trip counts of loops, as far as a role's code depends on them (see RoleProgram.h).
#include "compiler/roles/prover/RoleProgram.h"

#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tawa::verify {

using Kind = RoleInstruction::Kind;

static constexpr int64_t kMostSteps = 64; // more make a loop of its own

static bool isSame(Value a, Value b) {
  auto left = constantValue(a);
  return a == b || (left && left == constantValue(b));
}

/// The number of steps in a distance, where it is known; 0 otherwise.
static int stepsIn(Value distance, Value step) {
  if (isSame(distance, step))
    return 1;
  auto length = constantValue(distance), stride = constantValue(step);
  if (length && stride && *stride > 0 && *length > 0 && *length % *stride == 0)
    return static_cast<int>(std::min<int64_t>(*length / *stride, kMostSteps));
  auto times = distance.getDefiningOp<arith::MulIOp>();
  auto count = times && isSame(times.getLhs(), step) ? constantValue(times.getRhs()) : std::nullopt;
  return count && *count > 0 ? static_cast<int>(std::min<int64_t>(*count, kMostSteps)) : 0;
}

/// A loop that skips leading iterations or the last one has the same trip count up to a constant.
Rounds RoleProgram::roundsOf(Value begin, Value end, Value step) {
  Rounds rounds;
  auto minus = end.getDefiningOp<arith::SubIOp>();
  while (minus && isSame(minus.getRhs(), step)) {
    ++rounds.skipped;
    end = minus.getLhs();
    minus = end.getDefiningOp<arith::SubIOp>();
  }
  auto plus = begin.getDefiningOp<arith::AddIOp>();
  for (int steps = plus ? stepsIn(plus.getRhs(), step) : 0; steps != 0 && steps < kMostSteps;) {
    rounds.skipped += steps;
    begin = plus.getLhs();
    plus = begin.getDefiningOp<arith::AddIOp>();
    steps = plus ? stepsIn(plus.getRhs(), step) : 0;
  }
  auto first = constantValue(begin), stride = constantValue(step);
  uint64_t from = identities.of(begin);
  if (first && stride && *first >= 0 && *stride > 0) {
    rounds.skipped += *first / *stride;
    from = llvm::hash_combine(StringRef("constant"), *first % *stride);
    constexpr int64_t kMostConstant = 32; // larger ones get a choice of their own
    auto last = constantValue(end);
    int64_t count = last ? llvm::divideCeil(std::max<int64_t>(0, *last - *first % *stride), *stride) : -1;
    rounds.constant = count <= kMostConstant ? count : -1;
  }
  rounds.identity = llvm::hash_combine(StringRef("rounds"), from, identities.of(end), identities.of(step));
  asked.push_back(rounds.identity);
  return rounds;
}

/// Comparisons of a loop's bounds ask for its trip count; others compare numbers.
bool RoleProgram::translateCompare(arith::CmpIOp op, RoleInstruction &out) {
  using Predicate = arith::CmpIPredicate;
  Value left = op.getLhs(), right = op.getRhs();
  auto aroundOf = [&](Value induction) {
    auto argument = dyn_cast<BlockArgument>(induction);
    auto loop = argument ? dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp()) : scf::ForOp();
    return loop && argument == loop.getInductionVar() ? loop : scf::ForOp();
  };
  Predicate predicate = op.getPredicate();
  if (auto loop = aroundOf(left);
      loop && isSame(right, loop.getLowerBound()) && (predicate == Predicate::eq || predicate == Predicate::ne)) {
    out.kind = Kind::IsFirst;
    out.loop = loop;
    out.negated = predicate == Predicate::ne;
    return true;
  }
  auto rest = left.getDefiningOp<arith::SubIOp>();
  if (auto loop = rest ? aroundOf(rest.getRhs()) : scf::ForOp(); loop && predicate == Predicate::sgt &&
                                                                 isSame(rest.getLhs(), loop.getUpperBound()) &&
                                                                 stepsIn(right, loop.getStep()) != 0) {
    out.kind = Kind::IsNotLast;
    out.loop = loop;
    out.ahead = stepsIn(right, loop.getStep());
    return true;
  }
  if (predicate == Predicate::sgt)
    std::swap(left, right);
  bool isLess = predicate == Predicate::slt || predicate == Predicate::sgt;
  auto step = isLess ? loopSteps.find(identities.of(right)) : loopSteps.end();
  if (step != loopSteps.end()) {
    out.kind = Kind::AnyRounds;
    out.rounds = roundsOf(left, right, step->second);
    return true;
  }
  out.kind = Kind::Compare;
  return true;
}

namespace {

/// A linear combination of values, plus a constant.
struct LinearSum {
  llvm::SmallMapVector<Value, int64_t, 4> times;
  int64_t constant = 0;

  void add(Value value, int64_t factor) {
    if (auto number = constantValue(value)) {
      constant += factor * *number;
    } else if (Operation *op = value.getDefiningOp(); op && isa<arith::AddIOp, arith::SubIOp>(op)) {
      add(op->getOperand(0), factor);
      add(op->getOperand(1), isa<arith::AddIOp>(op) ? factor : -factor);
    } else {
      times[value] += factor;
    }
  }
  bool isZero() const {
    return constant == 0 && llvm::all_of(times, [](const auto &entry) { return entry.second == 0; });
  }
};

Value withoutCasts(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<arith::TruncIOp, arith::IndexCastOp, arith::IndexCastUIOp>(op))
      break;
    value = op->getOperand(0);
  }
  return value;
}

} // namespace

/// The bounds of a loop of this role whose trip count is computed: begin < end ? (end - begin + step - 1) / step : 0.
std::optional<RoleProgram::Bounds> RoleProgram::countedLoop(arith::SelectOp select) {
  auto compare = select.getCondition().getDefiningOp<arith::CmpIOp>();
  if (!compare || constantValue(select.getFalseValue()) != 0)
    return std::nullopt;
  Bounds bounds{compare.getLhs(), compare.getRhs()};
  if (compare.getPredicate() == arith::CmpIPredicate::sgt)
    std::swap(bounds.begin, bounds.end);
  else if (compare.getPredicate() != arith::CmpIPredicate::slt)
    return std::nullopt;
  auto step = loopSteps.find(identities.of(bounds.end));
  if (step == loopSteps.end())
    return std::nullopt;
  Value count = withoutCasts(select.getTrueValue());
  auto divide = count.getDefiningOp<arith::DivUIOp>();
  if (!divide && constantValue(step->second) != 1)
    return std::nullopt;
  if (divide && !isSame(divide.getRhs(), step->second))
    return std::nullopt;
  LinearSum difference; // of what is divided, and what should be
  difference.add(divide ? divide.getLhs() : count, 1);
  difference.add(bounds.end, -1);
  difference.add(bounds.begin, 1);
  difference.add(step->second, -1);
  ++difference.constant;
  return difference.isZero() ? std::optional(bounds) : std::nullopt;
}

} // namespace tawa::verify
