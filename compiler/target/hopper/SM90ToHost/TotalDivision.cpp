// Makes integer divisions total. PTX gives an unspecified result for x / 0 and wraps for INT_MIN / -1 (PTX ISA, integer
// div and rem). LLVM makes both undefined, and a host processor may trap on them, which would end the caller's process.
//
//   x / y   ->   y == -1 ? 0 - x : x / (y == 0 or y == -1 ? 1 : y)        (signed; unsigned: only y == 0 matters)
//   x % y   ->   x % (y == 0 or y == -1 ? 1 : y)

#include "compiler/target/hopper/SM90ToHost/Steps.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tawa::sm90 {

/// A constant divisor that cannot trap.
static bool isHarmless(Value divisor) {
  APInt value;
  return matchPattern(divisor, m_ConstantInt(&value)) && !value.isZero() && !value.isAllOnes();
}

static void makeTotal(Operation *op, bool isSigned) {
  Value dividend = op->getOperand(0), divisor = op->getOperand(1);
  if (isHarmless(divisor))
    return;
  OpBuilder builder(op);
  Location loc = op->getLoc();
  Type type = divisor.getType();
  auto constant = [&](int64_t value) -> Value {
    return builder.create<LLVM::ConstantOp>(loc, type, builder.getIntegerAttr(type, value));
  };
  auto equals = [&](int64_t value) -> Value {
    return builder.create<LLVM::ICmpOp>(loc, LLVM::ICmpPredicate::eq, divisor, constant(value));
  };
  Value unsafe = equals(0), isMinusOne;
  if (isSigned) {
    isMinusOne = equals(-1);
    unsafe = builder.create<LLVM::OrOp>(loc, unsafe, isMinusOne);
  }
  op->setOperand(1, builder.create<LLVM::SelectOp>(loc, unsafe, constant(1), divisor));
  if (!isa<LLVM::SDivOp>(op))
    return;
  Value negated = builder.create<LLVM::SubOp>(loc, constant(0), dividend);
  builder.setInsertionPointAfter(op);
  auto result = builder.create<LLVM::SelectOp>(loc, isMinusOne, negated, op->getResult(0));
  op->getResult(0).replaceAllUsesExcept(result, result);
}

void makeDivisionsTotal(LLVM::LLVMFuncOp kernel) {
  SmallVector<Operation *> divisions;
  kernel.walk([&](Operation *op) {
    if (isa<LLVM::SDivOp, LLVM::UDivOp, LLVM::SRemOp, LLVM::URemOp>(op))
      divisions.push_back(op);
  });
  for (Operation *op : divisions)
    makeTotal(op, isa<LLVM::SDivOp, LLVM::SRemOp>(op));
}

} // namespace tawa::sm90
