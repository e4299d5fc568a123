// The part of a kernel that the prover runs: operations that concern other agents or shared memory, the integers they
// depend on, and the loops and conditions around them.
#pragma once

#include "compiler/verify/Identity.h"
#include "compiler/verify/Protocol.h"

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"

namespace tawa::verify {

class Model;

struct Instruction {
  enum class Kind : uint8_t {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    And,
    Or,
    Xor,
    ShiftLeft,
    ShiftRight,
    Compare,
    Select,
    Copy,
    Special, ///< A value that the model knows.
    Event,   ///< The model says what happens.
    Loop,
    Branch,
    Role ///< A region that only some agents enter.
  };
  Kind kind = Kind::Event;
  mlir::Operation *op = nullptr;
  Arithmetic::Compare compare = Arithmetic::Compare::Equal;
  llvm::SmallVector<int, 4> operands, results; ///< Slots of values; -1: not followed, -2 - i: constant i.
  int first = -1, second = -1;                 ///< Blocks: body; or then and else.
  bool joinsRoles = false;                     ///< An mbarrier is used inside: roles come here in step.
  unsigned depth = 1;                          ///< Of a loop: 1 outermost.
  uint64_t guarded = 0;                        ///< A branch that is taken if the loop of this identity has iterations.
  uint64_t identity = 0;                       ///< Loops and branches of equal bounds or conditions have equal ones.
};

struct CodeBlock {
  std::vector<Instruction> code;
  llvm::SmallVector<int, 8> arguments, yields; ///< Of a loop's body without the induction variable.
  int valuesBegin = 0, valuesEnd = 0;          ///< Slots of what is defined inside.
};

class Program {
public:
  Program(mlir::Operation *kernel, Model &model);

  const CodeBlock &block(int index) const { return blocks[index]; }
  int entry() const { return entryBlock; }
  int slotOf(mlir::Value value) const {
    auto found = slots.find(value);
    return found == slots.end() ? -1 : found->second;
  }
  unsigned slotCount() const { return numSlots; }
  int64_t constantOf(int operand) const { return constants[-2 - operand]; }
  /// Arguments of loops may be symbols.
  unsigned symbolCount() const { return symbolLoops.size(); }
  int symbolOf(int slot) const { return symbols.lookup(slot); }
  mlir::Operation *loopOfSymbol(int symbol) const { return symbolLoops[symbol]; }
  const Period &period() const { return counting; }

private:
  void follow(mlir::Value value);
  void followAll(mlir::Operation *region);
  int compile(mlir::Block &block);
  bool translate(mlir::Operation &op, Instruction &out);
  bool isRelevant(mlir::Operation *op);
  void findPeriod();
  uint64_t identityOfGuarded(mlir::scf::IfOp branch);

  Model &model;
  std::vector<CodeBlock> blocks;
  llvm::DenseMap<mlir::Value, int> slots; ///< -1 until a followed value gets its place.
  llvm::DenseMap<mlir::Operation *, bool> relevant, joining;
  std::vector<int64_t> constants;
  llvm::DenseMap<int, int> symbols; ///< By slot of an argument.
  std::vector<mlir::Operation *> symbolLoops;
  Identities identities;
  unsigned numSlots = 0, loopDepth = 0;
  int entryBlock = -1;
  Period counting;
};

} // namespace tawa::verify
