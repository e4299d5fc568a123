// What one role does to the protocol, instruction by instruction, and how the operations of a dialect say it. There are
// two: arefs (ArefEvents.h), and the mbarriers that the lowering made of them (MachineEvents.h).
#pragma once

#include "mlir/IR/Operation.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>

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

/// Which put or get of a ring is meant: the number that a counter has, or where a slot is named by itself, the next or
/// last one that has this remainder.
struct TileNumber {
  int operand = -1;                    ///< As in RoleInstruction; only without a modulus.
  unsigned modulus = 0, remainder = 0; ///< Of a slot that is named by itself.
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
    AwaitPut, ///< Until what this role put has landed.
    WriteMap, ///< By which it puts.
    Begin,
    Issue,
    Wait,
    Read,
    PingPongWait,
    PingPongPass,
    // Control flow
    Loop,
    Branch,
    Unknown ///< Control flow that is not followed.
  };
  static constexpr int kUnknown = -1;

  Kind kind;
  mlir::Operation *op;
  mlir::Operation *loop = nullptr;             ///< Of IsFirst, IsNotLast.
  bool negated = false;                        ///< Of IsFirst.
  llvm::SmallVector<int, 4> operands, results; ///< Slots; kUnknown; or kUnknown - 1 - i: constant i.
  int first = -1, second = -1;                 ///< Blocks: body; or then and else.
  Rounds rounds;                               ///< Of loops and questions about them.
  uint64_t identity = 0;                       ///< Of a branch's condition.

  // Of what the protocol is about
  unsigned ring = 0;            ///< Or the number of the turn.
  TileNumber number;            ///< Of a put, get or release.
  std::optional<int> condition; ///< An operand: happens only if it holds.
  /// Tiles that are read beside those among the operands.
  llvm::SmallVector<std::pair<unsigned, TileNumber>, 2> tiles;
  unsigned pendings = 0; ///< Of a wait: groups that may stay in flight.
  uint32_t readable = 0; ///< Of a wait: which results the role may read afterwards.
  uint32_t rings = 0;    ///< That are filled by a map, as bits.
};

class RoleEvents {
public:
  virtual ~RoleEvents() = default;

  virtual bool isEvent(mlir::Operation *op) const = 0;
  /// Calls `follow` with every value on which an event depends, or that it makes, and with what the value counts.
  using Follow = llvm::function_ref<void(mlir::Value, std::optional<Channel>)>;
  virtual void follow(mlir::Operation *event, Follow follow) const = 0;
  /// Fills in the kind of an event and what belongs to it, but for operands and results that are just those of the
  /// operation. `operandOf` gives the operand that stands for a value that is followed.
  using OperandOf = llvm::function_ref<int(mlir::Value)>;
  virtual void translate(mlir::Operation *event, RoleInstruction &out, OperandOf operandOf) const = 0;
  /// A condition that holds for those threads of the role that have to do with the protocol.
  virtual bool holdsForRole(mlir::Value condition) const { return false; }
};

} // namespace tawa::verify
