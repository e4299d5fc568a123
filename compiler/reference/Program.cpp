// Executes operations in sequence. Each is looked up by name; unknown ones are refused by name.
#include "compiler/reference/Program.h"
#include "compiler/reference/Numbers.h"

#include <cmath>
#include <utility>

using namespace mlir;

namespace tawa::reference {

/// Nesting permitted in a kernel's text (compiler/frontend/text/Scanner.h), which bounds the evaluator's recursion.
static constexpr unsigned kMaxDepth = 64;

static const OpTable &operations() {
  static const OpTable table = [] {
    OpTable all;
    addIntegers(all);
    addFloats(all);
    addFunctions(all);
    addExterns(all);
    addConversions(all);
    addShapes(all);
    addPointers(all);
    addDescriptors(all);
    addAtomics(all);
    addProducts(all);
    addRegions(all);
    addControlFlow(all);
    return all;
  }();
  return table;
}

Status wrongProgram(Operation *op, const std::string &what) {
  return Status(StatusCode::Emulator, "'" + op->getName().getStringRef().str() + "' " + what);
}

Status unsupported(Operation *op, const std::string &what) {
  return Status(StatusCode::Unsupported,
                "the reference evaluator does not know '" + op->getName().getStringRef().str() + "'" + what);
}

Status Program::spend(uint64_t steps) {
  if (steps > launch.stepsLeft)
    return Status(StatusCode::Timeout, "the kernel takes more steps than it was given");
  launch.stepsLeft -= steps;
  return Status::ok();
}

Status Program::run(Block &block) {
  if (depth == kMaxDepth)
    return Status(StatusCode::Unsupported,
                  "the reference evaluator does not follow regions nested deeper than " + std::to_string(kMaxDepth));
  ++depth;
  Status status;
  for (Operation &op : block)
    if (status = runOperation(&op); !status)
      break;
  --depth;
  return status;
}

Status Program::run(Region &region) {
  for (Block *block = &region.front(); block;) {
    next = nullptr;
    if (Status status = run(*block); !status)
      return status;
    block = std::exchange(next, nullptr);
    if (Status status = spend(1); !status)
      return status;
  }
  return Status::ok();
}

Status Program::call(tt::FuncOp function, const std::vector<ValueRef> &operands) {
  if (depth == kMaxDepth)
    return Status(StatusCode::Unsupported,
                  "the reference evaluator does not follow calls nested deeper than " + std::to_string(kMaxDepth));
  llvm::DenseMap<mlir::Value, ValueRef> callers = std::exchange(values, llvm::DenseMap<mlir::Value, ValueRef>());
  for (auto [parameter, operand] : llvm::zip(function.getArguments(), operands))
    set(parameter, operand);
  ++depth;
  Status status = run(function.getBody());
  --depth;
  values = std::move(callers);
  return status;
}

//===--- Perturbed launches ---------------------------------------------------------------------------------------===//

/// Between half of `size` and all of it, so that no perturbation is too small to be seen.
double Program::disturbance(double size) {
  if (!launch.isPerturbed())
    return 0;
  uint32_t bits = (*launch.noise)();
  double amount = size * launch.noiseScale * (0.5 + static_cast<double>(bits >> 1) * 0x1p-32);
  return bits & 1 ? amount : -amount;
}

double Program::round(double value, Type type, double ulps) {
  double rounded = roundTo(value, type);
  bool isExact = rounded == value && !type.isF64();
  return isExact ? rounded : approximate(rounded, type, ulps);
}

/// Whole units, so that the value changes: a fraction of a unit is one with that probability.
double Program::approximate(double value, Type type, double ulps) {
  double rounded = roundTo(value, type);
  if (!launch.isPerturbed() || rounded == 0 || !std::isfinite(rounded))
    return rounded;
  double amount = disturbance(ulps), whole = std::trunc(amount);
  bool isOneMore = (*launch.noise)() < std::fabs(amount - whole) * 0x1p32;
  whole += isOneMore ? std::copysign(1.0, amount) : 0;
  return roundTo(rounded + whole * ulpOf(rounded, type), type);
}

/// No operation says which NaN it gives.
void Program::disturbNaNs(Value &value) {
  for (double &number : value.floats)
    if (std::isnan(number))
      number = std::copysign(number, (*launch.noise)() & 1 ? 1.0 : -1.0);
}

//===--- Operations -----------------------------------------------------------------------------------------------===//

/// Types that Value can hold, of a size that a tile may have.
static bool isKnown(Type type) {
  if (isa<tt::TensorDescType>(type))
    return true;
  if (auto pointer = dyn_cast<tt::PointerType>(type))
    type = isa<RankedTensorType>(pointer.getPointeeType()) ? pointer.getPointeeType() : type;
  if (auto tensor = dyn_cast<RankedTensorType>(type)) {
    if (!tensor.hasStaticShape() || failed(tt::verifyTileShape(tensor.getShape(), [&] {
          return InFlightDiagnostic(); // silent: the Status says it
        })))
      return false;
    type = tensor.getElementType();
  }
  if (auto integer = dyn_cast<IntegerType>(type))
    return integer.isSignless() && integer.getWidth() <= 64;
  return isa<IndexType, tt::PointerType, Float8E4M3FNType, Float8E5M2Type, Float16Type, BFloat16Type, Float32Type,
             Float64Type>(type);
}

Status Program::runOperation(Operation *op) {
  uint64_t steps = 1;
  for (Type type : op->getResultTypes()) {
    if (!isKnown(type))
      return unsupported(op, " with a result of such a type");
    steps += elementCount(type);
  }
  if (Status status = spend(steps); !status)
    return status;
  auto function = operations().find(op->getName().getStringRef());
  if (function == operations().end())
    return unsupported(op, "");
  return function->second(op, *this);
}

} // namespace tawa::reference
