// The part of one role that tawa-prove-protocol runs: what it does to rings, dots and turns, the numbers these depend
// on, and the loops and conditions around them.
#pragma once

#include "compiler/verify/Identity.h"

#include "compiler/dialect/TT/TT.h"
#include "compiler/dialect/Tawa/Tawa.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace tawa::verify {

/// Puts into a ring, and gets from it, are counted apart.
struct Channel {
  unsigned ring = 0;
  bool puts = false;
  unsigned number() const { return 2 * ring + puts; }
};

/// The same rounds as those of another loop, but for the first few: for (begin + skipped * step, end, step).
struct Rounds {
  uint64_t identity = 0; ///< Of the loop with nothing skipped.
  int skipped = 0;
  int constant = -1; ///< How many that has, where it is a small number; -1: not known.
};

struct RoleInstruction {
  enum class Kind : uint8_t {
    // Numbers
    Add,
    Subtract,
    Compare,
    And,
    Xor,
    Select,
    Copy,
    CountRounds, ///< How often a loop elsewhere goes round.
    AnyRounds,   ///< Whether a loop goes round at all.
    IsFirst,     ///< Whether this is the first iteration of a loop around it.
    IsNotLast,
    // What the protocol is about
    Put,
    Get,
    Release,
    Begin,
    Issue,
    Wait,
    Read,
    AwaitTurn,
    PassTurn,
    // Control flow
    Loop,
    Branch,
    Unknown ///< Control flow that is not followed.
  };
  Kind kind;
  mlir::Operation *op;
  mlir::Operation *loop = nullptr;             ///< Of IsFirst, IsNotLast.
  bool negated = false;                        ///< Of IsFirst.
  unsigned ring = 0;                           ///< Or the number of the turn.
  llvm::SmallVector<int, 4> operands, results; ///< Slots; kUnknown; or kUnknown - 1 - i: constant i.
  int first = -1, second = -1;                 ///< Blocks: body; or then and else.
  Rounds rounds;                               ///< Of loops and questions about them.
  uint64_t identity = 0;                       ///< Of a branch's condition.
};

struct RoleBlock {
  mlir::Operation *loop = nullptr; ///< Whose body it is; null: of a branch, or the whole role.
  std::vector<RoleInstruction> code;
  llvm::SmallVector<int, 8> arguments, yields; ///< Of a loop's body, without the induction variable.
  int valuesBegin = 0, valuesEnd = 0;          ///< Slots of what is defined inside, deeper blocks included.
};

class RoleProgram {
public:
  static constexpr int kUnknown = -1;

  /// `rings` numbers the arefs of the kernel.
  RoleProgram(ws::WarpGroupOp role, const llvm::DenseMap<mlir::Value, unsigned> &rings, Identities &identities);

  const RoleBlock &block(int index) const { return blocks[index]; }
  int entry() const { return entryBlock; }
  unsigned slotCount() const { return numSlots; }
  int64_t constantOf(int operand) const { return constants[kUnknown - 1 - operand]; }
  /// The ring whose puts or gets a slot counts, where it is one.
  std::optional<Channel> channelOf(int slot) const { return channels[slot]; }
  int blockOf(int slot) const { return slotBlocks[slot]; }
  /// The last place of a block that needs a slot: the number of an instruction that reads it, or has it read in its
  /// blocks; the number of instructions where it is yielded; -1: none.
  int lastUse(int block, int slot) const { return lastUses[block][slot]; }
  /// The largest constant that counters are compared with or start from.
  int64_t largestConstant() const { return largest; }
  const std::vector<uint64_t> &identitiesAsked() const { return asked; }

private:
  void findTiles(mlir::Operation *role);
  void followAll(mlir::Operation *role);
  void followEvent(mlir::Operation *op);
  void follow(mlir::Value value, std::optional<Channel> channel);
  llvm::SmallVector<mlir::Value> sourcesOf(mlir::Value value);
  bool isEvent(mlir::Operation *op) const;
  bool handsOn(mlir::Operation *op) const;
  int compile(mlir::Block &block);
  void place(mlir::Value value, int block);
  int operandOf(mlir::Value value);
  bool translate(mlir::Operation &op, RoleInstruction &out);
  bool translateEvent(mlir::Operation &op, RoleInstruction &out);
  bool translateNumber(mlir::Operation &op, RoleInstruction &out);
  struct Bounds {
    mlir::Value begin, end;
  };
  std::optional<Bounds> countedLoop(mlir::arith::SelectOp select);
  bool translateCompare(mlir::arith::CmpIOp op, RoleInstruction &out);
  void translateRegions(mlir::Operation &op, RoleInstruction &out);
  Rounds roundsOf(mlir::Value begin, mlir::Value end, mlir::Value step);
  void noteUses();
  void noteConstants();

  const llvm::DenseMap<mlir::Value, unsigned> &rings;
  Identities &identities;
  std::vector<RoleBlock> blocks;
  llvm::DenseSet<mlir::Value> tiles;                            ///< Values that may lie in a slot.
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
