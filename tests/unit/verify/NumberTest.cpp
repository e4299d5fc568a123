// Arithmetic on classes of integers agrees with arithmetic on the integers.
#include "compiler/verify/Number.h"

#include <gtest/gtest.h>

using namespace tawa::verify;

namespace {

constexpr Period kPeriod{4, 12};

/// True if `value` is one of those the number may be.
bool mayBe(const Number &number, int64_t value) {
  if (number.kind == Number::Kind::Opaque)
    return true;
  for (int64_t part = 0; part <= number.spread; ++part) {
    int64_t rest = value - number.offset - part;
    if (rest == 0 || (number.step != 0 && rest > 0 && rest % number.step == 0))
      return true;
  }
  return false;
}

class Numbers : public testing::Test {
protected:
  std::vector<int64_t> symbols;
  Arithmetic arithmetic{kPeriod, symbols};
};

TEST_F(Numbers, ClassesAgreeWithIntegers) {
  for (int64_t count = 0; count < 60; ++count) {
    Number widened = arithmetic.widen(Number::exact(count), kPeriod.start);
    EXPECT_TRUE(mayBe(widened, count));
    for (int64_t small = 0; small < 4; ++small) {
      Number exact = Number::exact(small);
      EXPECT_TRUE(mayBe(arithmetic.add(widened, exact), count + small));
      EXPECT_TRUE(mayBe(arithmetic.subtract(widened, exact), count - small));
      Number isMore = arithmetic.compare(Arithmetic::Compare::GreaterEqual, widened, exact);
      EXPECT_EQ(isMore.constant(), std::optional<int64_t>(count >= small));
    }
    for (int64_t depth : {1, 2, 3, 6}) {
      Number divisor = Number::exact(depth);
      EXPECT_EQ(arithmetic.remainder(widened, divisor).constant(), std::optional<int64_t>(count % depth));
      Number parity = arithmetic.bitAnd(arithmetic.divide(widened, divisor), Number::exact(1));
      EXPECT_EQ(parity.constant(), std::optional<int64_t>((count / depth) & 1));
    }
  }
}

TEST_F(Numbers, WhatThePeriodDoesNotTellIsNotKnown) {
  Number widened = arithmetic.widen(Number::exact(40), kPeriod.start);
  EXPECT_FALSE(arithmetic.remainder(widened, Number::exact(5)).constant());
  EXPECT_FALSE(arithmetic.compare(Arithmetic::Compare::GreaterEqual, widened, Number::exact(30)).constant());
}

TEST_F(Numbers, DifferencesOfOneSymbolAreKnown) {
  symbols = {7};
  Number first;
  first.kind = Number::Kind::Integer;
  first.symbol = 0;
  Number later = arithmetic.add(first, Number::exact(2));
  EXPECT_EQ(arithmetic.subtract(later, first).constant(), std::optional<int64_t>(2));
  EXPECT_EQ(arithmetic.remainder(later, Number::exact(6)).constant(), std::optional<int64_t>(9 % 6));
}

/// True if `value` is the number's known part and some of the bits in which lanes differ.
bool hasBits(const Number &number, int64_t value) { return ((value - number.offset) & ~int64_t(number.spread)) == 0; }

TEST_F(Numbers, AddressesAreMapsOverBits) {
  Number lane;
  lane.kind = Number::Kind::Integer;
  lane.spread = 31;
  auto exact = [](int64_t value) { return Number::exact(value); };
  Number row = arithmetic.shiftLeft(lane, exact(7)),
         column = arithmetic.shiftLeft(arithmetic.bitAnd(lane, exact(7)), exact(4));
  Number place = arithmetic.bitXor(arithmetic.bitXor(row, column), exact(64 + 4096));
  Number moved = arithmetic.add(place, exact(1024));
  for (int64_t index = 0; index < 32; ++index) {
    int64_t expected = (index << 7) ^ ((index & 7) << 4) ^ (64 + 4096);
    EXPECT_TRUE(hasBits(place, expected));
    EXPECT_TRUE(hasBits(moved, expected + 1024));
  }
  EXPECT_EQ(place.offset, 4096);
  EXPECT_EQ(place.spread, (31 << 7) | (7 << 4));
}

TEST_F(Numbers, LanesOfAThreadIndex) {
  Number thread = Number::exact(64);
  thread.isLane = true;
  thread.spread = 31;
  EXPECT_EQ(arithmetic.shiftRight(thread, Number::exact(5)).constant(), std::optional<int64_t>(2));
  Number lane = arithmetic.bitAnd(thread, Number::exact(31));
  Number isFirst = arithmetic.compare(Arithmetic::Compare::Equal, lane, Number::exact(0));
  EXPECT_EQ(isFirst.kind, Number::Kind::InLanes);
  EXPECT_EQ(isFirst.lanes, kLaneZero);
  EXPECT_EQ(arithmetic.compare(Arithmetic::Compare::Equal, thread, Number::exact(0)).constant(),
            std::optional<int64_t>(0));
}

} // namespace
