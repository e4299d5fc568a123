// The tt dialect object: what it registers, and how a folded constant becomes an operation again.
#include "compiler/frontend/TT/TT.h"
#include "compiler/frontend/TT/UnsupportedOps.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/Transforms/InliningUtils.h"

using namespace mlir;

#include "compiler/frontend/TT/TTDialect.cpp.inc"
#include "compiler/frontend/TT/TTEnums.cpp.inc"

namespace tawa::tt {

namespace {

// Lets MLIR's inliner move tt.func bodies into callers: everything may be inlined, and a return forwards its operands.
struct InlinerInterface : DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;

  bool isLegalToInline(Operation *, Operation *, bool) const final { return true; }
  bool isLegalToInline(Region *, Region *, bool, IRMapping &) const final { return true; }
  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final { return true; }

  // For a body of several blocks: the values become arguments of the block after the call.
  void handleTerminator(Operation *terminator, Block *next) const final {
    if (auto returned = dyn_cast<ReturnOp>(terminator)) {
      OpBuilder(terminator).create<cf::BranchOp>(returned.getLoc(), next, returned.getSrcs());
      returned.erase();
    }
  }

  void handleTerminator(Operation *terminator, ValueRange results) const final {
    for (auto [result, value] : llvm::zip(results, terminator->getOperands()))
      result.replaceAllUsesWith(value);
  }
};

} // namespace

void TTDialect::initialize() {
  registerTypes();
  addInterfaces<InlinerInterface>();
  addOperations<
#define GET_OP_LIST
#include "compiler/frontend/TT/TTOps.cpp.inc"
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
