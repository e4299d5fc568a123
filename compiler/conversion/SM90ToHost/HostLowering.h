// The host form of every sm90 operation: one overload each, in Lower<Topic>.cpp.
#pragma once

#include "compiler/conversion/SM90Common/MachineModule.h"
#include "compiler/conversion/SM90ToHost/EmulatorCalls.h"

namespace tawa::sm90 {

class HostLowering {
public:
  using Values = llvm::SmallVector<mlir::Value>;
  HostLowering(mlir::Operation *op, mlir::OpBuilder &builder) : builder(builder), loc(op->getLoc()) {}

  Values lower(SpecialRegisterOp op, SpecialRegisterOp::Adaptor in);
  Values lower(ElectSyncOp op, ElectSyncOp::Adaptor in);
  Values lower(ShuffleOp op, ShuffleOp::Adaptor in);
  Values lower(SetMaxRegistersOp op, SetMaxRegistersOp::Adaptor in);
  Values lower(TrapOp op, TrapOp::Adaptor in);

  Values lower(MBarrierInitOp op, MBarrierInitOp::Adaptor in);
  Values lower(MBarrierInvalOp op, MBarrierInvalOp::Adaptor in);
  Values lower(MBarrierArriveOp op, MBarrierArriveOp::Adaptor in);
  Values lower(MBarrierArriveExpectTxOp op, MBarrierArriveExpectTxOp::Adaptor in);
  Values lower(MBarrierArriveClusterOp op, MBarrierArriveClusterOp::Adaptor in);
  Values lower(MBarrierWaitParityOp op, MBarrierWaitParityOp::Adaptor in);
  Values lower(FenceMBarrierInitOp op, FenceMBarrierInitOp::Adaptor in);
  Values lower(FenceProxyAsyncOp op, FenceProxyAsyncOp::Adaptor in);
  Values lower(BarrierSyncOp op, BarrierSyncOp::Adaptor in);
  Values lower(BarrierArriveOp op, BarrierArriveOp::Adaptor in);
  Values lower(WarpSyncOp op, WarpSyncOp::Adaptor in);
  Values lower(ClusterArriveOp op, ClusterArriveOp::Adaptor in);
  Values lower(ClusterWaitOp op, ClusterWaitOp::Adaptor in);
  Values lower(MapSharedRankOp op, MapSharedRankOp::Adaptor in);

  Values lower(TmaLoadOp op, TmaLoadOp::Adaptor in);
  Values lower(TmaStoreOp op, TmaStoreOp::Adaptor in);
  Values lower(BulkCommitOp op, BulkCommitOp::Adaptor in);
  Values lower(BulkWaitOp op, BulkWaitOp::Adaptor in);
  Values lower(PrefetchTensormapOp op, PrefetchTensormapOp::Adaptor in);

  Values lower(AccUndefOp op, AccUndefOp::Adaptor in);
  Values lower(ResumeOp op, ResumeOp::Adaptor in);
  Values lower(PackOp op, PackOp::Adaptor in);
  Values lower(UnpackOp op, UnpackOp::Adaptor in);
  Values lower(WgmmaFenceOp op, WgmmaFenceOp::Adaptor in);
  Values lower(WgmmaOp op, WgmmaOp::Adaptor in);
  Values lower(WgmmaRsOp op, WgmmaRsOp::Adaptor in);
  Values lower(WgmmaCommitOp op, WgmmaCommitOp::Adaptor in);
  Values lower(WgmmaWaitOp op, WgmmaWaitOp::Adaptor in);

  Values lower(SharedBaseOp op, SharedBaseOp::Adaptor in);
  Values lower(LoadSharedOp op, LoadSharedOp::Adaptor in);
  Values lower(StoreSharedOp op, StoreSharedOp::Adaptor in);
  Values lower(LoadGlobalOp op, LoadGlobalOp::Adaptor in);
  Values lower(StoreGlobalOp op, StoreGlobalOp::Adaptor in);
  Values lower(StmatrixOp op, StmatrixOp::Adaptor in);
  Values lower(LdmatrixOp op, LdmatrixOp::Adaptor in);
  Values lower(CvtPackOp op, CvtPackOp::Adaptor in);

private:
  mlir::Value constant(int64_t value, unsigned bits = 32);
  /// Calls the emulator; the values are its arguments after the thread.
  mlir::Value call(EmuFn function, mlir::ValueRange arguments = {}) {
    return callEmulator(builder, loc, function, arguments);
  }
  Values callVoid(EmuFn function, mlir::ValueRange arguments = {}) {
    call(function, arguments);
    return {};
  }
  Values namedBarrier(EmuFn function, uint32_t id, uint32_t threads);
  /// The five coordinates the emulator takes, the missing ones zero, appended to `arguments` after the rank.
  void appendCoordinates(Values &arguments, mlir::ValueRange coordinates);
  /// Stack space for so many i32, made once in the kernel's entry block.
  mlir::Value stackWords(int64_t words);
  mlir::Value wordPointer(mlir::Value base, int64_t index);
  Values loadFrom(mlir::Value pointer, mlir::TypeRange types);
  void storeTo(mlir::Value pointer, mlir::ValueRange values);
  mlir::Value access(mlir::Value address, mlir::TypeRange types, bool write);
  mlir::Value roundToHalf(mlir::Value value, mlir::Type type);
  template <typename WgmmaLike> mlir::Value packTypes(WgmmaLike op);

  mlir::OpBuilder &builder;
  mlir::Location loc;
};

} // namespace tawa::sm90
