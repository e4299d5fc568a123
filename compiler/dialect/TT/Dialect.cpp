// The tt dialect object: what it registers, and how a folded constant becomes an operation again.
#include "compiler/dialect/TT/TT.h"
#include "compiler/dialect/TT/UnsupportedOps.h"

#include "mlir/IR/Builders.h"

using namespace mlir;

#include "compiler/dialect/TT/TTDialect.cpp.inc"
#include "compiler/dialect/TT/TTEnums.cpp.inc"

namespace tawa::tt {

void TTDialect::initialize() {
  registerTypes();
  addOperations<
#define GET_OP_LIST
#include "compiler/dialect/TT/TTOps.cpp.inc"
      >();
}

Operation *TTDialect::materializeConstant(OpBuilder &builder, Attribute value, Type type, Location loc) {
  return arith::ConstantOp::materialize(builder, value, type, loc);
}

std::optional<Dialect::ParseOpHook> TTDialect::getParseOperationHook(StringRef opName) const {
  if (std::optional<ParseOpHook> registered = Dialect::getParseOperationHook(opName))
    return registered;
  return ParseOpHook(parseRefusedOp);
}

} // namespace tawa::tt
