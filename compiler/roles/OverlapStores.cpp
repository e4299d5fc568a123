// OverlapStores: a resident CTA stores one tile while the tensor cores work on the next.
//
//   for %tile {                                    for %tile iter_args(%late, %before, %some = false) {
//     %sum = if %any {                               %sum = if %any {
//       for %k { get; issue; wait; consumed }          get; issue
//     }                                         ->     if %some { %p = place(%before); store piece 0 of %late at %p }
//     store narrow(%sum) at place(%tile)               wait; consumed
//   }                                                  for the other %k {
//                                                        get; issue
//                                                        if %some { store piece %k of %late at %p }
//                                                        wait; consumed
//                                                      }
//                                                    } else { if %some { store %late at place(%before) } }
//                                                    yield narrow(%sum), %tile, true
//                                                  }
//                                                  if %some { store %late at place(%before) }
//
// A loop rotated by tawa-pipeline-stages is preceded by products of its own, and so may be the code that runs in its
// place: there the stores go between these and their wait.
//
// The stored tile is carried in its memory type, narrowed and packed, so that the accumulator is free again at once. It
// is stored in subtiles that each fit a staging buffer, one beside each of the next tile's first dots: all of them take
// longer than one dot, since later ones wait until the buffers of earlier ones have been read. A TMA store is unordered
// with other accesses of its kernel (analysis/TileStores.h), so it may be delayed. Consumer groups that alternate over
// tiles need none of this: there, the other group multiplies meanwhile.
#include "compiler/analysis/AdjacentTiles.h"
#include "compiler/analysis/RegisterPlan.h"
#include "compiler/analysis/RejectReason.h"
#include "compiler/analysis/StoreSubtiles.h"
#include "compiler/analysis/TileLoop.h"
#include "compiler/frontend/TT/TT.h"
#include "compiler/roles/Passes.h"
#include "compiler/roles/Tawa/Target.h"
#include "compiler/support/Debug.h"
#include "runtime/artifact/RegisterBudget.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"

#define DEBUG_TYPE "tawa-overlap-stores"

using namespace mlir;

