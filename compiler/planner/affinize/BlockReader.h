// BlockReader: loads and stores as blocks of tensors, with starts in programs and loop indices. Internal to
// compiler/planner/affinize.
#pragma once

#include "compiler/planner/affinize/Affinize.h"
#include "compiler/planner/affinize/Linear.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace tawa {

/// A block: TileAccess with its starts not yet in coordinates of the grid.
struct LinearBlock {
  int tensor = -1;
  std::vector<int64_t> block;
  std::vector<Linear> start;
  bool isMasked = false;
  /// Of each dimension of the tile, that of the block along which it extends, or -1. Empty: the block's last, in order.
  std::vector<int> dims = {};
};

class BlockReader {
public:
  /// `arguments` have names and shapes; a tensor without strides has dense rows.
  BlockReader(tt::FuncOp func, const std::vector<mesh::Tensor> &arguments, raise::Affine &addresses,
              LinearReader &linear)
      : func(func), arguments(arguments), addresses(addresses), linear(linear) {}

  /// Of tt.load, tt.store, tt.descriptor_load or tt.descriptor_store; fails with an error at the operation.
  mlir::FailureOr<LinearBlock> read(mlir::Operation *access);
  const mesh::Tensor &tensor(int number) const { return tensors[number]; }
  /// Those that blocks refer to.
  std::vector<mesh::Tensor> takeTensors() { return std::move(tensors); }

private:
  /// Of each dimension of a tile, the dimension of the tensor along which it extends; -1: none, one element.
  using DimensionMap = llvm::SmallVector<int, 4>;

  mlir::FailureOr<LinearBlock> readDescriptor(mlir::Operation *access, mlir::Value descriptor,
                                              mlir::ValueRange indices);
  mlir::FailureOr<LinearBlock> readPointers(mlir::Operation *access, mlir::Value pointers, mlir::Value mask);
  std::optional<mesh::Tensor> describedTensor(mlir::Value descriptor);
  std::optional<DimensionMap> mapDimensions(const raise::Polynomial &offset, llvm::ArrayRef<int64_t> tile,
                                            const mesh::Tensor &tensor);
  bool excludesElements(mlir::Value mask, DimensionMap dims, const LinearBlock &block);
  bool isBound(const raise::Polynomial &negative, const DimensionMap &dims, const LinearBlock &block);
  int numberOf(mesh::Tensor tensor, mlir::Type element);

  tt::FuncOp func;
  const std::vector<mesh::Tensor> &arguments;
  raise::Affine &addresses;
  LinearReader &linear;
  std::vector<mesh::Tensor> tensors;
};

} // namespace tawa
