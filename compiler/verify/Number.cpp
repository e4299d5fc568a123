// See Number.h.
#include "compiler/verify/Number.h"

#include <algorithm>
#include <bit>
#include <numeric>

namespace tawa::verify {

unsigned countLanes(Lanes lanes) {
  constexpr unsigned kLanesOfWarp = 32;
  unsigned count = std::popcount(static_cast<unsigned>(lanes & (kLaneZero | kElectedLane)));
  return lanes & kOtherLanes ? count + kLanesOfWarp - 2 : count;
}

namespace {

constexpr uint32_t kSharedWindowMask = 0x3ffff; // what a matrix descriptor keeps of an address

bool isPlain(const Number &number) { return number.isInteger() && !number.shared && number.step >= 0; }

/// A number that is the same in all lanes but may be known modulo a step.
bool isUniform(const Number &number) { return isPlain(number) && number.spread == 0; }

bool isPowerOf2(int64_t value) { return value > 0 && std::has_single_bit(static_cast<uint64_t>(value)); }

int64_t lowestBit(int64_t value) { return value & -value; }

/// All bits from the lowest of `unit` up to what a sum of at most `most` may have.
int64_t bitsUpTo(int64_t most, int64_t unit) {
  if (most <= 0)
    return 0;
  int64_t all = static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(most) + 1)) - 1;
  return all & ~(unit - 1);
}

/// `first` plus some of the bits of `spread`.
Number varying(int64_t first, int64_t spread) {
  constexpr int64_t kMost = 1 << 30;
  Number number = spread <= kMost ? Number::exact(first) : Number();
  number.spread = spread <= kMost ? static_cast<int32_t>(spread) : 0;
  return number;
}

/// No unknown multiples, and the part in which lanes differ adds to the rest without carries: the number is a set of
/// bits, some of which are known.
bool isBits(const Number &number) {
  return isPlain(number) && number.symbol < 0 && number.step == 0 && number.offset >= 0 &&
         (number.offset & number.spread) == 0;
}

} // namespace

Number Arithmetic::resolve(Number number) const {
  if (number.symbol < 0)
    return number;
  if (number.step < 0)
    return {};
  number.offset += symbols[number.symbol];
  number.step = static_cast<int32_t>(std::gcd<int64_t>(number.step, period.length));
  number.symbol = -1;
  return number;
}

Number Arithmetic::widen(Number number, int64_t start) const {
  if (!isUniform(number) || number.offset < start || (number.step != 0 && number.step % period.length != 0))
    return number;
  number.offset = start + (number.offset - start) % period.length;
  number.step = static_cast<int32_t>(period.length);
  return number;
}

/// Somewhere behind a place in shared memory.
static Number somewhereBehind(Number place) {
  constexpr int32_t kWindow = 1 << 18;
  place.spread = kWindow - 1;
  place.isLane = false;
  return place;
}

Number Arithmetic::add(Number a, Number b) const {
  for (auto [place, other] : {std::pair(a, b), std::pair(b, a)})
    if (place.isInteger() && place.shared && place.shift == 0 && other.kind == Number::Kind::Opaque)
      return somewhereBehind(place);
  if (!a.isInteger() || !b.isInteger() || (a.shared && b.shared) || a.step < 0 || b.step < 0)
    return {};
  if (b.shift != 0)
    std::swap(a, b);
  if (a.shift != 0 && (!b.constant() || b.shift != 0))
    return {};
  if (a.symbol >= 0 && b.symbol >= 0)
    b = resolve(b);
  Number sum = a;
  sum.shared = a.shared || b.shared;
  sum.symbol = std::max(a.symbol, b.symbol);
  sum.offset = a.offset + b.offset;
  sum.step = std::gcd(a.step, b.step);
  int64_t both = int64_t(a.spread) + b.spread;
  bool carries = (a.spread & b.spread) != 0;
  sum.spread = varying(0, carries ? bitsUpTo(both, lowestBit(a.spread | b.spread)) : both).spread;
  sum.isLane = (a.isLane && b.spread == 0) || (b.isLane && a.spread == 0);
  return sum;
}

