// Emits the transpose of a tile from a slot of one ring to a slot of another (tawa.put of the result of tawa.get).
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
