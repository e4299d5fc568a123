// The host form of every sm90 operation: one overload each, in Lower<Topic>.cpp.
#pragma once

#include "compiler/target/hopper/MachineModule/MachineModule.h"
#include "compiler/target/hopper/SM90ToHost/EmulatorCalls.h"
#include "runtime/artifact/ElementType.h"

namespace tawa::sm90 {

class HostLowering {
public:
  using Values = llvm::SmallVector<mlir::Value>;
  HostLowering(mlir::Operation *op, mlir::OpBuilder &builder) : builder(builder), loc(op->getLoc()) {}

  Values lower(SpecialRegisterOp op, SpecialRegisterOp::Adaptor in);
  Values lower(ElectSyncOp op, ElectSyncOp::Adaptor in);
  Values lower(ShuffleOp op, ShuffleOp::Adaptor in);
  Values lower(SetMaxRegistersOp op, SetMaxRegistersOp::Adaptor in);
  Values lower(GridDependencyWaitOp op, GridDependencyWaitOp::Adaptor in);
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
  Values lower(TensormapAtOp op, TensormapAtOp::Adaptor in);
  Values lower(TensormapWriteOp op, TensormapWriteOp::Adaptor in);
  Values lower(TensormapAcquireOp op, TensormapAcquireOp::Adaptor in);

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
  Values lower(StoreAsyncOp op, StoreAsyncOp::Adaptor in);
  Values lower(LoadGlobalOp op, LoadGlobalOp::Adaptor in);
  Values lower(StoreGlobalOp op, StoreGlobalOp::Adaptor in);
  Values lower(StmatrixOp op, StmatrixOp::Adaptor in);
  Values lower(LdmatrixOp op, LdmatrixOp::Adaptor in);
  Values lower(CpAsyncOp op, CpAsyncOp::Adaptor in);
  Values lower(CpAsyncCommitOp op, CpAsyncCommitOp::Adaptor in);
  Values lower(CpAsyncWaitOp op, CpAsyncWaitOp::Adaptor in);
  Values lower(CpAsyncArriveOp op, CpAsyncArriveOp::Adaptor in);

  Values lower(AtomicRmwOp op, AtomicRmwOp::Adaptor in);
  Values lower(AtomicCasOp op, AtomicCasOp::Adaptor in);

  Values lower(MmaOp op, MmaOp::Adaptor in);

  Values lower(ApproxOp op, ApproxOp::Adaptor in);
  Values lower(CvtPackOp op, CvtPackOp::Adaptor in);
  Values lower(CvtRoundOp op, CvtRoundOp::Adaptor in);
  Values lower(CvtFp8PackOp op, CvtFp8PackOp::Adaptor in);
  Values lower(CvtFp8UnpackOp op, CvtFp8UnpackOp::Adaptor in);
  Values lower(BytePermuteOp op, BytePermuteOp::Adaptor in);
  Values lower(BytePermuteByOp op, BytePermuteByOp::Adaptor in);
  Values lower(DivFullOp op, DivFullOp::Adaptor in);
  Values lower(FloatToIntOp op, FloatToIntOp::Adaptor in);

  Values lower(AssertOp op, AssertOp::Adaptor in);
  Values lower(PrintOp op, PrintOp::Adaptor in);
  Values lower(InlineAsmOp op, InlineAsmOp::Adaptor in);

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
  /// Stack space for `words` i32, allocated once in the kernel's entry block.
  mlir::Value stackWords(int64_t words);
  mlir::Value elementPointer(mlir::Value base, mlir::Type type, int64_t index);
  Values loadFrom(mlir::Value pointer, mlir::TypeRange types);
  void storeTo(mlir::Value pointer, mlir::ValueRange values);
  mlir::Value access(mlir::Value address, mlir::TypeRange types, bool write);
  mlir::Value roundToHalf(mlir::Value value, mlir::Type type);
  /// The emulator's rounding of an f32, where LLVM has none: its bits as an i32.
  mlir::Value roundBits(mlir::Value value, mlir::Type type, Rounding rounding);
  mlir::Value typeNumber(mlir::Type type);
  /// The bits of a scalar of up to 64 bits, zero extended to an i64, and back.
  mlir::Value toBits(mlir::Value value);
  mlir::Value fromBits(mlir::Value bits, mlir::Type type);
  /// The arguments with which atomics name a place: its address as i64, and whether it is a shared one.
  Values placeOf(mlir::Value address);
  mlir::Value textConstant(llvm::StringRef text);
  template <typename WgmmaLike> mlir::Value packTypes(WgmmaLike op);

  mlir::OpBuilder &builder;
  mlir::Location loc;
};

/// The emulator's number of an element type; tf32 operands lie in memory as f32.
ElementType elementTypeOf(mlir::Type type);

} // namespace tawa::sm90