Number Arithmetic::subtract(Number a, Number b) const {
  bool isBelow = b.step == -1 && b.symbol >= 0 && b.symbol == a.symbol && a.step >= 0;
  if (isBelow) { // the part by which it is smaller than its symbol adds to the difference
    a.step = 1;
    b.step = 0;
  }
  if (!a.isInteger() || !b.isInteger() || b.spread != 0 || b.step != 0 || a.step < 0 || a.shift != b.shift ||
      (b.shared && !a.shared))
    return {};
  if (b.symbol >= 0 && a.symbol != b.symbol)
    return {};
  Number difference = a;
  if (b.symbol >= 0)
    difference.symbol = -1;
  difference.shared = a.shared && !b.shared;
  difference.offset = a.offset - b.offset;
  return difference;
}

Number Arithmetic::multiply(Number a, Number b) const {
  if (!b.constant())
    std::swap(a, b);
  auto factor = b.constant();
  a = resolve(a);
  constexpr int64_t kMost = INT32_MAX; // beyond, a shift to the right would bring back other bits
  if (!factor || *factor < 0 || !isPlain(a) || a.offset < 0)
    return {};
  int64_t largest = std::max<int64_t>({a.step, a.spread, a.offset, 1});
  if (*factor > kMost / largest)
    return {};
  if (*factor == 0)
    return Number::exact(0);
  int64_t spread = a.spread * *factor;
  Number product = varying(a.offset * *factor, isPowerOf2(*factor) ? spread : bitsUpTo(spread, lowestBit(spread)));
  product.step = static_cast<int32_t>(a.step * *factor);
  product.isLane = a.isLane && *factor == 1;
  return product;
}

Number Arithmetic::divide(Number a, Number b) const {
  auto divisor = b.constant();
  a = resolve(a);
  if (!divisor || *divisor <= 0 || !isPlain(a) || a.offset < 0 || a.step % *divisor != 0)
    return {};
  if (a.spread != 0)
    return isPowerOf2(*divisor) && isBits(a) ? varying(a.offset / *divisor, a.spread / *divisor) : Number();
  Number quotient = Number::exact(a.offset / *divisor);
  quotient.step = static_cast<int32_t>(a.step / *divisor);
  return quotient;
}

Number Arithmetic::remainder(Number a, Number b) const {
  auto divisor = b.constant();
  a = resolve(a);
  if (!divisor || *divisor <= 0 || !isUniform(a) || a.offset < 0 || a.step % *divisor != 0)
    return {};
  return Number::exact(a.offset % *divisor);
}

Number Arithmetic::bitAnd(Number a, Number b) const {
  if (!b.constant())
    std::swap(a, b);
  if (auto value = b.constant()) {
    if (*value == 0)
      return Number::exact(0);
    if (a.kind == Number::Kind::InLanes || a.kind == Number::Kind::InSome)
      return *value & 1 ? a : Number::exact(0);
    if (a.shared && a.shift == 0 && *value == kSharedWindowMask)
      return a;
    a = resolve(a);
    if (isBits(a)) {
      Number kept = varying(a.offset & *value, a.spread & *value);
      kept.isLane = a.isLane && kept.spread == a.spread;
      return kept;
    }
    bool keepsLowBits = isPowerOf2(*value + 1) && isUniform(a) && a.offset >= 0 && a.step % (*value + 1) == 0;
    if (keepsLowBits)
      return Number::exact(a.offset & *value);
    return *value > 1 ? varying(0, *value) : Number(); // whatever it was, no other bits are left
  }
  if (a.kind == Number::Kind::InLanes && b.kind == Number::Kind::InLanes)
    return Number::inLanes(a.lanes & b.lanes);
  bool bothPredicates = a.kind >= Number::Kind::InLanes && b.kind >= Number::Kind::InLanes;
  return bothPredicates ? Number::inSomeLanes() : Number();
}

Number Arithmetic::bitOr(Number a, Number b) const {
  if (a.constant() && b.constant())
    return Number::exact(a.offset | b.offset);
  if (!b.constant())
    std::swap(a, b);
  constexpr int64_t kAddressField = 0x3fff; // the other fields of a matrix descriptor lie above
  if (auto value = b.constant(); value && a.shift != 0 && (*value & kAddressField) == 0) {
    a.offset |= *value;
    return a;
  }
  if (b.constant() == 0)
    return a;
  // Bits that both have known cancel in the other, but not here.
  bool isSum = isBits(a) && isBits(b) && (a.offset & b.offset) == 0;
  return isSum ? bitXor(a, b) : Number();
}

