// Integer arithmetic of arith and math, element by element: wrapping at the width, signs where the operation has them.
#include "compiler/reference/Numbers.h"
#include "compiler/reference/Program.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <algorithm>
#include <bit>
#include <optional>

using namespace mlir;

namespace tawa::reference {

namespace {

/// None where the operation is undefined for these operands.
using MaybeInteger = std::optional<int64_t>;

/// result[i] = compute(operands[i]..., operand type), wrapped to the result's width.
template <typename Compute> Status mapUnary(Operation *op, Program &program, Compute compute) {
  const Value &source = program.get(op->getOperand(0));
  Type type = tt::elementTypeOf(op->getResult(0).getType());
  Value result;
  for (int64_t value : source.integers)
    result.integers.push_back(wrapTo(compute(value, source.element()), type));
  program.set(op->getResult(0), std::move(result));
  return Status::ok();
}

template <typename Compute> Status mapBinary(Operation *op, Program &program, Compute compute) {
  const Value &left = program.get(op->getOperand(0)), &right = program.get(op->getOperand(1));
  Type type = left.element();
  Value result;
  for (auto [a, b] : llvm::zip(left.integers, right.integers)) {
    MaybeInteger computed = compute(a, b, type);
    if (!computed)
      return wrongProgram(op, "of " + std::to_string(a) + " by " + std::to_string(b) + " is undefined");
    result.integers.push_back(wrapTo(*computed, type));
  }
  program.set(op->getResult(0), std::move(result));
  return Status::ok();
}

/// An operation whose low bits do not depend on signs; computed without, so that nothing overflows.
template <uint64_t (*Compute)(uint64_t, uint64_t)> Status bitwise(Operation *op, Program &program) {
  return mapBinary(op, program, [](int64_t a, int64_t b, Type) -> MaybeInteger {
    return static_cast<int64_t>(Compute(static_cast<uint64_t>(a), static_cast<uint64_t>(b)));
  });
}

template <int64_t (*Compute)(int64_t, int64_t)> Status onSigned(Operation *op, Program &program) {
  return mapBinary(op, program, [](int64_t a, int64_t b, Type) -> MaybeInteger { return Compute(a, b); });
}

template <uint64_t (*Compute)(uint64_t, uint64_t)> Status onUnsigned(Operation *op, Program &program) {
  return mapBinary(op, program, [](int64_t a, int64_t b, Type type) -> MaybeInteger {
    return static_cast<int64_t>(Compute(unsignedOf(a, type), unsignedOf(b, type)));
  });
}

//===--- Arithmetic -----------------------------------------------------------------------------------------------===//

uint64_t add(uint64_t a, uint64_t b) { return a + b; }
uint64_t subtract(uint64_t a, uint64_t b) { return a - b; }
uint64_t multiply(uint64_t a, uint64_t b) { return a * b; }
uint64_t bitAnd(uint64_t a, uint64_t b) { return a & b; }
uint64_t bitOr(uint64_t a, uint64_t b) { return a | b; }
uint64_t bitXor(uint64_t a, uint64_t b) { return a ^ b; }
int64_t smallerSigned(int64_t a, int64_t b) { return std::min(a, b); }
int64_t largerSigned(int64_t a, int64_t b) { return std::max(a, b); }
uint64_t smallerUnsigned(uint64_t a, uint64_t b) { return std::min(a, b); }
uint64_t largerUnsigned(uint64_t a, uint64_t b) { return std::max(a, b); }

Status divideSigned(Operation *op, Program &program) {
  return mapBinary(op, program, [](int64_t a, int64_t b, Type) -> MaybeInteger {
    if (b == 0)
      return std::nullopt;
    return b == -1 ? static_cast<int64_t>(-static_cast<uint64_t>(a)) : a / b;
  });
}

Status remainderSigned(Operation *op, Program &program) {
  return mapBinary(op, program, [](int64_t a, int64_t b, Type) -> MaybeInteger {
    if (b == 0)
      return std::nullopt;
    return b == -1 ? 0 : a % b;
  });
}

Status divideUnsigned(Operation *op, Program &program) {
  return mapBinary(op, program, [](int64_t a, int64_t b, Type type) -> MaybeInteger {
    if (b == 0)
      return std::nullopt;
    return static_cast<int64_t>(unsignedOf(a, type) / unsignedOf(b, type));
  });
}

Status remainderUnsigned(Operation *op, Program &program) {
  return mapBinary(op, program, [](int64_t a, int64_t b, Type type) -> MaybeInteger {
    if (b == 0)
      return std::nullopt;
    return static_cast<int64_t>(unsignedOf(a, type) % unsignedOf(b, type));
  });
}

Status multiplyHigh(Operation *op, Program &program) {
  return mapBinary(op, program, [](int64_t a, int64_t b, Type type) -> MaybeInteger {
    auto product = static_cast<unsigned __int128>(unsignedOf(a, type)) * unsignedOf(b, type);
    return static_cast<int64_t>(product >> widthOf(type));
  });
}

/// A shift is defined for amounts below the width.
template <typename Compute> Status shift(Operation *op, Program &program, Compute compute) {
  return mapBinary(op, program, [compute](int64_t a, int64_t b, Type type) -> MaybeInteger {
    uint64_t amount = unsignedOf(b, type);
    if (amount >= widthOf(type))
      return std::nullopt;
    return compute(a, amount, type);
  });
}

Status shiftLeft(Operation *op, Program &program) {
  return shift(op, program, [](int64_t a, uint64_t amount, Type) {
    return static_cast<int64_t>(static_cast<uint64_t>(a) << amount);
  });
}
Status shiftRightSigned(Operation *op, Program &program) {
  return shift(op, program, [](int64_t a, uint64_t amount, Type) { return a >> amount; });
}
Status shiftRightUnsigned(Operation *op, Program &program) {
  return shift(op, program, [](int64_t a, uint64_t amount, Type type) {
    return static_cast<int64_t>(unsignedOf(a, type) >> amount);
  });
}

Status absolute(Operation *op, Program &program) {
  return mapUnary(op, program, [](int64_t value, Type) {
    return value < 0 ? static_cast<int64_t>(-static_cast<uint64_t>(value)) : value;
  });
}

/// Bits from the top down to the first that is set, or from the bottom up; all where none is.
Status countLeadingZeros(Operation *op, Program &program) {
  return mapUnary(op, program, [](int64_t value, Type type) {
    return static_cast<int64_t>(std::countl_zero(unsignedOf(value, type))) - 64 + widthOf(type);
  });
}
Status countTrailingZeros(Operation *op, Program &program) {
  return mapUnary(op, program, [](int64_t value, Type type) {
    return std::min<int64_t>(std::countr_zero(unsignedOf(value, type)), widthOf(type));
  });
}
Status countOnes(Operation *op, Program &program) {
  return mapUnary(op, program, [](int64_t value, Type type) {
    return static_cast<int64_t>(std::popcount(unsignedOf(value, type)));
  });
}

//===--- Comparing, choosing, converting --------------------------------------------------------------------------===//

bool holds(arith::CmpIPredicate predicate, int64_t a, int64_t b, uint64_t ua, uint64_t ub) {
  switch (predicate) {
  case arith::CmpIPredicate::eq:
    return a == b;
  case arith::CmpIPredicate::ne:
    return a != b;
  case arith::CmpIPredicate::slt:
    return a < b;
  case arith::CmpIPredicate::sle:
    return a <= b;
  case arith::CmpIPredicate::sgt:
    return a > b;
  case arith::CmpIPredicate::sge:
    return a >= b;
  case arith::CmpIPredicate::ult:
    return ua < ub;
  case arith::CmpIPredicate::ule:
    return ua <= ub;
  case arith::CmpIPredicate::ugt:
    return ua > ub;
  case arith::CmpIPredicate::uge:
    return ua >= ub;
  }
  return false;
}

Status compare(Operation *op, Program &program) {
  auto cmp = cast<arith::CmpIOp>(op);
  const Value &left = program.get(cmp.getLhs()), &right = program.get(cmp.getRhs());
  Type type = left.element();
  Value result;
  for (auto [a, b] : llvm::zip(left.integers, right.integers))
    result.integers.push_back(holds(cmp.getPredicate(), a, b, unsignedOf(a, type), unsignedOf(b, type)) ? -1 : 0);
  program.set(cmp.getResult(), std::move(result));
  return Status::ok();
}

/// The condition is one bit for all, or one for each element.
Status choose(Operation *op, Program &program) {
  auto select = cast<arith::SelectOp>(op);
  const std::vector<int64_t> &conditions = program.get(select.getCondition()).integers;
  ValueRef onTrue = program.share(select.getTrueValue()), onFalse = program.share(select.getFalseValue());
  if (conditions.size() == 1) {
    program.set(select.getResult(), conditions.front() ? onTrue : onFalse);
    return Status::ok();
  }
  Value result = *onFalse;
  for (auto [i, condition] : llvm::enumerate(conditions)) {
    if (!condition)
      continue;
    result.replace(i, *onTrue, i);
  }
  program.set(select.getResult(), std::move(result));
  return Status::ok();
}

/// arith.extsi, arith.trunci, arith.index_cast: values are kept sign-extended, so the new width is all there is to it.
Status resizeSigned(Operation *op, Program &program) {
  return mapUnary(op, program, [](int64_t value, Type) { return value; });
}
Status resizeUnsigned(Operation *op, Program &program) {
  return mapUnary(op, program, [](int64_t value, Type from) { return static_cast<int64_t>(unsignedOf(value, from)); });
}

} // namespace

void addIntegers(OpTable &table) {
  table["arith.addi"] = bitwise<add>;
  table["arith.subi"] = bitwise<subtract>;
  table["arith.muli"] = bitwise<multiply>;
  table["arith.andi"] = bitwise<bitAnd>;
  table["arith.ori"] = bitwise<bitOr>;
  table["arith.xori"] = bitwise<bitXor>;
  table["arith.divsi"] = divideSigned;
  table["arith.remsi"] = remainderSigned;
  table["arith.divui"] = divideUnsigned;
  table["arith.remui"] = remainderUnsigned;
  table["arith.shli"] = shiftLeft;
  table["arith.shrsi"] = shiftRightSigned;
  table["arith.shrui"] = shiftRightUnsigned;
  table["arith.minsi"] = onSigned<smallerSigned>;
  table["arith.maxsi"] = onSigned<largerSigned>;
  table["arith.minui"] = onUnsigned<smallerUnsigned>;
  table["arith.maxui"] = onUnsigned<largerUnsigned>;
  table["tt.mulhiui"] = multiplyHigh;
  table["math.absi"] = absolute;
  table["math.ctlz"] = countLeadingZeros;
  table["math.cttz"] = countTrailingZeros;
  table["math.ctpop"] = countOnes;
  table["arith.cmpi"] = compare;
  table["arith.select"] = choose;
  table["arith.extsi"] = resizeSigned;
  table["arith.trunci"] = resizeSigned;
  table["arith.index_cast"] = resizeSigned;
  table["arith.index_castui"] = resizeUnsigned;
  table["arith.extui"] = resizeUnsigned;
}

} // namespace tawa::reference
