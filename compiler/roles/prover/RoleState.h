// The state of all roles of a kernel: as much of their history as determines what they may do next.
//
// Nothing here grows with the number of iterations: tiles are numbered relative to the last put or get of their ring,
// iterations relative to the end of their loop. README.md says why finitely many of these states stand for all runs.
#pragma once

#include "compiler/roles/prover/RoleProgram.h"

#include <array>

namespace tawa::verify {

inline constexpr unsigned kMostRoles = 8, kMostPingPongBarriers = 8;
/// Loops whose remaining iterations may occur in one sum: those of tiles that other roles process meanwhile.
inline constexpr unsigned kMostRests = 8;
/// The age of values written by completed dots.
inline constexpr int kFarOff = 1 << 20;

/// A value as far as the prover knows it. The remaining iterations of loops (see Choice) may be added to any of them.
struct Amount {
  enum class Kind : uint8_t {
    Unknown,
    Integer,     ///< offset; with `bounded`, at least that.
    Count,       ///< Puts or gets of a ring so far, + offset; with `bounded`, at most that.
    Tile,        ///< The slot of get number (gets so far) + offset of a ring.
    Accumulator, ///< Last written by the group of dots issued `offset` groups ago; 1: the last one.
  };
  Kind kind = Kind::Unknown;
  bool bounded = false;
  uint8_t channel = 0; ///< Of Count; of Tile the ring.
  int32_t offset = 0;
  std::array<int8_t, kMostRests> rests = noRests(); ///< Choices whose remaining rounds are added, sorted, then -1.

  static Amount integer(int64_t value) { return make(Kind::Integer, 0, value); }
  static Amount count(Channel channel, int64_t offset) { return make(Kind::Count, channel.number(), offset); }
  static Amount tile(unsigned ring, int64_t offset) { return make(Kind::Tile, ring, offset); }
  static Amount accumulator(int64_t age) { return make(Kind::Accumulator, 0, age); }

  bool hasRests() const { return rests[0] >= 0; }
  /// The value, if it is a single number.
  std::optional<int64_t> exact() const {
    bool isExact = kind == Kind::Integer && !bounded && !hasRests();
    return isExact ? std::optional<int64_t>(offset) : std::nullopt;
  }
  void addRest(int choice);
  /// Replaces each by `numberOf` of it; -1 removes it.
  void renumberRests(llvm::function_ref<int(int)> numberOf);
  bool operator==(const Amount &) const = default;

private:
  static constexpr std::array<int8_t, kMostRests> noRests() { return {-1, -1, -1, -1, -1, -1, -1, -1}; }
  static Amount make(Kind kind, unsigned channel, int64_t offset) {
    Amount amount;
    amount.kind = kind;
    amount.channel = static_cast<uint8_t>(channel);
    amount.offset = static_cast<int32_t>(offset);
    return amount;
  }
};

/// An iteration of a loop, counted from the end: `left` iterations follow beyond the unknown rest.
struct Iteration {
  int choice, left;
  bool operator==(const Iteration &) const = default;
};

/// Something unknown before the kernel runs on which all roles agree: the trip count of a loop, or the outcome of a /
/// condition. / / Role r still has rest + left[r] iterations, where the rest is only known to be nonnegative. When a
/// role asks whether / there is another one, both cases are explored: the rest is zero, or it contains one more
/// iteration (left[r] + 1 for / all, and a smaller rest). Roles that are some iterations apart therefore stay so.
struct Choice {
  uint64_t identity = 0;
  bool isRounds = false;
  bool known = false;                     ///< Of rounds: the rest is zero.
  bool outcome = false;                   ///< Of a condition that is known.
  uint8_t reached = 0, inside = 0;        ///< Sets of roles: have reached it; are inside now.
  int8_t total = 0;                       ///< All rounds, beyond the rest: for roles that come later.
  std::array<int8_t, kMostRoles> left{};  ///< Of those inside.
  llvm::SmallVector<Iteration, 2> around; ///< Iterations of loops in which this is asked.
  bool operator==(const Choice &) const = default;
};

struct RingState {
  enum Slot : uint8_t { Free, Full, Borrowed }; ///< Borrowed + r: by role r.
  llvm::SmallVector<uint8_t, 8> slots;          ///< By how long ago they were put, last first.
  unsigned full = 0;
  std::array<uint8_t, 2> done{}; ///< Gets, puts since the kernel began, up to a small number.
  uint32_t knowing = ~0u;        ///< Roles that know all gets so far to be over.
  uint64_t underWay = 0;         ///< Bit i: slots[i] may not have landed yet; only where that matters.
  uint64_t held = 0;             ///< Bit i: its producer has not waited for slots[i]; only where CTAs share the ring.

  bool isUsed() const { return done[1] != 0; }
};

struct RoleFrame {
  int block = -1, index = 0, choice = -1;
  bool atHead = false, again = false; ///< Of a loop: between iterations; not the first one.
};

/// Tile number (gets so far) + offset of a ring.
struct BorrowedTile {
  uint8_t ring;
  int32_t offset;
  bool operator==(const BorrowedTile &) const = default;
};
using DotGroup = llvm::SmallVector<BorrowedTile, 2>; ///< What the dots of a group read.

struct RoleCursor {
  llvm::SmallVector<RoleFrame, 4> frames; ///< Innermost last; none at the end of the role.
  std::vector<Amount> values;             ///< By slot.
  llvm::SmallVector<DotGroup, 2> dots;    ///< Groups in flight, oldest first.
  int asks = -1;                          ///< The choice that must be decided before the role continues.

  bool atEnd() const { return frames.empty(); }
};

struct PingPongState {
  bool passed = false;
  uint32_t passedKnowing = 0; ///< Of rings and groups, what the role that passed it knew (see PingPongState::knowing).
  uint32_t knowing = ~0u;     ///< Roles that know the last wait for it to be over.
};

struct RoleWorld {
  llvm::SmallVector<RoleCursor, 4> roles;
  llvm::SmallVector<RingState, 4> rings;
  llvm::SmallVector<Choice, 4> choices;
  std::array<PingPongState, kMostPingPongBarriers> pingPongs;

  /// Calls `visit` with every number in the state.
  template <typename Visit> void forEachAmount(Visit visit) {
    for (RoleCursor &role : roles)
      for (Amount &amount : role.values)
        visit(amount);
  }
  /// Iterations of the loops that a role is in, outermost first.
  llvm::SmallVector<Iteration, 2> iterationsOf(unsigned role) const;
  /// The next choice of this identity that a role reaches; created if no role has reached it before.
  int choiceAt(unsigned role, const Rounds &rounds);
  int choiceAt(unsigned role, uint64_t condition);
  void reach(unsigned role, int choice);
  /// Assumes one of the two cases.
  void decide(int choice, bool first);
  /// Drops what no role can reach any more, and puts the rest in canonical order.
  void tidy(llvm::ArrayRef<RoleProgram> programs, llvm::ArrayRef<llvm::DenseSet<uint64_t>> asking);
  /// Two states with equal keys have equal futures.
  std::vector<uint64_t> key() const;

private:
  int choiceAt(unsigned role, Choice choice);
  bool canReach(unsigned role, const Choice &choice, const llvm::DenseSet<uint64_t> &asking) const;
  bool isNeeded(int choice, llvm::ArrayRef<llvm::DenseSet<uint64_t>> asking) const;
  void renumber(llvm::ArrayRef<int> order);
};

} // namespace tawa::verify
