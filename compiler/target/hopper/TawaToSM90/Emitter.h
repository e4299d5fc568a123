// State shared by the emitters of one kernel, and the base class through which they access it.
//
// A value of the tile program maps to a list of machine values:
//   scalar             -> itself
//   tensor, registers  -> one scalar per element the thread holds, in the order of the layout's register index
//   tensor, shared     -> the shared address of its first byte
//   inflight tensor    -> one !sm90.inflight per wgmma instance of the warp group
#pragma once

#include "compiler/analysis/OperationLimit.h"
#include "compiler/target/hopper/TawaToSM90/SharedPlan.h"
#include "compiler/target/hopper/TawaToSM90/ThreadPosition.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <functional>

namespace tawa {

using ValueMap = llvm::DenseMap<mlir::Value, Values>;

/// The role whose code is being made, and where that code goes. The frame (LowerAref.cpp) writes it; emitters add
/// operations and values.
struct RoleContext {
  explicit RoleContext(tt::FuncOp source) : source(source), builder(source, &made), thread(builder) {}

  tt::FuncOp source;         ///< The tile program.
  mlir::func::FuncOp target; ///< The machine kernel.
  OperationCounter made;     ///< What the builder has added so far.
  MachineBuilder builder;
  ValueMap values;
  SharedPlan shared;
  ThreadPosition thread;
  ClusterPosition cluster;
  ws::WarpGroupOp role;
  unsigned roleIndex = 0, roleCount = 0;
  /// Lowers the operations of a block, its terminator excepted, at the builder's insertion point.
  std::function<mlir::LogicalResult(mlir::Block *)> lowerBlock;
};

/// Base of the emitters. Each lowers one family of operations; what it keeps from one to the next is its own.
class Emitter {
public:
  Emitter(const Emitter &) = delete;
  Emitter &operator=(const Emitter &) = delete;

protected:
  explicit Emitter(RoleContext &context)
      : builder(context.builder), values(context.values), context(context), shared(context.shared),
        thread(context.thread), cluster(context.cluster) {}

  mlir::Value one(mlir::Value value) const { return values.lookup(value).front(); }
  ws::WarpGroupOp role() const { return context.role; }
  mlir::LogicalResult lowerBlock(mlir::Block *block) const { return context.lowerBlock(block); }

  MachineBuilder &builder;
  ValueMap &values;
  const RoleContext &context;
  const SharedPlan &shared;
  const ThreadPosition &thread;
  const ClusterPosition &cluster;
};

} // namespace tawa
