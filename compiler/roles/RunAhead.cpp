// Software pipelining of loads: prologue, loads of a later iteration, guarded at the end of the loop.
#include "compiler/roles/RunAhead.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace tawa {

/// The values that a loop carries for its addresses, as they are so many iterations ahead.
struct AheadState {
  const AheadSlice &slice;
  SmallVector<Value> values;
};

/// The addresses in their first form, and tables without another reader.
static void eraseDead(scf::ForOp loop) {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(*loop.getBody())))
    if (isOpTriviallyDead(&op))
      op.erase();
}

//===--- In registers ---------------------------------------------------------------------------------------------===//

/// A load that happens only if the iteration does.
static Value loadIf(OpBuilder &builder, tt::LoadOp load, Value condition, IRMapping &mapping) {
  Location loc = load.getLoc();
  Value mask = condition;
  if (auto type = dyn_cast<RankedTensorType>(load.getType()))
    mask = builder.create<tt::SplatOp>(loc, type.clone(builder.getI1Type()), condition);
  if (load.getMask())
    mask = builder.create<arith::AndIOp>(loc, mapping.lookupOrDefault(load.getMask()), mask);
  auto clone = cast<tt::LoadOp>(builder.clone(*load, mapping));
  clone.getMaskMutable().assign(mask);
  return clone.getResult();
}

static SmallVector<Value> loadAll(OpBuilder &builder, scf::ForOp loop, ArrayRef<tt::LoadOp> loads, Value induction,
                                  Value condition, AheadState &state) {
  IRMapping mapping;
  state.values = state.slice.advance(builder, loop, induction, state.values, mapping);
  state.slice.compute(builder, mapping, condition);
  return llvm::map_to_vector(loads, [&](tt::LoadOp load) { return loadIf(builder, load, condition, mapping); });
}

scf::ForOp loadAhead(scf::ForOp loop, ArrayRef<tt::LoadOp> loads, const AheadSlice &slice, unsigned distance) {
  OpBuilder builder(loop);
  AheadState state{slice, slice.start(loop)};
  SmallVector<Value> inits; // what this iteration needs, then what the next one does, and so on
  for (unsigned round = 0; round < distance; ++round) {
    Value induction = behind(builder, loop, loop.getLowerBound(), round);
    llvm::append_range(inits, loadAll(builder, loop, loads, induction, hasMoreThan(builder, loop, round), state));
  }
  llvm::append_range(inits, state.values);
  unsigned before = loop.getNumRegionIterArgs();
  loop = appendCarried(loop, inits);
  ValueRange carried = loop.getRegionIterArgs().drop_front(before), later = carried.drop_front(loads.size());
  state.values.assign(carried.begin() + distance * loads.size(), carried.end());
  SmallVector<Value> yielded(later.take_front((distance - 1) * loads.size()));
  builder.setInsertionPointToStart(loop.getBody());
  Value induction = behind(builder, loop, loop.getInductionVar(), distance);
  llvm::append_range(yielded, loadAll(builder, loop, loads, induction, hasAhead(builder, loop, distance), state));
  llvm::append_range(yielded, state.values);
  appendYielded(loop, yielded);
  for (auto [index, each] : llvm::enumerate(loads)) {
    Operation *load = each;
    load->getResult(0).replaceAllUsesWith(carried[index]);
    load->erase();
  }
  return loop;
}

//===--- Through slots --------------------------------------------------------------------------------------------===//

/// if %condition { put the tiles of one iteration }, and how many were put by then.
static Value putIf(OpBuilder &builder, scf::ForOp loop, ArrayRef<SlotLoad> loads, Value induction, Value condition,
                   AheadState &state, IRMapping mapping, Value aref, Value puts) {
  Location loc = loop.getLoc();
  state.values = state.slice.advance(builder, loop, induction, state.values, mapping);
  auto branch = builder.create<scf::IfOp>(loc, TypeRange{puts.getType()}, condition, /*withElseRegion=*/true);
  OpBuilder inside = branch.getThenBodyBuilder();
  state.slice.compute(inside, mapping);
  SmallVector<Value> tiles;
  for (SlotLoad each : loads) {
    tt::LoadOp load = each.load;
    const PointerTile &copy = each.copy;
    PartialMask mask{load.getMask() ? mapping.lookupOrDefault(load.getMask()) : Value(), Value()};
    if (each.end)
      mask = takeEnd(inside, mask.mask, mapping.lookupOrDefault(each.end.getResult()).getDefiningOp<arith::CmpIOp>(),
                     copy.vector);
    tiles.push_back(inside.create<ws::CopyTileOp>(load.getLoc(), load.getType(), mapping.lookupOrDefault(load.getPtr()),
                                                  mask.mask, mask.count, copy.contiguous, copy.vector));
  }
  inside.create<ws::PutOp>(tiles.back().getLoc(), aref, puts, tiles);
  Value one = inside.create<arith::ConstantOp>(loc, inside.getI32IntegerAttr(1));
  Value next = inside.create<arith::AddIOp>(loc, puts, one);
  inside.create<scf::YieldOp>(loc, next);
  branch.getElseBodyBuilder().create<scf::YieldOp>(loc, puts);
  return branch.getResult(0);
}

