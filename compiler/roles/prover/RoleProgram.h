// The slice of one role that the prover runs: its events, the numbers they depend on, and the enclosing loops and
// conditions.
#pragma once

#include "compiler/roles/prover/RoleEvents.h"
#include "compiler/roles/prover/ValueEquivalence.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace tawa::verify {

/// The value of an integer constant; booleans are 0 and 1.
std::optional<int64_t> constantValue(mlir::Value value);

struct RoleBlock {
  mlir::Operation *loop = nullptr; ///< Whose body it is; null: of a branch, or the whole role.
  std::vector<RoleInstruction> code;
  llvm::SmallVector<int, 8> arguments, yields; ///< Of a loop's body, without the induction variable.
  int valuesBegin = 0, valuesEnd = 0;          ///< Slots of what is defined inside, deeper blocks included.
};

class RoleProgram {
public:
  static constexpr int kUnknown = RoleInstruction::kUnknown;

  RoleProgram(mlir::Block &role, const RoleEvents &events, Identities &identities);

  const RoleBlock &block(int index) const { return blocks[index]; }
  int entry() const { return entryBlock; }
  unsigned slotCount() const { return numSlots; }
  int64_t constantOf(int operand) const { return constants[kUnknown - 1 - operand]; }
  /// The ring whose puts or gets a slot counts, if any.
  std::optional<Channel> channelOf(int slot) const { return channels[slot]; }
  int blockOf(int slot) const { return slotBlocks[slot]; }
  /// The last use of a slot in a block: the index of an instruction that reads it, directly or in its regions; the
  /// number of / instructions where it is yielded; -1: none.
  int lastUse(int block, int slot) const { return lastUses[block][slot]; }
  /// The largest constant that counters are initialized to or compared with.
  int64_t largestConstant() const { return largest; }
  const std::vector<uint64_t> &identitiesAsked() const { return asked; }

private:
  void followAll(mlir::Block &role);
  void follow(mlir::Value value, std::optional<Channel> channel);
  llvm::SmallVector<mlir::Value> sourcesOf(mlir::Value value);
  int compile(mlir::Block &block);
  void place(mlir::Value value, int block);
  int operandOf(mlir::Value value);
  int constantOperand(int64_t value);
  bool translate(mlir::Operation &op, RoleInstruction &out);
  bool translateNumber(mlir::Operation &op, RoleInstruction &out);
  void translateRegions(mlir::Operation &op, RoleInstruction &out);
  bool holdsEvents(mlir::Block &block);
  void noteUses();
  void noteConstants();

  // Loops and queries about them (RoleRounds.cpp)
  struct Bounds {
    mlir::Value begin, end;
  };
  std::optional<Bounds> countedLoop(mlir::arith::SelectOp select);
  bool translateCompare(mlir::arith::CmpIOp op, RoleInstruction &out);
  Rounds roundsOf(mlir::Value begin, mlir::Value end, mlir::Value step);

  const RoleEvents &events;
  Identities &identities;
  std::vector<RoleBlock> blocks;
  llvm::DenseMap<mlir::Value, std::optional<Channel>> followed; ///< And what they count.
  llvm::DenseMap<mlir::Value, int> slots;
  llvm::DenseSet<mlir::Operation *> relevant;
  llvm::DenseMap<uint64_t, mlir::Value> loopSteps; ///< Of this role's loops, by where they end.
  std::vector<std::optional<Channel>> channels;
  std::vector<int64_t> constants;
  std::vector<int> slotBlocks;
  std::vector<std::vector<int>> lastUses; ///< By block and slot.
  std::vector<uint64_t> asked;
  int64_t largest = 0;
  int numSlots = 0, entryBlock = -1;
};

} // namespace tawa::verify
