// The attribute #tawa.target: its text, its verifier, and the question for it. Which limits there are is the table of
// runtime/artifact/Target.cpp.
#include "compiler/roles/Tawa/Target.h"

#include "runtime/hardware/TargetOf.h"

#include "mlir/IR/DialectImplementation.h"

using namespace mlir;

namespace tawa::ws {

static SmallVector<int64_t> limitsOf(const tawa::Target &target) {
  return llvm::map_to_vector(targetLimits(), [&](const TargetLimit &limit) { return target.*limit.member; });
}

static tawa::Target makeTarget(StringRef architecture, ArrayRef<int64_t> limits) {
  tawa::Target target;
  target.architecture = architecture.str();
  for (auto [limit, value] : llvm::zip_equal(targetLimits(), limits))
    target.*limit.member = value;
  return target;
}

tawa::Target TargetAttr::getTarget() const { return makeTarget(getArchitecture(), getLimits()); }

LogicalResult TargetAttr::verify(function_ref<InFlightDiagnostic()> emitError, StringRef architecture,
                                 ArrayRef<int64_t> limits) {
  if (limits.size() != targetLimits().size())
    return emitError() << "a target has " << targetLimits().size() << " limits, not " << limits.size();
  auto read = tawa::Target::parse(makeTarget(architecture, limits).str()); // C1, C2
  return read ? success() : LogicalResult(emitError() << read.status().message());
}

void TargetAttr::print(AsmPrinter &printer) const {
  printer << "<\"" << getArchitecture() << "\"";
  for (auto [limit, value] : llvm::zip_equal(targetLimits(), getLimits()))
    printer << ", " << StringRef(limit.name) << " = " << value;
  printer << ">";
}

/// One `name = number`.
static ParseResult parseLimit(AsmParser &parser, tawa::Target &target) {
  StringRef name;
  SMLoc location = parser.getCurrentLocation();
  if (parser.parseKeyword(&name) || parser.parseEqual())
    return failure();
  const TargetLimit *limit = findLimit(name);
  if (!limit)
    return parser.emitError(location, "there is no limit '") << name << "'";
  return parser.parseInteger(target.*limit->member);
}

Attribute TargetAttr::parse(AsmParser &parser, Type) {
  tawa::Target target;
  SMLoc location = parser.getCurrentLocation();
  if (parser.parseLess() || parser.parseString(&target.architecture))
    return {};
  while (succeeded(parser.parseOptionalComma()))
    if (parseLimit(parser, target))
      return {};
  if (parser.parseGreater())
    return {};
  auto report = [&] { return parser.emitError(location); };
  SmallVector<int64_t> limits = limitsOf(target);
  return getChecked(function_ref<InFlightDiagnostic()>(report), parser.getContext(), StringRef(target.architecture),
                    ArrayRef<int64_t>(limits));
}

void setTarget(ModuleOp module, const tawa::Target &target) {
  MLIRContext *context = module.getContext();
  context->getOrLoadDialect<TawaDialect>(); // which a text in Triton's dialect alone does not need
  kTargetAttr.set(module, TargetAttr::get(context, target.architecture, limitsOf(target)));
}

} // namespace tawa::ws

namespace tawa {

static ws::TargetAttr targetAround(Operation *op) {
  for (; op; op = op->getParentOp())
    if (ws::TargetAttr attribute = ws::kTargetAttr.get(op))
      return attribute;
  return {};
}

Target moduleTarget(Operation *op) {
  ws::TargetAttr attribute = targetAround(op);
  return attribute ? attribute.getTarget() : defaultTarget();
}

bool hasFeature(Operation *op, Feature feature) {
  ws::TargetAttr attribute = targetAround(op);
  auto architecture = parseArchitecture(attribute ? attribute.getArchitecture() : defaultTarget().architecture);
  return architecture && architecture->has(feature);
}

} // namespace tawa
