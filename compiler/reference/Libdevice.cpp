// tt.extern_elementwise: CUDA's libdevice functions by their names. Functions of reals are in Functions.cpp; this file
// has integers, bits, conversions and arithmetic with explicit rounding.
//
// A name is "__nv_", the function, and for f32 an "f".
#include "compiler/reference/Functions.h"
#include "compiler/reference/Numbers.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APSInt.h"
#include "llvm/ADT/StringSwitch.h"

#include <bit>
#include <cmath>

using namespace mlir;

namespace tawa::reference {

namespace {

using llvm::APFloat;
using llvm::APSInt;
using llvm::StringRef;

/// The operands' elements of one place; which list holds them says their type.
struct Operands {
  double reals[4] = {};
  int64_t integers[4] = {};
  Type types[4] = {};

  uint64_t unsignedAt(unsigned i) const { return unsignedOf(integers[i], types[i]); }
};

//===--- Integers and bits ----------------------------------------------------------------------------------------===//

uint64_t reverseBits(uint64_t value, unsigned width) {
  uint64_t reversed = 0;
  for (unsigned bit = 0; bit < width; ++bit)
    reversed |= (value >> bit & 1) << (width - 1 - bit);
  return reversed;
}

/// Each digit of the selector picks one of the eight bytes of y:x.
uint64_t permuteBytes(uint64_t x, uint64_t y, uint64_t selector) {
  uint64_t both = y << 32 | x, result = 0;
  for (unsigned digit = 0; digit < 4; ++digit)
    result |= (both >> 8 * (selector >> 4 * digit & 7) & 0xff) << 8 * digit;
  return result;
}

int64_t magnitude(int64_t value) { return value < 0 ? static_cast<int64_t>(-static_cast<uint64_t>(value)) : value; }

using IntegerFunction = int64_t (*)(const Operands &);

#define X p.integers[0]
#define Y p.integers[1]
#define Z p.integers[2]
#define UX p.unsignedAt(0)
#define UY p.unsignedAt(1)
#define F(expression) [](const Operands &p) -> int64_t { return static_cast<int64_t>(expression); }

/// Without the "ll" and "u" that only say the operands' type.
const llvm::StringMap<IntegerFunction> &integerFunctions() {
  static const llvm::StringMap<IntegerFunction> table = {
      {"abs", F(magnitude(X))},
      {"llabs", F(magnitude(X))},
      {"min", F(std::min(X, Y))},
      {"max", F(std::max(X, Y))},
      {"llmin", F(std::min(X, Y))},
      {"llmax", F(std::max(X, Y))},
      {"umin", F(std::min(UX, UY))},
      {"umax", F(std::max(UX, UY))},
      {"ullmin", F(std::min(UX, UY))},
      {"ullmax", F(std::max(UX, UY))},
      {"clz", F(std::countl_zero(UX) - 32)},
      {"clzll", F(std::countl_zero(UX))},
      {"popc", F(std::popcount(UX))},
      {"popcll", F(std::popcount(UX))},
      {"ffs", F(UX == 0 ? 0 : std::countr_zero(UX) + 1)},
      {"ffsll", F(UX == 0 ? 0 : std::countr_zero(UX) + 1)},
      {"brev", F(reverseBits(UX, 32))},
      {"brevll", F(reverseBits(UX, 64))},
      {"byte_perm", F(permuteBytes(UX, UY, p.unsignedAt(2)))},
      {"mulhi", F(X * Y >> 32)},
      {"umulhi", F(UX * UY >> 32)},
      {"mul64hi", F(static_cast<__int128>(X) * Y >> 64)},
      {"umul64hi", F(static_cast<unsigned __int128>(UX) * UY >> 64)},
      {"mul24", F((X << 40 >> 40) * (Y << 40 >> 40))},
      {"umul24", F((UX & 0xffffff) * (UY & 0xffffff))},
      {"hadd", F((X + Y) >> 1)},
      {"rhadd", F((X + Y + 1) >> 1)},
      {"uhadd", F((UX + UY) >> 1)},
      {"urhadd", F((UX + UY + 1) >> 1)},
      {"sad", F(magnitude(X - Y) + Z)},
      {"usad", F((UX > UY ? UX - UY : UY - UX) + p.unsignedAt(2))},
  };
  return table;
}

#undef UX
#undef UY
#undef X
#undef Y
#undef Z

/// Questions about a real, and integers made of one.
const llvm::StringMap<IntegerFunction> &questions() {
  static const llvm::StringMap<IntegerFunction> table = {
      {"isnan", F(std::isnan(p.reals[0]))},
      {"isinf", F(std::isinf(p.reals[0]))},
      {"finite", F(std::isfinite(p.reals[0]))},
      {"isfinite", F(std::isfinite(p.reals[0]))},
      {"signbit", F(std::signbit(p.reals[0]))},
      {"ilogb", F(std::ilogb(p.reals[0]))},
      {"llrint", F(std::llrint(p.reals[0]))},
      {"llround", F(std::llround(p.reals[0]))},
      {"float_as_int", F(bitsOf(p.reals[0], p.types[0]))},
      {"float_as_uint", F(bitsOf(p.reals[0], p.types[0]))},
      {"double_as_longlong", F(bitsOf(p.reals[0], p.types[0]))},
      {"double2hiint", F(bitsOf(p.reals[0], p.types[0]) >> 32)},
      {"double2loint", F(bitsOf(p.reals[0], p.types[0]) & 0xffffffff)},
  };
  return table;
}

#undef F

//===--- Arithmetic and conversions that say how they round -------------------------------------------------------===//

std::optional<APFloat::roundingMode> roundingOf(StringRef name) {
  return llvm::StringSwitch<std::optional<APFloat::roundingMode>>(name)
      .Case("rn", APFloat::rmNearestTiesToEven)
      .Case("rz", APFloat::rmTowardZero)
      .Case("ru", APFloat::rmTowardPositive)
      .Case("rd", APFloat::rmTowardNegative)
      .Default(std::nullopt);
}

APFloat numberOf(double value, Type type) {
  APFloat number(value);
  bool losesInfo = false;
  number.convert(cast<FloatType>(type).getFloatSemantics(), APFloat::rmNearestTiesToEven, &losesInfo);
  return number;
}

double doubleOf(APFloat number) {
  bool losesInfo = false;
  number.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &losesInfo);
  return number.convertToDouble();
}

/// The root rounded to nearest, moved by one where it is on the wrong side.
APFloat rootOf(double value, Type type, APFloat::roundingMode mode) {
  APFloat root = numberOf(roundTo(std::sqrt(value), type), type);
  double error = std::fma(doubleOf(root), doubleOf(root), -value);
  bool down = mode == APFloat::rmTowardZero || mode == APFloat::rmTowardNegative;
  if (root.isFinite() && ((down && error > 0) || (mode == APFloat::rmTowardPositive && error < 0)))
    root.next(/*nextDown=*/down);
  return root;
}

/// fadd_rz, dmul_rn, frcp_ru, fmaf_rd, fsqrt_rn, ...: `what` is add, sub, mul, div, rcp, sqrt or fma.
std::optional<double> roundedArithmetic(StringRef what, const Operands &p, Type type, APFloat::roundingMode mode) {
  APFloat x = numberOf(p.reals[0], type), y = numberOf(p.reals[1], type);
  if (what == "add")
    x.add(y, mode);
  else if (what == "sub")
    x.subtract(y, mode);
  else if (what == "mul")
    x.multiply(y, mode);
  else if (what == "div")
    x.divide(y, mode);
  else if (what == "fma")
    x.fusedMultiplyAdd(y, numberOf(p.reals[2], type), mode);
  else if (what == "sqrt")
    x = rootOf(p.reals[0], type, mode);
  else if (what == "rsqrt" && mode == APFloat::rmNearestTiesToEven)
    x = numberOf(roundTo(1 / std::sqrt(p.reals[0]), type), type);
  else if (what == "rcp") {
    APFloat one = numberOf(1, type);
    one.divide(x, mode);
    x = one;
  } else
    return std::nullopt;
  return doubleOf(x);
}

/// A real as an integer, saturating as PTX's cvt does; NaN gives 0 (and for 64 bits the smallest number's bits).
int64_t toInteger(double value, bool isUnsigned, unsigned width, APFloat::roundingMode mode) {
  APFloat number(value);
  if (number.isNaN())
    return width == 64 ? INT64_MIN : 0;
  APSInt integer(width, isUnsigned);
  bool isExact = false;
  number.convertToInteger(integer, mode, &isExact); // out of range: the nearest end
  return integer.isUnsigned() ? static_cast<int64_t>(integer.getZExtValue()) : integer.getSExtValue();
}

double fromInteger(int64_t value, Type from, bool isUnsigned, Type type, APFloat::roundingMode mode) {
  APFloat number(cast<FloatType>(type).getFloatSemantics());
  uint64_t bits = isUnsigned ? unsignedOf(value, from) : static_cast<uint64_t>(value);
  number.convertFromAPInt(llvm::APInt(64, bits), !isUnsigned, mode);
  return doubleOf(number);
}

struct Conversion {
  StringRef from, to;
  APFloat::roundingMode mode = APFloat::rmNearestTiesToEven;
};

/// float2int_rn, ull2double_rz, double2float_rd, half2float.
std::optional<Conversion> readConversion(StringRef name) {
  auto [from, rest] = name.split('2');
  auto [to, rounding] = rest.split('_');
  std::optional<APFloat::roundingMode> mode = rounding.empty() ? APFloat::rmNearestTiesToEven : roundingOf(rounding);
  const StringRef known[] = {"float", "double", "half", "int", "uint", "ll", "ull"};
  if (!mode || !llvm::is_contained(known, from) || !llvm::is_contained(known, to))
    return std::nullopt;
  return Conversion{from, to, *mode};
}

void convertElement(const Conversion &conversion, const Operands &p, Type type, Value &result) {
  Type half = Float16Type::get(type.getContext());
  if (conversion.from == "half")
    result.floats.push_back(fromBits(p.unsignedAt(0), half));
  else if (conversion.to == "half")
    result.integers.push_back(wrapTo(static_cast<int64_t>(bitsOf(roundTo(p.reals[0], half), half)), type));
  else if (!isa<FloatType>(type))
    result.integers.push_back(
        wrapTo(toInteger(p.reals[0], conversion.to.starts_with("u"), widthOf(type), conversion.mode), type));
  else if (isa<FloatType>(p.types[0])) {
    APFloat number(p.reals[0]);
    bool losesInfo = false;
    number.convert(cast<FloatType>(type).getFloatSemantics(), conversion.mode, &losesInfo);
    result.floats.push_back(doubleOf(number));
  } else
    result.floats.push_back(
        fromInteger(p.integers[0], p.types[0], conversion.from.starts_with("u"), type, conversion.mode));
}

//===--- The operation --------------------------------------------------------------------------------------------===//

/// Calls element(operands) for every place of the result.
template <typename Element> Status forEachElement(Operation *op, Program &program, Element element) {
  int64_t count = elementCount(op->getResult(0).getType()) * program.lanes;
  std::vector<ValueRef> sources;
  for (mlir::Value name : op->getOperands())
    sources.push_back(program.share(name));
  Value result;
  for (int64_t i = 0; i < count; ++i) {
    Operands operands;
    for (auto [slot, source] : llvm::enumerate(sources)) {
      int64_t at = source->size() == 1 ? 0 : i;
      operands.types[slot] = source->element();
      if (source->floats.empty())
        operands.integers[slot] = source->integers[at];
      else
        operands.reals[slot] = source->floats[at];
    }
    element(operands, result);
  }
  program.set(op->getResult(0), std::move(result));
  return Status::ok();
}

Status applyIntegers(Operation *op, Program &program, IntegerFunction function) {
  Type type = tt::elementTypeOf(op->getResult(0).getType());
  return forEachElement(op, program, [&](const Operands &operands, Value &result) {
    result.integers.push_back(wrapTo(function(operands), type));
  });
}

/// The same bits as a float.
bool isFromBits(StringRef name) {
  return name == "int_as_float" || name == "uint_as_float" || name == "longlong_as_double";
}

using FloatFunction = double (*)(const Operands &, Type);

/// Floats that are not rounded results of real functions.
FloatFunction findExactFunction(StringRef name) {
  return llvm::StringSwitch<FloatFunction>(name)
      .Cases("ldexp", "ldexpf", "scalbn", "scalbnf",
             [](const Operands &p, Type type) {
               int scale = static_cast<int>(std::clamp<int64_t>(p.integers[1], -5000, 5000));
               return roundTo(std::ldexp(p.reals[0], scale), type);
             })
      .Case("nextafterf",
            [](const Operands &p, Type) -> double {
              return std::nextafter(static_cast<float>(p.reals[0]), static_cast<float>(p.reals[1]));
            })
      .Case("nextafter", [](const Operands &p, Type) { return std::nextafter(p.reals[0], p.reals[1]); })
      .Case("hiloint2double",
            [](const Operands &p, Type type) { return fromBits(p.unsignedAt(0) << 32 | p.unsignedAt(1), type); })
      .Default(nullptr);
}

/// "fadd_rz" or "fma_rn" as "add", "fma" and how they round.
std::optional<std::pair<StringRef, APFloat::roundingMode>> readRounded(StringRef name) {
  auto [what, rounding] = name.rsplit('_');
  std::optional<APFloat::roundingMode> mode = roundingOf(rounding);
  if (!mode)
    return std::nullopt;
  if (what == "fma" || what == "fmaf")
    return std::pair(StringRef("fma"), *mode);
  return std::pair(what.drop_front(), *mode); // f or d
}

template <typename Table> auto findWithoutSuffix(const Table &table, StringRef name, bool isDouble) {
  auto found = table.find(name);
  if (found == table.end() && (name.ends_with("f") || (isDouble && name.ends_with("d"))))
    found = table.find(name.drop_back());
  return found == table.end() ? nullptr : &found->second;
}

Status callLibrary(Operation *op, Program &program) {
  auto extern_ = cast<tt::ExternElementwiseOp>(op);
  StringRef name = extern_.getSymbol();
  Type type = tt::elementTypeOf(extern_.getType());
  if (op->getNumOperands() > 4 || !name.consume_front("__nv_") || op->getNumOperands() == 0)
    return unsupported(op, " of '" + extern_.getSymbol().str() + "'");
  Type from = tt::elementTypeOf(op->getOperand(0).getType());
  if (!isa<FloatType>(from) && !isa<FloatType>(type))
    if (auto found = integerFunctions().find(name); found != integerFunctions().end())
      return applyIntegers(op, program, found->second);
  if (isa<FloatType>(from) && !isa<FloatType>(type))
    if (const IntegerFunction *found = findWithoutSuffix(questions(), name, from.isF64()))
      return applyIntegers(op, program, *found);
  if (isFromBits(name))
    return forEachElement(op, program, [&](const Operands &p, Value &result) {
      result.floats.push_back(fromBits(p.unsignedAt(0), type));
    });
  if (std::optional<Conversion> conversion = readConversion(name))
    return forEachElement(op, program, [&](const Operands &operands, Value &result) {
      convertElement(*conversion, operands, type, result);
    });
  if (auto rounded = readRounded(name); rounded && isa<FloatType>(type)) {
    bool isKnown = true;
    Status status = forEachElement(op, program, [&](const Operands &operands, Value &result) {
      std::optional<double> value = roundedArithmetic(rounded->first, operands, type, rounded->second);
      isKnown &= value.has_value();
      result.floats.push_back(value.value_or(0));
    });
    return isKnown ? status : unsupported(op, " of '" + extern_.getSymbol().str() + "'");
  }
  if (FloatFunction exact = findExactFunction(name))
    return forEachElement(op, program,
                          [&](const Operands &p, Value &result) { result.floats.push_back(exact(p, type)); });
  const RealFunction *function = findFunction(name);
  if (!function && name.ends_with("f"))
    function = findFunction(name.drop_back());
  if (function && isa<FloatType>(type))
    return applyFunction(op, program, *function);
  return unsupported(op, " of '" + extern_.getSymbol().str() + "'");
}

} // namespace

void addExterns(OpTable &table) { table["tt.extern_elementwise"] = callLibrary; }

} // namespace tawa::reference
