// Elementwise.cpp: one machine operation per register, or one copy of a region for each group of elements.
#include "compiler/target/hopper/TawaToSM90/Elementwise.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace tawa {

/// The scalar form of an elementwise operation, once for registers that are equal (tawa-assign-layouts); an operation
/// on scalars once. Hints that are not part of the operation (contiguity and the like) are no longer needed and are
/// dropped.
LogicalResult ElementwiseEmitter::lowerScalars(Operation *op) {
  size_t count = 1;
  for (Value operand : op->getOperands())
    count = std::max(count, values[operand].size());
  SmallVector<Values> results(op->getNumResults());
  auto equal = static_cast<size_t>(ws::kEqualAttr.get(op).value_or(0));
  for (size_t index = 0; index < count; ++index) {
    if (size_t first = index & ~equal; first != index) {
      for (Values &list : results)
        list.push_back(list[first]);
      continue;
    }
    OperationState state(op->getLoc(), op->getName());
    for (Value operand : op->getOperands()) {
      const Values &parts = values[operand];
      state.operands.push_back(parts.size() == 1 ? parts.front() : parts[index]);
    }
    for (Type type : op->getResultTypes())
      state.types.push_back(builder.machineType(getElementTypeOrSelf(type)));
    state.propertiesAttr = op->getPropertiesAsAttribute();
    Operation *scalar = builder.create(state);
    for (auto [list, result] : llvm::zip(results, scalar->getResults()))
      list.push_back(result);
  }
  for (auto [old, list] : llvm::zip(op->getResults(), results))
    values[old] = std::move(list);
  return success();
}

LogicalResult ElementwiseEmitter::lower(ub::PoisonOp op) {
  ws::LinearAttr layout = ws::layoutOf(op.getType());
  size_t count = layout ? layout.getLayout().inSize("register") : 1;
  values[op] = Values(count, builder.zero(op.getLoc(), builder.machineType(getElementTypeOrSelf(op.getType()))));
  return success();
}

//===--- Pointers ---===//

LogicalResult ElementwiseEmitter::lowerPointer(Operation *op) {
  Location loc = op->getLoc();
  Type tileElement = getElementTypeOrSelf(op->getResult(0).getType()), element = builder.machineType(tileElement);
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

//===--- Scalar functions ---===//

LogicalResult ElementwiseEmitter::lower(tt::MapElementwiseOp op) {
  if (!op.getScalarOp().hasOneBlock())
    return op.emitOpError() << "has a region of several blocks; tawa-structure-control-flow makes it one";
  Block &body = op.getScalarOp().front();
  SmallVector<Values> operands, results(op.getNumResults());
  for (Value operand : op.getSrcs())
    operands.push_back(values.lookup(operand));
  size_t count = operands.front().size(), pack = op.getPack();
  for (Values &result : results)
    result.resize(count);
  for (size_t first = 0; first < count; first += pack) {
    // A thread with fewer elements than a call takes passes some of them twice.
    for (auto [number, operand] : llvm::enumerate(operands))
      for (size_t i = 0; i < pack; ++i)
        values[body.getArgument(number * pack + i)] = {operand[(first + i) % count]};
    if (failed(lowerBlock(&body)))
      return failure();
    for (auto [index, value] : llvm::enumerate(body.getTerminator()->getOperands()))
      if (size_t place = first + index % pack; place < count)
        results[index / pack][place] = one(value);
  }
  for (auto [result, registers] : llvm::zip(op.getResults(), results))
    values[result] = std::move(registers);
  return success();
}

} // namespace tawa
