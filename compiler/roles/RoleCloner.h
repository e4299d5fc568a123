// RoleCloner: clones the part of a function that one role runs, with puts and gets in place of the loads that travel.
#pragma once

#include "compiler/frontend/TT/TT.h"
#include "compiler/roles/Tawa/Tawa.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/MapVector.h"

namespace tawa {

using Role = ws::RoleKind;

/// The ring that loads travel through, or operands that a converter computes. Loads of one block share a slot, in
/// order; the blocks belong to consecutive loops, so that both roles reach them in the same order.
struct Channel {
  llvm::MapVector<mlir::Block *, llvm::SmallVector<mlir::Operation *>> sites;
  mlir::Value aref;
  Role from = Role::Producer, to = Role::Consumer;
  int transposed = -1; ///< Index of the channel that carries the same tiles, transposed; or -1.

  llvm::ArrayRef<mlir::Operation *> firstSite() const { return sites.front().second; }
};

using Channels = llvm::MapVector<int, Channel>;

/// Of loads whose copies reach over the end of a row: the condition that tells where it is (PointerTile::rowEnd).
using RowEnds = llvm::DenseMap<mlir::Operation *, mlir::Operation *>;

/// One of `count` consumer groups that take tiles round-robin; `count` is 0 where all share each tile.
struct PingPongGroup {
  unsigned index = 0, count = 0;
};

/// Clones the part of a function that one role runs.
class RoleCloner {
public:
  RoleCloner(mlir::OpBuilder &builder, Channels &channels, const RowEnds &rowEnds, Role role, PingPongGroup group = {})
      : builder(builder), channels(channels), rowEnds(rowEnds), role(role), group(group) {}

  void cloneFunction(tt::FuncOp func);

private:
  void cloneBlock(mlir::Block *block);
  void cloneLoop(mlir::scf::ForOp loop);
  void cloneWhile(mlir::scf::WhileOp loop);
  void enterRegion(mlir::Region &region, mlir::ValueRange arguments, llvm::ArrayRef<unsigned> kept,
                   llvm::ArrayRef<int> inside);
  llvm::SmallVector<mlir::Value> leaveRegion(mlir::ValueRange values, llvm::ArrayRef<unsigned> kept,
                                             llvm::ArrayRef<int> inside);
  void cloneBranch(mlir::scf::IfOp branch);
  void cloneLoad(mlir::Operation *load);
  void cloneFetch(mlir::Operation *load);
  bool cloneDescriptor(mlir::Operation *op);
  void put(int index, llvm::ArrayRef<mlir::Operation *> loads);
  void get(int index, llvm::ArrayRef<mlir::Operation *> loads);
  void handOn(int index, llvm::ArrayRef<mlir::Operation *> loads);
  void advance(int index, mlir::Location loc);
  llvm::SmallVector<int> channelsIn(mlir::Operation *op);
  int readChannel(int index);
  llvm::SmallVector<unsigned> keptOf(mlir::Operation *op, unsigned begin, unsigned count);
  llvm::SmallVector<unsigned> keptResults(mlir::Operation *op) { return keptOf(op, 0, op->getNumResults()); }
  bool runs(mlir::Operation *op) const { return hasRole(ws::kRolesAttr.get(op)); }
  bool hasRole(ws::RolesAttr roles) const;
  bool counts(const Channel &channel) const { return role == channel.from || role == channel.to; }
  mlir::Value constant(mlir::Location loc, int32_t value);

  // PingPong.cpp
  bool isPingPong(mlir::Operation *loop) const;
  void clonePingPongTile(mlir::scf::ForOp loop, mlir::scf::ForOp clone, mlir::Value whose);
  mlir::Value nextPingPongTile(mlir::Location loc, mlir::Value whose);
  void cloneCarried(mlir::scf::ForOp loop);
  void doTile(mlir::scf::ForOp loop, mlir::scf::ForOp clone);
  void skipTile(mlir::Block *block);
  mlir::Value tripCount(mlir::scf::ForOp loop);

  mlir::OpBuilder &builder;
  Channels &channels;
  const RowEnds &rowEnds;
  Role role;
  PingPongGroup group;
  mlir::IRMapping mapping;
  llvm::DenseMap<int, mlir::Value> counters; ///< Puts or gets so far, per channel.
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<int>>
      releasedAfter;                         ///< Channels whose slot is released after this operation.
  llvm::DenseMap<int, mlir::Value> borrowed; ///< Counter of the slot a channel's get handed out.
  mlir::Operation *pingPongBegins = nullptr, *pingPongEnds = nullptr; ///< First and last of a tile to run alone.
  mlir::Value notFirst, notLast;                                      ///< Conditions of waiting and passing.
};

} // namespace tawa
