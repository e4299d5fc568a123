// Emits tile stores: registers to swizzled staging in shared memory, and from there TMA (tt.descriptor_store).
#pragma once

#include "compiler/layouts/algebra/StorePanels.h"
#include "compiler/target/hopper/TawaToSM90/Conversions.h"
#include "compiler/target/hopper/TawaToSM90/TensorMaps.h"

namespace tawa {

/// How a role stages a tile on its way to global memory.
struct PanelPlan {
  StorePanels panels;
  SharedAccessPlan write; ///< Of one panel, to an aligned buffer.
};
/// Tiles beside each other that are stored as one: the parts of a tile whose extents are no powers of two (16 columns
/// each, of 144) would be panels of few bytes, one by one.
struct StoreGroup {
  llvm::SmallVector<tt::DescriptorStoreOp, 4> stores;
  LinearLayout layout; ///< Of all of it; the registers of later tiles have the higher numbers.
  PanelPlan plan;
  uint32_t panelCount() const { return 1u << plan.panels.outsideBits.size(); }
};
using StoreGroups = llvm::SmallVector<StoreGroup, 0>;
/// All stores of a role in their order, in panels of no more than `mostBytes` unless a group is a single one. Fails
/// with a diagnostic when registers of a layout cannot be staged.
mlir::FailureOr<StoreGroups> groupsOf(ws::WarpGroupOp role, uint32_t mostBytes);

class TileStoreEmitter : public Emitter {
public:
  TileStoreEmitter(RoleContext &context, RoleBarrier &barrier, TensorMaps &maps, ConversionEmitter &conversions)
      : Emitter(context), barrier(barrier), maps(maps), conversions(conversions) {}
  /// All stores of a group where the last one stands.
  mlir::LogicalResult lower(tt::DescriptorStoreOp store);

private:
  Values warpCorner(mlir::Location loc, const LinearLayout &layout);
  /// Where the panels of a store begin among the buffers, and whether the first of them waits for all that came before.
  struct Rotation {
    uint32_t first = 0;
    bool waitsForAll = false;
  };
  Rotation rotationOf(tt::DescriptorStoreOp store) const;
  Values registersOf(const StoreGroup &group);
  void stagePanel(mlir::Location loc, mlir::Value buffer, const PanelPlan &plan, llvm::ArrayRef<mlir::Value> registers,
                  uint32_t outside);
  void storePanel(const StoreGroup &group, mlir::Value buffer, uint32_t outside, llvm::ArrayRef<mlir::Value> corner);

  RoleBarrier &barrier;
  TensorMaps &maps;
  ConversionEmitter &conversions;
  std::optional<StoreGroups> groups; ///< Of the role, known from its first store on.
};

} // namespace tawa