Number Arithmetic::bitXor(Number a, Number b) const {
  if (a.constant() && b.constant())
    return Number::exact(a.offset ^ b.offset);
  if (!b.constant())
    std::swap(a, b);
  if (b.constant() == 0)
    return a;
  if (a.kind == Number::Kind::InLanes && b.constant())
    return Number::inLanes(kAllLanes & ~a.lanes);
  if (a.kind == Number::Kind::InSome)
    return a;
  if (!isBits(a) || !isBits(b))
    return {};
  int64_t spread = a.spread | b.spread;
  return varying((a.offset ^ b.offset) & ~spread, spread);
}

Number Arithmetic::shiftLeft(Number a, Number b) const {
  auto bits = b.constant();
  return bits && *bits >= 0 && *bits < 32 ? multiply(a, Number::exact(int64_t(1) << *bits)) : Number();
}

Number Arithmetic::shiftRight(Number a, Number b) const {
  auto bits = b.constant();
  if (!bits || *bits < 0 || *bits >= 32 || !a.isInteger())
    return {};
  if (a.shared) { // its base is a multiple of 1024
    if (*bits != 4 || a.shift != 0 || a.spread != 0 || a.step != 0 || a.symbol >= 0 || a.offset % 16 != 0)
      return {};
    a.offset >>= 4;
    a.shift = 4;
    return a;
  }
  return divide(a, Number::exact(int64_t(1) << *bits));
}

std::optional<bool> Arithmetic::isAtLeast(const Number &number, int64_t bound) const {
  if (number.offset >= bound)
    return true;
  if (number.step == 0 && number.offset + number.spread < bound)
    return false;
  return std::nullopt;
}

std::optional<bool> Arithmetic::isEqual(const Number &number, int64_t value) const {
  if (number.offset > value)
    return false;
  if (number.step == 0) {
    if (number.spread == 0)
      return number.offset == value;
    return number.offset + number.spread < value ? std::optional(false) : std::nullopt;
  }
  if (number.spread == 0 && (value - number.offset) % number.step != 0)
    return false;
  return std::nullopt;
}

static Arithmetic::Compare mirrored(Arithmetic::Compare how) {
  using Compare = Arithmetic::Compare;
  switch (how) {
  case Compare::Less:
    return Compare::Greater;
  case Compare::LessEqual:
    return Compare::GreaterEqual;
  case Compare::Greater:
    return Compare::Less;
  case Compare::GreaterEqual:
    return Compare::LessEqual;
  default:
    return how;
  }
}

Number Arithmetic::compare(Compare how, Number a, Number b) const {
  if (a.step < 0 || b.step < 0)
    return {};
  if (a.symbol >= 0 && a.symbol == b.symbol)
    a.symbol = b.symbol = -1;
  if (a.shared && b.shared && a.shift == b.shift)
    a.shared = b.shared = false;
  a = resolve(a);
  b = resolve(b);
  if (!b.constant()) {
    std::swap(a, b);
    how = mirrored(how);
  }
  auto value = b.constant();
  if (!value || !isPlain(a))
    return {};
  bool negate = how == Compare::NotEqual || how == Compare::Less || how == Compare::LessEqual;
  bool equality = how == Compare::Equal || how == Compare::NotEqual;
  bool beyond = how == Compare::Greater || how == Compare::LessEqual;
  std::optional<bool> known = equality ? isEqual(a, *value) : isAtLeast(a, *value + beyond);
  if (known)
    return Number::exact(*known != negate);
  if (a.step != 0)
    return {};
  if (equality && a.isLane && *value == a.offset)
    return Number::inLanes(negate ? kAllLanes & ~kLaneZero : kLaneZero);
  return Number::inSomeLanes();
}

Number Arithmetic::select(Number condition, Number yes, Number no) const {
  if (auto value = condition.constant())
    return *value ? yes : no;
  return yes == no ? yes : Number();
}

} // namespace tawa::verify
