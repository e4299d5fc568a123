// The rules for rings, dots and ping-pong, and their effect on the state. A violated rule ends the proof.
#pragma once

#include "compiler/roles/prover/RoleState.h"

#include <string>

namespace tawa::verify {

/// Why a kernel is not proved.
struct RoleFinding {
  mlir::Operation *op = nullptr;
  std::string what;
};

enum class RoleStep { Done, Blocked, Asks, Failed };

/// Constant properties of a ring.
struct RingInfo {
  int depth = 1;
  unsigned getters = 0;        ///< Roles that get from it.
  bool followsLanding = false; ///< It matters whether its puts have landed.
  bool isShared = false;       ///< By CTAs: its producer ends when all slots have been given back.
};

class RoleRules {
public:
  RoleRules(std::vector<std::string> roleNames, std::vector<RingInfo> rings, int64_t countedTo);

  RoleWorld start() const;

  /// A role about to execute an operation.
  struct Actor {
    RoleWorld &world;
    unsigned role;
    mlir::Operation *op;
    RoleCursor &cursor() const { return world.roles[role]; }
  };
  RoleStep put(Actor actor, unsigned ring, const Amount &index);
  RoleStep get(Actor actor, unsigned ring, const Amount &index);
  RoleStep release(Actor actor, unsigned ring, const Amount &index);
  /// The producer waits for the end of the round before that of put `index`, which comes later; `modulus` as in
  /// TileNumber.
  RoleStep awaitPut(Actor actor, unsigned ring, const Amount &index, unsigned modulus);
  /// The producer waits until `slots` slots are free that the puts from `index` on would take; `modulus` as in
  /// TileNumber.
  RoleStep awaitFree(Actor actor, unsigned ring, const Amount &index, unsigned modulus, int slots);
  /// A tensor map through which `rings` are filled is written.
  RoleStep writeMap(Actor actor, uint32_t rings);
  RoleStep read(Actor actor, llvm::ArrayRef<Amount> operands);
  RoleStep issue(Actor actor, llvm::ArrayRef<Amount> operands);
  RoleStep wait(Actor actor, unsigned pendings);
  /// Whether the dots that last wrote an accumulator are over when at most `pendings` groups are in flight.
  bool isSettled(const Amount &accumulator, unsigned pendings) const;
  RoleStep pingPongWait(Actor actor, unsigned group);
  RoleStep pingPongPass(Actor actor, unsigned group);
  /// Checks at the end of one role, and at the end of all.
  RoleStep finish(Actor actor);
  RoleStep finishAll(const RoleWorld &world);

  /// Converts integers known to be counts to ring-relative counts, and known counts to integers.
  Amount asCount(const RoleWorld &world, Amount amount, Channel channel) const;
  Amount asInteger(const RoleWorld &world, Amount amount) const;
  /// The number of a directly named slot: of the next put or get, or of the last one that used it.
  Amount numberOf(const RoleWorld &world, const TileNumber &number, Channel channel, bool isNext) const;
  /// The tile of the get with this number; unknown where the number is not known to count gets.
  Amount tileOf(const RoleWorld &world, const Amount &number, unsigned ring) const;

  std::string describeBlocked(const RoleWorld &world, unsigned role, const RoleInstruction &at) const;
  RoleStep fail(mlir::Operation *op, const llvm::Twine &what);
  const std::optional<RoleFinding> &finding() const { return found; }
  const std::string &nameOf(unsigned role) const { return names[role]; }

private:
  RoleStep checkIndex(Actor actor, Channel channel, Amount index);
  /// One more put or get: everything relative to the last one shifts.
  void advance(RoleWorld &world, Channel channel);
  /// Position of the slot of get number (gets so far) + offset among the slots of a ring; -1: none.
  int placeOf(const RingState &ring, int64_t offset) const;
  /// How many puts come before that with this number; none: it is not known, or was made.
  std::optional<int> putsAhead(const RoleWorld &world, unsigned ring, const Amount &index, unsigned modulus) const;
  uint32_t knownBy(const RoleWorld &world, unsigned role) const;

  std::vector<std::string> names;
  std::vector<RingInfo> rings;
  uint8_t countedTo; ///< Absolute counts are distinguished up to this.
  std::optional<RoleFinding> found;
};

} // namespace tawa::verify
