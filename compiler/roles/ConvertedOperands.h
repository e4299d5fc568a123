// ConvertedOperands: the operands of products that a role of its own can compute, so that the tensor cores never wait
// for arithmetic.
//
//   %w = load words                     producer:  put words
//   %h = convert %w          ->         converter: get words, convert, put %h
//   %d = dot %a, %h                     consumer:  get %a, get %h, dot
//
// An operand of a wgmma qualifies if it is computed in the block of its product, from at least one tile that a producer
// loads there, without any product's result, and if nothing but such products reads it and those tiles.
#pragma once

#include "compiler/roles/TileLoads.h"

namespace tawa {

class ConvertedOperands {
public:
  ConvertedOperands() = default;
  /// `warps` run the dots.
  ConvertedOperands(tt::FuncOp func, const TileLoads &tiles, uint32_t warps);

  bool empty() const { return operands.empty(); }
  /// The operation that computes each operand, with the dots that read it, in program order.
  const llvm::MapVector<mlir::Operation *, TileLoads::Dots> &all() const { return operands; }
  bool makes(mlir::Operation *op) const { return operands.contains(op); }
  /// Whether a tile load is read by the converter.
  bool reads(mlir::Operation *load) const { return loads.contains(load); }

private:
  llvm::MapVector<mlir::Operation *, TileLoads::Dots> operands;
  llvm::DenseSet<mlir::Operation *> loads;
};

} // namespace tawa
