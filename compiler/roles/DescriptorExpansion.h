// DescriptorExpansion: accesses through tensor descriptors as accesses through pointers.
//
//   %t = tt.descriptor_load %d[%i, %j]     ->    %p = addresses of the block's elements, from base and strides
//                                                %m = rows and columns that lie inside of the shape
//                                                %t = tt.load %p, %m, padding
//
// A descriptor is its base pointer, shape, strides and padding. Those of one made in the kernel are operands; those of
// a parameter are parameters too: Triton prints shape and strides after it, and the base pointer is added at the end.
#pragma once

#include "compiler/analysis/LogicalArguments.h"
#include "compiler/frontend/BlockAccess.h"
#include "compiler/frontend/ValueDecomposition.h"

#include <functional>

namespace tawa {

class DescriptorExpansion : public ValueDecomposition {
public:
  /// `stays` tells the accesses that remain.
  explicit DescriptorExpansion(
      tt::FuncOp func, std::function<bool(mlir::Operation *)> stays = [](mlir::Operation *) { return false; })
      : func(func), stays(std::move(stays)) {}

  /// Expands the accesses whose operand is the parameter itself; what a loop carries or a condition chooses is left.
  mlir::LogicalResult expandAccesses(mlir::BlockArgument descriptor);

private:
  std::optional<llvm::SmallVector<mlir::Type>> partTypes(mlir::Type type) override;
  llvm::SmallVector<mlir::Value> partsOfParameter(mlir::BlockArgument parameter) override;
  mlir::LogicalResult visit(mlir::Operation *op) override;

  template <typename Make> mlir::LogicalResult visitMake(Make make, bool padsWithNaN);
  mlir::LogicalResult visitLoad(tt::DescriptorLoadOp load);
  mlir::LogicalResult visitStore(tt::DescriptorStoreOp store);
  mlir::LogicalResult visitReduce(tt::DescriptorReduceOp reduce);
  mlir::LogicalResult visitGather(tt::DescriptorGatherOp gather);
  mlir::LogicalResult visitScatter(tt::DescriptorScatterOp scatter);

  int64_t rowAlignment(mlir::BlockArgument descriptor);
  int64_t columnAlignment(mlir::BlockArgument descriptor);
  void hint(mlir::Value number, mlir::Type element, int64_t alignment);
  mlir::Value parameter(ParameterRole role, mlir::Type type, mlir::Location loc, int64_t alignment);
  BlockAccess accessAt(mlir::OpBuilder &builder, mlir::Operation *op, mlir::Value descriptor, mlir::ValueRange indices,
                       mlir::Type tensor);
  BlockAccess accessRows(mlir::OpBuilder &builder, mlir::Operation *op, mlir::Value descriptor, mlir::Value rows,
                         mlir::Value column, mlir::Type tensor);
  mlir::Value load(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value descriptor, const BlockAccess &access);

  tt::FuncOp func;
  std::function<bool(mlir::Operation *)> stays;
};

/// Loads, stores, reductions, gathers and scatters.
bool isDescriptorAccess(mlir::Operation *op);

} // namespace tawa
