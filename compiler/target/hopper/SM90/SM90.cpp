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
