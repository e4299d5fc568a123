// SinkSharedLoads: sinks shared-memory loads past a dot wait under register pressure.
//
//   %r = tawa.get %ring[%n]                     %r = tawa.get %ring[%n]
//   %x = tawa.from_shared %r                    %s = wait %i
//   tawa.consumed %ring[%n]                     %x = tawa.from_shared %r
//   %s = wait %i                         ->     %d = %s - %x
//   %d = %s - %x                                tawa.consumed %ring[%n]
//   %e = exp2(%d)                               %e = exp2(%d)
//
// The sums that products leave fill registers, those of later dots too. Where a tile that was read before
// does not fit beside them, shared memory keeps it: ptxas reads it piece by piece, as exponentials take up the sums and
// leave their registers. Where everything fits it is read ahead, while the products are waited for.
#include "compiler/analysis/HeldRegisters.h"
#include "compiler/analysis/TileRegisters.h"
#include "compiler/frontend/TT/TT.h"
#include "compiler/layouts/Passes.h"
#include "compiler/roles/Tawa/Tawa.h"
#include "compiler/support/Debug.h"
#include "runtime/artifact/RegisterBudget.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#define DEBUG_TYPE "tawa-sink-shared-loads"

using namespace mlir;

namespace tawa {
#define GEN_PASS_DEF_SINKSHAREDLOADS
#include "compiler/layouts/Passes.h.inc"

namespace {

/// A load from a slot, followed by its release.
struct SlotRead {
  ws::FromSharedOp read;
  ws::ConsumedOp release;
  SmallVector<Operation *> names; ///< Its result under other names, in the order of the block.
  SmallVector<Operation *> users; ///< Its readers, also through views.
};

void collectUsers(Value value, SlotRead &found) {
  for (Operation *user : value.getUsers()) {
    if (!isView(user)) {
      found.users.push_back(user);
      continue;
    }
    found.names.push_back(user);
    collectUsers(user->getResult(0), found);
  }
}

/// The slot read by no other operation, and released in the same block.
std::optional<SlotRead> findSlotRead(ws::FromSharedOp read, PassCounter &kept) {
  auto keep = [&](StringRef why) { return kept.because(read, why), std::nullopt; };
  auto get = read.getSource().getDefiningOp<ws::GetOp>();
  if (!get || get->getBlock() != read->getBlock() || get.getValues().size() != 1 || !read.getSource().hasOneUse())
    return keep("it does not read, alone, a slot of one tile that its block got");
  SlotRead found{read, {}, {}, {}};
  for (Operation *user : get.getAref().getUsers())
    if (auto release = dyn_cast<ws::ConsumedOp>(user))
      if (release->getBlock() == get->getBlock() && release.getIndex() == get.getIndex())
        found.release = release;
  collectUsers(read.getResult(), found);
  auto isHere = [&](Operation *op) { return op->getBlock() == read->getBlock(); };
  bool isLocal = llvm::all_of(found.names, isHere) && llvm::all_of(found.users, isHere);
  if (!found.release)
    return keep("its slot is given back in another block");
  if (found.users.empty() || !isLocal)
    return keep("its tile is used in another block");
  auto inOrder = [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); };
  llvm::sort(found.names, inOrder);
  llvm::sort(found.users, inOrder);
  return found;
}

struct SinkSharedLoadsPass : impl::SinkSharedLoadsBase<SinkSharedLoadsPass> {
  using SinkSharedLoadsBase::SinkSharedLoadsBase;

  void runOnOperation() override {
    SmallVector<ws::FromSharedOp> reads;
    getOperation().walk([&](ws::FromSharedOp read) { reads.push_back(read); });
    for (ws::FromSharedOp read : reads)
      if (auto found = findSlotRead(read, kept); found && isTooMuch(*found))
        delay(*found);
  }

  /// Whether, on the way to its users, the tile crosses a wait for products beside which it does not fit. No other wait
  /// may intervene: its signaller may be blocked on this slot.
  bool isTooMuch(const SlotRead &found) {
    auto role = found.read->getParentOfType<ws::WarpGroupOp>();
    int64_t owned = ownedRegisters(role);
    bool tooMuch = false, waits = false;
    for (Operation *op = found.read->getNextNode(); op != found.users.back(); op = op->getNextNode()) {
      auto wait = dyn_cast<ws::DotWaitOp>(op);
      if (!wait && !isa<ws::DotIssueOp, ws::ConsumedOp>(op) && (!isMemoryEffectFree(op) || op->getNumRegions() != 0))
        return kept.because(found.read, "something else is waited for before its tile is used"), false;
      if (!wait || !wait->isBeforeInBlock(found.users.front()))
        continue;
      int64_t held = tileRegisters(wait.getType()) + registersHeldAt(wait);
      LLVM_DEBUG(llvm::dbgs() << wait.getLoc() << ": tiles take " << held << " registers of " << owned
                              << " at this wait\n");
      waits = true;
      tooMuch |= !fitsRegisters(RegisterQuestion::LoopTiles, held, owned);
    }
    if (!tooMuch)
      kept.because(found.read, waits ? "the registers suffice for it beside the products"
                                     : "no products are waited for before its tile is used");
    return tooMuch;
  }

  void delay(const SlotRead &found) {
    found.read->moveBefore(found.users.front());
    for (Operation *name : found.names)
      if (name->isBeforeInBlock(found.users.front()))
        name->moveBefore(found.users.front());
    if (found.release->isBeforeInBlock(found.users.back()))
      found.release->moveAfter(found.users.back());
    delayed.at(found.read);
  }
};

} // namespace
} // namespace tawa
