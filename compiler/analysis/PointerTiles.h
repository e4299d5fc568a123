// PointerTiles: the loads through tensors of pointers that a producer role can copy to aref slots.
//
// A copy (cp.async) moves 4, 8 or 16 bytes that are adjacent in memory and in the slot, and writes zero where the mask
// is false. So a load qualifies when its addresses count up along one dimension in groups of that size, its mask is
// uniform per group or ends within one (PartialCopies.h), and masked elements are zero. Where addresses count up, but
// are not aligned to 4 bytes, elements travel through registers of the producer's threads instead. Either wgmma reads
// the tile, loaded in a loop or once before it, or the consumer loads it from the slot to registers, converts it, or
// multiplies it there: in an innermost loop in which another tile travels, or all tiles of a loop with products can.
// The producer loads earlier than program order: a load must not read what the kernel writes before it.
#pragma once

#include "compiler/analysis/RejectReason.h"
#include "compiler/frontend/TT/TT.h"
#include "compiler/layouts/algebra/HopperLayouts.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/MapVector.h"

namespace tawa {

class AxisInfoAnalysis;

/// Bits of the elements of a tile that is loaded from a slot to registers.
constexpr unsigned kLeastRegisterBits = 8, kMostRegisterBits = 32;

/// Whether a loop has no loop in it.
bool isInnermost(mlir::scf::ForOp loop);

/// How a tile is copied.
struct PointerTile {
  unsigned contiguous = 1; ///< The dimension along which addresses count up; it runs fastest in the slot.
  uint32_t vector = 1;     ///< Elements per copy.
  /// Where copies reach over the end of a row: the condition of the mask (arith.cmpi) that tells where it ends.
  mlir::Operation *rowEnd = nullptr;
};

/// Bytes of the least copy; what is narrower goes through registers (PTX ISA, cp.async).
inline constexpr uint32_t kLeastCopyBytes = 4;

/// Along which dimension, and how much, one copy of a tile of two dimensions takes; nothing below 4 bytes.
std::optional<PointerTile> planCopies(tt::LoadOp load, const AxisInfoAnalysis &axes);

/// How a producer's threads fetch a tile for wgmma: by copies, whole or over the end of a row, or through registers.
std::optional<PointerTile> planFetch(tt::LoadOp load, const AxisInfoAnalysis &axes);

/// Whether a load gives zeros, as copies do, where its mask is false.
bool isZeroPadding(mlir::Value other);

class PointerTiles {
public:
  /// Which tiles count: those that wgmma reads, or also those that consumers load to registers.
  enum class Readers { Wgmma, Registers };

  /// `consumerWarps` run the dots.
  PointerTiles(tt::FuncOp func, uint32_t consumerWarps, Readers readers = Readers::Registers);

  const PointerTile *find(mlir::Operation *load) const {
    auto found = tiles.find(load);
    return found == tiles.end() ? nullptr : &found->second;
  }
  /// Why the first load that feeds a dot through pointers is not in the list; nothing if all are.
  std::optional<RejectReason> obstacle() const { return refused; }

private:
  void addDotTiles(tt::FuncOp func, uint32_t consumerWarps, const AxisInfoAnalysis &axes);
  void addRegisterTiles(tt::FuncOp func, uint32_t consumerWarps, const AxisInfoAnalysis &axes);
  llvm::MapVector<mlir::Operation *, PointerTile> tiles;
  std::optional<RejectReason> refused;
};

/// Whether `first` can run before `second` in the order of the text.
bool mayRunBefore(mlir::Operation *first, mlir::Operation *second);

/// Whether `load` may, in program order, read data that the kernel itself wrote or waited for before.
bool mayFollowWrite(tt::FuncOp func, mlir::Operation *load);

/// Whether `op` is a load that may run in an earlier or later iteration of the loop: nothing in it writes what it
/// reads.
bool readsUnwritten(mlir::scf::ForOp loop, mlir::Operation *op);

/// The memory that an address or a descriptor leads to: the tensor of a parameter, or (`levels` times) what addresses
/// stored there lead to. Different parameters lead to different memory, and so do different levels, as the author of a
/// kernel with tables of addresses promises; null if unknown.
struct MemoryRoot {
  mlir::Value parameter;
  unsigned levels = 0;
  explicit operator bool() const { return parameter != nullptr; }
  bool operator==(const MemoryRoot &) const = default;
};
MemoryRoot memoryRoot(mlir::Value address);

/// The kernel parameter into whose tensor an address or a descriptor points; null if unknown.
mlir::Value baseParameter(mlir::Value address);

/// The slot's bytes for a tile whose dimension `contiguous` runs fastest: swizzled as TMA writes and wgmma reads them.
LinearLayout slotLayout(mlir::RankedTensorType tile, unsigned contiguous);

} // namespace tawa
