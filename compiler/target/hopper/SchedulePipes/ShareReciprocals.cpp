// ShareReciprocals: computes the common reciprocal of quotients with the same divisor once.
//
//   %q0 = div_full %x0, %y             %s = |%y| > 2^126 ? 1/4 : |%y| < 2^-126 ? 2^24 : 1
//   %q1 = div_full %x1, %y      ->     %r = rcp (%y * %s)
//   ..                                 %q0 = (%x0 * %r) * %s; %q1 = (%x1 * %r) * %s; ..
//
// ptxas expands each quotient the same way (PTX ISA, div.full: 2 ulp over the whole range), but tests the range of the
// divisor for each of them, and scales x with a multiplication and a selection. The scale is a power of two. Where it
// is not 1, the reciprocal is a normal number, which it would not be otherwise, and the first product stays in range
// wherever the quotient does.
#include "compiler/target/hopper/SchedulePipes/SchedulePipes.h"

#include "compiler/support/Debug.h"
#include "compiler/target/hopper/SM90/SM90.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/MapVector.h"

#define DEBUG_TYPE "tawa-share-reciprocals"

using namespace mlir;

namespace tawa {
#define GEN_PASS_DEF_SHARERECIPROCALS
#include "compiler/target/hopper/SchedulePipes/Passes.h.inc"

namespace {

/// Fewer quotients do not pay for the question about the range.
constexpr size_t kWorthwhile = 4;
constexpr float kLargest = 0x1p126f, kSmallest = 0x1p-126f, kDown = 0x1p-2f, kUp = 0x1p24f;

class Reciprocal {
public:
  /// Before the first of the quotients.
  Reciprocal(Value divisor, sm90::DivFullOp first) : builder(first), loc(first.getLoc()) {
    Value magnitude = absolute(divisor);
    Value isLarge = compare(arith::CmpFPredicate::OGT, magnitude, kLargest);
    Value isSmall = compare(arith::CmpFPredicate::OLT, magnitude, kSmallest);
    Value up = builder.create<arith::SelectOp>(loc, isSmall, number(kUp), number(1));
    scale = builder.create<arith::SelectOp>(loc, isLarge, number(kDown), up);
    Value scaled = builder.create<arith::MulFOp>(loc, divisor, scale);
    reciprocal = builder.create<sm90::ApproxOp>(loc, sm90::ApproxKind::Rcp, scaled, /*ftz=*/false);
  }

  void replace(sm90::DivFullOp quotient) {
    builder.setInsertionPoint(quotient);
    Value product = builder.create<arith::MulFOp>(quotient.getLoc(), quotient.getLhs(), reciprocal);
    quotient.replaceAllUsesWith(builder.create<arith::MulFOp>(quotient.getLoc(), product, scale).getResult());
    quotient.erase();
  }

private:
  Value number(float value) { return builder.create<arith::ConstantOp>(loc, builder.getF32FloatAttr(value)); }
  Value compare(arith::CmpFPredicate predicate, Value value, float bound) {
    return builder.create<arith::CmpFOp>(loc, predicate, value, number(bound));
  }
  Value absolute(Value value) {
    Type i32 = builder.getI32Type();
    Value mask = builder.create<arith::ConstantOp>(loc, builder.getI32IntegerAttr(0x7FFFFFFF));
    Value bits = builder.create<arith::BitcastOp>(loc, i32, value);
    Value unsignedBits = builder.create<arith::AndIOp>(loc, bits, mask);
    return builder.create<arith::BitcastOp>(loc, builder.getF32Type(), unsignedBits);
  }

  OpBuilder builder;
  Location loc;
  Value scale, reciprocal;
};

struct ShareReciprocalsPass : impl::ShareReciprocalsBase<ShareReciprocalsPass> {
  using ShareReciprocalsBase::ShareReciprocalsBase;

  void runOnOperation() override {
    getOperation().walk([&](Block *block) {
      llvm::MapVector<Value, SmallVector<sm90::DivFullOp>> quotients;
      for (auto quotient : block->getOps<sm90::DivFullOp>())
        if (quotient.getType().isF32())
          quotients[quotient.getRhs()].push_back(quotient);
      for (ArrayRef<sm90::DivFullOp> ops : llvm::make_second_range(quotients))
        if (ops.size() >= kWorthwhile)
          share(ops);
        else
          kept.at(ops.front());
    });
  }

  /// The divisor may be a quotient itself, which by now another operation has replaced.
  void share(ArrayRef<sm90::DivFullOp> quotients) {
    sm90::DivFullOp first = quotients.front();
    shared.at(first);
    Reciprocal reciprocal(first.getRhs(), first);
    for (sm90::DivFullOp quotient : quotients)
      reciprocal.replace(quotient);
  }
};

} // namespace
} // namespace tawa
