// Integer functions: counting bits, upper halves of products, bytes.

#include "compiler/target/hopper/ExpandMath/Functions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace tawa::math {
namespace {

template <typename Op, typename... Parts> Expr emit(const Expr &like, Parts &&...parts) {
  Code &code = like.where();
  return Expr(code, code.builder.create<Op>(code.loc, like.type(), std::forward<Parts>(parts)...));
}

} // namespace

Expr countLeadingZeros(const Expr &a) { return emit<LLVM::CountLeadingZerosOp>(a, a.get(), /*is_zero_poison=*/false); }
Expr countTrailingZeros(const Expr &a) {
  return emit<LLVM::CountTrailingZerosOp>(a, a.get(), /*is_zero_poison=*/false);
}
Expr countOnes(const Expr &a) { return emit<LLVM::CtPopOp>(a, a.get()); }
Expr reversedBits(const Expr &a) { return emit<LLVM::BitReverseOp>(a, a.get()); }

/// Counted from 1; 0 for 0.
Expr firstSet(const Expr &a) { return select(a == 0, 0, countTrailingZeros(a) + 1); }

Expr permutedBytes(const Expr &a, const Expr &b, const Expr &selector) {
  Expr all = extended(a, 64, false) | (extended(b, 64, false) << 32), result = a.integer(0);
  for (int byte = 0; byte < 4; ++byte) {
    Expr choice = shiftDown(selector, 4 * byte);
    Expr picked = extended(shiftDown(all, extended((choice & 7) << 3, 64, false)), 32, false) & 0xff;
    Expr sign = select((picked & 0x80) != 0, a.integer(0xff), 0);
    result = result | (select((choice & 8) != 0, sign, picked) << (8 * byte));
  }
  return result;
}

Expr upperProduct(const Expr &a, const Expr &b, bool isSigned) {
  if (a.bits() < 64) {
    Expr product = extended(a, 2 * a.bits(), isSigned) * extended(b, 2 * a.bits(), isSigned);
    return extended(shiftDown(product, a.bits()), a.bits(), false);
  }
  Code &code = a.where();
  if (isSigned)
    return Expr(code, code.builder.create<arith::MulSIExtendedOp>(code.loc, a.get(), b.get()).getHigh());
  return Expr(code, code.builder.create<arith::MulUIExtendedOp>(code.loc, a.get(), b.get()).getHigh());
}

Expr product24(const Expr &a, const Expr &b, bool isSigned) {
  auto cut = [&](const Expr &x) { return isSigned ? (x << 8) >> 8 : x & 0xffffff; };
  return cut(a) * cut(b);
}

Expr minUnsigned(const Expr &a, const Expr &b) { return select(below(a, b), a, b); }
Expr maxUnsigned(const Expr &a, const Expr &b) { return select(below(a, b), b, a); }

Expr shiftedLeft(const Expr &a, const Expr &amount) { return select(below(amount, a.bits()), a << amount, 0); }
Expr shiftedRight(const Expr &a, const Expr &amount, bool isSigned) {
  Expr isInside = below(amount, a.bits());
  return isSigned ? a >> select(isInside, amount, a.bits() - 1) : select(isInside, shiftDown(a, amount), 0);
}

} // namespace tawa::math
