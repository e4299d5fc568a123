// Conversions between integers and floats, between floats, and of bits.
#include "compiler/reference/Numbers.h"
#include "compiler/reference/Program.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include "llvm/ADT/APFloat.h"

#include <cmath>
#include <type_traits>

using namespace mlir;

namespace tawa::reference {

namespace {

/// Rounded once: a double may not hold all digits of the integer, and the type's own rounding must see them.
template <typename Integer> double toFloat(Integer value, Type type) {
  if (type.isF32())
    return static_cast<float>(value);
  if (type.isF64())
    return static_cast<double>(value);
  llvm::APFloat number(cast<FloatType>(type).getFloatSemantics());
  number.convertFromAPInt(llvm::APInt(64, static_cast<uint64_t>(value)), std::is_signed_v<Integer>,
                          llvm::APFloat::rmNearestTiesToEven);
  bool losesInfo = false;
  number.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven, &losesInfo);
  return number.convertToDouble();
}

Status fromSigned(Operation *op, Program &program) {
  Type type = tt::elementTypeOf(op->getResult(0).getType());
  Value result;
  for (int64_t value : program.get(op->getOperand(0)).integers)
    result.floats.push_back(toFloat(value, type));
  program.set(op->getResult(0), std::move(result));
  return Status::ok();
}

Status fromUnsigned(Operation *op, Program &program) {
  const Value &source = program.get(op->getOperand(0));
  Type type = tt::elementTypeOf(op->getResult(0).getType());
  Value result;
  for (int64_t value : source.integers)
    result.floats.push_back(toFloat(unsignedOf(value, source.element()), type));
  program.set(op->getResult(0), std::move(result));
  return Status::ok();
}

/// Conversions to integers saturate as PTX's cvt.rzi does; NaN gives 0.
Status toInteger(Operation *op, Program &program, bool isSigned) {
  Type type = tt::elementTypeOf(op->getResult(0).getType());
  unsigned width = widthOf(type);
  double lowest = isSigned ? -std::ldexp(1.0, width - 1) : 0;
  double limit = std::ldexp(1.0, isSigned ? width - 1 : width); // the first value that is too large
  Value result;
  for (double value : program.get(op->getOperand(0)).floats) {
    double whole = std::isnan(value) ? 0 : std::trunc(value);
    uint64_t bits = 0;
    if (whole >= limit)
      bits = (isSigned ? uint64_t(1) << (width - 1) : 0) - 1;
    else if (whole > lowest)
      bits = isSigned ? static_cast<uint64_t>(static_cast<int64_t>(whole)) : static_cast<uint64_t>(whole);
    else
      bits = static_cast<uint64_t>(static_cast<int64_t>(lowest));
    result.integers.push_back(wrapTo(static_cast<int64_t>(bits), type));
  }
  program.set(op->getResult(0), std::move(result));
  return Status::ok();
}
Status toSigned(Operation *op, Program &program) { return toInteger(op, program, true); }
Status toUnsigned(Operation *op, Program &program) { return toInteger(op, program, false); }

/// tt.fp_to_fp: to FP8 it saturates; rtz cuts.
Status convert(Operation *op, Program &program) {
  auto conversion = cast<tt::FpToFpOp>(op);
  Type type = tt::elementTypeOf(conversion.getType());
  bool toFp8 = widthOf(type) == 8;
  bool cuts = conversion.getRounding() == tt::RoundingMode::RTZ;
  Value result;
  for (double value : program.get(conversion.getSrc()).floats)
    result.floats.push_back(cuts ? truncateTo(value, type, toFp8) : roundTo(value, type, toFp8));
  program.set(conversion.getResult(), std::move(result));
  return Status::ok();
}

Status resize(Operation *op, Program &program) {
  Type type = tt::elementTypeOf(op->getResult(0).getType());
  Value result;
  for (double value : program.get(op->getOperand(0)).floats)
    result.floats.push_back(roundTo(value, type));
  program.set(op->getResult(0), std::move(result));
  return Status::ok();
}

Status truncate(Operation *op, Program &program) {
  auto mode = cast<arith::TruncFOp>(op).getRoundingmode();
  if (mode && *mode != arith::RoundingMode::to_nearest_even)
    return unsupported(op, " with another rounding than to nearest even");
  return resize(op, program);
}

/// The same bits as another type of the same width.
Status bitcast(Operation *op, Program &program) {
  const Value &source = program.get(op->getOperand(0));
  Type from = source.element(), to = tt::elementTypeOf(op->getResult(0).getType());
  Value result;
  result.pointers = source.pointers;
  auto add = [&](uint64_t bits) {
    if (isa<FloatType>(to))
      result.floats.push_back(fromBits(bits, to));
    else
      result.integers.push_back(wrapTo(static_cast<int64_t>(bits), to));
  };
  for (double value : source.floats)
    add(bitsOf(value, from));
  for (int64_t value : source.integers)
    add(unsignedOf(value, from));
  program.set(op->getResult(0), std::move(result));
  return Status::ok();
}

} // namespace

void addConversions(OpTable &table) {
  table["arith.extf"] = resize;
  table["arith.truncf"] = truncate;
  table["arith.sitofp"] = fromSigned;
  table["arith.uitofp"] = fromUnsigned;
  table["arith.fptosi"] = toSigned;
  table["arith.fptoui"] = toUnsigned;
  table["tt.fp_to_fp"] = convert;
  table["arith.bitcast"] = bitcast;
  table["tt.bitcast"] = bitcast;
}

} // namespace tawa::reference
