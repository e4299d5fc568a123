// Emits what a converter puts into a slot: a tile from the slot of another ring, transposed, or one in registers.
#pragma once

#include "compiler/layouts/algebra/TransposeTile.h"
#include "compiler/target/hopper/TawaToSM90/Emitter.h"
#include "compiler/target/hopper/TawaToSM90/RingSlot.h"

namespace tawa {

class ConvertEmitter : public Emitter {
public:
  explicit ConvertEmitter(RoleContext &context) : Emitter(context) {}
  mlir::LogicalResult lower(ws::PutOp put, const RingSlot &slot);

private:
  void transposeByMatrices(mlir::Location loc, const MatrixTranspose &moves, mlir::Value from, mlir::Value to,
                           mlir::Type element);
  mlir::LogicalResult transpose(ws::PutOp put, const LinearLayout &to, mlir::Value target);
  mlir::LogicalResult write(ws::PutOp put, const LinearLayout &to, mlir::Value target);
  mlir::LogicalResult transposeByVectors(ws::PutOp put, const LinearLayout &from, const LinearLayout &to,
                                         mlir::Value target);
};

} // namespace tawa
