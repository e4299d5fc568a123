// The verifier of TypedAttributes.h.
#include "compiler/support/TypedAttributes.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"

using namespace mlir;

namespace tawa {

static bool isAmong(Operation *op, StringRef place) {
  if (place == "module")
    return isa<ModuleOp>(op);
  if (place == "function")
    return isa<FunctionOpInterface>(op);
  return op->getName().getStringRef() == place;
}

static bool mayStand(Operation *op, bool ofParameter, StringRef places) {
  if (ofParameter)
    return places == "parameter";
  SmallVector<StringRef> list;
  places.split(list, ", ");
  return places == "any operation" || llvm::any_of(list, [&](StringRef place) { return isAmong(op, place); });
}

LogicalResult verifyTypedAttribute(Operation *op, NamedAttribute attribute, bool ofParameter,
                                   ArrayRef<AttributeRule> rules) {
  StringRef name = attribute.getName();
  const auto *rule = llvm::find_if(rules, [&](const AttributeRule &known) { return known.name == name; });
  if (rule == rules.end())
    return op->emitOpError() << "'" << name
                             << "' is no attribute of the dialect; docs/reference/attributes.md has them";
  if (!mayStand(op, ofParameter, rule->places))
    return op->emitOpError() << "'" << name << "' stands on " << (ofParameter ? "a parameter" : "this operation")
                             << ", expected on: " << rule->places;
  if (!rule->holds(attribute.getValue()))
    return op->emitOpError() << "'" << name << "' is " << attribute.getValue() << ", expected " << rule->type;
  return success();
}

} // namespace tawa
