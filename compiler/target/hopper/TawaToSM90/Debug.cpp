// Debug.cpp: an assertion covers all elements at once; printing emits one line per element.
#include "compiler/target/hopper/TawaToSM90/Debug.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace tawa {

LogicalResult DebugEmitter::lower(tt::AssertOp op) {
  Value holds;
  for (Value condition : values.lookup(op.getCondition()))
    holds = builder.both(op.getLoc(), holds, condition);
  builder.create<sm90::AssertOp>(op.getLoc(), holds, op.getMessage());
  return success();
}

/// A value that sm90.print takes, and prints as it is meant.
Value DebugEmitter::printable(Location loc, Value value, bool isSigned) {
  Type type = value.getType();
  if (isa<Float8E4M3FNType, Float8E5M2Type>(type))
    return builder.create<tt::FpToFpOp>(loc, builder.getF32Type(), value, tt::RoundingModeAttr());
  if (isa<FloatType>(type))
    return value;
  Value bits = builder.toBits(loc, value);
  if (isSigned || bits.getType().isInteger(64))
    return bits;
  return builder.create<arith::ExtUIOp>(loc, builder.getI64Type(), bits);
}

/// One line per element: its indices, then its value.
LogicalResult DebugEmitter::lower(tt::PrintOp op) {
  Location loc = op.getLoc();
  auto print = [&](ValueRange line, Value predicate) {
    builder.create<sm90::PrintOp>(loc, op.getPrefix(), line, predicate, op.getHex());
  };
  if (op.getArgs().empty())
    print({}, thread.actsForRole(loc));
  for (auto [number, operand] : llvm::enumerate(op.getArgs())) {
    bool isSigned = op.getIsSigned().empty() || op.getIsSigned()[number] != 0;
    Values elements = values.lookup(operand);
    ws::LinearAttr attr = ws::layoutOf(operand.getType());
    if (!attr) {
      print(printable(loc, elements.front(), isSigned), thread.actsForRole(loc));
      continue;
    }
    LinearLayout layout = attr.getLayout();
    Copies copies = findCopies(layout);
    Value owner = thread.ownsElements(loc, layout);
    SmallVector<Values> places;
    for (unsigned dim = 0; dim < layout.outs().size(); ++dim)
      places.push_back(thread.coordinates(loc, layout, dim));
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

} // namespace tawa
