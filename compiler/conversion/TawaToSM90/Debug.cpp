// Debug.cpp: tt.assert, tt.print, and code of the kernel's own: tt.map_elementwise and tt.elementwise_inline_asm.
#include "compiler/conversion/TawaToSM90/Lowering.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace tawa {

LogicalResult KernelLowering::lowerAssert(tt::AssertOp op) {
  Value holds;
  for (Value condition : values.lookup(op.getCondition()))
    holds = both(op.getLoc(), holds, condition);
  builder.create<sm90::AssertOp>(op.getLoc(), holds, op.getMessage());
  return success();
}

/// A value that sm90.print takes, and prints as it is meant.
Value KernelLowering::printable(Location loc, Value value, bool isSigned) {
  Type type = value.getType();
  if (isa<Float8E4M3FNType, Float8E5M2Type>(type))
    return builder.create<tt::FpToFpOp>(loc, builder.getF32Type(), value, tt::RoundingModeAttr());
  if (isa<FloatType>(type))
    return value;
  Value bits = toBits(loc, value);
  if (isSigned || bits.getType().isInteger(64))
    return bits;
  return builder.create<arith::ExtUIOp>(loc, builder.getI64Type(), bits);
}

/// One line per element: its indices, then its value.
LogicalResult KernelLowering::lowerPrint(tt::PrintOp op) {
  Location loc = op.getLoc();
  auto print = [&](ValueRange line, Value predicate) {
    builder.create<sm90::PrintOp>(loc, op.getPrefix(), line, predicate, op.getHex());
  };
  if (op.getArgs().empty())
    print({}, actsForRole(loc));
  for (auto [number, operand] : llvm::enumerate(op.getArgs())) {
    bool isSigned = op.getIsSigned().empty() || op.getIsSigned()[number] != 0;
    Values elements = values.lookup(operand);
    ws::LinearAttr attr = ws::layoutOf(operand.getType());
    if (!attr) {
      print(printable(loc, elements.front(), isSigned), actsForRole(loc));
      continue;
    }
    LinearLayout layout = attr.getLayout();
    Copies copies = findCopies(layout);
    Value owner = ownsElements(loc, layout);
    SmallVector<Values> places;
    for (unsigned dim = 0; dim < layout.outs().size(); ++dim)
      places.push_back(coordinates(loc, layout, dim));
    for (size_t reg = 0; reg < elements.size(); ++reg) {
      if (reg & copies.registers)
        continue;
      Values line;
      for (const Values &place : places)
        line.push_back(place[reg]);
      line.push_back(printable(loc, elements[reg], isSigned));
      print(line, owner);
    }
  }
  return success();
}

//===--- Scalar functions
//-----------------------------------------------------------------------------------------------===//

LogicalResult KernelLowering::lowerMapElementwise(tt::MapElementwiseOp op) {
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
    // A thread that holds fewer elements than one call takes gives some of them twice.
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