/// The last operation of the loop's body that uses a tile or a view of it.
static Operation *lastUser(Block *block, Value tile, Operation *last) {
  for (Operation *user : tile.getUsers()) {
    Operation *here = block->findAncestorOpInBlock(*user);
    if (last->isBeforeInBlock(here))
      last = here;
    if (isa<tt::TransOp>(user))
      last = lastUser(block, user->getResult(0), last);
  }
  return last;
}

/// In place of the loads: borrows the slot before the first of them, gives it back after the last reader.
static Value getInPlace(ArrayRef<SlotLoad> loads, Value aref, Value gets) {
  auto isEarlier = [](const SlotLoad &one, const SlotLoad &other) { return one.load->isBeforeInBlock(other.load); };
  OpBuilder builder(std::min_element(loads.begin(), loads.end(), isEarlier)->load);
  SmallVector<Type> types;
  for (const SlotLoad &each : loads)
    types.push_back(each.load->getResult(0).getType());
  Location loc = loads.front().load->getLoc();
  auto get = builder.create<ws::GetOp>(loc, types, aref, gets);
  Operation *last = get;
  for (auto [each, tile] : llvm::zip(loads, get.getValues())) {
    tt::LoadOp load = each.load;
    last = lastUser(get->getBlock(), load.getResult(), last);
    load.replaceAllUsesWith(tile);
  }
  for (const SlotLoad &each : loads)
    each.load->erase();
  builder.setInsertionPointAfter(last);
  builder.create<ws::ConsumedOp>(loc, aref, gets, Value());
  Value one = builder.create<arith::ConstantOp>(loc, builder.getI32IntegerAttr(1));
  return builder.create<arith::AddIOp>(loc, gets, one);
}

/// Maps loads of tables to the values loaded.
static IRMapping mapAll(ArrayRef<tt::LoadOp> loads, ValueRange values) {
  IRMapping mapping;
  for (auto [index, each] : llvm::enumerate(loads)) {
    Operation *load = each;
    mapping.map(load->getResult(0), values[index]);
  }
  return mapping;
}

scf::ForOp putAhead(scf::ForOp loop, ArrayRef<SlotLoad> loads, const AheadSlice &slice, const TableLoads &tables,
                    PutPlace place, RingCounters &ring) {
  auto [distance, atEnd] = place;
  OpBuilder builder(loop);
  AheadState state{slice, slice.start(loop)}, tableState{tables.slice, tables.slice.start(loop)};
  SmallVector<Value> known; // what the tables say of the next put
  for (unsigned round = 0; round <= distance; ++round) {
    Value induction = behind(builder, loop, loop.getLowerBound(), round);
    Value some = hasMoreThan(builder, loop, round);
    known = loadAll(builder, loop, tables.loads, induction, some, tableState);
    if (round != distance)
      ring.puts =
          putIf(builder, loop, loads, induction, some, state, mapAll(tables.loads, known), ring.aref, ring.puts);
  }
  SmallVector<Value> inits{ring.puts, ring.gets};
  llvm::append_range(inits, known);
  llvm::append_range(inits, state.values);
  llvm::append_range(inits, tableState.values);
  unsigned before = loop.getNumRegionIterArgs();
  loop = appendCarried(loop, inits);
  ValueRange carried = loop.getRegionIterArgs().drop_front(before), rest = carried.drop_front(2);
  known.assign(rest.begin(), rest.begin() + tables.loads.size());
  rest = rest.drop_front(tables.loads.size());
  state.values.assign(rest.begin(), rest.begin() + state.values.size());
  tableState.values.assign(rest.begin() + state.values.size(), rest.end());
  if (atEnd)
    builder.setInsertionPoint(loop.getBody()->getTerminator());
  else
    builder.setInsertionPointToStart(loop.getBody());
  Value induction = behind(builder, loop, loop.getInductionVar(), distance);
  Value more = hasAhead(builder, loop, distance);
  Value puts = putIf(builder, loop, loads, induction, more, state, mapAll(tables.loads, known), ring.aref, carried[0]);
  if (!tables.loads.empty()) {
    Value further = behind(builder, loop, loop.getInductionVar(), distance + 1);
    known = loadAll(builder, loop, tables.loads, further, hasAhead(builder, loop, distance + 1), tableState);
  }
  Value gets = getInPlace(loads, ring.aref, carried[1]);
  SmallVector<Value> yielded{puts, gets};
  llvm::append_range(yielded, known);
  llvm::append_range(yielded, state.values);
  llvm::append_range(yielded, tableState.values);
  appendYielded(loop, yielded);
  eraseDead(loop);
  ring.puts = loop.getResult(before);
  ring.gets = loop.getResult(before + 1);
  return loop;
}

} // namespace tawa
