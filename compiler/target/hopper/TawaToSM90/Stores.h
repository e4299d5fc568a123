// Emits tile stores: registers to swizzled staging in shared memory, and from there TMA (tt.descriptor_store).
#pragma once

#include "compiler/target/hopper/TawaToSM90/Conversions.h"
#include "compiler/target/hopper/TawaToSM90/TensorMaps.h"

namespace tawa {

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
};

} // namespace tawa
