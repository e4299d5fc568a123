// DotKind: the unit that computes a tt.dot, and why a faster one was not chosen.
//
// Only wgmma reaches the full rate of a Hopper SM, but no other GPU has it, and it takes whole warp groups, 64 rows and
// few types; mma.sync takes one warp and 16 x 8 tiles (smaller ones by repeating rows or columns); everything else is
// multiplied element by element. PipelineDots makes the first asynchronous, AssignLayouts places operands accordingly,
// and the lowering derives the unit from the layouts.
#pragma once

#include "compiler/frontend/TT/TT.h"
#include "compiler/layouts/algebra/HopperLayouts.h"

#include "llvm/ADT/StringRef.h"

#include <optional>

namespace tawa {

enum class DotUnit { Wgmma, MmaSync, Fma };

/// Why a unit does not take a dot.
enum class DotObstacle {
  NoWgmma,
  Batched,
  ElementTypes,
  Precision,
  ImpreciseAccumulation,
  NotWholeWarpGroups,
  Rows,
  Columns,
  Depth,
  TooManyRegisters,
};
llvm::StringRef describe(DotObstacle obstacle);

struct DotPlan {
  DotUnit unit = DotUnit::Fma;
  std::optional<DotObstacle> notWgmma, notMmaSync; ///< The first reason found, for each unit passed over.
  /// Products along K after which what wgmma summed is added to the accumulator in f32; 0: wgmma sums them all. Its own
  /// sums of 8-bit products have fewer bits than f32.
  int64_t promoteEvery = 0;
};

/// The unit for `dot` in a role of `warps` warps. Products with f32 operands run as tf32 only where the text allows it.
DotPlan planDot(tt::DotOp dot, uint32_t warps);

bool hasDots(tt::FuncOp func);

/// Registers that an accumulator may take in each thread, besides addresses, descriptors and temporaries; with
/// promotion the promoted sums are included.
inline constexpr int64_t kMaxAccumulatorRegisters = 216;
/// Columns of one wgmma with promoted sums: half of the largest, so that they fit beside an accumulator of 128
/// registers.
inline constexpr int64_t kPromotedInstrN = 128;

/// wgmma's accumulator of this shape over `warps` warps; a reason if there is none. The register count is not looked
/// at.
struct AccumulatorPlan {
  std::optional<LinearLayout> layout;
  std::optional<DotObstacle> obstacle;
  uint32_t instrN = 0;
};
AccumulatorPlan planWgmmaAccumulator(int64_t rows, int64_t cols, uint32_t warps);

/// The fragments of a dot on mma.sync (layouts/algebra/HopperLayouts.h) and how warps divide them: batches first, then
/// the tile. Where the result is reduced along its rows or is a factor of another dot, whole rows stay in a warp.
struct MmaFragments {
  LinearLayout a, b, sums;
};
MmaFragments planMmaFragments(tt::DotOp dot, uint32_t warps);

} // namespace tawa
