// ExpandInstructions: writes out, as other instructions, those that the GPU does not have.
//
//   %lo, %hi = cvt_fp8_unpack %bytes      ->   bits shifted to where f32 has them, times 2^120; cvt_pack
//   %bytes = cvt_fp8_pack %lo, %hi        ->   integer sums that round to nearest even; the least magnitudes through
//                                              a sum with a power of two, whose last bit is the least number
//   %d = mma of FP8                       ->   two mma of f16
//   atomic_rmw fadd of bf16               ->   a loop of atomic_cas
#include "compiler/roles/Tawa/Target.h"
#include "compiler/support/Debug.h"
#include "compiler/target/hopper/ExpandMath/ExpandMath.h"
#include "compiler/target/hopper/ExpandMath/Expr.h"
#include "compiler/target/hopper/SM90/SM90.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseMap.h"

#include <cmath>

#define DEBUG_TYPE "tawa-expand-instructions"

using namespace mlir;

namespace tawa {
#define GEN_PASS_DEF_EXPANDINSTRUCTIONS
#include "compiler/target/hopper/ExpandMath/Passes.h.inc"
} // namespace tawa

namespace tawa::math {
namespace {

constexpr int kSingleMantissa = 23, kSingleBias = 127;
constexpr int64_t kSingleInfinity = 0x7F800000, kMagnitude = 0x7FFFFFFF;

bool isFp8(Type type) { return type.isFloat8E4M3FN() || type.isFloat8E5M2(); }

/// An 8-bit format (OCP 8-bit Floating Point Specification).
struct Fp8Format {
  int mantissa, bias;
  int64_t largest; ///< Bits of the largest finite magnitude.
  double value;    ///< The same as a number.
};
constexpr int64_t kFp8NaN = 0x7F;
Fp8Format formatOf(Type type) {
  return type.isFloat8E4M3FN() ? Fp8Format{3, 7, 0x7E, 448} : Fp8Format{2, 15, 0x7B, 57344};
}

double powerOf(int exponent) { return std::ldexp(1.0, exponent); }
int64_t bitsOfSingle(double value) { return APFloat(static_cast<float>(value)).bitcastToAPInt().getZExtValue(); }

//===--- From 8 bits ----------------------------------------------------------------------------------------------===//

/// f32 has so many more bits of exponent than e4m3.
constexpr int kWiderExponent = 4;
constexpr int64_t kSpreadE4M3 = int32_t(0x87F00000); ///< Its bits where f32 has them.

/// Byte `number` of a word as f32. Exponents are too small by the difference of the biases until the product, which
/// also makes normal numbers of subnormal ones.
Expr widenE4M3(const Expr &word, int number) {
  Fp8Format format = formatOf(Float8E4M3FNType::get(word.type().getContext()));
  Expr high = word << (24 - 8 * number);
  Expr spread = (high >> kWiderExponent) & kSpreadE4M3;
  Expr value = floatOf(spread) * powerOf(kSingleBias - format.bias);
  return select(abs(value) > format.value, nan(value), value);
}

/// Bytes `number` and the next one of a word as two f16 in a word. f8E5M2 is the upper half of f16.
Value widenPair(Code &code, Value word, Type type, int number) {
  OpBuilder &builder = code.builder;
  Expr bytes(code, word);
  if (type.isFloat8E5M2())
    return builder.create<sm90::BytePermuteOp>(code.loc, word, bytes.integer(0).get(),
                                               ArrayRef<int32_t>{4, number, 4, number + 1});
  Expr low = widenE4M3(bytes, number), high = widenE4M3(bytes, number + 1);
  return builder.create<sm90::CvtPackOp>(code.loc, builder.getI32Type(), low.get(), high.get(),
                                         TypeAttr::get(builder.getF16Type()));
}

void expand(sm90::CvtFp8UnpackOp op, Code &code) {
  Expr word(code, widenPair(code, extended(Expr(code, op.getBytes()), 32, false).get(), op.getType(), 0));
  Type half = code.builder.getF16Type();
  op.getLo().replaceAllUsesWith(bitcast(extended(word, 16, false), half).get());
  op.getHi().replaceAllUsesWith(bitcast(extended(shiftDown(word, 16), 16, false), half).get());
  op.erase();
}

//===--- To 8 bits ------------------------------------------------------------------------------------------------===//

/// An i32 with the 8 bits nearest to an f32.
Expr narrowed(const Expr &x, Type type) {
  Fp8Format format = formatOf(type);
  int cut = kSingleMantissa - format.mantissa;
  Expr bits = bitsOf(x), magnitude = bits & kMagnitude;
  Expr even = shiftDown(magnitude, cut) & 1;
  Expr rounded = magnitude + ((int64_t(1) << (cut - 1)) - 1) + even;
  Expr normal = shiftDown(rounded, cut) - (int64_t(kSingleBias - format.bias) << format.mantissa);
  double step = powerOf(1 - format.bias - format.mantissa), least = powerOf(1 - format.bias);
  double carrier = step * powerOf(kSingleMantissa);
  Expr subnormal = bitsOf(floatOf(magnitude) + carrier) - bitsOfSingle(carrier);
  Expr code = select(magnitude < bitsOfSingle(least), subnormal, normal);
  code = select(code < format.largest, code, format.largest);
  code = code | (shiftDown(bits, 24) & 0x80);
  return select(magnitude > kSingleInfinity, Operand(kFp8NaN).in(code), code);
}

void expand(sm90::CvtFp8PackOp op, Code &code) {
  Expr lo = narrowed(toSingle(Expr(code, op.getLo())), op.getType());
  Expr hi = narrowed(toSingle(Expr(code, op.getHi())), op.getType());
  op.replaceAllUsesWith(extended(lo | (hi << 8), 16, false).get());
  op.erase();
}

//===--- Products -------------------------------------------------------------------------------------------------===//

/// Words of FP8 operands as words of f16, each made once.
class WidenedWords {
public:
  /// Half 0 or 1 of a word, right after the word.
  Value half(Code &code, Value word, Type type, unsigned which) {
    auto [entry, isNew] = words.try_emplace({word, type}, std::pair<Value, Value>());
    if (isNew) {
      OpBuilder::InsertionGuard guard(code.builder);
      code.builder.setInsertionPointAfterValue(word);
      Value low = widenPair(code, word, type, 0), high = widenPair(code, word, type, 2);
      words[{word, type}] = {low, high};
    }
    auto [low, high] = words[{word, type}];
    return which == 0 ? low : high;
  }

private:
  DenseMap<std::pair<Value, Type>, std::pair<Value, Value>> words;
};

/// Products may be summed in any order of K as long as both operands have the same.
void expand(sm90::MmaOp op, Code &code, WidenedWords &words) {
  Type half = code.builder.getF16Type();
  SmallVector<Value> sums(op.getC());
  for (unsigned which : {0u, 1u}) {
    auto a = [&](Value word) { return words.half(code, word, op.getAType(), which); };
    auto b = [&](Value word) { return words.half(code, word, op.getBType(), which); };
    auto product = code.builder.create<sm90::MmaOp>(op.getLoc(), llvm::to_vector(ValueRange(sums).getTypes()),
                                                    a(op.getA0()), a(op.getA1()), a(op.getA2()), a(op.getA3()),
                                                    b(op.getB0()), b(op.getB1()), sums, half, half);
    sums.assign(product.getD().begin(), product.getD().end());
  }
  op->replaceAllUsesWith(sums);
  op.erase();
}

//===--- Atomic sums ----------------------------------------------------------------------------------------------===//

/// got = memory; repeat { expected = got; got = cas(memory, expected, expected + value) } while got != expected.
void expand(sm90::AtomicRmwOp op, Code &code) {
  OpBuilder &builder = code.builder;
  Type type = op.getValue().getType(), bits = builder.getI16Type();
  Value begin = builder.create<sm90::LoadGlobalOp>(code.loc, bits, op.getAddress(), op.getPredicate()).getResult(0);
  Exprs state{Expr(code, begin), Expr(code, begin) ^ 1}; // what memory holds, what it was taken to hold
  Exprs ends = loop(
      state,
      [&](Args now) {
        Expr again = now[0] != now[1];
        return op.getPredicate() ? again & Expr(code, op.getPredicate()) : again;
      },
      [&](Args now) -> Exprs {
        Expr sum = bitcast(now[0], type) + Expr(code, op.getValue());
        Value got = builder.create<sm90::AtomicCasOp>(code.loc, op.getSemantics(), op.getScope(), op.getAddress(),
                                                      now[0].get(), bitsOf(sum).get(), op.getPredicate());
        return {Expr(code, got), now[0]};
      });
  if (op.getResult())
    op.getResult().replaceAllUsesWith(bitcast(ends[0], type).get());
  op.erase();
}

//===--- The pass -------------------------------------------------------------------------------------------------===//

struct ExpandInstructions : impl::ExpandInstructionsBase<ExpandInstructions> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    bool hasFp8 = hasFeature(module, Feature::Fp8Conversions), hasAtomics = hasFeature(module, Feature::Bf16Atomics);
    SmallVector<Operation *> missing;
    module.walk([&](Operation *op) {
      auto product = dyn_cast<sm90::MmaOp>(op);
      auto atomic = dyn_cast<sm90::AtomicRmwOp>(op);
      bool isFp8Code = isa<sm90::CvtFp8PackOp, sm90::CvtFp8UnpackOp>(op) || (product && isFp8(product.getAType()));
      bool isSum = atomic && atomic.getKind() == sm90::AtomicKind::FAdd && atomic.getValue().getType().isBF16();
      if ((isFp8Code && !hasFp8) || (isSum && !hasAtomics))
        missing.push_back(op);
    });
    WidenedWords words;
    OpBuilder builder(&getContext());
    for (Operation *op : missing) {
      expanded.because(op, op->getName().getStringRef());
      builder.setInsertionPoint(op);
      Code code{builder, op->getLoc(), module};
      if (auto product = dyn_cast<sm90::MmaOp>(op))
        expand(product, code, words);
      else if (auto atomic = dyn_cast<sm90::AtomicRmwOp>(op))
        expand(atomic, code);
      else if (auto pack = dyn_cast<sm90::CvtFp8PackOp>(op))
        expand(pack, code);
      else
        expand(cast<sm90::CvtFp8UnpackOp>(op), code);
    }
  }
};

} // namespace
} // namespace tawa::math
