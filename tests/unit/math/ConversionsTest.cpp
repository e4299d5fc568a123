// Conversions (FP8 and halves exhaustively), integers, libdevice's odds and ends, and what is refused.

#include "tests/unit/math/Accuracy.h"

#include "compiler/target/hopper/ExpandMath/Libdevice.h"

#include <bit>
#include <gtest/gtest.h>

namespace tawa::test {
namespace {

//===--- FP8 ------------------------------------------------------------------------------------------------------===//

/// A small float's value, from its definition.
double valueOf(uint32_t bits, int exponentBits, int mantissaBits, bool hasInfinity) {
  int bias = (1 << (exponentBits - 1)) - 1, exponent = bits >> mantissaBits & ((1 << exponentBits) - 1);
  int mantissa = bits & ((1 << mantissaBits) - 1), all = (1 << exponentBits) - 1;
  double sign = bits >> (exponentBits + mantissaBits) & 1 ? -1 : 1;
  if (exponent == all && hasInfinity)
    return mantissa ? NAN : sign * INFINITY;
  if (exponent == all && !hasInfinity && mantissa == (1 << mantissaBits) - 1)
    return NAN;
  int whole = exponent ? mantissa | 1 << mantissaBits : mantissa;
  return sign * std::ldexp(whole, std::max(exponent, 1) - bias - mantissaBits);
}
double valueOf(E4M3 x) { return valueOf(static_cast<uint8_t>(x), 4, 3, false); }
double valueOf(E5M2 x) { return valueOf(static_cast<uint8_t>(x), 5, 2, true); }
double valueOf(Half x) { return valueOf(static_cast<uint16_t>(x), 5, 10, true); }
double valueOf(BHalf x) { return valueOf(static_cast<uint16_t>(x), 8, 7, true); }
double valueOf(float x) { return x; }
double valueOf(double x) { return x; }

template <typename T> std::vector<T> allOf() {
  std::vector<T> all;
  for (uint32_t bits = 0; bits < uint32_t(1) << (8 * sizeof(T)); ++bits)
    all.push_back(static_cast<T>(bits));
  return all;
}

bool isSame(double a, double b) { return std::isnan(a) ? std::isnan(b) : a == b && std::signbit(a) == std::signbit(b); }

/// The finite numbers of T from 0 on, in order: their bits are their places.
template <typename T> const std::vector<double> &magnitudes() {
  static const std::vector<double> values = [] {
    std::vector<double> list;
    for (uint32_t bits = 0; std::isfinite(valueOf(static_cast<T>(bits))); ++bits)
      list.push_back(valueOf(static_cast<T>(bits)));
    return list;
  }();
  return values;
}

/// The value of the small type T that `x` goes to: the nearest, ties to even bits.
template <typename T> double nearestOf(double x, bool towardsZero, bool saturates) {
  if (std::isnan(x))
    return x;
  const std::vector<double> &all = magnitudes<T>();
  double magnitude = std::fabs(x), largest = all.back();
  if (magnitude > largest && (saturates || (towardsZero && std::isfinite(x))))
    return std::copysign(largest, x);
  // Beyond the largest value rounding goes on as if there were one more; of f8E4M3FN that is odd, else even.
  constexpr bool kIsE4M3 = std::is_same_v<T, E4M3>;
  double limit = largest + (largest - all[all.size() - 2]) / 2;
  if (kIsE4M3 ? magnitude > limit : magnitude >= limit)
    return kIsE4M3 ? NAN : std::copysign(INFINITY, x);
  size_t above = std::lower_bound(all.begin(), all.end(), magnitude) - all.begin();
  if (above == all.size() || (above > 0 && all[above] != magnitude)) {
    size_t under = above - 1;
    double down = magnitude - all[under], up = above == all.size() ? INFINITY : all[above] - magnitude;
    if (towardsZero || down < up || (down == up && under % 2 == 0))
      above = under;
  }
  return std::copysign(all[above], x);
}

template <typename To, typename From> void checkWidening(const std::string &op, const HostCode &how = {}) {
  ScalarFunction<To, From> function(
      "%r = " + op + " %a : " + typeName<From>() + (op[0] == 't' ? " -> " : " to ") + typeName<To>(), how);
  ASSERT_TRUE(function.isOk()) << function.status.message();
  std::vector<From> all = allOf<From>();
  std::vector<To> results = function(all);
  for (size_t index = 0; index < all.size(); ++index)
    EXPECT_TRUE(isSame(valueOf(results[index]), valueOf(all[index])))
        << typeName<From>() << " " << index << " is " << valueOf(results[index]) << " as " << typeName<To>();
}

TEST(Conversion, WidensFp8) {
  checkWidening<float, E4M3>("tt.fp_to_fp");
  checkWidening<float, E5M2>("tt.fp_to_fp");
  checkWidening<Half, E4M3>("tt.fp_to_fp");
  checkWidening<BHalf, E5M2>("tt.fp_to_fp");
  checkWidening<double, E5M2>("tt.fp_to_fp");
  checkWidening<Half, E5M2>("arith.extf");
  checkWidening<float, E4M3>("arith.extf");
}
TEST(Conversion, WidensHalves) {
  checkWidening<float, Half>("tt.fp_to_fp");
  checkWidening<float, BHalf>("arith.extf");
  checkWidening<double, Half>("arith.extf");
}

/// Values around every number of T, the middle between neighbours, and both sides of it.
template <typename T, typename From> std::vector<From> interesting() {
  std::vector<From> values = {From(INFINITY), From(-INFINITY), From(NAN),  From(1e6), From(-1e6),
                              From(1e30),     From(464),       From(465),  From(479), From(480),
                              From(61440),    From(61439),     From(70000)};
  for (T number : allOf<T>()) {
    if (sizeof(T) > 1 && static_cast<uint32_t>(number) % 211 != 0 && (static_cast<uint32_t>(number) & 0x7fff) > 20)
      continue;
    double here = valueOf(number), next = valueOf(static_cast<T>(static_cast<uint32_t>(number) + 1));
    if (!std::isfinite(here))
      continue;
    auto add = [&](double x) {
      values.push_back(From(x));
      values.push_back(std::nextafter(From(x), From(INFINITY)));
      values.push_back(std::nextafter(From(x), From(-INFINITY)));
    };
    add(here);
    if (std::isfinite(next) && std::signbit(here) == std::signbit(next))
      add((here + next) / 2);
  }
  return values;
}

template <typename To, typename From>
void checkNarrowing(const std::string &body, bool towardsZero, bool saturates, const HostCode &how = {}) {
  ScalarFunction<To, From> function(body, how);
  ASSERT_TRUE(function.isOk()) << function.status.message();
  std::vector<From> xs = interesting<To, From>();
  std::vector<To> results = function(xs);
  int wrong = 0;
  for (size_t index = 0; index < xs.size() && wrong < 5; ++index) {
    double expected = nearestOf<To>(xs[index], towardsZero, saturates);
    if (!isSame(valueOf(results[index]), expected) && ++wrong)
      ADD_FAILURE() << body << " of " << std::hexfloat << xs[index] << ": " << valueOf(results[index]) << ", expected "
                    << expected;
  }
}
template <typename To, typename From>
void checkConversion(const std::string &rounding, bool saturates, const HostCode &how = {}) {
  checkNarrowing<To, From>("%r = tt.fp_to_fp %a, rounding = " + rounding + " : " + typeName<From>() + " -> " +
                               typeName<To>(),
                           rounding == "rtz", saturates, how);
}

TEST(Conversion, NarrowsToFp8) {
  checkConversion<E4M3, float>("rtne", true);
  checkConversion<E5M2, float>("rtne", true);
  checkConversion<E4M3, double>("rtne", true);
  checkConversion<E5M2, float>("rtz", true);
  checkConversion<E4M3, float>("rtz", true);
  checkNarrowing<E4M3, float>("%r = arith.truncf %a : f32 to f8E4M3FN", false, false);
  checkNarrowing<E5M2, float>("%r = arith.truncf %a : f32 to f8E5M2", false, false);
}
/// By integer code, where the GPU has no conversions of FP8.
TEST(Conversion, WidensAndNarrowsFp8WithoutItsInstructions) {
  HostCode portable;
  portable.gpu = "portable";
  checkWidening<float, E4M3>("tt.fp_to_fp", portable);
  checkWidening<float, E5M2>("tt.fp_to_fp", portable);
  checkWidening<Half, E4M3>("tt.fp_to_fp", portable);
  checkWidening<Half, E5M2>("arith.extf", portable);
  checkConversion<E4M3, float>("rtne", true, portable);
  checkConversion<E5M2, float>("rtne", true, portable);
  checkConversion<E4M3, float>("rtz", true, portable);
  checkConversion<E5M2, double>("rtne", true, portable);
  checkNarrowing<E4M3, float>("%r = arith.truncf %a : f32 to f8E4M3FN", false, false, portable);
  checkNarrowing<E5M2, float>("%r = arith.truncf %a : f32 to f8E5M2", false, false, portable);
}
TEST(Conversion, NarrowsToHalves) {
  checkConversion<Half, float>("rtne", false);
  checkConversion<BHalf, float>("rtne", false);
  checkConversion<Half, float>("rtz", false);
  checkConversion<BHalf, float>("rtz", false);
  checkConversion<Half, double>("rtz", false);
  checkConversion<BHalf, double>("rtne", false);
  checkNarrowing<Half, double>("%r = arith.truncf %a : f64 to f16", false, false);
  checkNarrowing<BHalf, double>("%r = arith.truncf %a : f64 to bf16", false, false);
  checkNarrowing<BHalf, float>("%r = arith.truncf %a : f32 to bf16", false, false);
}

/// An operation of two small floats against its exact result, rounded once.
template <typename T> void checkArithmetic(const std::string &op, double (*exact)(double, double)) {
  ScalarFunction<T, T, T> function("%r = arith." + op + " %a, %b : " + typeName<T>());
  ASSERT_TRUE(function.isOk()) << function.status.message();
  std::mt19937 random(5);
  std::vector<T> xs, ys;
  for (int index = 0; index < 400; ++index) {
    xs.push_back(static_cast<T>(random() & (sizeof(T) == 1 ? 0xff : 0xffff)));
    ys.push_back(static_cast<T>(random() & (sizeof(T) == 1 ? 0xff : 0xffff)));
  }
  std::vector<T> results = function(xs, ys);
  for (size_t index = 0; index < xs.size(); ++index) {
    double expected = nearestOf<T>(exact(valueOf(xs[index]), valueOf(ys[index])), false, false);
    double got = valueOf(results[index]);
    EXPECT_TRUE(isSame(got, expected)) << typeName<T>() << " " << op << " of " << valueOf(xs[index]) << ", "
                                       << valueOf(ys[index]) << ": " << got << ", expected " << expected;
  }
}

TEST(SmallFloats, AreRoundedOnce) {
  auto sum = [](double a, double b) { return a + b; };
  auto product = [](double a, double b) { return a * b; };
  auto quotient = [](double a, double b) { return a / b; };
  auto rest = [](double a, double b) { return std::fmod(a, b); };
  checkArithmetic<Half>("addf", sum);
  checkArithmetic<Half>("mulf", product);
  checkArithmetic<Half>("divf", quotient);
  checkArithmetic<Half>("remf", rest);
  checkArithmetic<BHalf>("addf", sum);
  checkArithmetic<BHalf>("mulf", product);
  checkArithmetic<BHalf>("divf", quotient);
  checkArithmetic<BHalf>("maxnumf", [](double a, double b) { return std::fmax(a, b); });
  checkArithmetic<E4M3>("addf", sum);
  checkArithmetic<E5M2>("mulf", product);
}

TEST(SmallFloats, HaveFunctions) {
  ScalarFunction<Half, Half> root("%r = math.sqrt %a : f16");
  ScalarFunction<BHalf, BHalf, BHalf> larger("%r = arith.maximumf %a, %b : bf16");
  ASSERT_TRUE(root.isOk() && larger.isOk()) << root.status.message() << larger.status.message();
  EXPECT_EQ(valueOf(root.one(Half(0x4880))), 3); // 9
  EXPECT_EQ(valueOf(larger.one(BHalf(0x3f80), BHalf(0x4000))), 2);
}

//===--- Floats and integers --------------------------------------------------------------------------------------===//

template <typename I> I cut(double x) {
  if (std::isnan(x))
    return 0;
  x = std::trunc(x);
  if (x >= std::ldexp(1.0, std::numeric_limits<I>::digits))
    return std::numeric_limits<I>::max();
  return x <= static_cast<double>(std::numeric_limits<I>::lowest()) ? std::numeric_limits<I>::lowest()
                                                                    : static_cast<I>(x);
}

template <typename I, typename F> void checkToInt() {
  bool isSigned = std::is_signed_v<I>;
  ScalarFunction<I, F> function(std::string("%r = arith.") + (isSigned ? "fptosi" : "fptoui") +
                                " %a : " + typeName<F>() + " to " + typeName<I>());
  ASSERT_TRUE(function.isOk()) << function.status.message();
  std::vector<F> xs = samples<F>(4096, -1e5, 1e5);
  for (double edge : {127.0, 128.0, -128.0, -129.0, 255.5, 256.0, 2147483647.0, 2147483648.0, -2147483648.0,
                      4294967295.0, 4294967296.0, 0x1p63, -0x1p63, 0x1p64, 0x1.fffffffffffffp62, -0.9, 0.9})
    xs.push_back(static_cast<F>(edge));
  std::vector<I> results = function(xs);
  for (size_t index = 0; index < xs.size(); ++index)
    EXPECT_EQ(results[index], cut<I>(xs[index])) << xs[index] << " to " << typeName<I>();
}

TEST(Conversion, OfFloatsToIntegersSaturates) {
  checkToInt<int32_t, float>();
  checkToInt<uint32_t, float>();
  checkToInt<int64_t, float>();
  checkToInt<uint64_t, double>();
  checkToInt<int64_t, double>();
  checkToInt<int8_t, float>();
  checkToInt<uint8_t, double>();
  checkToInt<int16_t, double>();
}

TEST(Conversion, OfIntegersToSmallFloatsRoundsOnce) {
  ScalarFunction<BHalf, int32_t> function("%r = arith.sitofp %a : i32 to bf16");
  ScalarFunction<Half, uint8_t> bytes("%r = arith.uitofp %a : i8 to f16");
  ASSERT_TRUE(function.isOk() && bytes.isOk()) << function.status.message() << bytes.status.message();
  // One more than a tie: f32 would lose the one.
  EXPECT_EQ(valueOf(function.one(0x10100001)), 0x1.02p28);
  EXPECT_EQ(valueOf(function.one(-3)), -3);
  EXPECT_EQ(valueOf(bytes.one(255)), 255);
}

TEST(Conversion, OfIntegersThatSingleDoesNotHoldIsThatOfTheInteger) {
  ScalarFunction<BHalf, int32_t> isSigned("%r = arith.sitofp %a : i32 to bf16"),
      isUnsigned("%r = arith.uitofp %a : i32 to bf16");
  ScalarFunction<Half, int32_t> half("%r = arith.sitofp %a : i32 to f16");
  ASSERT_TRUE(isSigned.isOk() && isUnsigned.isOk() && half.isOk()) << isSigned.status.message();
  for (int shift = 0; shift < 16; ++shift) // between two bf16 numbers, 0x81 and 0x82 units of 2^shift
    for (int64_t off : {-1, 0, 1}) {
      int64_t tie = (int64_t{0x103} << (shift + 7)) + off; // which is even at 0x82
      double nearest = std::ldexp(off < 0 ? 0x81 : 0x82, shift + 8);
      EXPECT_EQ(valueOf(isSigned.one(static_cast<int32_t>(tie))), nearest) << shift << " " << off;
      EXPECT_EQ(valueOf(isSigned.one(static_cast<int32_t>(-tie))), -nearest) << shift << " " << off;
      EXPECT_EQ(valueOf(isUnsigned.one(static_cast<int32_t>(tie))), nearest) << shift << " " << off;
    }
  EXPECT_EQ(valueOf(isSigned.one(INT32_MIN)), -0x1p31);
  EXPECT_EQ(valueOf(isUnsigned.one(-1)), 0x1p32);
  EXPECT_EQ(valueOf(half.one(65519)), 65504);
  for (int32_t beyond : {65520, 1 << 24, INT32_MAX})
    EXPECT_EQ(valueOf(half.one(beyond)), INFINITY);
}

/// Every integer of a range, as `code` makes it of %a.
template <typename To, typename From> void checkSmallInts(const std::string &code, int from, int to) {
  ScalarFunction<To, From> function(code);
  ASSERT_TRUE(function.isOk()) << function.status.message();
  for (int value = from; value <= to; ++value)
    ASSERT_EQ(valueOf(function.one(static_cast<From>(value))), value) << code;
}

TEST(Conversion, OfSmallIntegersIsExact) {
  const std::string nibble = "%c = arith.constant 15 : i32\n%m = arith.andi %a, %c : i32\n";
  checkSmallInts<Half, int32_t>(nibble + "%r = arith.sitofp %m : i32 to f16", 0, 15);
  checkSmallInts<BHalf, int32_t>(nibble + "%r = arith.uitofp %m : i32 to bf16", 0, 15);
  checkSmallInts<float, int32_t>(nibble + "%r = arith.sitofp %m : i32 to f32", 0, 15);
  checkSmallInts<float, int8_t>("%r = arith.sitofp %a : i8 to f32", -128, 127);
  checkSmallInts<BHalf, int8_t>("%r = arith.sitofp %a : i8 to bf16", -128, 127);
  checkSmallInts<Half, uint8_t>("%r = arith.uitofp %a : i8 to f16", 0, 255);
  checkSmallInts<float, int16_t>("%r = arith.sitofp %a : i16 to f32", -32768, 32767);
  for (int mask : {1023, 2047}) // the most that f16 has room for, and one more
    checkSmallInts<Half, int32_t>("%c = arith.constant " + std::to_string(mask) +
                                      " : i32\n%m = arith.andi %a, %c : i32\n%r = arith.sitofp %m : i32 to f16",
                                  0, mask);
}

TEST(Conversion, OfSmallDifferencesIsExact) {
  ScalarFunction<Half, int32_t> function("%m = arith.constant 15 : i32\n%z = arith.constant 4 : i32\n"
                                         "%q = arith.andi %a, %m : i32\n%h = arith.shrui %a, %z : i32\n"
                                         "%o = arith.andi %h, %m : i32\n%d = arith.subi %q, %o : i32\n"
                                         "%r = arith.sitofp %d : i32 to f16");
  ASSERT_TRUE(function.isOk()) << function.status.message();
  for (int bits = 0; bits < 256; ++bits)
    ASSERT_EQ(valueOf(function.one(bits)), (bits & 15) - (bits >> 4));
  EXPECT_FALSE(std::signbit(valueOf(function.one(0x77))));
}

TEST(Conversion, OfLongIntegersToSmallFloatsRoundsOnce) {
  ScalarFunction<BHalf, int64_t> isSigned("%r = arith.sitofp %a : i64 to bf16"),
      isUnsigned("%r = arith.uitofp %a : i64 to bf16");
  ScalarFunction<Half, int64_t> half("%r = arith.sitofp %a : i64 to f16");
  ASSERT_TRUE(isSigned.isOk() && isUnsigned.isOk() && half.isOk()) << isSigned.status.message();
  // One more and one less than a tie: f64 would lose the one.
  constexpr int64_t kTie = (int64_t(1) << 60) + (int64_t(1) << 52);
  EXPECT_EQ(valueOf(isSigned.one(kTie)), 0x1p60);
  EXPECT_EQ(valueOf(isSigned.one(kTie + 1)), 0x1.02p60);
  EXPECT_EQ(valueOf(isSigned.one(-kTie - 1)), -0x1.02p60);
  EXPECT_EQ(valueOf(isSigned.one(-kTie + 1)), -0x1p60);
  EXPECT_EQ(valueOf(isUnsigned.one(INT64_MIN | kTie << 3 | 1)), 0x1.02p63);
  EXPECT_EQ(valueOf(isUnsigned.one(-1)), 0x1p64);
  EXPECT_EQ(valueOf(isSigned.one(-5)), -5);
  EXPECT_EQ(valueOf(half.one(2049)), 2048);
  EXPECT_EQ(valueOf(half.one(INT64_MAX)), INFINITY);
}

TEST(Conversion, OfTruthValuesKnowsTheSign) {
  ScalarFunction<float, int32_t> isSigned("%c = arith.trunci %a : i32 to i1\n%r = arith.sitofp %c : i1 to f32");
  ScalarFunction<Half, int32_t> isUnsigned("%c = arith.trunci %a : i32 to i1\n%r = arith.uitofp %c : i1 to f16");
  ASSERT_TRUE(isSigned.isOk() && isUnsigned.isOk()) << isSigned.status.message();
  EXPECT_EQ(isSigned.one(1), -1);
  EXPECT_EQ(isSigned.one(2), 0);
  EXPECT_EQ(valueOf(isUnsigned.one(1)), 1);
}

TEST(Integers, ShiftBeyondTheWidth) {
  ScalarFunction<int32_t, int32_t, int32_t> left("%r = arith.shli %a, %b : i32"),
      right("%r = arith.shrsi %a, %b : i32"), logical("%r = arith.shrui %a, %b : i32");
  ASSERT_TRUE(left.isOk() && right.isOk() && logical.isOk());
  for (int amount : {0, 1, 31}) {
    EXPECT_EQ(left.one(-5, amount), static_cast<int32_t>(static_cast<uint32_t>(-5) << amount));
    EXPECT_EQ(right.one(-5, amount), -5 >> amount);
    EXPECT_EQ(logical.one(-5, amount), static_cast<int32_t>(static_cast<uint32_t>(-5) >> amount));
  }
  for (int amount : {32, 33, 1000, -1}) {
    EXPECT_EQ(left.one(-5, amount), 0);
    EXPECT_EQ(right.one(-5, amount), -1);
    EXPECT_EQ(logical.one(-5, amount), 0);
  }
}

TEST(Integers, HaveTheFunctionsOfLibdevice) {
  using I = int32_t;
  using L = int64_t;
  auto one = [](const std::string &symbol, I a) { return ScalarFunction<I, I>::library(symbol).one(a); };
  auto two = [](const std::string &symbol, I a, I b) { return ScalarFunction<I, I, I>::library(symbol).one(a, b); };
  EXPECT_EQ(one("__nv_clz", 1), 31);
  EXPECT_EQ(one("__nv_clz", 0), 32);
  EXPECT_EQ(one("__nv_popc", -1), 32);
  EXPECT_EQ(one("__nv_ffs", 8), 4);
  EXPECT_EQ(one("__nv_ffs", 0), 0);
  EXPECT_EQ(one("__nv_brev", 1), std::numeric_limits<I>::min());
  EXPECT_EQ(one("__nv_abs", -7), 7);
  EXPECT_EQ(two("__nv_mulhi", -2, 3), -1);
  EXPECT_EQ(two("__nv_umulhi", -1, 2), 1);
  EXPECT_EQ(two("__nv_mul24", 0x1ffffff, 3), -3);
  EXPECT_EQ(two("__nv_umul24", 0x1000001, 3), 3);
  EXPECT_EQ(two("__nv_umin", -1, 3), 3);
  EXPECT_EQ(two("__nv_max", -1, 3), 3);
  EXPECT_EQ(two("__nv_hadd", 3, 6), 4);
  EXPECT_EQ(two("__nv_rhadd", 3, 6), 5);
  auto perm = ScalarFunction<I, I, I, I>::library("__nv_byte_perm");
  EXPECT_EQ(perm.one(0x33221100, 0x77665544, 0x7520), 0x77552200);
  EXPECT_EQ(perm.one(0x000000ff, 0, 0x8881), -256) << "the sign of byte 0, spread";
  auto sad = ScalarFunction<I, I, I, I>::library("__nv_sad");
  EXPECT_EQ(sad.one(3, 10, 100), 107);
  auto high = ScalarFunction<L, L, L>::library("__nv_mul64hi"),
       highUnsigned = ScalarFunction<L, L, L>::library("__nv_umul64hi");
  EXPECT_EQ(high.one(L(1) << 62, -8), -2);
  EXPECT_EQ(highUnsigned.one(-1, 2), 1);
  auto popcll = ScalarFunction<I, L>::library("__nv_popcll");
  EXPECT_EQ(popcll.one(-1), 64);
}

TEST(Integers, HaveMathOperations) {
  using I = int32_t;
  ScalarFunction<I, I> zeros("%r = math.ctlz %a : i32"), trailing("%r = math.cttz %a : i32"),
      ones("%r = math.ctpop %a : i32"), magnitude("%r = math.absi %a : i32");
  ScalarFunction<I, I, I> power("%r = math.ipowi %a, %b : i32"), upper("%r = tt.mulhiui %a, %b : i32");
  EXPECT_EQ(zeros.one(255), 24);
  EXPECT_EQ(trailing.one(8), 3);
  EXPECT_EQ(ones.one(255), 8);
  EXPECT_EQ(magnitude.one(-4), 4);
  EXPECT_EQ(power.one(-3, 5), -243);
  EXPECT_EQ(power.one(-1, -3), -1);
  EXPECT_EQ(power.one(2, -1), 0);
  EXPECT_EQ(upper.one(-1, -1), -2);
}

TEST(Libdevice, CastsAndTests) {
  auto bits = ScalarFunction<int32_t, float>::library("__nv_float_as_int");
  EXPECT_EQ(bits.one(1.0f), 0x3f800000);
  auto round = ScalarFunction<int32_t, float>::library("__nv_float2int_rn");
  EXPECT_EQ(round.one(2.5f), 2);
  EXPECT_EQ((ScalarFunction<int32_t, float>::library("__nv_float2int_ru").one(2.1f)), 3);
  EXPECT_EQ((ScalarFunction<int64_t, float>::library("__nv_llrintf").one(-2.5f)), -2);
  EXPECT_EQ((ScalarFunction<int64_t, double>::library("__nv_llround").one(-2.5)), -3);
  EXPECT_EQ((ScalarFunction<int32_t, float>::library("__nv_isnanf").one(NAN)), 1);
  EXPECT_EQ((ScalarFunction<int32_t, double>::library("__nv_isinfd").one(-INFINITY)), 1);
  EXPECT_EQ((ScalarFunction<int32_t, float>::library("__nv_finitef").one(INFINITY)), 0);
  EXPECT_EQ((ScalarFunction<int32_t, float>::library("__nv_signbitf").one(-0.0f)), 1);
  EXPECT_EQ((ScalarFunction<float, int32_t>::library("__nv_int2float_rz").one(16777217)), 16777216.0f);
  EXPECT_EQ((ScalarFunction<float, int32_t>::library("__nv_int2float_ru").one(16777217)), 16777218.0f);
  EXPECT_EQ((ScalarFunction<float, int64_t>::library("__nv_ll2float_rd").one(-16777217)), -16777218.0f);
  EXPECT_EQ((ScalarFunction<double, int64_t>::library("__nv_ull2double_rz").one(-1)), 0x1.fffffffffffffp63);
  EXPECT_EQ((ScalarFunction<float, double>::library("__nv_double2float_rd").one(0.1)), std::nextafter(0.1f, 0.0f));
  EXPECT_EQ((ScalarFunction<float, float>::library("__nv_saturatef").one(NAN)), 0.0f);
  EXPECT_EQ((ScalarFunction<double, int32_t, int32_t>::library("__nv_hiloint2double").one(0x3ff00000, 1)),
            1.0 + 0x1p-52);
}

std::string letterType(char letter) {
  return letter == 'f' ? "f32" : letter == 'd' ? "f64" : letter == 'h' ? "i16" : letter == 'i' ? "i32" : "i64";
}

/// One kernel for each name of the table, in one module.
std::string allKernels() {
  std::string all;
  for (const auto &[symbol, letters] : math::allLibraryFunctions()) {
    size_t colon = letters.find(':');
    std::vector<std::string> operands;
    for (char letter : letters.substr(0, colon))
      operands.push_back(letterType(letter));
    std::string result = letterType(letters[colon + 1]);
    all += scalarKernel(libraryCall(symbol, operands, result), operands, result, "kernel" + symbol);
  }
  return all;
}

TEST(Libdevice, EveryNameCompilesForTheHost) {
  auto host = expandedHost(allKernels(), {0, false}, "kernel__nv_sinf");
  EXPECT_TRUE(host.isOk()) << host.status().message();
}

// And ptxas takes it, where there is one.
TEST(Libdevice, EveryNameCompilesForTheGpu) {
  auto ptx = expandedPtx(allKernels());
  ASSERT_TRUE(ptx.isOk()) << ptx.status().message();
  std::string ptxas = findPtxas();
  if (ptxas.empty())
    GTEST_SKIP() << "no ptxas (set TAWA_PTXAS to its path)";
  EXPECT_EQ(assemble(ptxas, *ptx), "");
}

// The baseline host, which calls the loader's fma, gives the bits of the host's own instruction.
TEST(Libdevice, IsTheSameOnEveryHost) {
  for (const char *symbol : {"__nv_sinf", "__nv_powf", "__nv_logf", "__nv_erff", "__nv_fmodf"}) {
    bool isBinary =
        std::string(symbol).find("pow") != std::string::npos || std::string(symbol).find("mod") != std::string::npos;
    std::string body =
        libraryCall(symbol, isBinary ? std::vector<std::string>{"f32", "f32"} : std::vector<std::string>{"f32"}, "f32");
    ScalarFunction<float, float, float> plain(body, {0, false}), tuned(body, {3, true});
    ASSERT_TRUE(plain.isOk() && tuned.isOk()) << plain.status.message();
    std::vector<float> xs = samples<float>(4096, -50, 50, 1), ys = samples<float>(4096, -5, 5, 2);
    std::vector<float> a = plain(xs, ys), b = tuned(xs, ys);
    for (size_t index = 0; index < xs.size(); ++index)
      EXPECT_TRUE(isSame(a[index], b[index])) << symbol << " of " << xs[index] << ", " << ys[index];
  }
}

TEST(Libdevice, NamesWhatItDoesNotHave) {
  std::string said = refusal(scalarKernel(libraryCall("__nv_sinhff", {"f32"}, "f32"), {"f32"}, "f32"));
  EXPECT_NE(said.find("__nv_sinhff"), std::string::npos) << said;
  EXPECT_NE(said.find("__nv_sinhf"), std::string::npos) << said;
  said = refusal(scalarKernel(libraryCall("__nv_sinf", {"f64"}, "f64"), {"f64"}, "f64"));
  EXPECT_NE(said.find("(f32) -> f32"), std::string::npos) << said;
}

} // namespace
} // namespace tawa::test
