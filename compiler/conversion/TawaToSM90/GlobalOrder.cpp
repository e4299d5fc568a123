// GlobalOrder.cpp: the order of accesses to global memory by different threads of a role. A tile program is written as
// if one thread ran it: a load sees what was stored before, and not what is stored after. Where an element is stored by
// one thread and loaded by another, as happens with copies of scalars and tiles and with pointers that overlap, a
// barrier of the role keeps that order. Pointers that come from different parameters are taken not to meet, as Triton
// does.
#include "compiler/analysis/TileLoop.h"
#include "compiler/conversion/TawaToSM90/Lowering.h"

using namespace mlir;

namespace tawa {

/// The value an operation only moves, shifts or spreads; null where there is none.
static Value sameMemory(Operation *op) {
  if (isa<tt::AddPtrOp, tt::SplatOp, tt::UnsplatOp, tt::BroadcastOp, tt::ExpandDimsOp, tt::ReshapeOp, tt::TransOp,
          tt::BitcastOp, tt::SplitOp, ws::ConvertLayoutOp>(op))
    return op->getOperand(0);
  return {};
}

/// The parameter that a pointer comes from; null where it cannot be told.
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
  if (ws::LinearAttr layout = ws::layoutOf(pointer.getType())) {
    Copies copies = findCopies(layout.getLayout());
    access.ownedByThread = copies.lanes == 0 && copies.warps == 0;
  }
  return access;
}

/// Atomics need no order among themselves, and the same pointer in registers without copies is each thread's own.
bool KernelLowering::mayMeet(const GlobalAccess &a, const GlobalAccess &b) {
  if ((a.root && b.root && a.root != b.root) || (a.isAtomic && b.isAtomic))
    return false;
  if (a.earlierIteration) // its pointer may have had another value
    return true;
  if (a.pointer == b.pointer && a.ownedByThread && b.ownedByThread)
    return false;
  if (!addresses)
    addresses = std::make_unique<DisjointAddresses>(source);
  return !addresses->areDisjoint(a.pointer, b.pointer);
}

static void addOnce(SmallVectorImpl<GlobalAccess> &list, const GlobalAccess &access) {
  if (!llvm::is_contained(list, access))
    list.push_back(access);
}

void KernelLowering::orderAccess(Operation *op, Value pointer, bool reads, bool writes) {
  if (singleThread)
    return;
  GlobalAccess access = describe(op, pointer);
  auto meetsAny = [&](ArrayRef<GlobalAccess> earlier) {
    return llvm::any_of(earlier, [&](const GlobalAccess &other) { return mayMeet(other, access); });
  };
  bool waits = meetsAny(globalOrder.writes) || (writes && meetsAny(globalOrder.reads));
  if (waits)
    roleBarrier(op->getLoc());
  if (reads)
    addOnce(globalOrder.reads, access);
  if (writes)
    addOnce(globalOrder.writes, access);
}

void KernelLowering::enterLoop(Operation *loop) {
  scratchIsRead |= !singleThread; // by the iteration before
  if (iteratesOverPrograms(loop))
    return; // another program, which has no order with this one
  auto add = [](SmallVector<GlobalAccess> &list, GlobalAccess access) {
    access.earlierIteration = true;
    addOnce(list, access);
  };
  loop->walk([&](Operation *op) {
    if (auto load = dyn_cast<tt::LoadOp>(op))
      add(globalOrder.reads, describe(op, load.getPtr()));
    else if (auto store = dyn_cast<tt::StoreOp>(op))
      add(globalOrder.writes, describe(op, store.getPtr()));
    else if (auto rmw = dyn_cast<tt::AtomicRMWOp>(op))
      add(globalOrder.writes, describe(op, rmw.getPtr()));
    else if (auto cas = dyn_cast<tt::AtomicCASOp>(op))
      add(globalOrder.writes, describe(op, cas.getPtr()));
  });
}

void KernelLowering::leaveBranch(const GlobalOrder &other) {
  for (const GlobalAccess &access : other.reads)
    addOnce(globalOrder.reads, access);
  for (const GlobalAccess &access : other.writes)
    addOnce(globalOrder.writes, access);
}

} // namespace tawa
