// Mutations of machine kernels, each one protocol mistake. Repeating a wait, a fence or a commit is not a mistake.
#include "MutantKinds.h"

#include "compiler/roles/Tawa/Tawa.h"
#include "compiler/target/hopper/SM90/SM90.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Matchers.h"

namespace tawa::test {

namespace {

/// The operation moves in front of the one before it that has to do with the protocol.
template <typename Before, typename Op> Mutation hasten(const std::string &name) {
  auto target = [](Op op) -> Operation * {
    for (Operation *before = op->getPrevNode(); before; before = before->getPrevNode())
      if (isa<Before>(before))
        return before;
    return nullptr;
  };
  auto movable = [=](Op op) {
    Operation *before = target(op);
    return before && llvm::all_of(op->getOperands(), [&](Value value) {
             Operation *maker = value.getDefiningOp();
             return !maker || maker->getBlock() != op->getBlock() || maker->isBeforeInBlock(before);
           });
  };
  return at<Op>("hasten " + name, [=](Op op) { op->moveBefore(target(op)); }, movable);
}

/// Two panels stage the stores of a warp: what orders their reuse has nothing to order before the third store.
bool reusesStaging(Operation *op) {
  unsigned stores = 0;
  for (Operation *before = op->getPrevNode(); before; before = before->getPrevNode())
    stores += isa<sm90::TmaStoreOp>(before);
  return stores >= 2 || inLoop(op);
}

bool isLoadedBy(sm90::TensormapWriteOp write) {
  return llvm::any_of(write.getMap().getUsers(), [](Operation *user) { return isa<sm90::TmaLoadOp>(user); });
}

void scaleBox(sm90::TensormapWriteOp write, int32_t by, int32_t over) {
  SmallVector<int32_t> box(write.getBox());
  box.back() = box.back() * by / over;
  write.setBox(box);
}

void shiftAddress(sm90::TensormapAtOp at, int32_t bytes) {
  OpBuilder builder(at);
  at.getAddressMutable().assign(builder.create<LLVM::GEPOp>(at.getLoc(), at.getAddress().getType(), builder.getI8Type(),
                                                            at.getAddress(), ArrayRef<LLVM::GEPArg>{bytes}));
}

/// One copy uses a map that is never written.
void separateUse(sm90::TensormapAtOp at) {
  auto other = cast<sm90::TensormapAtOp>(OpBuilder(at).clone(*at));
  shiftAddress(other, 4096);
  for (OpOperand &use : at->getUses())
    if (isa<sm90::TmaLoadOp, sm90::TmaStoreOp>(use.getOwner()))
      return use.set(other);
}

bool isGuardOfMap(scf::IfOp branch) {
  return !isa<scf::IfOp>(branch->getParentOp()) && !branch.thenBlock()->getOps<sm90::TensormapAcquireOp>().empty();
}

/// Which thread of the role writes the map.
bool choosesWriter(scf::IfOp branch) {
  return isa<scf::IfOp>(branch->getParentOp()) && !branch.thenBlock()->getOps<sm90::TensormapWriteOp>().empty();
}

/// A word of what was described last.
bool isOfRecord(sm90::StoreSharedOp store) {
  return store.getValues().size() == 1 && store.getValues()[0].getType().isInteger(64) &&
         !store->getBlock()->getOps<sm90::TensormapWriteOp>().empty();
}

bool startsRecord(sm90::StoreSharedOp store) { return !store->getBlock()->getOps<sm90::MBarrierInitOp>().empty(); }

/// What comes next in the block that has to do with others.
template <typename Next> bool comesBefore(Operation *op) {
  while ((op = op->getNextNode()))
    if (isa<Next, sm90::MBarrierWaitParityOp, sm90::MBarrierArriveOp, sm90::TmaStoreOp, sm90::BarrierSyncOp>(op))
      return isa<Next>(op);
  return false;
}

/// Threads write a slot that they hand on.
bool isOfHandedSlot(Operation *op) {
  bool isFilled = false; // after a wait for a slot
  for (Operation *before = op->getPrevNode(); before && !isFilled; before = before->getPrevNode()) {
    if (isa<sm90::MBarrierArriveOp, sm90::TmaStoreOp, sm90::BarrierSyncOp, sm90::BulkWaitOp>(before))
      return false;
    isFilled = isa<sm90::MBarrierWaitParityOp>(before);
  }
  return isFilled && comesBefore<sm90::MBarrierArriveOp>(op);
}

/// The same address of a peer, some bytes further on, for all that use it.
void shiftRemote(Value address, int32_t bytes) {
  if (auto sum = address.getDefiningOp<arith::AddIOp>())
    address = sum.getLhs();
  shift(address.getDefiningOp<sm90::MapSharedRankOp>(), 0, bytes);
}

/// Which part a CTA loads of a tile that some of the cluster share: some bits of its rank. Null for other loads.
Operation *choosesPart(sm90::TmaLoadOp load) {
  auto place = load.getDestination().getDefiningOp<arith::AddIOp>();
  auto bytes = place && load.getMulticastMask() ? place.getRhs().getDefiningOp<arith::MulIOp>() : arith::MulIOp();
  Operation *number = bytes ? bytes.getLhs().getDefiningOp() : nullptr;
  bool isLow = isa_and_nonnull<arith::AndIOp>(number), isHigh = isa_and_nonnull<arith::DivUIOp>(number);
  bool isBit = (isLow || isHigh) && number->getOperand(0).getDefiningOp<sm90::SpecialRegisterOp>() &&
               matchPattern(number->getOperand(1), m_Constant());
  return isBit ? number : nullptr;
}

/// The place of the part that another bit of the rank chooses.
void choosePartByOtherBit(sm90::TmaLoadOp load) {
  auto place = load.getDestination().getDefiningOp<arith::AddIOp>();
  auto bytes = place.getRhs().getDefiningOp<arith::MulIOp>();
  Operation *number = choosesPart(load);
  Location loc = load.getLoc();
  OpBuilder builder(load);
  Value rank = number->getOperand(0), one = constant(builder, loc, rank.getType(), 1);
  Value other = isa<arith::AndIOp>(number)
                    ? builder.create<arith::DivUIOp>(loc, rank, constant(builder, loc, rank.getType(), 2)).getResult()
                    : builder.create<arith::AndIOp>(loc, rank, one).getResult();
  Value moved = builder.create<arith::MulIOp>(loc, other, bytes.getRhs());
  load.getDestinationMutable().assign(builder.create<arith::AddIOp>(loc, place.getLhs(), moved));
}

/// By which bits of their numbers programs of the cluster share a tile.
bool choosesSharers(arith::CmpIOp op) {
  return llvm::any_of(op->getUsers(), [](Operation *user) {
    auto branch = dyn_cast<scf::IfOp>(user);
    bool isShared = false;
    if (branch && branch.elseBlock())
      branch.walk([&](sm90::TmaLoadOp load) { isShared |= static_cast<bool>(load.getMulticastMask()); });
    return isShared;
  });
}

template <typename Op> bool isOfTurn(Op op) { return static_cast<bool>(op.getPredicate()); }

/// Where a slot is given back after this, in its block.
Operation *releaseAfter(Operation *op) {
  while (op && !isa<sm90::MBarrierArriveOp>(op))
    op = op->getNextNode();
  return op;
}

/// Of a part of a sum to come; elsewhere it gives back a slot that CTAs share.
bool tellsOfRoom(Operation *op) {
  return op->getParentOfType<func::FuncOp>()
      .walk([](sm90::StoreAsyncOp) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

/// After a part that threads have read.
bool tellsOfRoomAgain(Operation *op) {
  bool hasRead = false;
  auto end = op->getParentOfType<func::FuncOp>().walk<WalkOrder::PreOrder>([&](Operation *before) {
    hasRead |= isa<sm90::LoadSharedOp>(before);
    return before == op ? WalkResult::interrupt() : WalkResult::advance();
  });
  return end.wasInterrupted() && hasRead && tellsOfRoom(op);
}

/// Which CTAs send or receive a part of a sum.
bool choosesRank(arith::CmpIOp op) {
  return llvm::any_of(op->getUsers(), [](Operation *user) {
    auto branch = dyn_cast<scf::IfOp>(user);
    return branch && !branch.thenBlock()->getOps<sm90::StoreAsyncOp>().empty();
  });
}

/// Of the parts of a tile that CTAs share.
bool countsParts(sm90::AtomicRmwOp op) {
  return sm90::kWorkspaceBytesAttr.on(op->getParentOfType<func::FuncOp>()) &&
         op.getSemantics() == sm90::Semantics::AcqRel;
}

bool handsOutTiles(Operation *op) {
  auto kernel = op->getParentOfType<func::FuncOp>();
  return sm90::kWorkspaceBytesAttr.on(kernel) && !ws::kStreamAttr.on(kernel);
}

/// The number of the next tile, which a role reads of its slot at the end of an iteration.
bool readsNumber(sm90::LoadSharedOp op) {
  return handsOutTiles(op) && op.getNumResults() == 1 &&
         llvm::any_of(op.getResult(0).getUsers(), llvm::IsaPred<scf::YieldOp>);
}

bool ordersStaging(Operation *op) {
  return reusesStaging(op) || isa_and_nonnull<sm90::TmaStoreOp>(op->getNextNode()) || isOfHandedSlot(op);
}

} // namespace

std::vector<Mutation> machineMutations() {
  using namespace sm90;
  auto isReadable = [](WgmmaWaitOp op) {
    return llvm::any_of(op.getResultTypes(), [](Type type) { return isa<AccumulatorType>(type); });
  };
  auto isOfRole = [](BarrierSyncOp op) { return op.getId() != 0; };
  auto gives = [](SetMaxRegistersOp op) { return op.getChange() == RegisterChange::Dec; };
  auto takes = [=](SetMaxRegistersOp op) { return !gives(op); };
  auto waits = [](scf::WhileOp loop) {
    return loop->walk([](MBarrierWaitParityOp) { return WalkResult::interrupt(); }).wasInterrupted();
  };
  return {
      invertWhile(waits),
      // Left out
      drop<MBarrierInitOp>("init"),
      drop<FenceMBarrierInitOp>("fence after init"),
      drop<MBarrierWaitParityOp>("wait"),
      drop<MBarrierArriveOp>("arrive"),
      drop<MBarrierArriveExpectTxOp>("expect"),
      drop<TmaLoadOp>("load"),
      drop<BarrierSyncOp>("barrier"),
      drop<FenceProxyAsyncOp>("proxy fence"),
      drop<WarpSyncOp>("warp barrier", ordersStaging),
      drop<WgmmaFenceOp>("fence of registers"),
      drop<WgmmaCommitOp>("commit of dots"),
      drop<BulkCommitOp>("commit of stores"),
      drop<BulkWaitOp>("wait for stores", reusesStaging),
      drop<CpAsyncArriveOp>("arrival of copies"),
      drop<SetMaxRegistersOp>("giving registers", gives),
      drop<MBarrierArriveClusterOp>("arrive in the cluster"),
      drop<ClusterArriveOp>("arrival at the cluster's barrier"),
      drop<ClusterWaitOp>("wait for the cluster"),
      drop<CpAsyncOp>("copy"),
      drop<StoreAsyncOp>("part of a sum"),
      drop<BarrierArriveOp>("passing to a group"),
      // Once more
      repeat<MBarrierInitOp>("init"),
      repeat<MBarrierArriveOp>("arrive"),
      repeat<MBarrierArriveExpectTxOp>("expect"),
      repeat<TmaLoadOp>("load"),
      repeat<CpAsyncArriveOp>("arrival of copies"),
      // Counted wrong
      at<MBarrierInitOp>("init with one more", [](MBarrierInitOp op) { op.setCount(op.getCount() + 1); }),
      at<MBarrierInitOp>(
          "init with one less", [](MBarrierInitOp op) { op.setCount(op.getCount() - 1); },
          [](MBarrierInitOp op) { return op.getCount() > 1; }),
      at<MBarrierArriveExpectTxOp>("16 bytes more", [](auto op) { shift(op, 1, 16); }),
      at<MBarrierArriveExpectTxOp>("16 bytes less", [](auto op) { shift(op, 1, -16); }),
      at<WgmmaWaitOp>(
          "wait for one group less", [](WgmmaWaitOp op) { op.setPendings(op.getPendings() + 1); }, inLoop),
      at<WgmmaWaitOp>(
          "accumulator read too early", [](WgmmaWaitOp op) { op.setPendings(op.getPendings() + 1); }, isReadable),
      at<BulkWaitOp>(
          "wait for one store less", [](BulkWaitOp op) { op.setPendings(op.getPendings() + 1); }, reusesStaging),
      at<BarrierSyncOp>("a warp more", [](BarrierSyncOp op) { op.setThreads(op.getThreads() + 32); }),
      at<BarrierSyncOp>("a warp less", [](BarrierSyncOp op) { op.setThreads(op.getThreads() - 32); }),
      at<BarrierSyncOp>(
          "barrier of the kernel", [](BarrierSyncOp op) { op.setId(0); }, isOfRole),
      at<BarrierArriveOp>("next group", [](BarrierArriveOp op) { op.setId(op.getId() + 1); }),
      at<BarrierSyncOp>(
          "next group's turn", [](BarrierSyncOp op) { op.setId(op.getId() + 1); }, isOfTurn<BarrierSyncOp>),
      at<BarrierSyncOp>(
          "a turn of all groups", [](BarrierSyncOp op) { op.getPredicateMutable().clear(); }, isOfTurn<BarrierSyncOp>),
      at<BarrierArriveOp>(
          "a turn passed by all groups", [](BarrierArriveOp op) { op.getPredicateMutable().clear(); },
          isOfTurn<BarrierArriveOp>),
      at<BarrierArriveOp>(
          "slot given back within a turn", [](BarrierArriveOp op) { op->moveAfter(releaseAfter(op)); },
          [](BarrierArriveOp op) { return isOfTurn(op) && releaseAfter(op); }),
      at<SetMaxRegistersOp>(
          "24 registers more", [](auto op) { op.setCount(op.getCount() + 24); }, takes),
      at<SetMaxRegistersOp>(
          "24 registers kept", [](auto op) { op.setCount(op.getCount() + 24); }, gives),
      at<arith::AddIOp>(
          "count two", [](arith::AddIOp op) { replace(op, 1, 2); }, advancesCounter),
      at<arith::AddIOp>(
          "count none", [](arith::AddIOp op) { replace(op, 1, 0); }, advancesCounter),
      // Wrong phase
      at<MBarrierWaitParityOp>("invert parity", [](auto op) { invert(op, 1); }),
      at<MBarrierWaitParityOp>(
          "parity 0", [](auto op) { replace(op, 1, 0); }, inLoop),
      at<MBarrierWaitParityOp>(
          "parity 1", [](auto op) { replace(op, 1, 1); }, inLoop),
      // Wrong place
      at<MBarrierWaitParityOp>("wait at the next barrier", [](auto op) { shift(op, 0, 8); }),
      at<MBarrierArriveOp>("arrive at the next barrier", [](auto op) { shift(op, 0, 8); }),
      at<MBarrierArriveExpectTxOp>("expect at the next barrier", [](auto op) { shift(op, 0, 8); }),
      at<TmaLoadOp>("load that counts on the next barrier",
                    [](TmaLoadOp op) {
                      OpBuilder builder(op);
                      Value eight = constant(builder, op.getLoc(), builder.getI32Type(), 8);
                      op.getMbarrierMutable().assign(
                          builder.create<arith::AddIOp>(op.getLoc(), op.getMbarrier(), eight));
                    }),
      at<CpAsyncArriveOp>("copies that arrive at the next barrier", [](auto op) { shift(op, 0, 8); }),
      at<TmaLoadOp>("load past its place", [](auto op) { shift(op, 0, 1024); }),
      at<TmaLoadOp>(
          "part of a tile for the first CTA alone",
          [](TmaLoadOp op) {
            OpBuilder builder(op);
            op.getMulticastMaskMutable().assign(constant(builder, op.getLoc(), builder.getI16Type(), 1));
          },
          [](TmaLoadOp op) { return static_cast<bool>(op.getMulticastMask()); }),
      at<TmaLoadOp>(
          "part of a tile for all CTAs of the cluster",
          [](TmaLoadOp op) {
            OpBuilder builder(op);
            op.getMulticastMaskMutable().assign(constant(builder, op.getLoc(), builder.getI16Type(), 0xf));
          },
          choosesPart),
      at<TmaLoadOp>("part of a tile that another CTA loads", choosePartByOtherBit, choosesPart),
      at<TmaLoadOp>(
          "rows of another part",
          [](TmaLoadOp op) {
            for (Value row : op.getCoordinates())
              if (auto sum = row.getDefiningOp<arith::AddIOp>(); sum && sum.getRhs().getDefiningOp<arith::MulIOp>())
                shift(sum.getRhs().getDefiningOp(), 0, 1);
          },
          choosesPart),
      at<arith::CmpIOp>(
          "another choice of sharers",
          [](arith::CmpIOp op) {
            APInt bits;
            matchPattern(op.getRhs(), m_ConstantInt(&bits));
            replace(op, 1, bits.getSExtValue() ^ 1);
          },
          choosesSharers),
      at<arith::CmpIOp>(
          "any other choice of sharers", [](arith::CmpIOp op) { op.setPredicate(arith::CmpIPredicate::ne); },
          choosesSharers),
      at<MapSharedRankOp>("next CTA of the cluster", [](auto op) { shift(op, 1, 1); }),
      at<MBarrierInitOp>("init beside its place", [](auto op) { shift(op, 0, 4); }),
      // Wrong threads
      at<MBarrierArriveOp>(
          "arrival of all lanes", [](auto op) { op.getPredicateMutable().clear(); },
          [](MBarrierArriveOp op) { return static_cast<bool>(op.getPredicate()); }),
      at<MBarrierArriveClusterOp>(
          "arrival of all lanes in the cluster", [](auto op) { op.getPredicateMutable().clear(); },
          [](MBarrierArriveClusterOp op) { return static_cast<bool>(op.getPredicate()); }),
      at<MBarrierArriveExpectTxOp>(
          "expect by all threads", [](auto op) { op.getPredicateMutable().clear(); },
          [](MBarrierArriveExpectTxOp op) { return static_cast<bool>(op.getPredicate()); }),
      at<TmaStoreOp>(
          "store by all lanes", [](auto op) { op.getPredicateMutable().clear(); },
          [](TmaStoreOp op) { return static_cast<bool>(op.getPredicate()); }),
      // Too early
      hastenWithOperands<WgmmaWaitOp, MBarrierArriveOp>("arrive before the wait for its dot",
                                                        [](MBarrierArriveOp) { return true; }),
      hasten<MBarrierWaitParityOp, MBarrierArriveExpectTxOp>("expect before its slot is empty"),
      hasten<MBarrierWaitParityOp, TmaLoadOp>("load before its slot is empty"),
      hasten<CpAsyncOp, CpAsyncArriveOp>("arrival before the last copy"),
      hasten<StmatrixOp, FenceProxyAsyncOp>("proxy fence before the last write"),
      hasten<FenceProxyAsyncOp, TmaStoreOp>("store before the fence"),
      hasten<WarpSyncOp, TmaStoreOp>("store before the warp barrier"),
      // Slots that threads write
      drop<StoreSharedOp>("write of a slot", isOfHandedSlot),
      at<StoreSharedOp>(
          "write beside its place in a slot", [](auto op) { shift(op, 0, 4); }, isOfHandedSlot),
      at<StoreSharedOp>(
          "write past its slot", [](auto op) { shift(op, 0, 1 << 14); }, isOfHandedSlot),
      hasten<StoreSharedOp, FenceProxyAsyncOp>("proxy fence before the last write of a slot"),
      hasten<FenceProxyAsyncOp, MBarrierArriveOp>("arrival before the fence of what was written"),
      hasten<WarpSyncOp, MBarrierArriveOp>("arrival before the other lanes have written"),
      hastenWithOperands<MBarrierWaitParityOp, StoreSharedOp>("write before its slot is empty", isOfHandedSlot),
      // Parts of sums
      hastenWithOperands<MBarrierWaitParityOp, StoreAsyncOp>("part sent before there is room",
                                                             [](StoreAsyncOp) { return true; }),
      hastenWithOperands<WarpSyncOp, MBarrierArriveClusterOp>("room told of before the other lanes have read",
                                                              tellsOfRoomAgain),
      hastenWithOperands<MBarrierWaitParityOp, LoadSharedOp>("part read before it has come",
                                                             [](LoadSharedOp op) { return tellsOfRoom(op); }),
      at<MBarrierArriveClusterOp>(
          "arrive at the next barrier of a peer", [](MBarrierArriveClusterOp op) { shiftRemote(op.getAddress(), 8); },
          tellsOfRoom),
      at<StoreAsyncOp>("part past its place", [](StoreAsyncOp op) { shiftRemote(op.getAddress(), 1 << 14); }),
      at<StoreAsyncOp>("part that the next barrier counts", [](StoreAsyncOp op) { shiftRemote(op.getMbarrier(), 8); }),
      at<arith::CmpIOp>(
          "another rank", [](arith::CmpIOp op) { shift(op, 1, 1); }, choosesRank),
      // Tiles that CTAs share
      at<AtomicRmwOp>(
          "part counted without a release", [](AtomicRmwOp op) { op.setSemantics(Semantics::Acquire); }, countsParts),
      at<AtomicRmwOp>(
          "part counted without an acquire", [](AtomicRmwOp op) { op.setSemantics(Semantics::Release); }, countsParts),
      at<AtomicRmwOp>(
          "part counted for the CTA alone", [](AtomicRmwOp op) { op.setScope(Scope::Cta); }, countsParts),
      // Tiles that CTAs take one by one
      at<AtomicRmwOp>(
          "tile counted for the CTA alone", [](AtomicRmwOp op) { op.setScope(Scope::Cta); }, handsOutTiles),
      at<AtomicRmwOp>(
          "tile asked for by all threads", [](AtomicRmwOp op) { op.getPredicateMutable().clear(); },
          [](AtomicRmwOp op) { return handsOutTiles(op) && op.getPredicate() && op.getKind() == AtomicKind::Add; }),
      at<StoreSharedOp>(
          "another number handed on", [](StoreSharedOp op) { shift(op, 1, 1); },
          [](StoreSharedOp op) { return handsOutTiles(op) && isOfHandedSlot(op) && op.getValues().size() == 1; }),
      at<LoadSharedOp>(
          "another number used",
          [](LoadSharedOp op) {
            OpBuilder builder(op->getContext());
            builder.setInsertionPointAfter(op);
            Value one = constant(builder, op.getLoc(), builder.getI32Type(), 1);
            auto more = builder.create<arith::AddIOp>(op.getLoc(), op.getResult(0), one);
            op.getResult(0).replaceAllUsesExcept(more, more);
          },
          readsNumber),
      drop<WarpSyncOp>("warp barrier after a number",
                       [](WarpSyncOp op) {
                         auto read = dyn_cast_or_null<LoadSharedOp>(op->getPrevNode());
                         return read && readsNumber(read);
                       }),
      hastenWithOperands<LoadSharedOp, MBarrierArriveOp>("slot given back before the number is read", handsOutTiles),
      // Tensor maps
      drop<TensormapWriteOp>("write of a map"),
      drop<TensormapAcquireOp>("acquiring a map"),
      hasten<BarrierSyncOp, TensormapAcquireOp>("acquiring a map before it is written"),
      at<TensormapWriteOp>("box of twice the rows", [](TensormapWriteOp op) { scaleBox(op, 2, 1); }),
      at<TensormapWriteOp>(
          "box of half the rows", [](TensormapWriteOp op) { scaleBox(op, 1, 2); }, isLoadedBy),
      at<TensormapWriteOp>("box of wider elements",
                           [](TensormapWriteOp op) { op.setElement(Float32Type::get(op.getContext())); }),
      at<TensormapWriteOp>("map made in its record", [](auto op) { shift(op, 1, 128); }),
      at<TensormapWriteOp>("map made beside its place", [](auto op) { shift(op, 1, -64); }),
      at<TensormapWriteOp>("description that is not recorded", [](TensormapWriteOp op) { shift(op, 3, 1); }),
      at<TensormapAtOp>("map half in the next one", [](TensormapAtOp op) { shiftAddress(op, 64); }),
      at<TensormapAtOp>("map of the next CTA", [](TensormapAtOp op) { shiftAddress(op, 1024); }),
      at<TensormapAtOp>("map of another use", [](TensormapAtOp op) { separateUse(op); }),
      at<BulkWaitOp>(
          "wait until stores have only read", [](BulkWaitOp op) { op.setRead(true); },
          [](BulkWaitOp op) { return !op.getRead() && inLoop(op); }),
      at<scf::IfOp>(
          "map written by all threads", [](scf::IfOp op) { replace(op, 0, 1); }, choosesWriter),
      at<scf::IfOp>(
          "map that is never written", [](scf::IfOp op) { replace(op, 0, 0); }, isGuardOfMap),
      at<StoreSharedOp>(
          "other word recorded", [](auto op) { replace(op, 1, 7); }, isOfRecord),
      at<StoreSharedOp>(
          "word recorded beside its place", [](auto op) { shift(op, 0, 8); }, isOfRecord),
      drop<StoreSharedOp>("record of nothing", startsRecord),
  };
}

} // namespace tawa::test
