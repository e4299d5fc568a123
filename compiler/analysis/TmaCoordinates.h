// TmaCoordinates: block coordinates and rows that TMA does not support (cp.async.bulk.tensor, PTX ISA).
//
// Observed on an H200 (perf/LOG.md, 2026-11-23), and modeled by the emulated SM:  - The first column of a box must be
// at a multiple of 16 bytes from the tensor's first. Otherwise the instruction is
//    illegal, and ends the context.
//  - Loads may begin outside of the tensor on every side. Stores may not begin below 0: illegal as well.  - Loads end
// rows where the tensor says. Stores end them at the next multiple of 16 bytes, and overwrite what is there.
//
// An access through pointers is converted to TMA only where it is known to satisfy this (roles/RaiseBlocks.h). An
// access through a descriptor is left to threads where it is known not to. The text must ensure that a computed column
// is aligned and a computed index of a store not negative, as it must when Triton compiles it.
#pragma once

#include "compiler/analysis/AxisInfo.h"
#include "compiler/frontend/TT/TT.h"

namespace tawa {

inline constexpr int64_t kTmaAlignmentBytes = 16;

class TmaCoordinates {
public:
  explicit TmaCoordinates(mlir::Operation *function) : axes(function) {}

  bool canLoad(tt::DescriptorLoadOp load) const;
  /// Of a store or a reduction.
  bool canStore(mlir::TypedValue<tt::TensorDescType> descriptor, mlir::ValueRange indices) const;

private:
  bool isWithinPiece(mlir::Value elements, mlir::Type element) const;

  AxisInfoAnalysis axes;
};

} // namespace tawa
