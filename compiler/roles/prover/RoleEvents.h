// The protocol events of a role, instruction by instruction, and the interface by which a dialect's operations describe
// them. Two dialects do: arefs (ArefEvents.h), and the mbarriers that they lower to (MachineEvents.h).
#pragma once

#include "mlir/IR/Operation.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>

namespace tawa::verify {

/// Puts into a ring and gets from it are counted separately.
struct Channel {
  unsigned ring = 0;
  bool puts = false;
  unsigned number() const { return 2 * ring + puts; }
};

/// The iterations of another loop without the first few: for (begin + skipped * step, end, step).
struct Rounds {
  uint64_t identity = 0; ///< Of the loop with nothing skipped.
  int skipped = 0;
  int constant = -1; ///< Their number, where it is a small constant; -1: unknown.
};

/// Which put or get of a ring is meant: the value of a counter or, where a slot is named directly, the next or last one
/// with this remainder.
struct TileNumber {
  int operand = -1;                    ///< As in RoleInstruction; only without a modulus.
  unsigned modulus = 0, remainder = 0; ///< Of a slot that is named directly.
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
    CountRounds, ///< The trip count of another loop.
    AnyRounds,   ///< Whether a loop runs any iteration.
    IsFirst,     ///< Whether this is the first iteration of a loop around it.
    IsNotLast,   ///< Whether more iterations follow this one.
    // Protocol events
    Put,
    Get,
    Release,
    AwaitPut,  ///< Until this role's own put has landed.
    AwaitFree, ///< Until slots have been given back, without a put.
    WriteMap,  ///< Through which it puts.
    Begin,
    Issue,
    Wait,
    Read,
    PingPongWait,
    PingPongPass,
    // Control flow
    Loop,
    Branch,
    Unknown ///< Control flow that is not supported.
  };
  static constexpr int kUnknown = -1;

  Kind kind;
  mlir::Operation *op;
  mlir::Operation *loop = nullptr;             ///< Of IsFirst, IsNotLast.
  bool negated = false;                        ///< Of IsFirst.
  int ahead = 1;                               ///< Of IsNotLast: so many follow.
  llvm::SmallVector<int, 4> operands, results; ///< Slots; kUnknown; or kUnknown - 1 - i: constant i.
  int first = -1, second = -1;                 ///< Blocks: body; or then and else.
  Rounds rounds;                               ///< Of loops and questions about them.
  uint64_t identity = 0;                       ///< Of a branch's condition.

  // Operands of protocol events
  unsigned ring = 0;            ///< Or the number of the ping-pong group.
  TileNumber number;            ///< Of a put, get or release.
  std::optional<int> condition; ///< An operand: happens only if it holds.
  /// Tiles read besides those among the operands.
  llvm::SmallVector<std::pair<unsigned, TileNumber>, 2> tiles;
  unsigned pendings = 0; ///< Of a wait: groups that may stay in flight.
  uint32_t readable = 0; ///< Of a wait: which results the role may read afterwards.
  uint32_t rings = 0;    ///< That are filled by a map, as bits.
  int slots = 1;         ///< Of AwaitFree.
};

class RoleEvents {
public:
  virtual ~RoleEvents() = default;

  virtual bool isEvent(mlir::Operation *op) const = 0;
  /// Calls `follow` with every value that an event depends on or defines, and with what the value counts.
  using Follow = llvm::function_ref<void(mlir::Value, std::optional<Channel>)>;
  virtual void follow(mlir::Operation *event, Follow follow) const = 0;
  /// Fills in the kind and properties of an event, except operands and results that equal the operation's. `operandOf`
  /// returns the operand that stands for a tracked value.
  using OperandOf = llvm::function_ref<int(mlir::Value)>;
  virtual void translate(mlir::Operation *event, RoleInstruction &out, OperandOf operandOf) const = 0;
  /// A condition that holds for all of the role's threads that take part in the protocol.
  virtual bool holdsForRole(mlir::Value condition) const { return false; }
};

} // namespace tawa::verify
