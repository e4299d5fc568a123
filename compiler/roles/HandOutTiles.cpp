// HandOutTiles: CTAs take the next tile when they are done with one, instead of every E-th of them (dynamic tile
// scheduler).
//
//   tawa.warp_group producer {                       %ring = tawa.create_aref : <2, [i32]>
//     for %tile = %cta to %tiles step %ctas {        tawa.warp_group producer {
//       put tiles                                      while (%tile = %cta, %n = 0) : %tile < %tiles {
//     }                                                  put tiles
//   }                                                    %next = tawa.next_tile from %ctas of %tiles
//   tawa.warp_group consumer {                           tawa.put %ring[%n], %next
//     for %tile = %cta to %tiles step %ctas {   ->       yield %next, %n + 1
//       get tiles, multiply, store                     }
//     }                                              }
//   }                                                tawa.warp_group consumer {
//                                                      while (%tile = %cta, %n = 0) : %tile < %tiles {
//                                                        get tiles, multiply, store
//                                                        %next = tawa.get %ring[%n]; tawa.consumed %ring[%n]
//                                                        yield %next, %n + 1
//                                                      }
//                                                    }
//
// Tiles of a loop over programs are unordered, so any of them may come next. The producer asks when it has loaded a
// tile: its consumers have as many slots left to compute then as the rings have, which hides the answer's latency, and
// no tile is taken long before a CTA has time for it. Every other role has a ring of its own, from which it gets each
// number once. The loops stay counted ones up to here, so that all passes before see a loop like any other.
#include "compiler/analysis/LogicalArguments.h"
#include "compiler/analysis/RejectReason.h"
#include "compiler/analysis/TileLoop.h"
#include "compiler/frontend/TT/TT.h"
#include "compiler/roles/Passes.h"
#include "compiler/support/Debug.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"

#define DEBUG_TYPE "tawa-hand-out-tiles"

using namespace mlir;

namespace tawa {
#define GEN_PASS_DEF_HANDOUTTILES
#include "compiler/roles/Passes.h.inc"

namespace {

/// The producer is at most so many tiles ahead.
constexpr unsigned kNumbersAhead = 2;

//===--- Where it applies -----------------------------------------------------------------------------------------===//

std::optional<RejectReason> whyNotInRole(ws::WarpGroupOp role) {
  scf::ForOp loop = findTileLoop(role.getBody().front());
  if (!loop || !walksAlongX(loop))
    return RejectReason::NoTilesToShare;
  bool isAhead =
      llvm::any_of(loop.getStep().getUsers(), [&](Operation *user) { return user != loop && role->isAncestor(user); });
  return isAhead ? std::optional(RejectReason::NextTileBegun) : std::nullopt;
}

std::optional<RejectReason> whyNot(tt::FuncOp func) {
  auto roles = func.getOps<ws::WarpGroupOp>();
  if (llvm::hasSingleElement(roles))
    return RejectReason::NoProducer;
  if (ws::kStreamAttr.on(func))
    return RejectReason::RoundsStreamed;
  if (ws::kClusterAttr.on(func))
    return RejectReason::ClusterTakesTiles;
  if (llvm::count_if(roles, [](ws::WarpGroupOp role) { return role.getKind() == ws::RoleKind::Consumer; }) != 1)
    return RejectReason::GroupsTakeTurns;
  for (ws::WarpGroupOp role : roles)
    if (auto reason = whyNotInRole(role))
      return reason;
  return std::nullopt;
}

//===--- The new loops --------------------------------------------------------------------------------------------===//

/// Turns the loop over tiles of one role into one that ends where a number is no tile's.
class NumberedLoop {
public:
  explicit NumberedLoop(ws::WarpGroupOp role)
      : loop(findTileLoop(role.getBody().front())), loc(loop.getLoc()), builder(loop) {}

  /// `next` makes the number of the next tile, at the end of an iteration. The loop carries a counter for each of so
  /// many rings of numbers.
  void make(size_t rings, llvm::function_ref<Value(OpBuilder &, ValueRange counts)> next) {
    SmallVector<Value> inits{loop.getLowerBound()};
    llvm::append_range(inits, loop.getInitArgs());
    inits.append(rings, constant(0));
    auto numbered = builder.create<scf::WhileOp>(loc, ValueRange(inits).getTypes(), inits);
    ws::kTileLoopAttr.set(numbered, ws::kTileLoopAttr.get(loop));
    makeCondition(numbered);
    moveBody(numbered, rings, next);
    loop.replaceAllUsesWith(numbered.getResults().slice(1, loop.getNumResults()));
    loop.erase();
  }

private:
  Value constant(int32_t value) { return builder.create<arith::ConstantOp>(loc, builder.getI32IntegerAttr(value)); }

