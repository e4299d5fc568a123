// Builds the compare-and-swap loop (scf.while). Elements are handled as integers, because the comparison is of bits.
#include "compiler/frontend/AtomicLoop.h"

#include "compiler/frontend/TileValues.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tawa {

namespace {

class AtomicLoop {
public:
  AtomicLoop(OpBuilder &builder, Location loc, Value value)
      : builder(builder), loc(loc), value(value), type(cast<RankedTensorType>(value.getType())),
        bits(type.clone(builder.getIntegerType(type.getElementTypeBitWidth()))) {}

  void build(const BlockAccess &access, Value somewhere, CombineElements combine);

private:
  Value retyped(Value from, Type to) {
    return from.getType() == to ? from : builder.create<tt::BitcastOp>(loc, to, from).getResult();
  }
  Value select(Value condition, Value then, Value otherwise) {
    return builder.create<arith::SelectOp>(loc, condition, then, otherwise);
  }
  Value any(Value flags);
  SmallVector<Value> step(Value pending, Value old, Value pointers, CombineElements combine);

  OpBuilder &builder;
  Location loc;
  Value value;
  RankedTensorType type, bits;
};

Value AtomicLoop::any(Value flags) {
  Value line = reshapeTo(builder, loc, flags, {type.getNumElements()});
  Type flag = builder.getI1Type();
  auto reduce = builder.create<tt::ReduceOp>(loc, ValueRange{line}, /*axis=*/0);
  OpBuilder::InsertionGuard guard(builder);
  Block *body = builder.createBlock(&reduce.getRegion(), {}, {flag, flag}, {loc, loc});
  Value either = builder.create<arith::OrIOp>(loc, body->getArgument(0), body->getArgument(1));
  builder.create<tt::ReduceReturnOp>(loc, either);
  return reduce->getResult(0);
}

SmallVector<Value> AtomicLoop::step(Value pending, Value old, Value pointers, CombineElements combine) {
  Value zeros = zeroOf(builder, loc, bits), combined = combine(builder, retyped(old, type), value);
  Value expected = select(pending, old, zeros), wanted = select(pending, retyped(combined, bits), zeros);
  Value got = builder.create<tt::AtomicCASOp>(loc, bits, pointers, expected, wanted, tt::MemSemantic::Relaxed,
                                              tt::MemSyncScope::GPU);
  Value lost = builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::ne, got, expected);
  return {builder.create<arith::AndIOp>(loc, pending, lost), got};
}

void AtomicLoop::build(const BlockAccess &access, Value somewhere, CombineElements combine) {
  auto pointerType = type.clone(tt::PointerType::get(bits.getElementType()));
  Value pending = access.mask, pointers = access.pointers;
  if (pending) {
    Value base = builder.create<tt::SplatOp>(loc, pointers.getType(), somewhere);
    pointers = select(pending, pointers, base);
  } else {
    pending = integerOf(builder, loc, type.clone(builder.getI1Type()), 1);
  }
  pointers = retyped(pointers, pointerType);
  Value first = builder.create<tt::LoadOp>(loc, pointers, access.mask, Value());
  SmallVector<Value> state{pending, first};
  builder.create<scf::WhileOp>(
      loc, TypeRange(ValueRange(state)), state,
      [&](OpBuilder &, Location, ValueRange values) { builder.create<scf::ConditionOp>(loc, any(values[0]), values); },
      [&](OpBuilder &, Location, ValueRange values) {
        builder.create<scf::YieldOp>(loc, step(values[0], values[1], pointers, combine));
      });
}

} // namespace

void combineAtomically(OpBuilder &builder, Location loc, const BlockAccess &access, Value somewhere, Value value,
                       CombineElements combine) {
  AtomicLoop(builder, loc, value).build(access, somewhere, combine);
}

} // namespace tawa
