// Emits the transpose of a tile from the slot of one ring to that of another (tawa.put of what tawa.get gave).
#pragma once

#include "compiler/layouts/algebra/TransposeTile.h"
#include "compiler/target/hopper/TawaToSM90/Emitter.h"
#include "compiler/target/hopper/TawaToSM90/RingSlot.h"

namespace tawa {

class TransposeEmitter : public Emitter {
public:
  explicit TransposeEmitter(RoleContext &context) : Emitter(context) {}
  mlir::LogicalResult lower(ws::PutOp put, const RingSlot &slot);

private:
  void transposeByMatrices(mlir::Location loc, const MatrixTranspose &moves, mlir::Value from, mlir::Value to,
                           mlir::Type element);
  mlir::LogicalResult transposeByVectors(ws::PutOp put, const LinearLayout &from, const LinearLayout &to,
                                         mlir::Value target);
};

} // namespace tawa
