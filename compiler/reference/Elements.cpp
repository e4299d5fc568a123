// Reads and writes elements of every type as doubles or 64-bit integers. The bits of the small float types come from
// the reference evaluator.
#include "compiler/reference/Elements.h"

#include "compiler/reference/Numbers.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/MLIRContext.h"

#include <array>
#include <cstring>

namespace tawa::reference {

static mlir::Type toMlir(ElementType type) {
  static mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  mlir::Builder builder(&context);
  switch (type) {
  case ElementType::I1:
    return builder.getIntegerType(1);
  case ElementType::I8:
    return builder.getIntegerType(8);
  case ElementType::I16:
    return builder.getIntegerType(16);
  case ElementType::I32:
    return builder.getIntegerType(32);
  case ElementType::I64:
    return builder.getIntegerType(64);
  case ElementType::F8E4M3:
    return builder.getFloat8E4M3FNType();
  case ElementType::F8E5M2:
    return builder.getFloat8E5M2Type();
  case ElementType::F16:
    return builder.getF16Type();
  case ElementType::BF16:
    return builder.getBF16Type();
  case ElementType::F32:
    return builder.getF32Type();
  case ElementType::F64:
    return builder.getF64Type();
  }
  return {};
}

double readNumber(ElementType type, const char *element) {
  static const std::array<mlir::Type, 11> types = [] {
    std::array<mlir::Type, 11> all;
    for (unsigned i = 0; i < all.size(); ++i)
      all[i] = toMlir(static_cast<ElementType>(i));
    return all;
  }();
  uint64_t bits = 0;
  std::memcpy(&bits, element, elementBytes(type));
  mlir::Type mlirType = types[static_cast<unsigned>(type)];
  if (isFloat(type))
    return fromBits(bits, mlirType);
  return static_cast<double>(wrapTo(static_cast<int64_t>(bits), mlirType));
}

void writeNumber(ElementType type, double number, char *element) {
  mlir::Type mlirType = toMlir(type);
  uint64_t bits = isFloat(type) ? bitsOf(roundTo(number, mlirType, /*saturate=*/elementBytes(type) == 1), mlirType)
                                : unsignedOf(static_cast<int64_t>(number), mlirType);
  std::memcpy(element, &bits, elementBytes(type));
}

Precision precisionOf(ElementType type) {
  switch (type) {
  case ElementType::F8E4M3:
    return {0x1p-3, 0x1p-9};
  case ElementType::F8E5M2:
    return {0x1p-2, 0x1p-16};
  case ElementType::F16:
    return {0x1p-10, 0x1p-24};
  case ElementType::BF16:
    return {0x1p-7, 0x1p-126};
  case ElementType::F32:
    return {0x1p-23, 0x1p-126};
  default:
    return {0x1p-52, 0x1p-1022};
  }
}

} // namespace tawa::reference
