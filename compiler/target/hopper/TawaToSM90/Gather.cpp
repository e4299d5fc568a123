// Gather.cpp: tt.gather and tt.histogram, whose addresses depend on values. Both put a table into scratch: the operand
// in row-major order, from which every thread reads; or counters, which every thread increments.
#include "compiler/target/hopper/TawaToSM90/Gather.h"
#include "compiler/roles/Tawa/Target.h"
#include "compiler/target/hopper/TawaToSM90/SharedAccess.h"

using namespace mlir;

namespace tawa {

static constexpr uint32_t kCounterBytes = 4;

/// The integer as i32: an index into a tensor fits.
static Value asWord(OpBuilder &builder, Location loc, Value value) {
  Type word = builder.getI32Type();
  unsigned bits = value.getType().getIntOrFloatBitWidth();
  if (bits == 32)
    return value;
  if (bits > 32)
    return builder.create<arith::TruncIOp>(loc, word, value);
  return builder.create<arith::ExtSIOp>(loc, word, value);
}

LogicalResult GatherEmitter::lower(tt::GatherOp op) {
  Location loc = op.getLoc();
  RankedTensorType sourceType = op.getSrc().getType(), indexType = op.getIndices().getType();
  LinearLayout from = ws::layoutOf(sourceType).getLayout(), at = ws::layoutOf(indexType).getLayout();
  Type element = builder.machineType(sourceType.getElementType());
  uint32_t bytes = storageBits(element) / 8;
  LinearLayout tile = sharedRowMajor({sourceType.getShape().begin(), sourceType.getShape().end()});
  auto plan = planSharedWrite(from, tile, bytes * 8, hasFeature(op, Feature::MatrixStores));
  if (!plan)
    return op.emitOpError() << "operand of a layout that has no place in row-major order";
  Value base = scratch.open(loc, sourceType.getNumElements() * bytes);
  writeShared(builder, thread, loc, base, *plan, values.lookup(op.getSrc()), thread.ownsElements(loc, from));
  scratch.publish(loc);

  Values indices = values.lookup(op.getIndices());
  SmallVector<Values> places; // coordinates of the result, but along the axis
  for (unsigned dim = 0; dim < at.outs().size(); ++dim)
    places.push_back(dim == op.getAxis() ? Values() : thread.coordinates(loc, at, dim));
  Values result;
  for (size_t reg = 0; reg < indices.size(); ++reg) {
    Value offset = builder.constant(loc, 0);
    for (auto [dim, size] : llvm::enumerate(sourceType.getShape())) {
      Value place = dim == op.getAxis() ? asWord(builder, loc, indices[reg]) : places[dim][reg];
      if (dim == op.getAxis()) // an index outside picks some element, never other memory
        place = builder.create<arith::AndIOp>(loc, place, builder.constant(loc, size - 1));
      offset = builder.create<arith::MulIOp>(loc, offset, builder.constant(loc, size));
      offset = builder.create<arith::AddIOp>(loc, offset, place);
    }
    Value address = builder.create<arith::AddIOp>(
        loc, base, builder.create<arith::MulIOp>(loc, offset, builder.constant(loc, bytes)).getResult());
    auto load = builder.create<sm90::LoadSharedOp>(loc, builder.wordTypes(element, 1), address, Value());
    result.push_back(builder.unpackWords(loc, load.getResults(), element, 1).front());
  }
  if (ws::LinearAttr wanted = ws::layoutOf(op.getResult().getType()))
    result = conversions.convert(loc, result, at, wanted.getLayout());
  values[op.getResult()] = std::move(result);
  return success();
}

//===--- Histogram ----------------------------------------------------------------------------------------------===//

/// Every thread of the role clears its share of the counters.
void GatherEmitter::clearCounters(Location loc, Value base, uint32_t bins) {
  uint32_t threads = thread.warps * kLanes;
  Value number = builder.create<arith::AddIOp>(
      loc, builder.create<arith::MulIOp>(loc, thread.warp, builder.constant(loc, kLanes)).getResult(), thread.lane);
  Value nothing = builder.constant(loc, 0);
  for (uint32_t first = 0; first < bins; first += threads) {
    Value bin = builder.add(loc, number, first);
    Value exists;
    if (first + threads > bins)
      exists = builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::ult, bin, builder.constant(loc, bins));
    Value offset = builder.create<arith::MulIOp>(loc, bin, builder.constant(loc, kCounterBytes));
    Value address = builder.create<arith::AddIOp>(loc, base, offset);
    builder.create<sm90::StoreSharedOp>(loc, address, nothing, exists);
  }
}

LogicalResult GatherEmitter::lower(tt::HistogramOp op) {
  Location loc = op.getLoc();
  LinearLayout from = ws::layoutOf(op.getSrc().getType()).getLayout();
  auto resultType = cast<RankedTensorType>(op.getResult().getType());
  LinearLayout to = ws::layoutOf(resultType).getLayout();
  uint32_t bins = resultType.getNumElements();
  Value base = scratch.open(loc, bins * kCounterBytes);
  clearCounters(loc, base, bins);
  barrier.emit(loc);

  Values source = values.lookup(op.getSrc()), mask;
  if (op.getMask())
    mask = values.lookup(op.getMask());
  Copies copies = findCopies(from);
  Value owner = thread.ownsElements(loc, from), single = builder.constant(loc, 1);
  MLIRContext *context = builder.getContext();
  for (size_t reg = 0; reg < source.size(); ++reg) {
    if (reg & copies.registers)
      continue;
    Value value = source[reg];
    Type type = value.getType();
    Value inside; // compared in the operand's own width, so that nothing wraps into the range
    if (type.getIntOrFloatBitWidth() >= 32 || bins < 1u << (type.getIntOrFloatBitWidth() - 1)) {
      Value bound = builder.create<arith::ConstantOp>(loc, builder.getIntegerAttr(type, bins));
      inside = builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::ult, value, bound);
    } else {
      inside = builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::sge, value, builder.zero(loc, type));
    }
    Value counts = builder.both(loc, builder.both(loc, inside, mask.empty() ? Value() : mask[reg]), owner);
    Value offset =
        builder.create<arith::MulIOp>(loc, asWord(builder, loc, value), builder.constant(loc, kCounterBytes));
    Value address = builder.create<arith::AddIOp>(loc, base, offset);
    builder.create<sm90::AtomicRmwOp>(loc, Type(), sm90::AtomicKindAttr::get(context, sm90::AtomicKind::Add),
                                      sm90::SemanticsAttr::get(context, sm90::Semantics::Relaxed),
                                      sm90::ScopeAttr::get(context, sm90::Scope::Cta), address, single, counts);
  }
  scratch.publish(loc);

  auto plan = planSharedRead(to, sharedRowMajor({bins}), kCounterBytes * 8);
  Values counted = readShared(builder, thread, loc, base, *plan, builder.getI32Type(), to);
  if (resultType.getElementType() != builder.getI32Type())
    for (Value &value : counted)
      value = builder.create<arith::ExtUIOp>(loc, resultType.getElementType(), value);
  values[op.getResult()] = std::move(counted);
  return success();
}

} // namespace tawa
