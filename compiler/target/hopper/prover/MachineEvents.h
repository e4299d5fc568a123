// The events of a role of machine code, in terms of its rings (RoleEvents.h): waits are puts and gets, arrivals give
// slots back, a committed group of wgmma is a dot.
#pragma once

#include "compiler/roles/prover/RoleEvents.h"
#include "compiler/target/hopper/prover/MachineRings.h"

namespace tawa::verify {

class MachineEvents : public RoleEvents {
public:
  MachineEvents(MachineKernel &kernel, MachineRole &role, const MachineRings &rings,
                const llvm::DenseMap<uint32_t, unsigned> &pingPongs);

  /// What is wrong within the role alone: fences, groups, bytes that nothing filled.
  const std::optional<RoleFinding> &finding() const { return found; }

  bool isEvent(mlir::Operation *op) const override { return events.contains(op); }
  void follow(mlir::Operation *event, Follow follow) const override;
  void translate(mlir::Operation *event, RoleInstruction &out, OperandOf operandOf) const override;
  bool holdsForRole(mlir::Value condition) const override { return kernel.choosesThreads(role, condition); }

private:
  using SlotParts = llvm::SmallVector<MachineRings::SlotPart, 2>;
  /// The protocol event of an operation, without its operands.
  struct Event {
    RoleInstruction::Kind kind;
    SlotParts parts;                            ///< That it reads.
    llvm::SmallVector<mlir::Operation *> group; ///< Of a commit: the products.
  };
  void readBlock(mlir::Block &block);
  void readOperation(mlir::Operation *op);
  void readSync(mlir::Operation *op);
  void readAccess(mlir::Operation *op);
  void readProduct(mlir::Operation *op);
  void addPart(mlir::Operation *op, const Place &place, int64_t bytes, SlotParts &parts);
  void closeGroup(mlir::Operation *commit);
  void readMap(sm90::TensormapWriteOp write);
  uint32_t ringsBy(sm90::TensormapWriteOp write) const;
  void checkByAll(mlir::Operation *op);
  void checkFenceAfter(sm90::MBarrierWaitParityOp wait, unsigned ring);
  TileNumber numberOf(mlir::Operation *op, bool isWait, bool puts, OperandOf operandOf) const;
  void fail(mlir::Operation *op, const llvm::Twine &what) {
    if (!found)
      found = RoleFinding{op, what.str()};
  }

  MachineKernel &kernel;
  MachineRole &role;
  const MachineRings &rings;
  const llvm::DenseMap<uint32_t, unsigned> &pingPongs; ///< Numbers of named barriers that roles share.
  llvm::DenseMap<mlir::Operation *, Event> events;
  std::optional<RoleFinding> found;
  // State of the block being read
  llvm::SmallVector<mlir::Operation *> open; ///< Products since the last commit.
  bool isFenced = false;                     ///< Registers, since they were last written.
};

} // namespace tawa::verify
