// GlobalOrder.cpp: tracks accesses since the last barrier, and which of them a new one may alias.
#include "compiler/target/hopper/TawaToSM90/GlobalOrder.h"
#include "compiler/analysis/TileLoop.h"

using namespace mlir;

namespace tawa {

/// The value an operation only moves, shifts or spreads; null where there is none.
static Value sameMemory(Operation *op) {
  if (isa<tt::AddPtrOp, tt::SplatOp, tt::UnsplatOp, tt::BroadcastOp, tt::ExpandDimsOp, tt::ReshapeOp, tt::TransOp,
          tt::BitcastOp, tt::SplitOp, ws::ConvertLayoutOp>(op))
    return op->getOperand(0);
  return {};
}

/// The parameter that a pointer is derived from; null where unknown.
static Value rootOf(Value pointer, llvm::SmallPtrSetImpl<void *> &seen) {
  while (Operation *op = pointer.getDefiningOp()) {
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      pointer = loop.getTiedLoopRegionIterArg(cast<OpResult>(pointer));
      break;
    }
    pointer = sameMemory(op);
    if (!pointer)
      return {};
  }
  auto argument = cast<BlockArgument>(pointer);
  auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
  if (!loop)
    return isa<tt::FuncOp>(argument.getOwner()->getParentOp()) ? pointer : Value();
  if (!seen.insert(pointer.getAsOpaquePointer()).second)
    return pointer; // met again on the way: the other values decide
  Value init = rootOf(loop.getTiedLoopInit(argument)->get(), seen);
  Value next = rootOf(loop.getTiedLoopYieldedValue(argument)->get(), seen);
  return next == init || next == pointer ? init : Value();
}

static GlobalAccess describe(Operation *op, Value pointer) {
  llvm::SmallPtrSet<void *, 8> seen;
  GlobalAccess access;
  access.isAtomic = isa<tt::AtomicRMWOp, tt::AtomicCASOp>(op);
  access.root = rootOf(pointer, seen);
  access.pointer = pointer;
  if (auto load = dyn_cast<tt::LoadOp>(op))
    access.mask = load.getMask();
  else if (auto store = dyn_cast<tt::StoreOp>(op))
    access.mask = store.getMask();
  if (ws::LinearAttr layout = ws::layoutOf(pointer.getType())) {
    Copies copies = findCopies(layout.getLayout());
    access.ownedByThread = copies.lanes == 0 && copies.warps == 0;
  }
  return access;
}

GlobalOrder::GlobalOrder(RoleContext &context, RoleBarrier &barrier) : Emitter(context), barrier(barrier) {
  barrier.onBarrier([this] { pending = {}; });
}

/// Atomics need no order among themselves, and the same pointer in registers without copies is each thread's own.
bool GlobalOrder::mayMeet(const GlobalAccess &earlier, const GlobalAccess &access, Operation *op) {
  if ((earlier.root && access.root && earlier.root != access.root) || (earlier.isAtomic && access.isAtomic))
    return false;
  if (!addresses)
    addresses = std::make_unique<DisjointAddresses>(context.source);
  if (earlier.loop) {
    auto loop = dyn_cast<scf::ForOp>(earlier.loop);
    return !loop || !loop->isAncestor(op) ||
           !addresses->areDisjoint({earlier.pointer, earlier.mask}, {access.pointer, access.mask}, loop);
  }
  if (earlier.pointer == access.pointer && earlier.ownedByThread && access.ownedByThread)
    return false;
  return !addresses->areDisjoint(earlier.pointer, access.pointer);
}

static void addOnce(SmallVectorImpl<GlobalAccess> &list, const GlobalAccess &access) {
  if (!llvm::is_contained(list, access))
    list.push_back(access);
}

void GlobalOrder::orderAccess(Operation *op, Value pointer, bool reads, bool writes) {
  if (thread.isSingle)
    return;
  GlobalAccess access = describe(op, pointer);
  auto meetsAny = [&](ArrayRef<GlobalAccess> earlier) {
    return llvm::any_of(earlier, [&](const GlobalAccess &other) { return mayMeet(other, access, op); });
  };
  bool waits = meetsAny(pending.writes) || (writes && meetsAny(pending.reads));
  if (waits)
    barrier.emit(op->getLoc());
  if (reads)
    addOnce(pending.reads, access);
  if (writes)
    addOnce(pending.writes, access);
}

void GlobalOrder::enterLoop(Operation *loop) {
  if (iteratesOverPrograms(loop))
    return; // another program, which has no order with this one
  auto add = [loop](SmallVector<GlobalAccess> &list, GlobalAccess access) {
    access.loop = loop;
    addOnce(list, access);
  };
  loop->walk([&](Operation *op) {
    if (auto load = dyn_cast<tt::LoadOp>(op))
      add(pending.reads, describe(op, load.getPtr()));
    else if (auto store = dyn_cast<tt::StoreOp>(op))
      add(pending.writes, describe(op, store.getPtr()));
    else if (auto rmw = dyn_cast<tt::AtomicRMWOp>(op))
      add(pending.writes, describe(op, rmw.getPtr()));
    else if (auto cas = dyn_cast<tt::AtomicCASOp>(op))
      add(pending.writes, describe(op, cas.getPtr()));
  });
}

void GlobalOrder::join(const PendingAccesses &other) {
  for (const GlobalAccess &access : other.reads)
    addOnce(pending.reads, access);
  for (const GlobalAccess &access : other.writes)
    addOnce(pending.writes, access);
}

} // namespace tawa
