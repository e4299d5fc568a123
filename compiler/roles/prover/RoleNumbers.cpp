// Interprets integer arithmetic on symbolic numbers (constants, iteration numbers, unknowns).
#include "compiler/roles/prover/RoleNumbers.h"

using namespace mlir;

namespace tawa::verify {

using Kind = RoleInstruction::Kind;

static Amount add(Amount a, Amount b) {
  if (b.kind == Amount::Kind::Count)
    std::swap(a, b);
  bool isCount = a.kind == Amount::Kind::Count || a.kind == Amount::Kind::Integer;
  if (!isCount || b.kind != Amount::Kind::Integer || a.bounded || b.bounded)
    return {};
  a.offset += b.offset;
  for (int8_t rest : b.rests)
    if (rest >= 0)
      a.addRest(rest);
  return a;
}

static Amount subtract(const RoleRules &rules, const RoleWorld &world, Amount a, Amount b) {
  using AmountKind = Amount::Kind;
  if (a.kind != b.kind || (a.kind == AmountKind::Count && a.channel != b.channel)) {
    if (a.kind == AmountKind::Count && b.exact()) { // relative to now as the counter is
      a.offset -= b.offset;
      return a;
    }
    a = rules.asInteger(world, a);
    b = rules.asInteger(world, b);
  }
  bool isNumber = a.kind == b.kind && (a.kind == AmountKind::Count || a.kind == AmountKind::Integer);
  bool isBounded = a.kind == AmountKind::Count ? b.bounded : a.bounded;
  bool isLost = a.kind == AmountKind::Count ? a.bounded : b.bounded;
  if (!isNumber || isLost || (b.hasRests() && a.rests != b.rests))
    return {};
  Amount difference = Amount::integer(a.offset - b.offset);
  difference.bounded = isBounded;
  if (!b.hasRests())
    difference.rests = a.rests;
  return difference;
}

/// Evaluates a comparison from a difference that is known exactly or bounded below.
static std::optional<bool> compareToZero(arith::CmpIPredicate predicate, int64_t difference, bool isAtLeast) {
  using Predicate = arith::CmpIPredicate;
  auto when = [&](bool holds, bool knownIfAtLeast) {
    return isAtLeast && !knownIfAtLeast ? std::optional<bool>() : std::optional<bool>(holds);
  };
  switch (predicate) {
  case Predicate::eq:
    return when(difference == 0, difference > 0);
  case Predicate::ne:
    return when(difference != 0, difference > 0);
  case Predicate::slt:
  case Predicate::ult:
    return when(difference < 0, difference >= 0);
  case Predicate::sge:
  case Predicate::uge:
    return when(difference >= 0, difference >= 0);
  case Predicate::sle:
  case Predicate::ule:
    return when(difference <= 0, difference > 0);
  case Predicate::sgt:
  case Predicate::ugt:
    return when(difference > 0, difference > 0);
  }
  return std::nullopt;
}

static Amount compare(const RoleRules &rules, const RoleWorld &world, arith::CmpIPredicate predicate, Amount a,
                      Amount b) {
  if (a.kind != b.kind) {
    a = rules.asInteger(world, a);
    b = rules.asInteger(world, b);
  }
  Amount difference = subtract(rules, world, a, b);
  if (difference.kind != Amount::Kind::Integer)
    return {};
  auto holds = compareToZero(predicate, difference.offset, difference.bounded || difference.hasRests());
  return holds ? Amount::integer(*holds) : Amount();
}

Amount evaluate(const RoleRules &rules, const RoleWorld &world, const RoleInstruction &instruction,
                llvm::ArrayRef<Amount> operands) {
  auto operand = [&](unsigned index) { return operands[index]; };
  switch (instruction.kind) {
  case Kind::Add:
    return add(operand(0), operand(1));
  case Kind::Subtract:
    return subtract(rules, world, operand(0), operand(1));
  case Kind::Compare:
    return compare(rules, world, cast<arith::CmpIOp>(instruction.op).getPredicate(), operand(0), operand(1));
  case Kind::And: {
    Amount left = operand(0), right = operand(1);
    bool isFalse = left.exact() == 0 || right.exact() == 0;
    return isFalse ? Amount::integer(0) : left.exact() && left == right ? left : Amount();
  }
  case Kind::Xor: {
    auto left = operand(0).exact(), right = operand(1).exact();
    return left && right ? Amount::integer(*left ^ *right) : Amount();
  }
  case Kind::Select: {
    auto condition = operand(0).exact();
    return condition ? operand(*condition ? 1 : 2) : operand(1) == operand(2) ? operand(1) : Amount();
  }
  default:
    return operand(0); // a copy
  }
}

} // namespace tawa::verify
