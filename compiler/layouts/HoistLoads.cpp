// HoistLoads: issues loads before threads exchange tiles, and small ones before loops.
//
//   %a = tt.load %p                              %a = tt.load %p
//   %x = tawa.convert_layout %a                  %b = tt.load %q
//   %b = tt.load %q                       ->     %x = tawa.convert_layout %a
//   %y = tawa.convert_layout %b                  %y = tawa.convert_layout %b
//
// An exchange waits for the tile and, at a barrier, for all threads; no assembler moves a load over that. Loads after
// it have their whole latency after that of the earlier one. Triton's texts have loads side by side: it is layouts that
// put exchanges between them. What follows a reduction is loaded under it. Scales, biases of a few columns and counters
// that are read after a loop with products come while its first tiles do; they are held through the loop, and so have
// to be small.
#include "compiler/analysis/HeldRegisters.h"
#include "compiler/analysis/TileRegisters.h"
#include "compiler/frontend/TT/TT.h"
#include "compiler/layouts/Passes.h"
#include "compiler/roles/Tawa/Target.h"
#include "compiler/roles/Tawa/Tawa.h"
#include "runtime/artifact/RegisterBudget.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace tawa {
#define GEN_PASS_DEF_HOISTLOADS
#include "compiler/layouts/Passes.h.inc"

namespace {

/// Its lowering passes elements from thread to thread.
bool isExchange(Operation *op) {
  return isa<ws::ConvertLayoutOp, ws::ToSharedOp, tt::ReduceOp, tt::ScanOp, tt::GatherOp, tt::HistogramOp>(op);
}

/// What follows may depend on memory as this operation leaves it, or on a wait of it.
bool endsStretch(Operation *op) {
  if (isa<ws::ToSharedOp>(op)) // writes a buffer of its own
    return false;
  bool hasRegions = op->getNumRegions() != 0 && !isExchange(op) && !isa<tt::MapElementwiseOp>(op);
  return hasRegions || !isMemoryEffectFree(op);
}

/// Nothing that it or an operation in it does is seen in global memory or waits for another program.
bool leavesMemoryAsItIs(Operation *op) {
  return !op->walk([](Operation *inner) {
              auto load = dyn_cast<tt::LoadOp>(inner);
              bool isFree = load ? !load.getIsVolatile() : isMemoryEffectFree(inner) || inner->getNumRegions() != 0;
              bool isOfRole =
                  isa<ws::GetOp, ws::ConsumedOp, ws::DotIssueOp, ws::DotWaitOp, ws::ToSharedOp, ws::FromSharedOp>(
                      inner);
              return isFree || isOfRole ? WalkResult::advance() : WalkResult::interrupt();
            }).wasInterrupted();
}

/// The registers that loads of a role may fill. Without products as many threads share a multiprocessor as can.
int64_t registersForLoads(ws::WarpGroupOp role) {
  bool hasProducts = role.walk([](Operation *op) {
                           bool isProduct = isa<tt::DotOp, ws::DotIssueOp>(op);
                           return isProduct ? WalkResult::interrupt() : WalkResult::advance();
                         })
                         .wasInterrupted();
  int64_t owned = ownedRegisters(role);
  return hasProducts ? owned : std::min<int64_t>(owned, moduleTarget(role).registersPerMultiprocessor / kThreadsAtEase);
}

/// The operations after `place` that the load needs there, itself the last; nothing where one may not move.
std::optional<SmallVector<Operation *>> findNeeded(tt::LoadOp load, Operation *place) {
  SetVector<Operation *> needed;
  needed.insert(load);
  for (size_t i = 0; i < needed.size(); ++i) // grows as operands are found
    for (Value operand : needed[i]->getOperands()) {
      Operation *op = operand.getDefiningOp();
      if (!op || op->getBlock() != place->getBlock() || op->isBeforeInBlock(place))
        continue;
      if (op->getNumRegions() != 0 || isExchange(op) || !isMemoryEffectFree(op))
        return std::nullopt;
      needed.insert(op);
    }
  SmallVector<Operation *> ordered = needed.takeVector();
  llvm::sort(ordered, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  return ordered;
}

constexpr int64_t kMostOfOne = 2, kMostHeld = 8; ///< Registers of each thread for loads that wait out a loop.

struct HoistLoadsPass : impl::HoistLoadsBase<HoistLoadsPass> {
  using HoistLoadsBase::HoistLoadsBase;

  void runOnOperation() override {
    getOperation().walk([&](ws::WarpGroupOp role) {
      registers = registersForLoads(role);
      role.walk([&](Block *block) { hoistIn(*block); });
    });
  }

  /// Of each stretch of loads and arithmetic, all loads that can come before its first exchange; small ones before the
  /// first loop since memory changed.
  void hoistIn(Block &block) {
    Operation *exchange = nullptr, *loop = nullptr;
    int64_t held = 0;
    for (Operation &op : llvm::make_early_inc_range(block)) {
      auto load = dyn_cast<tt::LoadOp>(op);
      if (load && !load.getIsVolatile()) {
        if (loop && hoistOverLoop(load, loop, held))
          continue;
        if (exchange)
          hoist(load, exchange);
      } else if (endsStretch(&op)) {
        exchange = nullptr;
        if (!leavesMemoryAsItIs(&op))
          loop = nullptr;
        else if (!loop && isa<scf::ForOp>(op))
          std::tie(loop, held) = std::pair(&op, 0);
      } else if (!exchange && isExchange(&op)) {
        exchange = &op;
      }
    }
  }

  bool hoistOverLoop(tt::LoadOp load, Operation *loop, int64_t &held) {
    int64_t own = std::max<int64_t>(1, tileRegisters(load.getType()));
    std::optional<SmallVector<Operation *>> needed = findNeeded(load, loop);
    if (!needed || own > kMostOfOne || held + own > kMostHeld)
      return false;
    for (Operation *op : *needed)
      op->moveBefore(loop);
    held += own;
    hoisted.at(load);
    return true;
  }

  void hoist(tt::LoadOp load, Operation *exchange) {
    std::optional<SmallVector<Operation *>> needed = findNeeded(load, exchange);
    if (!needed)
      return kept.because(load, "its addresses or masks follow from a tile that was exchanged or loaded");
    int64_t held = registersHeldAt(exchange) + tileRegisters(load.getType());
    for (TypeRange types : {TypeRange(exchange->getOperandTypes()), TypeRange(exchange->getResultTypes())})
      for (Type type : types)
        held += tileRegisters(type);
    if (!fitsRegisters(RegisterQuestion::LoopTiles, held, registers))
      return kept.because(load, "the registers do not suffice for it beside what is there");
    for (Operation *op : *needed)
      op->moveBefore(exchange);
    hoisted.at(load);
  }

  int64_t registers = 0;
};

} // namespace
} // namespace tawa
