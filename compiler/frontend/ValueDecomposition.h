// ValueDecomposition: replaces values of one kind (tensor descriptors, block pointers) by their components, through
// loops and conditions.
//
//   %d = tt.make_tensor_descriptor %p, [%m], [%c1]
//   scf.for .. iter_args(%e = %d)         ->   scf.for .. iter_args(%p1 = %p, %m1 = %m, %s1 = %c1)
//     use %e                                     use (%p1, %m1, %s1)
//     scf.yield %d                               scf.yield %p, %m, %c1
//
// A derived pass names the types that have parts, records the parts at definitions and rewrites uses; this class does
// everything in between.
#pragma once

#include "compiler/frontend/TT/TT.h"

#include "mlir/IR/Builders.h"

namespace tawa {

class ValueDecomposition {
public:
  virtual ~ValueDecomposition() = default;

  /// Visits all operations of the function, definitions before uses. Fails with a diagnostic at an operation that can
  /// not be rewritten.
  mlir::LogicalResult run(tt::FuncOp func);

protected:
  /// The types of the parts; nothing for a type that stays as it is.
  virtual std::optional<llvm::SmallVector<mlir::Type>> partTypes(mlir::Type type) = 0;
  /// Rewrites an operation with an operand or result that has parts: it records the parts of the results, or replaces
  /// the operation and passes it to discard().
  virtual mlir::LogicalResult visit(mlir::Operation *op) = 0;
  /// The parts of a parameter of the function.
  virtual llvm::SmallVector<mlir::Value> partsOfParameter(mlir::BlockArgument parameter) = 0;

  /// The parts of a value that was visited.
  llvm::SmallVector<mlir::Value> parts(mlir::Value value);
  void record(mlir::Value value, llvm::SmallVector<mlir::Value> made) { known[value] = std::move(made); }
  /// The operation is erased at the end, when nothing uses it any more.
  void discard(mlir::Operation *op) { dead.push_back(op); }
  void eraseDiscarded();

private:
  bool has(mlir::Type type) { return partTypes(type).has_value(); }
  llvm::SmallVector<mlir::Value> expand(mlir::ValueRange values);
  llvm::SmallVector<mlir::Type> expandTypes(mlir::TypeRange types);
  mlir::LogicalResult visitRegions(mlir::Operation *op);
  mlir::LogicalResult visitOperation(mlir::Operation *op);
  mlir::LogicalResult visitSelect(mlir::arith::SelectOp select);
  mlir::Operation *rebuild(mlir::Operation *op);
  void moveBlock(mlir::Block &from, mlir::Region &to);
  void simplify(mlir::Operation *loop);
  void replacePart(mlir::Value part, mlir::Value by);

  llvm::DenseMap<mlir::Value, llvm::SmallVector<mlir::Value>> known;
  llvm::DenseSet<mlir::Value> carried; ///< Block arguments that are parts.
  llvm::SmallVector<mlir::Operation *> dead;
};

} // namespace tawa
