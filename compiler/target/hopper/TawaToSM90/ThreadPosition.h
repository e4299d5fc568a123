// Emits values derived from a thread's position in its role: its part of a linear map, its elements' coordinates, and
// whether it owns an element or acts for the role.
#pragma once

#include "compiler/target/hopper/TawaToSM90/ConversionPlan.h"
#include "compiler/target/hopper/TawaToSM90/MachineBuilder.h"

namespace tawa {

/// The frame of the kernel (LowerAref.cpp) fills it in, once for the kernel and again for each role.
class ThreadPosition {
public:
  explicit ThreadPosition(MachineBuilder &builder) : builder(builder) {}

  // Of the kernel:
  mlir::Value sharedBase; ///< Where the CTA's dynamic shared memory begins.
  mlir::Value lane;
  mlir::Value ctaWarp; ///< Index in the CTA, uniform over its lanes.
  mlir::Value linear;  ///< Lane and, above it, warp as one number of the role; null where they are two.
  // Of the role:
  mlir::Value warp; ///< Index in the role.
  mlir::Value laneIsZero;
  mlir::Value leader;    ///< True in the one thread that starts TMA loads, where others run beside it; else null.
  unsigned warps = 0;    ///< Of the role.
  bool isSingle = false; ///< The role runs on one thread.

  /// The part of a linear map selected by lane and warp, such as an offset in a tile.
  mlir::Value applyBases(mlir::Location loc, llvm::ArrayRef<uint32_t> laneBases,
                         llvm::ArrayRef<uint32_t> warpBases) const;
  /// True in the first thread that holds an element; null where all do. Only lanes and warps are searched for copies.
  mlir::Value ownsElements(mlir::Location loc, const LinearLayout &layout) const;
  /// Coordinate `dim` of the element in each register, as i32.
  Values coordinates(mlir::Location loc, const LinearLayout &layout, unsigned dim) const;
  /// The one thread of a role that acts for all of them; null in a role of one thread.
  mlir::Value actsForRole(mlir::Location loc) const;

private:
  MachineBuilder &builder;
};

/// A CTA's position among those that work together. The CTAs of a program are neighbours, and programs that share
/// tiles are: of programs 0 and 1 with two CTAs each, ranks 0 and 2 load the same parts of a sum.
struct ClusterPosition {
  uint32_t programs = 1; ///< Which share tiles.
  uint32_t split = 1;    ///< CTAs of each program, which share a sum.
  mlir::Value rank;      ///< Of this CTA in the cluster; null without one.
  mlir::Value ofProgram; ///< Its program's number in the cluster.
  mlir::Value ofSum;     ///< Its number in the program.

  uint32_t size() const { return programs * split; }
};

} // namespace tawa
