// Emits loops and branches over any mixture of tensors, scalars and pointers (scf.for, if, while).
#pragma once

#include "compiler/target/hopper/TawaToSM90/GlobalOrder.h"
#include "compiler/target/hopper/TawaToSM90/Scratch.h"

namespace tawa {

class ControlFlowEmitter : public Emitter {
public:
  ControlFlowEmitter(RoleContext &context, Scratch &scratch, GlobalOrder &order)
      : Emitter(context), scratch(scratch), order(order) {}
  mlir::LogicalResult lower(mlir::scf::ForOp loop);
  mlir::LogicalResult lower(mlir::scf::IfOp branch);
  mlir::LogicalResult lower(mlir::scf::WhileOp loop);

private:
  /// Tile values as what carries them through a loop or a branch; elements of 8 and 16 bits share registers.
  Values flatten(mlir::Location loc, mlir::ValueRange tile);
  /// The reverse: gives each tile value its share of the machine values, as many as the one of `like` has.
  void bind(mlir::Location loc, mlir::ValueRange tile, mlir::ValueRange machine, mlir::ValueRange like);
  mlir::LogicalResult lowerRegion(mlir::Region &region, mlir::Region &lowered, mlir::ValueRange like,
                                  mlir::TypeRange types, llvm::function_ref<void(mlir::Operation *)> finish);

  Scratch &scratch;
  GlobalOrder &order;
};

} // namespace tawa
