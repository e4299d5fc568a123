// The instructions of one core: a CoreProgram with its structure flattened to jumps and everything that depends on
// the core's coordinates evaluated. What the check and the simulator execute.
#pragma once

#include "runtime/mesh/CoreArray.h"
#include "runtime/mesh/core/CoreProgram.h"

#include <algorithm>

namespace tawa::mesh {

/// An affine function of the loop variables.
struct FlatAffine {
  struct Term {
    int variable;
    int64_t coefficient;
  };
  std::vector<Term> terms;
  int64_t constant = 0;
  int64_t at(const std::vector<int64_t> &variables) const {
    int64_t value = constant;
    for (const Term &term : terms)
      value += term.coefficient * variables[term.variable];
    return value;
  }
};

struct FlatGuard {
  FlatAffine value;
  int64_t extent = 1;
  bool outside = false;
  bool holds(const std::vector<int64_t> &variables) const {
    int64_t at = value.at(variables);
    return (at >= 0 && at < extent) != outside;
  }
};

struct Instruction {
  enum class Kind : uint8_t {
    LoopBegin, ///< object: the variable; its length; target: the instruction after LoopEnd
    LoopEnd,   ///< object: the variable; its length; target: the instruction after LoopBegin
    Turn,      ///< object: the variable; amount: its value; count: the last one; target: the variable of the wave
    Branch,    ///< Goes to target unless all guards hold.
    Reserve,
    Push,
    Wait,
    Pop,           ///< object: the buffer; amount: tiles
    Read,          ///< object: the buffer; amount: the slot; starts, guards, tag
    Write,         ///< object: the buffer; amount: the slot; starts, tag
    Forward,       ///< object: the buffer; amount: the slot; receivers, network, tag
    ReadBarrier,   ///< tag; amount: allowed
    WriteBarrier,  ///< tag; amount: allowed
    SemaphoreWait, ///< object: the semaphore; count
    Signal,        ///< object: the semaphore; receivers, network
    Compute,
    End,
  };
  Kind kind = Kind::End;
  int object = -1;
  int tag = 0;
  int network = -1;
  int64_t count = 0;
  int64_t divisor = 0; ///< Of a loop: its length is amount floordiv divisor, from 0 to count; 0: its length is count.
  int target = -1;
  FlatAffine amount;
  std::vector<FlatAffine> starts;
  std::vector<FlatGuard> guards;
  std::vector<int> receivers;           ///< Cores, in the order in which the network reaches them.
  std::vector<FlatAffine> slots;        ///< Of Compute: of each tile that it consumes.
  const Operation *operation = nullptr; ///< In the core program.
  int note = -1;                        ///< For the executor: an index into a table of its own.

  /// Of a loop.
  int64_t iterations(const std::vector<int64_t> &variables) const {
    return divisor == 0 ? count : std::clamp<int64_t>(floorDiv(amount.at(variables), divisor), 0, count);
  }
};

using FlatThread = std::vector<Instruction>;

struct FlatCore {
  std::vector<int64_t> coordinates;
  std::array<FlatThread, kThreads> threads;
  std::vector<FlatAffine> indices; ///< Of the tile program.
};

/// The instructions of every core. The core program has to outlive them. `fault` is empty, or names a destination that
/// is no core or that the network does not reach.
std::vector<FlatCore> flatten(const CoreProgram &program, const Machine &machine, std::string &fault);

/// A place in a thread.
class Cursor {
public:
  Cursor() = default;
  Cursor(const FlatThread &thread, size_t variables) : thread(&thread), variables(variables) {}

  /// The instruction to execute; follows loops and branches until there is one.
  const Instruction &fetch();
  void advance() { ++at; }
  const std::vector<int64_t> &values() const { return variables; }

private:
  const FlatThread *thread = nullptr;
  int at = 0;
  std::vector<int64_t> variables; ///< Those of coordinates are not used.
};

inline const Instruction &Cursor::fetch() {
  for (;;) {
    const Instruction &instruction = (*thread)[at];
    switch (instruction.kind) {
    case Instruction::Kind::LoopBegin:
      variables[instruction.object] = 0;
      at = instruction.iterations(variables) > 0 ? at + 1 : instruction.target;
      break;
    case Instruction::Kind::LoopEnd:
      if (++variables[instruction.object] < instruction.iterations(variables)) {
        at = instruction.target;
      } else {
        variables[instruction.object] = 0;
        ++at;
      }
      break;
    case Instruction::Kind::Turn: {
      int64_t value = instruction.amount.at(variables);
      variables[instruction.object] = variables[instruction.target] % 2 == 0 ? value : instruction.count - value;
      ++at;
      break;
    }
    case Instruction::Kind::Branch: {
      bool holds = true;
      for (const FlatGuard &guard : instruction.guards)
        holds = holds && guard.holds(variables);
      at = holds ? at + 1 : instruction.target;
      break;
    }
    default:
      return instruction;
    }
  }
}

} // namespace tawa::mesh
