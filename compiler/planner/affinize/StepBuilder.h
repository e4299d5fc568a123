// StepBuilder: the steps of a tile program from the operations of a kernel. Internal to compiler/planner/affinize.
#pragma once

#include "compiler/planner/affinize/BlockReader.h"
#include "compiler/planner/affinize/MaskReader.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace tawa {

/// A loop of the kernel, and its length.
struct CountedLoop {
  mlir::Operation *op = nullptr;
  int64_t extent = 0; ///< Of the longest, among all programs.
  int64_t step = 1;
  ProgramFunction distances = {}; ///< From the loop's first value to its end, of each program; empty for equal lengths.
};

/// An access of the kernel as a step; its starts are in LinearBlock.
struct BuiltAccess {
  mlir::Operation *op = nullptr;
  LinearBlock block;
};

class StepBuilder {
public:
  StepBuilder(tt::FuncOp func, BlockReader &blocks, LinearReader &linear, MaskReader &masks)
      : func(func), blocks(blocks), linear(linear), maskReader(masks) {}

  /// Loops are numbered from 0, accesses appear in the order of the steps; starts are left empty.
  mlir::LogicalResult build();

  std::vector<mesh::TileStep> steps;
  std::vector<CountedLoop> loops;
  std::vector<BuiltAccess> accesses;
  llvm::SmallVector<mlir::BlockArgument> scalars; ///< Floats that operators read.
  std::vector<LinearMask> masks;                  ///< By TileOperand::step.
  int64_t carriedBytes = 0;

private:
  using Steps = std::vector<mesh::TileStep>;
  using Positions = llvm::SmallVector<int, 4>;

  void findComputed();
  bool isComputed(mlir::Operation *op) const { return computed.contains(op); }
  mlir::LogicalResult checkOperation(mlir::Operation *op);
  mlir::LogicalResult buildBlock(mlir::Block &block, Steps &into, int64_t &carried);
  mlir::LogicalResult buildOperation(mlir::Operation *op, Steps &into, int64_t &carried);
  mlir::LogicalResult buildLoop(mlir::scf::ForOp loop, Steps &into, int64_t &carried);
  mlir::LogicalResult buildAccess(mlir::Operation *op, Steps &into);
  mlir::FailureOr<CountedLoop> countIterations(mlir::scf::ForOp loop);
  void buildOperator(mlir::Operation *op, Steps &into);
  Positions sourcesOf(mlir::Operation *op);
  mlir::Value sourceOf(mlir::Value value, mesh::TileOperand &operand);
  mesh::TileOperand exactOperand(mlir::Value value, mlir::Block *block);
  mesh::TileOperand conditionOperand(mlir::Value condition);
  void readArgument(mlir::BlockArgument argument, mlir::Block *block, mesh::TileOperand &operand);
  void turn(mesh::TileOperand &operand, mlir::Operation *access) const;
  int64_t bytesCarriedBy(mlir::scf::ForOp loop) const;

  tt::FuncOp func;
  BlockReader &blocks;
  LinearReader &linear;
  MaskReader &maskReader;
  llvm::DenseSet<mlir::Value> values;                     ///< That stores depend on, beside addresses.
  llvm::SmallPtrSet<mlir::Operation *, 32> computed;      ///< The operations that give them.
  llvm::DenseMap<mlir::Operation *, Positions> positions; ///< Steps of its block that an operation's results come from.
  int numberOfLoads = 0, numberOfStores = 0;
};

} // namespace tawa
