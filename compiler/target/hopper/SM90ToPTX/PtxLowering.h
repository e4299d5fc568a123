// The PTX form of every sm90 operation: one overload each, in Lower<Topic>.cpp as the dialect's .td files are split.
#pragma once

#include "compiler/target/hopper/MachineModule/MachineModule.h"
#include "compiler/target/hopper/SM90ToPTX/PtxAsm.h"

namespace tawa::sm90 {

/// Name of the external array that stands for dynamic shared memory.
inline constexpr llvm::StringLiteral kSharedSymbol = "tawa_dynamic_shared";

class PtxLowering {
public:
  using Values = llvm::SmallVector<mlir::Value>;
  PtxLowering(mlir::Operation *op, mlir::ConversionPatternRewriter &builder) : builder(builder), loc(op->getLoc()) {}

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
  mlir::Value takenAlong(WgmmaOp op);
  PtxAsm ptx() { return PtxAsm(builder, loc); }
  /// A statement without operands.
  Values plain(const llvm::Twine &text) { return ptx().emit(text.str()); }
  mlir::Value zero(mlir::Type type);
  mlir::Value word(int32_t value);
  /// `qualified`: the instruction up to its vector and type, "ld.global.cs".
  Values load(llvm::StringRef qualified, mlir::Value address, mlir::Value predicate, mlir::TypeRange types);
  Values store(llvm::StringRef qualified, mlir::Value address, mlir::Value predicate, mlir::ValueRange values);
  /// Converts a scalar to the register type that carries it through asm, and back.
  mlir::Value toCarrier(mlir::Value value);
  mlir::Value fromCarrier(mlir::Value value, mlir::Type type);
  /// Elements narrower than a register, several to a word, the first one lowest.
  Values packWords(mlir::ValueRange values, mlir::Type wordType);
  Values unpackWords(mlir::ValueRange words, mlir::TypeRange types);
  /// Two halves of eight-bit floats in a word, each as two f16 in a word.
  std::pair<mlir::Value, mlir::Value> widenFp8(mlir::Value word, mlir::Type type);
  Values mma(llvm::StringRef mnemonic, mlir::ValueRange a, mlir::ValueRange b, mlir::ValueRange c);
  /// The address of a string constant, as a generic pointer.
  mlir::Value stringConstant(llvm::StringRef text);
  /// Emits `text` with all registers of the fragments tied through; gives the fragments back.
  Values tieThrough(llvm::StringRef text, mlir::ValueRange fragments);

  mlir::ConversionPatternRewriter &builder;
  mlir::Location loc;
};

/// The register type that carries a scalar through asm: NVPTX has no 8-bit registers, and 16-bit floats go as bits.
mlir::Type carrierType(mlir::Type type);
/// The PTX name of an operand type of wgmma and mma.
llvm::StringRef matrixTypeName(mlir::Type type);

/// Marks the wgmmas that pass their accumulator directly to the next one: they are emitted as one statement. Each
/// statement has the accumulator's registers, up to 128, as outputs and inputs, which dominates its compile time.
void chainWgmmas(mlir::ModuleOp module);
/// The wgmmas that become one statement with the last one of a chain, in order.
llvm::SmallVector<WgmmaOp> chainEndingIn(WgmmaOp last);

/// Marks chains that become one statement with the one before them (JoinWgmmas.cpp).
void joinWgmmas(mlir::ModuleOp module);

/// Turns every assert into a branch that prints and traps, and every predicated print into a branch: calls carry no
/// predicate.
void expandDiagnostics(mlir::ModuleOp module);

} // namespace tawa::sm90
