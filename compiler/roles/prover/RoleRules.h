// What a role may do to rings, dots and turns, and what that does to the state. A rule that is broken ends the proof.
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

/// What does not change while the roles run.
struct RingInfo {
  int depth = 1;
  unsigned getters = 0;        ///< Roles that get from it.
  bool followsLanding = false; ///< It matters whether its puts have landed.
};

class RoleRules {
public:
  RoleRules(std::vector<std::string> roleNames, std::vector<RingInfo> rings, int64_t countedTo);

  RoleWorld start() const;

  /// A role about to do something.
  struct Actor {
    RoleWorld &world;
    unsigned role;
    mlir::Operation *op;
    RoleCursor &cursor() const { return world.roles[role]; }
  };
  RoleStep put(Actor actor, unsigned ring, const Amount &index);
  RoleStep get(Actor actor, unsigned ring, const Amount &index);
  RoleStep release(Actor actor, unsigned ring, const Amount &index);
  /// Who puts waits for the end of the round before the one of put `index`, which comes later; `modulus` as in
  /// TileNumber.
  RoleStep awaitPut(Actor actor, unsigned ring, const Amount &index, unsigned modulus);
  /// A map by which `rings` are filled is written.
  RoleStep writeMap(Actor actor, uint32_t rings);
  RoleStep read(Actor actor, llvm::ArrayRef<Amount> operands);
  RoleStep issue(Actor actor, llvm::ArrayRef<Amount> operands);
  RoleStep wait(Actor actor, unsigned pendings);
  /// Whether the dots that wrote an accumulator last are over when at most `pendings` groups are left.
  bool isSettled(const Amount &accumulator, unsigned pendings) const;
  RoleStep pingPongWait(Actor actor, unsigned turn);
  RoleStep pingPongPass(Actor actor, unsigned turn);
  /// What must hold when a role has come to its end, and when all have.
  RoleStep finish(Actor actor);
  RoleStep finishAll(const RoleWorld &world);

  /// Counts of rings relative to now where integers are known to be counts, and integers where counts are known.
  Amount asCount(const RoleWorld &world, Amount amount, Channel channel) const;
  Amount asInteger(const RoleWorld &world, Amount amount) const;
  /// The number of a slot that is named by itself: of the next put or get, or of the last one that was in it.
  Amount numberOf(const RoleWorld &world, const TileNumber &number, Channel channel, bool isNext) const;
  /// The tile of the get with this number; unknown where the number is not known to count gets.
  Amount tileOf(const RoleWorld &world, const Amount &number, unsigned ring) const;

  std::string describeBlocked(const RoleWorld &world, unsigned role, const RoleInstruction &at) const;
  RoleStep fail(mlir::Operation *op, const llvm::Twine &what);
  const std::optional<RoleFinding> &finding() const { return found; }
  const std::string &nameOf(unsigned role) const { return names[role]; }

private:
  RoleStep checkIndex(Actor actor, Channel channel, Amount index);
  /// One more put or get: whatever is counted from the last one moves back.
  void advance(RoleWorld &world, Channel channel);
  /// Where the slot of get number (gets so far) + offset stands among the slots of a ring; -1: nowhere.
  int placeOf(const RingState &ring, int64_t offset) const;
  uint32_t knownBy(const RoleWorld &world, unsigned role) const;

  std::vector<std::string> names;
  std::vector<RingInfo> rings;
  uint8_t countedTo; ///< Counts since the kernel began are told apart up to this.
  std::optional<RoleFinding> found;
};

} // namespace tawa::verify
