// Integers as the prover knows them: exactly, modulo the period of the rings, or not at all.
//
// A counter grows without bound, but a ring of depth D only looks at it modulo 2 D (slot and parity), and a delayed
// release only asks whether it is below a small constant. So numbers from `start` on are told apart modulo `length`
// only. This is a congruence for additions: finitely many classes stand for all counters (README.md).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace tawa::verify {

/// Numbers from `start` on are known modulo `length`.
struct Period {
  int64_t start = 2, length = 2;
};

/// Threads of a warp, as far as one of them can act alone.
using Lanes = uint8_t;
inline constexpr Lanes kLaneZero = 1, kElectedLane = 2, kOtherLanes = 4, kAllLanes = 7;
inline constexpr unsigned kLaneClasses = 3;
/// How many lanes a set of classes has; the elected lane need not be lane 0.
unsigned countLanes(Lanes lanes);

/// The sum of: the base of shared memory (if `shared`), a symbol, `offset`, an unknown multiple of `step` (as often as
/// one likes, or not at all; a step of -1 only stands beside a symbol), and a part in which the lanes differ: some of
/// the bits of `spread`. All but `offset` may be missing. Addresses in a tile are maps over bits, so this is exact for
/// them.
struct Number {
  enum class Kind : uint8_t {
    Opaque,
    Integer,
    Accumulator, ///< Written last by the group of products committed `offset` groups ago; 0: not committed yet.
    InLanes,     ///< An i1 that is true in the lanes of `lanes`.
    InSome,      ///< An i1 that is true in lanes that are not known.
  };
  Kind kind = Kind::Opaque;
  bool shared = false;
  bool isLane = false; ///< The part in which lanes differ is the index of the lane.
  uint8_t shift = 0;   ///< The sum is shifted right by so much (descriptors of wgmma); only with `shared`.
  Lanes lanes = 0;
  int16_t symbol = -1;
  int32_t step = 0, spread = 0;
  int64_t offset = 0;

  static Number exact(int64_t value) {
    Number number;
    number.kind = Kind::Integer;
    number.offset = value;
    return number;
  }
  static Number inLanes(Lanes lanes) {
    if (lanes == 0 || lanes == kAllLanes)
      return exact(lanes != 0);
    Number number;
    number.kind = Kind::InLanes;
    number.lanes = lanes;
    return number;
  }
  static Number inSomeLanes() {
    Number number;
    number.kind = Kind::InSome;
    return number;
  }

  static Number accumulator(int64_t age) {
    Number number;
    number.kind = Kind::Accumulator;
    number.offset = age;
    return number;
  }

  bool isInteger() const { return kind == Kind::Integer; }
  /// The value, where it is one number in all lanes and every iteration.
  std::optional<int64_t> constant() const {
    if (!isInteger() || shared || symbol >= 0 || step != 0 || spread != 0)
      return std::nullopt;
    return offset;
  }
  bool operator==(const Number &) const = default;
};

/// What the operations of `arith` give. Symbols are looked up in a table: the least value that a symbol may have; the
/// others are that plus a multiple of the period.
class Arithmetic {
public:
  Arithmetic(const Period &period, const std::vector<int64_t> &symbols) : period(period), symbols(symbols) {}

  enum class Compare : uint8_t { Equal, NotEqual, Less, LessEqual, Greater, GreaterEqual };

  Number add(Number a, Number b) const;
  Number subtract(Number a, Number b) const;
  Number multiply(Number a, Number b) const;
  Number divide(Number a, Number b) const;
  Number remainder(Number a, Number b) const;
  Number bitAnd(Number a, Number b) const;
  Number bitOr(Number a, Number b) const;
  Number bitXor(Number a, Number b) const;
  Number shiftLeft(Number a, Number b) const;
  Number shiftRight(Number a, Number b) const;
  Number compare(Compare how, Number a, Number b) const;
  Number select(Number condition, Number yes, Number no) const;

  /// The same number without its symbol.
  Number resolve(Number number) const;
  /// The class of a number that a loop carries: from `start` on, only the residue is kept.
  Number widen(Number number, int64_t start) const;

private:
  std::optional<bool> isAtLeast(const Number &number, int64_t bound) const;
  std::optional<bool> isEqual(const Number &number, int64_t value) const;

  const Period &period;
  const std::vector<int64_t> &symbols;
};

} // namespace tawa::verify
