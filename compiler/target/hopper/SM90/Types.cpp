// The types of sm90: printing, parsing, and the registers of a fragment.

#include "compiler/target/hopper/SM90/SM90.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

#define GET_TYPEDEF_CLASSES
#include "compiler/target/hopper/SM90/SM90Types.cpp.inc"

using namespace mlir;

namespace tawa::sm90 {

void SM90Dialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "compiler/target/hopper/SM90/SM90Types.cpp.inc"
      >();
}

static LogicalResult verifyFragment(llvm::function_ref<InFlightDiagnostic()> emitError, int64_t m, int64_t n,
                                    Type element) {
  if (m != 64 || n < 8 || n > 256 || n % 8 != 0)
    return emitError() << "a fragment is 64 x n with n a multiple of 8 from 8 to 256, not " << m << " x " << n
                       << " (C1)";
  if (!element.isF32() && !element.isF16() && !element.isInteger(32))
    return emitError() << "a fragment holds f32, f16 or i32, not " << element << " (C2)";
  return success();
}

/// `<64x256xf32>`
template <typename FragmentType> static Type parseFragment(AsmParser &parser) {
  SmallVector<int64_t> shape;
  Type element;
  SMLoc place = parser.getCurrentLocation();
  if (parser.parseLess() || parser.parseDimensionList(shape, /*allowDynamic=*/false) || parser.parseType(element) ||
      parser.parseGreater())
    return {};
  if (shape.size() != 2) {
    parser.emitError(place, "expected two dimensions");
    return {};
  }
  return parser.getChecked<FragmentType>(place, parser.getContext(), shape[0], shape[1], element);
}

template <typename FragmentType> static void printFragment(FragmentType type, AsmPrinter &printer) {
  printer << '<' << type.getM() << 'x' << type.getN() << 'x' << type.getElementType() << '>';
}

template <typename FragmentType> static Type registerTypeOf(FragmentType type) {
  return type.getElementType().isF32() ? type.getElementType() : IntegerType::get(type.getContext(), 32);
}

Type InflightType::parse(AsmParser &parser) { return parseFragment<InflightType>(parser); }
void InflightType::print(AsmPrinter &printer) const { printFragment(*this, printer); }
Type InflightType::getRegisterType() const { return registerTypeOf(*this); }
LogicalResult InflightType::verify(llvm::function_ref<InFlightDiagnostic()> emitError, int64_t m, int64_t n,
                                   Type element) {
  return verifyFragment(emitError, m, n, element);
}

Type AccumulatorType::parse(AsmParser &parser) { return parseFragment<AccumulatorType>(parser); }
void AccumulatorType::print(AsmPrinter &printer) const { printFragment(*this, printer); }
Type AccumulatorType::getRegisterType() const { return registerTypeOf(*this); }
LogicalResult AccumulatorType::verify(llvm::function_ref<InFlightDiagnostic()> emitError, int64_t m, int64_t n,
                                      Type element) {
  return verifyFragment(emitError, m, n, element);
}

SmallVector<Type> registerTypes(Type fragment) {
  return TypeSwitch<Type, SmallVector<Type>>(fragment)
      .Case<InflightType, AccumulatorType>(
          [](auto type) { return SmallVector<Type>(type.getNumRegisters(), type.getRegisterType()); })
      .Default([](Type) { return SmallVector<Type>(); });
}

unsigned elementBits(Type element) { return element.isTF32() ? 32 : element.getIntOrFloatBitWidth(); }
int64_t wgmmaK(Type element) { return 256 / elementBits(element); }

} // namespace tawa::sm90
