// Host form of OpsControl.td, OpsBarrier.td and OpsTma.td: almost all become one call with unchanged operands.

#include "compiler/roles/Tawa/Tawa.h"
#include "compiler/target/hopper/SM90ToHost/HostLowering.h"

#include "runtime/emulator/ThreadState.h"

#include <cstddef>

using namespace mlir;

namespace tawa::sm90 {

Value HostLowering::constant(int64_t value, unsigned bits) {
  Type type = builder.getIntegerType(bits);
  return builder.create<LLVM::ConstantOp>(loc, type, builder.getIntegerAttr(type, value));
}

//===--- Control --------------------------------------------------------------------------------------------------===//

static size_t offsetOf(SpecialRegister which) {
  using emu::ThreadState;
  auto vector = [&](size_t base, SpecialRegister first) {
    return base + sizeof(uint32_t) * (static_cast<size_t>(which) - static_cast<size_t>(first));
  };
  switch (which) {
  case SpecialRegister::TidX:
  case SpecialRegister::TidY:
  case SpecialRegister::TidZ:
    return vector(offsetof(ThreadState, tid), SpecialRegister::TidX);
  case SpecialRegister::NtidX:
  case SpecialRegister::NtidY:
  case SpecialRegister::NtidZ:
    return vector(offsetof(ThreadState, ntid), SpecialRegister::NtidX);
  case SpecialRegister::CtaidX:
  case SpecialRegister::CtaidY:
  case SpecialRegister::CtaidZ:
    return vector(offsetof(ThreadState, ctaid), SpecialRegister::CtaidX);
  case SpecialRegister::NctaidX:
  case SpecialRegister::NctaidY:
  case SpecialRegister::NctaidZ:
    return vector(offsetof(ThreadState, nctaid), SpecialRegister::NctaidX);
  case SpecialRegister::ClusterCtaRank:
    return offsetof(ThreadState, clusterCtaRank);
  case SpecialRegister::LaneId:
    return offsetof(ThreadState, laneId);
  case SpecialRegister::WarpId:
    return offsetof(ThreadState, warpId);
  }
  llvm_unreachable("unknown special register");
}

static Value loadThreadWord(OpBuilder &builder, Location loc, size_t offset) {
  Value thread = currentThread(builder);
  Value place = builder.create<LLVM::GEPOp>(loc, thread.getType(), builder.getI8Type(), thread,
                                            ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(offset)});
  return builder.create<LLVM::LoadOp>(loc, builder.getI32Type(), place);
}

HostLowering::Values HostLowering::lower(SpecialRegisterOp op, SpecialRegisterOp::Adaptor) {
  return {loadThreadWord(builder, loc, offsetOf(op.getWhich()))};
}
HostLowering::Values HostLowering::lower(SharedBaseOp, SharedBaseOp::Adaptor) {
  return {loadThreadWord(builder, loc, offsetof(emu::ThreadState, sharedBase))};
}

HostLowering::Values HostLowering::lower(ElectSyncOp, ElectSyncOp::Adaptor) {
  Value elected = call(EmuFn::elect_sync, {constant(0xffffffff)});
  return {builder.create<LLVM::ICmpOp>(loc, LLVM::ICmpPredicate::ne, elected, constant(0))};
}

HostLowering::Values HostLowering::lower(ShuffleOp op, ShuffleOp::Adaptor in) {
  Type type = in.getValue().getType();
  Value word = type.isF32() ? builder.create<LLVM::BitcastOp>(loc, builder.getI32Type(), in.getValue()) : in.getValue();
  Value clamp = constant(op.getMode() == ShuffleMode::Up ? 0 : 0x1f);
  Value result = call(EmuFn::shuffle, {constant(static_cast<uint32_t>(op.getMode())), word, in.getLane(), clamp});
  if (type.isF32())
    result = builder.create<LLVM::BitcastOp>(loc, type, result);
  return {result};
}

HostLowering::Values HostLowering::lower(SetMaxRegistersOp op, SetMaxRegistersOp::Adaptor) {
  return callVoid(EmuFn::set_max_registers, {constant(op.getCount()), constant(op.getChange() == RegisterChange::Inc)});
}
/// Launches of the emulator follow each other.
HostLowering::Values HostLowering::lower(GridDependencyWaitOp, GridDependencyWaitOp::Adaptor) { return {}; }
HostLowering::Values HostLowering::lower(TrapOp, TrapOp::Adaptor) { return callVoid(EmuFn::trap); }

//===--- Barriers -------------------------------------------------------------------------------------------------===//

HostLowering::Values HostLowering::lower(MBarrierInitOp op, MBarrierInitOp::Adaptor in) {
  return callVoid(EmuFn::mbarrier_init, {in.getAddress(), constant(op.getCount())});
}
HostLowering::Values HostLowering::lower(MBarrierInvalOp, MBarrierInvalOp::Adaptor in) {
  return callVoid(EmuFn::mbarrier_inval, {in.getAddress()});
}
HostLowering::Values HostLowering::lower(MBarrierArriveOp, MBarrierArriveOp::Adaptor in) {
  return callVoid(EmuFn::mbarrier_arrive, {in.getAddress(), constant(1)});
}
HostLowering::Values HostLowering::lower(MBarrierArriveClusterOp, MBarrierArriveClusterOp::Adaptor in) {
  return callVoid(EmuFn::mbarrier_arrive, {in.getAddress(), constant(1)});
}
HostLowering::Values HostLowering::lower(MBarrierArriveExpectTxOp, MBarrierArriveExpectTxOp::Adaptor in) {
  return callVoid(EmuFn::mbarrier_arrive_expect_tx, {in.getAddress(), in.getBytes()});
}
HostLowering::Values HostLowering::lower(MBarrierWaitParityOp, MBarrierWaitParityOp::Adaptor in) {
  return callVoid(EmuFn::mbarrier_wait_parity, {in.getAddress(), in.getParity()});
}
HostLowering::Values HostLowering::lower(FenceMBarrierInitOp, FenceMBarrierInitOp::Adaptor) {
  return callVoid(EmuFn::fence_mbarrier_init);
}
HostLowering::Values HostLowering::lower(FenceProxyAsyncOp, FenceProxyAsyncOp::Adaptor) {
  return callVoid(EmuFn::fence_proxy_async);
}

