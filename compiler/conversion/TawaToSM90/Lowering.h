// The state of one kernel's lowering, shared by the files of this folder: Kernel.cpp (function, roles, control flow,
// scalars), Channels.cpp (arefs), Dots.cpp (wgmma), Stores.cpp (tile stores), SharedPlan.cpp (shared memory).
//
// A value of the tile program maps to a list of machine values:
//   scalar             -> itself
//   tensor, registers  -> one scalar per element the thread holds, in the order of the layout's register index
//   tensor, shared     -> the shared address of its first byte
//   inflight tensor    -> one !sm90.inflight per wgmma instance of the warp group
#pragma once

#include "compiler/dialect/SM90/SM90.h"
#include "compiler/dialect/TT/TT.h"
#include "compiler/dialect/Tawa/Tawa.h"
#include "compiler/layout/HopperLayouts.h"
#include "runtime/artifact/KernelArtifact.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/MapVector.h"

namespace tawa {

inline constexpr unsigned kWarpsPerGroup = 4;
inline constexpr unsigned kLanes = 32;
/// Shared memory one CTA may have on Hopper (CUDA, cudaDevAttrMaxSharedMemoryPerBlockOptin on sm_90): 227 KiB.
inline constexpr uint32_t kMaxSharedBytes = 232448;
inline constexpr uint32_t kBarrierBytes = 8;

/// Where a ring lives: D slots, then (elsewhere) D full and D empty barriers.
struct RingPlan {
  uint32_t slots = 0;                     ///< Byte offset of slot 0.
  uint32_t slotBytes = 0;                 ///< A multiple of 1024: swizzle patterns start at every slot.
  llvm::SmallVector<uint32_t> valueBytes; ///< Per payload value, without padding: what TMA will count.
  llvm::SmallVector<uint32_t> valueOffset;
  uint32_t full = 0, empty = 0; ///< Byte offsets of the barriers of slot 0.
  uint32_t depth = 0;
};

/// Where a role stages tiles on their way to global memory: `stages` panels per warp.
struct StagingPlan {
  uint32_t base = 0;
  uint32_t panelBytes = 0;
  uint32_t stages = 0;
};

/// Offsets into the kernel's dynamic shared memory. Every offset of the kernel is decided here.
class SharedPlan {
public:
  mlir::LogicalResult plan(tt::FuncOp func, uint32_t epilogueStages);
  const RingPlan &ring(mlir::Value aref) const { return rings.find(aref)->second; }
  const llvm::MapVector<mlir::Value, RingPlan> &allRings() const { return rings; }
  const StagingPlan &staging(mlir::Operation *role) const { return stagings.find(role)->second; }
  uint32_t totalBytes() const { return total; }

private:
  uint32_t reserve(uint32_t bytes, uint32_t alignment);

  llvm::MapVector<mlir::Value, RingPlan> rings;
  llvm::DenseMap<mlir::Operation *, StagingPlan> stagings;
  uint32_t total = 0;
};

/// How one warp's part of a tile is cut into panels for staging (Stores.cpp).
struct PanelPlan {
  uint32_t rows = 0, cols = 0; ///< Of one panel: the box of its TMA store.
  Swizzle swizzle = Swizzle::None;
  StmatrixPlan stores;                     ///< Into an aligned panel buffer; register indices are within a panel.
  llvm::SmallVector<unsigned> insideBits;  ///< Register bits that run inside a panel, low to high.
  llvm::SmallVector<unsigned> outsideBits; ///< Register bits that choose the panel, low to high.
  uint32_t bytes() const { return rows * cols * 2; }
};
/// Fails with a diagnostic at `op` when registers of this layout cannot be staged.
mlir::FailureOr<PanelPlan> planPanels(mlir::Operation *op, mlir::RankedTensorType type);

class KernelLowering {
public:
  KernelLowering(tt::FuncOp source, uint32_t epilogueStages)
      : source(source), epilogueStages(epilogueStages), builder(source) {}
  mlir::LogicalResult run();

private:
  using Values = llvm::SmallVector<mlir::Value>;

  // Kernel.cpp
  void createFunction();
  void emitSetup();
  mlir::LogicalResult lowerRoles();
  mlir::LogicalResult lowerRole(ws::WarpGroupOp role, unsigned firstWarp, unsigned entryRegisters);
  mlir::LogicalResult lowerBlock(mlir::Block *block);
  mlir::LogicalResult lowerOperation(mlir::Operation *op);
  mlir::LogicalResult lowerLoop(mlir::scf::ForOp loop);
  mlir::LogicalResult lowerScalar(mlir::Operation *op);
  mlir::LogicalResult lowerElementwise(mlir::Operation *op);
  mlir::LogicalResult lowerConstant(mlir::arith::ConstantOp op);

  // Channels.cpp
  mlir::LogicalResult lowerPut(ws::PutOp put);
  void lowerGet(ws::GetOp get);
  void lowerConsumed(ws::ConsumedOp consumed);
  struct Slot {
    mlir::Value address, full, empty, round; ///< round: how often the ring has gone round, mod 2.
  };
  Slot slotOf(mlir::Location loc, const RingPlan &ring, mlir::Value index);
  void initBarriers(mlir::Location loc);

  // Dots.cpp
  void lowerDotBegin(ws::DotBeginOp begin);
  mlir::LogicalResult lowerDotIssue(ws::DotIssueOp issue);
  void lowerDotWait(ws::DotWaitOp wait);

  // Stores.cpp
  mlir::LogicalResult lowerStore(tt::DescriptorStoreOp store);
  mlir::Value pack(mlir::Location loc, mlir::Value low, mlir::Value high);

  // Helpers.
  mlir::Value one(mlir::Value value) { return values.lookup(value).front(); }
  mlir::Value constant(mlir::Location loc, uint32_t value);
  mlir::Value add(mlir::Location loc, mlir::Value base, uint32_t offset);
  mlir::Value tensorMap(mlir::Value descriptor, llvm::ArrayRef<uint32_t> box, Swizzle swizzle);
  /// XOR over the set bits of `index` of the given bases: how a linear map is applied to a value only known at run
  /// time.
  mlir::Value applyBases(mlir::Location loc, mlir::Value index, llvm::ArrayRef<uint32_t> bases);

  tt::FuncOp source;
  uint32_t epilogueStages;
  mlir::OpBuilder builder;
  SharedPlan shared;
  mlir::func::FuncOp target;
  llvm::DenseMap<mlir::Value, Values> values;
  mlir::Value sharedBase, warp, lane; ///< warp: index in the CTA, uniform over its lanes.
  // Of the role being lowered:
  ws::WarpGroupOp role;
  mlir::Value roleWarp, laneIsZero;
};

} // namespace tawa
