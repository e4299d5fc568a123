// ExpandComposites: decomposes composite operations into primitive ones.
//
//   tt.cat %a, %b                              join, trans, reshape: the elements in order
//   tt.dot .., inputPrecision = tf32x3         three products of the high and low parts of the operands
//   tt.dot_scaled                              operands unpacked, widened, times their scales; then tt.dot
#include "compiler/frontend/Passes.h"
#include "compiler/frontend/ScaledOperands.h"
#include "compiler/frontend/TT/TT.h"
#include "compiler/frontend/TileValues.h"
#include "compiler/support/Debug.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinOps.h"

#define DEBUG_TYPE "tawa-expand-composites"

using namespace mlir;

namespace tawa {
#define GEN_PASS_DEF_EXPANDCOMPOSITES
#include "compiler/frontend/Passes.h.inc"

namespace {

RankedTensorType tensorType(Value value) { return cast<RankedTensorType>(value.getType()); }

//===--- tt.cat ---------------------------------------------------------------------------------------------------===//

void expandCat(tt::CatOp cat) {
  OpBuilder builder(cat);
  Location loc = cat.getLoc();
  auto half = tensorType(cat.getLhs());
  int64_t size = half.getDimSize(0);
  auto pairs = RankedTensorType::get({size, 2}, half.getElementType());
  auto rows = RankedTensorType::get({2, size}, half.getElementType());
  Value joined = builder.create<tt::JoinOp>(loc, pairs, cat.getLhs(), cat.getRhs());
  Value transposed = builder.create<tt::TransOp>(loc, rows, joined, builder.getDenseI32ArrayAttr({1, 0}));
  cat.replaceAllUsesWith(reshapeTo(builder, loc, transposed, tensorType(cat.getResult()).getShape()));
  cat.erase();
}

//===--- f32 products in parts ------------------------------------------------------------------------------------===//

constexpr uint32_t kTf32Mask = 0xFFFFE000; // sign, exponent and the 10 bits of mantissa that tf32 has
constexpr uint32_t kBf16Mask = 0xFFFF0000; // and the 7 that bf16 has

/// Builds the sum of partial products for an f32 product of higher precision than its unit's.
class SplitProduct {
public:
  SplitProduct(OpBuilder &builder, tt::DotOp dot)
      : builder(builder), dot(dot), loc(dot.getLoc()), inBf16(dot.getInputPrecision() != tt::InputPrecision::TF32x3),
        partCount(dot.getInputPrecision() == tt::InputPrecision::BF16x6 ? 3 : 2) {}

  Value build() {
    SmallVector<Value> a = split(dot.getA()), b = split(dot.getB());
    // The smallest products first: what they lose is lost before the large ones are added.
    Value small = zeroOf(builder, loc, dot.getType());
    for (unsigned order = partCount - 1; order >= 1; --order)
      for (unsigned left = 0; left <= order; ++left)
        small = multiply(a[left], b[order - left], small);
    // Infinite operands have no low part; what 0 * inf makes of it must not reach the sum.
    Value isNaN = builder.create<arith::CmpFOp>(loc, arith::CmpFPredicate::UNO, small, small);
    small = builder.create<arith::SelectOp>(loc, isNaN, zeroOf(builder, loc, dot.getType()), small);
    return builder.create<arith::AddFOp>(loc, multiply(a[0], b[0], small), dot.getC());
  }

private:
  /// The operand as a sum of parts, the largest first, each exact in the unit's type.
  SmallVector<Value> split(Value operand) {
    SmallVector<Value> made;
    for (unsigned part = 0; part < partCount; ++part) {
      bool isLast = part + 1 == partCount;
      Value high = isLast && inBf16 ? operand : truncate(operand);
      made.push_back(inBf16 ? toBf16(high) : high);
      if (isLast)
        break;
      operand = builder.create<arith::SubFOp>(loc, operand, high); // exact
    }
    return made;
  }

  Value toBf16(Value value) {
    return builder.create<arith::TruncFOp>(loc, tensorType(value).clone(builder.getBF16Type()), value);
  }

  /// Cuts the mantissa to what the unit's type holds; a NaN stays one, whichever bits say so.
  Value truncate(Value value) {
    auto type = tensorType(value);
    auto bitsType = type.clone(builder.getI32Type());
    Value bits = builder.create<arith::BitcastOp>(loc, bitsType, value);
    Value mask = integerOf(builder, loc, bitsType, static_cast<int32_t>(inBf16 ? kBf16Mask : kTf32Mask));
    Value cut = builder.create<arith::BitcastOp>(loc, type, builder.create<arith::AndIOp>(loc, bits, mask));
    Value isNaN = builder.create<arith::CmpFOp>(loc, arith::CmpFPredicate::UNO, value, value);
    return builder.create<arith::SelectOp>(loc, isNaN, value, cut);
  }

  Value multiply(Value a, Value b, Value c) {
    return builder.create<tt::DotOp>(loc, a, b, c, inBf16 ? tt::InputPrecision::IEEE : tt::InputPrecision::TF32);
  }

  OpBuilder &builder;
  tt::DotOp dot;
  Location loc;
  bool inBf16;
  unsigned partCount;
};

bool isSplitPrecision(tt::DotOp dot) {
  using Precision = tt::InputPrecision;
  Precision precision = dot.getInputPrecision();
  return tensorType(dot.getA()).getElementType().isF32() &&
         (precision == Precision::TF32x3 || precision == Precision::BF16x3 || precision == Precision::BF16x6);
}

//===--- tt.dot_scaled --------------------------------------------------------------------------------------------===//

void expandDotScaled(tt::DotScaledOp dot) {
  OpBuilder builder(dot);
  Location loc = dot.getLoc();
  ScaledOperand a{dot.getA(), dot.getAScale(), dot.getAElemType(), /*kIsLast=*/true, dot.getLhsKPack()};
  ScaledOperand b{dot.getB(), dot.getBScale(), dot.getBElemType(), /*kIsLast=*/false, dot.getRhsKPack()};
  Type element = productType(builder, a, b);
  Value left = widen(builder, loc, a, element, dot.getFastMath());
  Value right = widen(builder, loc, b, element, dot.getFastMath());
  auto type = tensorType(dot.getC());
  auto sumType = type.clone(builder.getF32Type());
  Value c = type == sumType ? dot.getC() : builder.create<arith::ExtFOp>(loc, sumType, dot.getC()).getResult();
  Value sum = builder.create<tt::DotOp>(loc, left, right, c, tt::InputPrecision::TF32);
  dot.replaceAllUsesWith(type == sumType ? sum : builder.create<arith::TruncFOp>(loc, type, sum).getResult());
  dot.erase();
}

struct ExpandCompositesPass : impl::ExpandCompositesBase<ExpandCompositesPass> {
  void runOnOperation() override {
    getOperation().walk([&](Operation *op) {
      if (auto cat = dyn_cast<tt::CatOp>(op)) {
        cats.at(cat);
        expandCat(cat);
      } else if (auto scaled = dyn_cast<tt::DotScaledOp>(op)) {
        this->scaled.at(scaled);
        expandDotScaled(scaled);
      } else if (auto dot = dyn_cast<tt::DotOp>(op); dot && isSplitPrecision(dot)) {
        split.at(dot);
        OpBuilder builder(dot);
        dot.replaceAllUsesWith(SplitProduct(builder, dot).build());
        dot.erase();
      } else if (dot) {
        kept.at(dot);
      }
    });
  }
};

} // namespace
} // namespace tawa