HostLowering::Values HostLowering::namedBarrier(EmuFn function, uint32_t id, uint32_t threads) {
  return callVoid(function, {constant(id), constant(threads)});
}
HostLowering::Values HostLowering::lower(BarrierSyncOp op, BarrierSyncOp::Adaptor) {
  return namedBarrier(EmuFn::barrier_sync, op.getId(), op.getThreads());
}
HostLowering::Values HostLowering::lower(BarrierArriveOp op, BarrierArriveOp::Adaptor) {
  return namedBarrier(EmuFn::barrier_arrive, op.getId(), op.getThreads());
}

HostLowering::Values HostLowering::lower(WarpSyncOp, WarpSyncOp::Adaptor) {
  return callVoid(EmuFn::warp_sync, {constant(0xffffffff)});
}
HostLowering::Values HostLowering::lower(ClusterArriveOp, ClusterArriveOp::Adaptor) {
  return callVoid(EmuFn::cluster_arrive);
}
HostLowering::Values HostLowering::lower(ClusterWaitOp, ClusterWaitOp::Adaptor) {
  return callVoid(EmuFn::cluster_wait);
}
HostLowering::Values HostLowering::lower(MapSharedRankOp, MapSharedRankOp::Adaptor in) {
  return {call(EmuFn::map_shared_rank, {in.getAddress(), in.getRank()})};
}

//===--- TMA ------------------------------------------------------------------------------------------------------===//

void HostLowering::appendCoordinates(Values &arguments, ValueRange coordinates) {
  constexpr size_t kMaxRank = 5;
  arguments.push_back(constant(coordinates.size()));
  llvm::append_range(arguments, coordinates);
  for (size_t missing = coordinates.size(); missing < kMaxRank; ++missing)
    arguments.push_back(constant(0));
}

HostLowering::Values HostLowering::lower(TmaLoadOp, TmaLoadOp::Adaptor in) {
  Values arguments{in.getDestination(), in.getMap(), in.getMbarrier()};
  appendCoordinates(arguments, in.getCoordinates());
  Value mask = in.getMulticastMask();
  arguments.push_back(mask ? Value(builder.create<LLVM::ZExtOp>(loc, builder.getI32Type(), mask)) : constant(0));
  return callVoid(EmuFn::tma_load, arguments);
}

HostLowering::Values HostLowering::lower(TmaStoreOp op, TmaStoreOp::Adaptor in) {
  Values arguments{in.getMap(), in.getSource()};
  appendCoordinates(arguments, in.getCoordinates());
  return callVoid(ws::kAddsAttr.on(op) ? EmuFn::tma_add : EmuFn::tma_store, arguments);
}

HostLowering::Values HostLowering::lower(BulkCommitOp, BulkCommitOp::Adaptor) { return callVoid(EmuFn::bulk_commit); }
HostLowering::Values HostLowering::lower(BulkWaitOp op, BulkWaitOp::Adaptor) {
  return callVoid(EmuFn::bulk_wait, {constant(op.getPendings()), constant(op.getRead())});
}
HostLowering::Values HostLowering::lower(PrefetchTensormapOp, PrefetchTensormapOp::Adaptor in) {
  return callVoid(EmuFn::prefetch_tensormap, {in.getMap()});
}

HostLowering::Values HostLowering::lower(TensormapAtOp, TensormapAtOp::Adaptor in) {
  return {
      builder.create<LLVM::AddrSpaceCastOp>(loc, LLVM::LLVMPointerType::get(builder.getContext()), in.getAddress())};
}

/// Base, sizes, strides and box go through memory: together they are more than the calls of the table have.
HostLowering::Values HostLowering::lower(TensormapWriteOp op, TensormapWriteOp::Adaptor in) {
  Type word = builder.getI64Type();
  Values fields{builder.create<LLVM::PtrToIntOp>(loc, word, in.getBase())};
  for (Value size : in.getSizes())
    fields.push_back(builder.create<LLVM::ZExtOp>(loc, word, size));
  llvm::append_range(fields, in.getStrides());
  for (int32_t extent : op.getBox())
    fields.push_back(builder.create<LLVM::ConstantOp>(loc, builder.getI64IntegerAttr(extent)));
  Value memory = stackWords(2 * static_cast<int64_t>(fields.size()));
  storeTo(memory, fields);
  return callVoid(EmuFn::tensormap_write,
                  {in.getMap(), memory, constant(op.getBox().size()), typeNumber(op.getElement()),
                   constant(op.getSwizzle()), constant(op.getFillsWithNaN())});
}

HostLowering::Values HostLowering::lower(TensormapAcquireOp, TensormapAcquireOp::Adaptor in) {
  return callVoid(EmuFn::tensormap_acquire, {in.getMap()});
}

} // namespace tawa::sm90