  Block *makeBlock(Region &region, TypeRange types) {
    return builder.createBlock(&region, region.end(), types, SmallVector<Location>(types.size(), loc));
  }

  void makeCondition(scf::WhileOp numbered) {
    OpBuilder::InsertionGuard guard(builder);
    Block *block = makeBlock(numbered.getBefore(), numbered.getResultTypes());
    Value isTile =
        builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::slt, block->getArgument(0), loop.getUpperBound());
    builder.create<scf::ConditionOp>(loc, isTile, block->getArguments());
  }

  void moveBody(scf::WhileOp numbered, size_t rings, llvm::function_ref<Value(OpBuilder &, ValueRange)> next) {
    OpBuilder::InsertionGuard guard(builder);
    Block *block = makeBlock(numbered.getAfter(), numbered.getResultTypes());
    for (auto [old, now] : llvm::zip(loop.getBody()->getArguments(), block->getArguments()))
      old.replaceAllUsesWith(now);
    block->getOperations().splice(block->end(), loop.getBody()->getOperations());
    Operation *yield = block->getTerminator();
    builder.setInsertionPoint(yield);
    ValueRange counts = ValueRange(block->getArguments()).take_back(rings);
    SmallVector<Value> yielded{next(builder, counts)};
    llvm::append_range(yielded, yield->getOperands());
    for (Value count : counts)
      yielded.push_back(builder.create<arith::AddIOp>(loc, count, constant(1)));
    yield->setOperands(yielded);
  }

  scf::ForOp loop;
  Location loc;
  OpBuilder builder;
};

struct HandOutTilesPass : impl::HandOutTilesBase<HandOutTilesPass> {
  using HandOutTilesBase::HandOutTilesBase;

  void runOnOperation() override {
    tt::FuncOp func = findKernel(getOperation());
    if (!func)
      return signalPassFailure();
    if (!dynamic)
      return kept.because(func, "each CTA has its share of the tiles");
    if (auto reason = whyNot(func)) {
      kept.because(func, declineText(*reason));
      return noteNotApplied(getOperation(), "dynamic", *reason);
    }
    handedOut.at(func);
    SmallVector<Value> rings;
    for (ws::WarpGroupOp role : llvm::make_early_inc_range(func.getOps<ws::WarpGroupOp>()))
      if (role.getKind() != ws::RoleKind::Producer)
        rings.push_back(getNumbers(role, func));
    for (ws::WarpGroupOp role : func.getOps<ws::WarpGroupOp>())
      if (role.getKind() == ws::RoleKind::Producer)
        putNumbers(role, rings);
  }

  /// Returns the ring from which the role has them.
  static Value getNumbers(ws::WarpGroupOp role, tt::FuncOp func) {
    OpBuilder builder(*func.getOps<ws::WarpGroupOp>().begin());
    Location loc = role.getLoc();
    Type i32 = builder.getI32Type();
    Value ring = builder.create<ws::CreateArefOp>(loc, ws::ArefType::get(func.getContext(), kNumbersAhead, i32));
    NumberedLoop(role).make(/*rings=*/1, [&](OpBuilder &inside, ValueRange counts) {
      auto get = inside.create<ws::GetOp>(loc, TypeRange(i32), ring, counts.front());
      inside.create<ws::ConsumedOp>(loc, ring, counts.front(), Value());
      return get.getValues().front();
    });
    return ring;
  }

  static void putNumbers(ws::WarpGroupOp role, ArrayRef<Value> rings) {
    scf::ForOp loop = findTileLoop(role.getBody().front());
    Value ctas = loop.getStep(), tiles = loop.getUpperBound();
    Location loc = loop.getLoc();
    NumberedLoop(role).make(rings.size(), [&](OpBuilder &inside, ValueRange counts) {
      Value next = inside.create<ws::NextTileOp>(loc, inside.getI32Type(), ctas, tiles);
      for (auto [ring, count] : llvm::zip_equal(rings, counts))
        inside.create<ws::PutOp>(loc, ring, count, next);
      return next;
    });
  }
};

} // namespace
} // namespace tawa
