// Pointers.cpp: elementwise operations that have no scalar twin in arith: pointer arithmetic, and bits seen as another
// type. One machine operation per register.
#include "compiler/conversion/TawaToSM90/Lowering.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace tawa {

LogicalResult KernelLowering::lowerPointerOp(Operation *op) {
  Location loc = op->getLoc();
  Type tileElement = getElementTypeOrSelf(op->getResult(0).getType()), element = machineType(tileElement);
  Values source = values.lookup(op->getOperand(0)), offsets;
  if (isa<tt::AddPtrOp>(op))
    offsets = values.lookup(op->getOperand(1));
  auto lower = [&](size_t index) -> Value {
    Value value = source[index];
    if (isa<tt::IntToPtrOp>(op))
      return builder.create<LLVM::IntToPtrOp>(loc, element, value);
    if (isa<tt::PtrToIntOp>(op))
      return builder.create<LLVM::PtrToIntOp>(loc, element, value);
    if (isa<tt::BitcastOp>(op))
      return value.getType() == element ? value : builder.create<arith::BitcastOp>(loc, element, value).getResult();
    // tt.addptr: the index counts elements and is sign-extended.
    Type stored = builder.getIntegerType(storageBits(cast<tt::PointerType>(tileElement).getPointeeType()));
    Value offset = offsets[offsets.size() == 1 ? 0 : index];
    return builder.create<LLVM::GEPOp>(loc, element, stored, value, ArrayRef<LLVM::GEPArg>{offset});
  };
  Values result;
  for (size_t index = 0; index < source.size(); ++index)
    result.push_back(lower(index));
  values[op->getResult(0)] = std::move(result);
  return success();
}

} // namespace tawa
