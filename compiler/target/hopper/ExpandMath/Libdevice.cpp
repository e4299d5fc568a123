// The table of libdevice names. An entry stands for both precisions: F in its types means f32 under the name with
// suffix f, and f64 under the name itself.

#include "compiler/target/hopper/ExpandMath/Libdevice.h"
#include "compiler/target/hopper/ExpandMath/Functions.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <array>

using namespace mlir;

namespace tawa::math {
namespace {

struct Entry {
  StringLiteral name, types;
  Build build;
};

Expr asFlag(const Expr &condition) { return extended(condition, 32, /*isSigned=*/false); }
Expr flagOfNan(Args a) { return asFlag(isNan(a[0])); }
Expr flagOfInf(Args a) { return asFlag(isInf(a[0])); }
Expr flagOfSign(Args a) { return asFlag(signBit(a[0])); }
Expr flagOfFinite(Args a) { return asFlag(abs(a[0]) < infinity(a[0])); }
Expr upper(Args a) { return upperProduct(a[0], a[1], true); }
Expr upperUnsigned(Args a) { return upperProduct(a[0], a[1], false); }
Expr countLeading(Args a) { return extended(countLeadingZeros(a[0]), 32, false); }
Expr countSet(Args a) { return extended(countOnes(a[0]), 32, false); }
Expr findFirst(Args a) { return extended(firstSet(a[0]), 32, false); }
Expr asFloat(Args a) { return floatOf(a[0]); }
Expr asInteger(Args a) { return bitsOf(a[0]); }

constexpr Entry kEntries[] = {
    {"exp", "F:F", unary<exp>},
    {"exp2", "F:F", unary<exp2>},
    {"exp10", "F:F", unary<exp10>},
    {"expm1", "F:F", unary<expm1>},
    {"log", "F:F", unary<log>},
    {"log2", "F:F", unary<log2>},
    {"log10", "F:F", unary<log10>},
    {"log1p", "F:F", unary<log1p>},
    {"logb", "F:F", unary<logb>},
    {"pow", "FF:F", binary<pow>},
    {"powi", "Fi:F", binary<powi>},
    {"sqrt", "F:F", unary<sqrt>},
    {"rsqrt", "F:F", unary<rsqrt>},
    {"cbrt", "F:F", unary<cbrt>},
    {"rcbrt", "F:F", unary<rcbrt>},
    {"hypot", "FF:F", norm},
    {"rhypot", "FF:F", reciprocalNorm},
    {"norm3d", "FFF:F", norm},
    {"norm4d", "FFFF:F", norm},
    {"rnorm3d", "FFF:F", reciprocalNorm},
    {"rnorm4d", "FFFF:F", reciprocalNorm},
    {"sin", "F:F", unary<sin>},
    {"cos", "F:F", unary<cos>},
    {"tan", "F:F", unary<tan>},
    {"sinpi", "F:F", unary<sinpi>},
    {"cospi", "F:F", unary<cospi>},
    {"asin", "F:F", unary<asin>},
    {"acos", "F:F", unary<acos>},
    {"atan", "F:F", unary<atan>},
    {"atan2", "FF:F", binary<atan2>},
    {"sinh", "F:F", unary<sinh>},
    {"cosh", "F:F", unary<cosh>},
    {"tanh", "F:F", unary<tanh>},
    {"asinh", "F:F", unary<asinh>},
    {"acosh", "F:F", unary<acosh>},
    {"atanh", "F:F", unary<atanh>},
    {"erf", "F:F", unary<erf>},
    {"erfc", "F:F", unary<erfc>},
    {"erfcx", "F:F", unary<erfcx>},
    {"erfinv", "F:F", unary<erfinv>},
    {"erfcinv", "F:F", unary<erfcinv>},
    {"normcdf", "F:F", unary<normcdf>},
    {"normcdfinv", "F:F", unary<normcdfinv>},
    {"lgamma", "F:F", unary<lgamma>},
    {"tgamma", "F:F", unary<tgamma>},
    {"cyl_bessel_i0", "F:F", unary<besselI0>},
    {"cyl_bessel_i1", "F:F", unary<besselI1>},
    {"j0", "F:F", unary<besselJ0>},
    {"j1", "F:F", unary<besselJ1>},
    {"jn", "iF:F", binary<besselJn>},
    {"y0", "F:F", unary<besselY0>},
    {"y1", "F:F", unary<besselY1>},
    {"yn", "iF:F", binary<besselYn>},
    {"fmod", "FF:F", binary<fmod>},
    {"remainder", "FF:F", binary<remainder>},
    {"fma", "FFF:F", [](Args a) { return fma(a[0], a[1], a[2]); }},
    {"floor", "F:F", unary<floor>},
    {"ceil", "F:F", unary<ceil>},
    {"trunc", "F:F", unary<trunc>},
    {"rint", "F:F", unary<rint>},
    {"nearbyint", "F:F", unary<rint>},
    {"round", "F:F", unary<round>},
    {"llrint", "F:l", [](Args a) { return toInt(rint(a[0]), 64); }},
    {"llround", "F:l", [](Args a) { return toInt(round(a[0]), 64); }},
    {"fabs", "F:F", unary<abs>},
    {"copysign", "FF:F", binary<copysign>},
    {"nextafter", "FF:F", binary<nextafter>},
    {"fdim", "FF:F", binary<fdim>},
    {"fmin", "FF:F", [](Args a) { return smaller(a[0], a[1]); }},
    {"fmax", "FF:F", [](Args a) { return larger(a[0], a[1]); }},
    {"ldexp", "Fi:F", binary<ldexp>},
    {"scalbn", "Fi:F", binary<ldexp>},
    {"ilogb", "F:i", unary<ilogb>},
    {"saturatef", "f:f", unary<saturate>},
    // Tests. The names do not follow one rule.
    {"isnanf", "f:i", flagOfNan},
    {"isnand", "d:i", flagOfNan},
    {"isinff", "f:i", flagOfInf},
    {"isinfd", "d:i", flagOfInf},
    {"finitef", "f:i", flagOfFinite},
    {"isfinited", "d:i", flagOfFinite},
    {"signbitf", "f:i", flagOfSign},
    {"signbitd", "d:i", flagOfSign},
    // Approximations by the special function unit.
    {"fast_expf", "f:f", unary<approximateExp>},
    {"fast_exp10f", "f:f", unary<approximateExp10>},
    {"fast_logf", "f:f", unary<approximateLog>},
    {"fast_log2f", "f:f", unary<approximateLog2>},
    {"fast_log10f", "f:f", unary<approximateLog10>},
    {"fast_powf", "ff:f", binary<approximatePow>},
    {"fast_fdividef", "ff:f", binary<quotient>},
    {"fast_sinf", "f:f", [](Args a) { return approximate(Unit::Sin, a[0]); }},
    {"fast_cosf", "f:f", [](Args a) { return approximate(Unit::Cos, a[0]); }},
    {"fast_tanf", "f:f", [](Args a) { return quotient(approximate(Unit::Sin, a[0]), approximate(Unit::Cos, a[0])); }},
    {"fast_tanhf", "f:f", [](Args a) { return approximate(Unit::Tanh, a[0]); }},
    // Integers.
    {"clz", "i:i", countLeading},
    {"clzll", "l:i", countLeading},
    {"popc", "i:i", countSet},
    {"popcll", "l:i", countSet},
    {"ffs", "i:i", findFirst},
    {"ffsll", "l:i", findFirst},
    {"brev", "i:i", unary<reversedBits>},
    {"brevll", "l:l", unary<reversedBits>},
    {"byte_perm", "iii:i", [](Args a) { return permutedBytes(a[0], a[1], a[2]); }},
    {"mulhi", "ii:i", upper},
    {"umulhi", "ii:i", upperUnsigned},
    {"mul64hi", "ll:l", upper},
    {"umul64hi", "ll:l", upperUnsigned},
    {"mul24", "ii:i", [](Args a) { return product24(a[0], a[1], true); }},
    {"umul24", "ii:i", [](Args a) { return product24(a[0], a[1], false); }},
    {"sad", "iii:i", [](Args a) { return larger(a[0], a[1]) - smaller(a[0], a[1]) + a[2]; }},
    {"usad", "iii:i", [](Args a) { return maxUnsigned(a[0], a[1]) - minUnsigned(a[0], a[1]) + a[2]; }},
    {"hadd", "ii:i", [](Args a) { return (a[0] & a[1]) + ((a[0] ^ a[1]) >> 1); }},
    {"rhadd", "ii:i", [](Args a) { return (a[0] | a[1]) - ((a[0] ^ a[1]) >> 1); }},
    {"uhadd", "ii:i", [](Args a) { return (a[0] & a[1]) + shiftDown(a[0] ^ a[1], 1); }},
    {"urhadd", "ii:i", [](Args a) { return (a[0] | a[1]) - shiftDown(a[0] ^ a[1], 1); }},
    {"abs", "i:i", unary<abs>},
    {"llabs", "l:l", unary<abs>},
    {"min", "ii:i", [](Args a) { return smaller(a[0], a[1]); }},
    {"max", "ii:i", [](Args a) { return larger(a[0], a[1]); }},
    {"umin", "ii:i", binary<minUnsigned>},
    {"umax", "ii:i", binary<maxUnsigned>},
    {"llmin", "ll:l", [](Args a) { return smaller(a[0], a[1]); }},
    {"llmax", "ll:l", [](Args a) { return larger(a[0], a[1]); }},
    {"ullmin", "ll:l", binary<minUnsigned>},
    {"ullmax", "ll:l", binary<maxUnsigned>},
    // Bits.
    {"int_as_float", "i:f", asFloat},
    {"uint_as_float", "i:f", asFloat},
    {"float_as_int", "f:i", asInteger},
    {"float_as_uint", "f:i", asInteger},
    {"longlong_as_double", "l:d", asFloat},
    {"double_as_longlong", "d:l", asInteger},
    {"double2loint", "d:i", [](Args a) { return extended(bitsOf(a[0]), 32, false); }},
    {"double2hiint", "d:i", [](Args a) { return extended(shiftDown(bitsOf(a[0]), 32), 32, false); }},
    {"hiloint2double", "ii:d",
     [](Args a) { return floatOf((extended(a[0], 64, false) << 32) | extended(a[1], 64, false)); }},
    {"half2float", "h:f", [](Args a) { return toSingle(bitcast(a[0], a[0].where().builder.getF16Type())); }},
    {"float2half_rn", "f:h", [](Args a) { return bitsOf(toFloat(a[0], a[0].where().builder.getF16Type())); }},
};

/// Functions with one variant per rounding direction: suffix _rn, _rz, _ru or _rd.
struct Family {
  StringLiteral name, types;
  std::array<Build, 4> builds;
};
constexpr StringLiteral kSuffixes[] = {"_rn", "_rz", "_ru", "_rd"};
using D = Direction;

template <typename Of> constexpr std::array<Build, 4> inAllDirections() {
  return {[](Args a) { return Of()(a, D::Nearest); }, [](Args a) { return Of()(a, D::Zero); },
          [](Args a) { return Of()(a, D::Up); }, [](Args a) { return Of()(a, D::Down); }};
}

struct Sum {
  Expr operator()(Args a, D d) const { return addRounded(a[0], a[1], d); }
};
struct Difference {
  Expr operator()(Args a, D d) const { return addRounded(a[0], -a[1], d); }
};
struct Product {
  Expr operator()(Args a, D d) const { return mulRounded(a[0], a[1], d); }
};
struct Quotient {
  Expr operator()(Args a, D d) const { return divRounded(a[0], a[1], d); }
};
struct Reciprocal {
  Expr operator()(Args a, D d) const { return divRounded(a[0].number(1), a[0], d); }
};
struct Root {
  Expr operator()(Args a, D d) const { return sqrtRounded(a[0], d); }
};
struct Fused {
  Expr operator()(Args a, D d) const { return fmaRounded(a[0], a[1], a[2], d); }
};
struct Narrowed {
  Expr operator()(Args a, D d) const { return narrowRounded(a[0], d); }
};
template <unsigned Bits, bool IsSigned> struct Cut {
  Expr operator()(Args a, D d) const { return toInt(rounded(a[0], d), Bits, IsSigned); }
};
template <bool IsSigned> struct AsSingle {
  Expr operator()(Args a, D d) const { return fromIntRounded(a[0], a[0].where().builder.getF32Type(), IsSigned, d); }
};
template <bool IsSigned> struct AsDouble {
  Expr operator()(Args a, D d) const { return fromIntRounded(a[0], a[0].where().builder.getF64Type(), IsSigned, d); }
};

constexpr Family kFamilies[] = {
    {"fadd", "ff:f", inAllDirections<Sum>()},
    {"dadd", "dd:d", inAllDirections<Sum>()},
    {"fsub", "ff:f", inAllDirections<Difference>()},
    {"dsub", "dd:d", inAllDirections<Difference>()},
    {"fmul", "ff:f", inAllDirections<Product>()},
    {"dmul", "dd:d", inAllDirections<Product>()},
    {"fdiv", "ff:f", inAllDirections<Quotient>()},
    {"ddiv", "dd:d", inAllDirections<Quotient>()},
    {"frcp", "f:f", inAllDirections<Reciprocal>()},
    {"drcp", "d:d", inAllDirections<Reciprocal>()},
    {"fsqrt", "f:f", inAllDirections<Root>()},
    {"dsqrt", "d:d", inAllDirections<Root>()},
    {"fmaf", "fff:f", inAllDirections<Fused>()},
    {"fma", "ddd:d", inAllDirections<Fused>()},
    {"double2float", "d:f", inAllDirections<Narrowed>()},
    {"float2int", "f:i", inAllDirections<Cut<32, true>>()},
    {"float2uint", "f:i", inAllDirections<Cut<32, false>>()},
    {"float2ll", "f:l", inAllDirections<Cut<64, true>>()},
    {"float2ull", "f:l", inAllDirections<Cut<64, false>>()},
    {"double2int", "d:i", inAllDirections<Cut<32, true>>()},
    {"double2uint", "d:i", inAllDirections<Cut<32, false>>()},
    {"double2ll", "d:l", inAllDirections<Cut<64, true>>()},
    {"double2ull", "d:l", inAllDirections<Cut<64, false>>()},
    {"int2float", "i:f", inAllDirections<AsSingle<true>>()},
    {"uint2float", "i:f", inAllDirections<AsSingle<false>>()},
    {"ll2float", "l:f", inAllDirections<AsSingle<true>>()},
    {"ull2float", "l:f", inAllDirections<AsSingle<false>>()},
    {"int2double", "i:d", inAllDirections<AsDouble<true>>()},
    {"uint2double", "i:d", inAllDirections<AsDouble<false>>()},
    {"ll2double", "l:d", inAllDirections<AsDouble<true>>()},
    {"ull2double", "l:d", inAllDirections<AsDouble<false>>()},
};

constexpr StringLiteral kPrefix = "__nv_";

/// Calls `use` with each name (without prefix), its letters and its code.
void forEach(llvm::function_ref<void(std::string, std::string, Build)> use) {
  auto with = [](StringRef types, char precision) {
    std::string letters = types.str();
    std::replace(letters.begin(), letters.end(), 'F', precision);
    return letters;
  };
  for (const Entry &entry : kEntries) {
    bool isGeneric = entry.types.contains('F');
    use(entry.name.str(), with(entry.types, 'd'), entry.build);
    if (isGeneric)
      use(entry.name.str() + "f", with(entry.types, 'f'), entry.build);
  }
  for (const Family &family : kFamilies)
    for (auto [suffix, build] : llvm::zip_equal(kSuffixes, family.builds))
      use((family.name + suffix).str(), family.types.str(), build);
  use("frsqrt_rn", "f:f", [](Args a) { return toSingle(rsqrt(toDouble(a[0]))); });
}

} // namespace

std::optional<LibraryFunction> findLibraryFunction(StringRef symbol) {
  std::optional<LibraryFunction> found;
  if (symbol.consume_front(kPrefix))
    forEach([&](const std::string &name, const std::string &types, Build build) {
      if (symbol == name)
        found = LibraryFunction{types, build};
    });
  return found;
}

std::string similarLibraryNames(StringRef symbol) {
  constexpr size_t kShown = 3;
  SmallVector<std::pair<unsigned, std::string>> ranked;
  for (auto &[name, types] : allLibraryFunctions())
    ranked.emplace_back(symbol.edit_distance(name), name);
  llvm::sort(ranked);
  SmallVector<std::string> names;
  for (const auto &[distance, name] : ArrayRef(ranked).take_front(kShown))
    names.push_back(name);
  return llvm::join(names, ", ");
}

SmallVector<std::pair<std::string, std::string>> allLibraryFunctions() {
  SmallVector<std::pair<std::string, std::string>> all;
  forEach([&](const std::string &name, const std::string &types, Build) {
    all.emplace_back((kPrefix + name).str(), types);
  });
  return all;
}

Type libraryType(MLIRContext *context, char letter) {
  switch (letter) {
  case 'f':
    return Float32Type::get(context);
  case 'd':
    return Float64Type::get(context);
  case 'h':
    return IntegerType::get(context, 16);
  case 'i':
    return IntegerType::get(context, 32);
  default:
    assert(letter == 'l' && "unknown letter in the table");
    return IntegerType::get(context, 64);
  }
}

} // namespace tawa::math
