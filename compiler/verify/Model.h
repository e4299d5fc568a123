// What the prover asks of a dialect: which operations matter, and what they do to the protocol.
#pragma once

#include "compiler/verify/Program.h"

namespace tawa::verify {

/// Where one agent is.
struct Frame {
  int block = -1, index = 0;
  Lanes lanes = kAllLanes;
  bool someLanes = false; ///< Only some of these, which are not known.
};

enum class Choice : uint8_t { None, Iteration, Condition };

struct AgentCursor {
  llvm::SmallVector<Frame, 4> frames; ///< Innermost last; none at the end of the kernel.
  std::vector<Number> values;         ///< By slot.
  std::vector<int64_t> symbols;       ///< By number of the symbol: its least value.
  Choice choice = Choice::None;       ///< What has to be chosen before the agent goes on.
  bool isFirstIteration = false;      ///< At a loop's head: of the choice.
  uint64_t entered = 0;               ///< Identity of a loop that is known to have an iteration; 0: none.
  Ranges gathered;                    ///< By a run of accesses that count as one.
};

inline Number readSlot(const Program &program, const AgentCursor &cursor, int slot) {
  if (slot >= 0)
    return cursor.values[slot];
  return slot == -1 ? Number() : Number::exact(program.constantOf(slot));
}

/// One state of the whole CTA.
struct World {
  ProtocolState protocol;
  std::vector<AgentCursor> cursors;
};

/// An agent about to execute one instruction.
struct Context {
  World &world;
  Protocol &protocol;
  const Program &program;
  const Instruction &instruction;
  unsigned agent;
  Lanes lanes;
  bool someLanes;

  Number value(mlir::Value value) const { return readSlot(program, world.cursors[agent], program.slotOf(value)); }
  void define(mlir::Value value, const Number &number) {
    if (int slot = program.slotOf(value); slot >= 0)
      world.cursors[agent].values[slot] = number;
  }
  Arithmetic arithmetic() const { return Arithmetic(program.period(), world.cursors[agent].symbols); }
  Protocol::Actor actor() { return {world.protocol, agent, lanes, instruction.op}; }
  Step fail(const llvm::Twine &what) { return protocol.fail(instruction.op, what.str()); }
};

class Model {
public:
  virtual ~Model() = default;
  virtual bool isEvent(mlir::Operation *op) const = 0;
  /// Depths by which events divide, beside the divisions that the code has.
  virtual llvm::SmallVector<int64_t> depths() const { return {}; }
  /// An event at a barrier between roles.
  virtual bool joinsRoles(mlir::Operation *op) const = 0;
  /// The integers that an event depends on.
  virtual void follow(mlir::Operation *event, llvm::SmallVectorImpl<mlir::Value> &values) const = 0;
  /// A value of the model's own (registers of position, addresses), made from the operands that are followed.
  virtual bool isSpecial(mlir::Operation *op) const = 0;
  virtual Number evaluate(const Context &context) const = 0;
  /// A region that an agent enters because it belongs to its role.
  virtual bool isRole(mlir::Operation *op) const { return false; }
  virtual bool enters(mlir::Operation *role, unsigned agent) const { return true; }
  virtual Step execute(Context context) = 0;
  /// What an agent that is blocked here waits for.
  virtual std::string describe(Context context) const = 0;
};

} // namespace tawa::verify
