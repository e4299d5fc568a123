// Registers the dialect's types, attributes and operations, and checks the attributes a kernel carries.

#include "compiler/target/hopper/SM90/SM90.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

#include "compiler/target/hopper/SM90/SM90Dialect.cpp.inc"
#include "compiler/target/hopper/SM90/SM90Enums.cpp.inc"
#include "compiler/target/hopper/SM90/SM90Interfaces.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "compiler/target/hopper/SM90/SM90Attrs.cpp.inc"

#define GET_OP_CLASSES
#include "compiler/target/hopper/SM90/SM90Ops.cpp.inc"

using namespace mlir;

namespace tawa::sm90 {

void SM90Dialect::initialize() {
  registerTypes();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "compiler/target/hopper/SM90/SM90Attrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "compiler/target/hopper/SM90/SM90Ops.cpp.inc"
      >();
}

static LogicalResult verifyArguments(func::FuncOp kernel) {
  for (auto [index, type] : llvm::enumerate(kernel.getArgumentTypes()))
    if (!paramLayout(type))
      return kernel.emitOpError() << "argument " << index << " of a kernel has type " << type
                                  << ", expected !sm90.tensormap, !llvm.ptr<1>, i8 to i64, f16, bf16, f32 or f64";
  if (kernel.getNumResults() != 0)
    return kernel.emitOpError("a kernel returns nothing");
  return success();
}

LogicalResult TensorMapAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError, uint32_t,
                                    ArrayRef<uint32_t> box, Type element, TensorMapSwizzle swizzle,
                                    ws::DescriptionAttr) {
  constexpr size_t kMostDimensions = 5;
  constexpr uint32_t kLargestBox = 256, kChunk = 16;
  if (box.empty() || box.size() > kMostDimensions)
    return emitError() << "a tensor map has 1 to " << kMostDimensions << " dimensions, not " << box.size() << " (C1)";
  for (uint32_t extent : box)
    if (extent < 1 || extent > kLargestBox)
      return emitError() << "a box has 1 to " << kLargestBox << " elements per dimension, not " << extent << " (C1)";
  unsigned bits = element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 0;
  if (bits != 8 && bits != 16 && bits != 32 && bits != 64)
    return emitError() << "elements of a tensor map have 8, 16, 32 or 64 bits, not " << element << " (C2)";
  uint32_t bytes = box.front() * bits / 8, span = kChunk << static_cast<uint32_t>(swizzle);
  if (bytes % kChunk != 0)
    return emitError() << "the innermost dimension of a box has a multiple of " << kChunk << " bytes, not " << bytes
                       << " (C3)";
  if (swizzle != TensorMapSwizzle::None && bytes > span)
    return emitError() << "the innermost dimension of a box has " << bytes << " bytes, and its swizzle spans " << span
                       << " (C3)";
  return success();
}

static constexpr AttributeRule kRules[] = {
#define TAWA_ATTRIBUTE(NAME, TEXT, ACCESSOR, TYPE, PLACES, MEANING) {TEXT, TYPE, PLACES, ACCESSOR::holds},
#include "compiler/target/hopper/SM90/Attributes.def"
};

LogicalResult SM90Dialect::verifyRegionArgAttribute(Operation *op, unsigned, unsigned, NamedAttribute attribute) {
  return verifyTypedAttribute(op, attribute, /*ofParameter=*/true, kRules);
}

LogicalResult SM90Dialect::verifyOperationAttribute(Operation *op, NamedAttribute attribute) {
  if (failed(verifyTypedAttribute(op, attribute, /*ofParameter=*/false, kRules)))
    return failure();
  if (attribute.getName() != kKernelAttr.name)
    return success();
  auto function = cast<func::FuncOp>(op);
  if (failed(verifyArguments(function)))
    return failure();
  return readKernelInfo(function);
}

} // namespace tawa::sm90
