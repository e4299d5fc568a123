// Emits the operands of a TMA copy: the tensor map of a box and the box's coordinates.
#pragma once

#include "compiler/target/hopper/TawaToSM90/Descriptors.h"

namespace tawa {

class TensorMaps : public Emitter {
public:
  TensorMaps(RoleContext &context, DescriptorEmitter &descriptors) : Emitter(context), descriptors(descriptors) {}

  /// The tensor map, and the coordinates innermost first, of a box of a tile that begins at `indices` of its tensor.
  /// `shape` and `origin` are by dimension of the tile, outermost first; the tensor may have more in front of them.
  std::pair<mlir::Value, Values> boxOf(mlir::Location loc, mlir::Value descriptor, mlir::ValueRange indices,
                                       llvm::ArrayRef<uint32_t> shape, llvm::ArrayRef<uint32_t> origin,
                                       Swizzle swizzle);

private:
  mlir::Value mapOf(mlir::Value descriptor, llvm::ArrayRef<uint32_t> box, Swizzle swizzle);

  DescriptorEmitter &descriptors;
};

} // namespace tawa