namespace tawa {
#define GEN_PASS_DEF_OVERLAPSTORES
#include "compiler/roles/Passes.h.inc"

namespace {

/// What the stores leave to one iteration: some of them, or a part of one.
struct Piece {
  size_t first = 0, stores = 1;
  int32_t index = 0, count = 1;
};

/// The values that the stores of one tile need after its iteration, and the places in the next iteration for them.
struct Overlap {
  scf::ForOp tileLoop;
  scf::IfOp branch;   ///< Has the dots that they are hidden under,
  scf::ForOp dotLoop; ///< in the first iterations of this loop; null where they stand in the branch itself.
  SmallVector<tt::DescriptorStoreOp> stores;
  SmallVector<Piece> pieces; ///< In the order of the stores, which is that of the staging buffers.
};

/// A loop as tawa-pipeline-dots leaves it: the only operation with a region in the branch that guards against zero
/// iterations. A rotated loop (tawa-pipeline-stages) differs: its branch guards the prologue.
scf::ForOp dotLoopOf(scf::IfOp branch) {
  auto some = branch.getCondition().getDefiningOp<arith::CmpIOp>();
  if (branch.getElseRegion().empty() || !some || some.getPredicate() != arith::CmpIPredicate::slt)
    return {};
  for (auto loop : branch.thenBlock()->getOps<scf::ForOp>())
    if (!loop.getBody()->getOps<ws::DotIssueOp>().empty() && loop.getLowerBound() == some.getLhs() &&
        loop.getUpperBound() == some.getRhs())
      return loop;
  return {};
}

/// The first wait of a block for dots issued before it in the same block; null where there is none.
ws::DotWaitOp firstWait(Block *block) {
  bool issued = false;
  for (Operation &op : *block) {
    issued |= isa<ws::DotIssueOp>(op);
    if (auto wait = dyn_cast<ws::DotWaitOp>(op))
      return issued ? wait : ws::DotWaitOp();
  }
  return {};
}

/// Both sides of the branch begin with dots, as around a rotated loop that is followed by more work.
bool beginsWithDots(scf::IfOp branch) { return !branch.getElseRegion().empty() && firstWait(branch.thenBlock()); }

std::optional<Overlap> findOverlap(scf::ForOp tileLoop) {
  Overlap found{tileLoop, {}, {}, llvm::to_vector(tileLoop.getBody()->getOps<tt::DescriptorStoreOp>()), {}};
  for (auto branch : tileLoop.getBody()->getOps<scf::IfOp>()) {
    found.dotLoop = dotLoopOf(branch);
    if (found.dotLoop || beginsWithDots(branch)) {
      found.branch = branch;
      break;
    }
  }
  bool isWhole = found.branch && !found.stores.empty();
  return isWhole ? std::optional(std::move(found)) : std::nullopt;
}

int64_t bitsOf(tt::DescriptorStoreOp store) {
  auto tile = cast<RankedTensorType>(store.getSrc().getType());
  return tile.getNumElements() * tile.getElementTypeBitWidth();
}

/// Pieces of one staging buffer of each warp (layouts/algebra/StorePanels.h). Small tiles that lie beside each other
/// share one.
SmallVector<Piece> cutToPieces(ArrayRef<tt::DescriptorStoreOp> stores, int64_t warps) {
  SmallVector<Piece> pieces;
  for (size_t first = 0, end = 1; first < stores.size(); first = end++) {
    int32_t count = storeSubtiles(bitsOf(stores[first]), warps);
    while (end < stores.size() && adjacentAlong(stores[end - 1], stores[end]) &&
           fitsStoreBuffer(static_cast<int64_t>(end - first + 1) * bitsOf(stores[first]), warps))
      ++end;
    for (int32_t piece = 0; piece < count; ++piece)
      pieces.push_back({first, end - first, piece, count});
  }
  return pieces;
}

int64_t registersOf(RankedTensorType type, int64_t threads) {
  return type.getNumElements() * type.getElementTypeBitWidth() / 32 / threads;
}

/// Values in registers besides the stored tiles: sums that the loop carries, or those of the first dots of the branch.
SmallVector<Value> inflightDots(Overlap &overlap) {
  if (overlap.dotLoop)
    return SmallVector<Value>(overlap.dotLoop.getRegionIterArgs());
  SmallVector<Value> found;
  ws::DotWaitOp wait = firstWait(overlap.branch.thenBlock());
  for (auto issue : overlap.branch.thenBlock()->getOps<ws::DotIssueOp>())
    if (issue->isBeforeInBlock(wait))
      found.push_back(issue.getResult());
  return found;
}

bool stagesInSlot(ws::WarpGroupOp role) {
  return role
      .walk([](ws::GetOp get) {
        auto create = get.getAref().getDefiningOp<ws::CreateArefOp>();
        return create && ws::kStagesStoresAttr.on(create) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

std::optional<RejectReason> whyNot(Overlap &overlap, ws::WarpGroupOp role) {
  if (pingPongAt(overlap.tileLoop))
    return RejectReason::OthersMultiplyMeanwhile;
  if (stagesInSlot(role))
    return RejectReason::StagedInSlot;
  int64_t threads = int64_t(role.getWarps()) * kThreadsPerGroup / kWarpsPerGroup, needed = 0;
  if (!overlap.dotLoop) // what the branch hands on may be begun meanwhile
    for (Type type : overlap.branch.getResultTypes())
      if (auto tensor = dyn_cast<RankedTensorType>(type); tensor && tensor.getRank() == 2)
        needed += registersOf(tensor, threads);
  for (Value value : inflightDots(overlap))
    if (auto inflight = dyn_cast<ws::InflightType>(value.getType()))
      needed += registersOf(inflight.getTensor(), threads);
  for (tt::DescriptorStoreOp store : overlap.stores) {
    if (!overlap.tileLoop.isDefinedOutsideOfLoop(store.getDesc()) || store->isBeforeInBlock(overlap.branch))
      return RejectReason::StoreBoundToTile;
    needed += registersOf(cast<RankedTensorType>(store.getSrc().getType()), threads);
  }
  int64_t owned = role.getRegisters() ? role.getRegisters() : consumerRegisterCap(moduleTarget(role));
  bool fits = fitsRegisters(RegisterQuestion::DeferredStore, needed, owned);
  return fits ? std::nullopt : std::optional(RejectReason::StoreTooLargeToWait);
}

class Overlapper {
public:
  explicit Overlapper(Overlap overlap) : overlap(std::move(overlap)) {}

  void run() {
    findPlaces();
    carryStores();
    OpBuilder builder(overlap.branch.getContext());
    storeBeforeWait(builder, overlap.branch.elseBlock());
    if (overlap.dotLoop)
      peelFirstDot(builder);
    else
      storeBeforeWait(builder, overlap.branch.thenBlock());
    builder.setInsertionPointAfter(overlap.tileLoop);
    storeAll(builder, overlap.tileLoop.getResults());
    for (tt::DescriptorStoreOp store : overlap.stores)
      store.erase();
  }

private:
  /// The positions of the tiles are computed when they are stored, beside the dot, from values carried by the tile
  /// loop.
  void findPlaces() {
    SmallVector<Value> pending;
    for (tt::DescriptorStoreOp store : overlap.stores)
      llvm::append_range(pending, store.getIndices());
    llvm::SmallPtrSet<Operation *, 16> seen;
    while (!pending.empty()) {
      Value value = pending.pop_back_val();
      Operation *op = value.getDefiningOp();
      if (overlap.tileLoop.isDefinedOutsideOfLoop(value) || llvm::is_contained(handedOn, value))
        continue;
      if (!op || op->getNumRegions() != 0 || !isMemoryEffectFree(op))
        handedOn.push_back(value);
      else if (seen.insert(op).second) {
        places.push_back(op);
        llvm::append_range(pending, op->getOperands());
      }
    }
    llvm::sort(places, [](Operation *one, Operation *other) { return one->isBeforeInBlock(other); });
  }

  /// The tile loop carries the stored tiles, the operands of their positions, and whether there are any, to its next
  /// iteration.
  void carryStores() {
    scf::ForOp old = overlap.tileLoop;
    IRRewriter rewriter(old);
    SmallVector<Value> inits, yields;
    for (tt::DescriptorStoreOp store : overlap.stores)
      yields.push_back(store.getSrc());
    llvm::append_range(yields, handedOn);
    rewriter.setInsertionPoint(old.getBody()->getTerminator());
    yields.push_back(rewriter.create<arith::ConstantOp>(old.getLoc(), rewriter.getBoolAttr(true)));
    rewriter.setInsertionPoint(old);
    for (Value value : yields)
      inits.push_back(rewriter.create<arith::ConstantOp>(old.getLoc(), rewriter.getZeroAttr(value.getType())));
    auto attributes = llvm::to_vector(old->getDiscardableAttrs());
    SmallVector<std::pair<Value *, unsigned>> arguments; // of the body among them: the new loop has its own
    for (Value &value : handedOn)
      if (auto argument = dyn_cast<BlockArgument>(value))
        arguments.emplace_back(&value, argument.getArgNumber());
    auto loop =
        *old.replaceWithAdditionalYields(rewriter, inits, /*replaceInitOperandUsesInLoop=*/false,
                                         [&](OpBuilder &, Location, ArrayRef<BlockArgument>) { return yields; });
    overlap.tileLoop = cast<scf::ForOp>(loop);
    for (NamedAttribute attribute : attributes)
      overlap.tileLoop->setAttr(attribute.getName(), attribute.getValue());
    for (auto [value, number] : arguments)
      *value = overlap.tileLoop.getBody()->getArgument(number);
  }

  /// The values carried for stores: the tiles, the operands of their positions, and whether there are any.
  ValueRange handed(ValueRange carried) { return carried.take_back(overlap.stores.size() + handedOn.size() + 1); }

  /// Works out the places of the tiles; `then` has them.
  void place(OpBuilder &builder, ValueRange carried, IRMapping &then) {
    then.map(handedOn, handed(carried).slice(overlap.stores.size(), handedOn.size()));
    for (Operation *op : places)
      builder.clone(*op, then);
  }

  void store(OpBuilder &builder, ValueRange carried, IRMapping &then, ArrayRef<Piece> pieces) {
    for (const Piece &piece : pieces)
      for (size_t number = piece.first; number < piece.first + piece.stores; ++number) {
        auto late = cast<tt::DescriptorStoreOp>(builder.clone(*overlap.stores[number].getOperation(), then));
        late.getSrcMutable().assign(handed(carried)[number]);
        placeBeside(builder, then, overlap.stores[number], late);
        if (piece.count != 1)
          ws::kSubtileAttr.set(late, ws::SubtileAttr::get(builder.getContext(), piece.index, piece.count));
      }
  }

  /// Of tiles at constant distances only one place is handed from iteration to iteration: that the others are beside it
  /// can be seen, and they take no registers.
  void placeBeside(OpBuilder &builder, IRMapping &then, tt::DescriptorStoreOp store, tt::DescriptorStoreOp late) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(late);
    for (auto [index, lateIndex] : llvm::zip_equal(store.getIndices(), late.getIndicesMutable())) {
      auto [base, distance] = withoutConstant(index);
      if (then.contains(index) || !base || !then.contains(base))
        continue;
      Value steps = builder.create<arith::ConstantOp>(loc(), builder.getIntegerAttr(index.getType(), distance));
      lateIndex.set(builder.create<arith::AddIOp>(loc(), then.lookup(base), steps));
    }
  }

  /// if %some { store each }, with what a tile loop carries or leaves.
  void storeAll(OpBuilder &builder, ValueRange carried) {
    OpBuilder::InsertionGuard guard(builder);
    auto some = builder.create<scf::IfOp>(loc(), handed(carried).back(), /*withElseRegion=*/false);
    builder.setInsertionPointToStart(some.thenBlock());
    IRMapping then;
    place(builder, carried, then);
    storeWhole(builder, carried, then);
  }

  void storeWhole(OpBuilder &builder, ValueRange carried, IRMapping &then) {
    store(builder, carried, then, Piece{0, overlap.stores.size()});
  }

  /// After the first dots of a block; where it has none, at its start.
  void storeBeforeWait(OpBuilder &builder, Block *block) {
    if (ws::DotWaitOp wait = firstWait(block))
      builder.setInsertionPoint(wait);
    else
      builder.setInsertionPointToStart(block);
    storeAll(builder, overlap.tileLoop.getRegionIterArgs());
  }

  /// Peels the first iteration. The first subtile is stored between issuing its dots and waiting for them, and one more
  /// in each of the following iterations. Where there are too few iterations, the first one stores all of it.
  void peelFirstDot(OpBuilder &builder) {
    scf::ForOp loop = overlap.dotLoop;
    builder.setInsertionPoint(loop);
    IRMapping first, placed;
    first.map(loop.getInductionVar(), loop.getLowerBound());
    first.map(loop.getRegionIterArgs(), loop.getInitArgs());
    Operation *issue = nullptr; // the last one
    for (auto each : loop.getBody()->getOps<ws::DotIssueOp>())
      issue = each;
    for (Operation &op : loop.getBody()->without_terminator()) {
      builder.clone(op, first);
      if (&op == issue)
        storeBesideFirst(builder, placed);
    }
    for (auto [init, yielded] : llvm::zip_equal(loop.getInitArgsMutable(), loop.getYieldedValues()))
      init.set(first.lookupOrDefault(yielded));
    builder.setInsertionPointAfter(issue);
    storeBesideOthers(builder, placed);
    builder.setInsertionPoint(loop);
    loop.setLowerBound(iteration(builder, 1));
    for (auto other : loop.getBody()->getOps<ws::DotIssueOp>())
      if (isAfterFirst(other.getAdds(), loop))
        other.getAddsMutable().clear();
  }

  /// if %some { store the first subtile at its position, or all of them where too few iterations follow }; `placed`
  /// gets the positions, for the other subtiles.
  void storeBesideFirst(OpBuilder &builder, IRMapping &placed) {
    OpBuilder::InsertionGuard guard(builder);
    ValueRange carried = overlap.tileLoop.getRegionIterArgs();
    SmallVector<Value> indices = movingIndices();
    Value last = iteration(builder, overlap.pieces.size() - 1);
    Value isShort =
        builder.create<arith::CmpIOp>(loc(), arith::CmpIPredicate::sge, last, overlap.dotLoop.getUpperBound());
    auto some = builder.create<scf::IfOp>(loc(), ValueRange(indices).getTypes(), handed(carried).back(),
                                          /*withElseRegion=*/true);
    builder.setInsertionPointToStart(some.elseBlock());
    SmallVector<Value> nowhere;
    for (Value index : indices)
      nowhere.push_back(builder.create<arith::ConstantOp>(loc(), builder.getZeroAttr(index.getType())));
    builder.create<scf::YieldOp>(loc(), nowhere);
    builder.setInsertionPointToStart(some.thenBlock());
    IRMapping then;
    place(builder, carried, then);
    auto whole = builder.create<scf::IfOp>(loc(), isShort, /*withElseRegion=*/true);
    builder.create<scf::YieldOp>(
        loc(), llvm::map_to_vector(indices, [&](Value index) { return then.lookupOrDefault(index); }));
    placed.map(indices, some.getResults());
    builder.setInsertionPointToStart(whole.thenBlock());
    storeWhole(builder, carried, then);
    builder.setInsertionPointToStart(whole.elseBlock());
    store(builder, carried, then, overlap.pieces.front());
  }

  /// if there are pieces left and %k < iteration 4 { if %k < iteration 2 { piece 1 } else if %k < iteration 3 { piece 2
  /// } else { piece 3 } }. Not comparisons for equality: those become a jump through a table.
  void storeBesideOthers(OpBuilder &builder, IRMapping &placed) {
    OpBuilder::InsertionGuard guard(builder);
    auto others = ArrayRef(overlap.pieces).drop_front();
    if (others.empty())
      return;
    ValueRange carried = overlap.tileLoop.getRegionIterArgs();
    OpBuilder before(overlap.dotLoop);
    auto isBefore = [&](size_t number) -> Value {
      return builder.create<arith::CmpIOp>(loc(), arith::CmpIPredicate::slt, overlap.dotLoop.getInductionVar(),
                                           iteration(before, number));
    };
    Value isLong = before.create<arith::CmpIOp>(loc(), arith::CmpIPredicate::slt, iteration(before, others.size()),
                                                overlap.dotLoop.getUpperBound());
    Value inPieces = before.create<arith::AndIOp>(loc(), handed(carried).back(), isLong);
    Value isEarly = isBefore(others.size() + 1);
    Value any = builder.create<arith::AndIOp>(loc(), inPieces, isEarly);
    auto early = builder.create<scf::IfOp>(loc(), any, /*withElseRegion=*/false);
    builder.setInsertionPointToStart(early.thenBlock());
    for (size_t index = 0; index + 1 < others.size(); ++index) {
      auto turn = builder.create<scf::IfOp>(loc(), isBefore(index + 2), /*withElseRegion=*/true);
      builder.setInsertionPointToStart(turn.thenBlock());
      store(builder, carried, placed, others[index]);
      builder.setInsertionPointToStart(turn.elseBlock());
    }
    store(builder, carried, placed, others.back());
  }

  /// The induction variable of iteration `number`, counted before the first one is peeled.
  Value iteration(OpBuilder &builder, int64_t number) {
    scf::ForOp loop = overlap.dotLoop;
    Value count = builder.create<arith::ConstantOp>(loc(), builder.getIntegerAttr(loop.getStep().getType(), number));
    Value distance = builder.createOrFold<arith::MulIOp>(loc(), loop.getStep(), count);
    return builder.createOrFold<arith::AddIOp>(loc(), loop.getLowerBound(), distance);
  }

  /// The indices of the stores that are different for each tile, without constants.
  SmallVector<Value> movingIndices() {
    llvm::SetVector<Value> indices;
    for (tt::DescriptorStoreOp store : overlap.stores)
      for (Value index : store.getIndices())
        if (Value base = withoutConstant(index).first; base && !overlap.tileLoop.isDefinedOutsideOfLoop(base))
          indices.insert(base);
    return indices.takeVector();
  }

  Location loc() { return overlap.tileLoop.getLoc(); }

  /// %k != %first: false in the iteration that is no longer in the loop.
  static bool isAfterFirst(Value condition, scf::ForOp loop) {
    auto compare = condition ? condition.getDefiningOp<arith::CmpIOp>() : arith::CmpIOp();
    return compare && compare.getPredicate() == arith::CmpIPredicate::ne && compare.getLhs() == loop.getInductionVar();
  }

  Overlap overlap;
  SmallVector<Value> handedOn;     ///< What the places of the tiles follow from.
  SmallVector<Operation *> places; ///< The arithmetic between, in its order.
};

struct OverlapStoresPass : impl::OverlapStoresBase<OverlapStoresPass> {
  using OverlapStoresBase::OverlapStoresBase;

  void runOnOperation() override {
    SmallVector<std::pair<Overlap, ws::WarpGroupOp>> found;
    getOperation().walk([&](ws::WarpGroupOp role) {
      for (auto loop : role.getBody().getOps<scf::ForOp>())
        if (auto overlap = findOverlap(loop))
          found.emplace_back(std::move(*overlap), role);
        else
          kept.because(loop, "it does not sum dots and store their tile by TMA");
    });
    for (auto &[overlap, role] : found) {
      if (auto reason = whyNot(overlap, role)) {
        kept.because(overlap.tileLoop, declineText(*reason));
        overlap.tileLoop.emitRemark() << "stores do not overlap the next tile's products: " << declineText(*reason);
      } else {
        overlapped.at(overlap.tileLoop);
        overlap.pieces = cutToPieces(overlap.stores, role.getWarps());
        Overlapper(std::move(overlap)).run();
      }
    }
  }
};

} // namespace
} // namespace tawa
