// Prints integer arithmetic on parameters as an expression of the launch.
#include "compiler/analysis/LaunchExpression.h"

#include "compiler/analysis/LogicalArguments.h"
#include "compiler/roles/Tawa/Tawa.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tawa {

static constexpr size_t kLongestExpression = 256; // it is read again at every launch with new arguments

/// The role of a parameter of the kernel; nothing for any other value.
static std::optional<ParameterRole> roleOf(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  auto func = argument ? dyn_cast<tt::FuncOp>(argument.getOwner()->getParentOp()) : nullptr;
  if (!func)
    return std::nullopt;
  return parameterRole(func, argument.getArgNumber());
}

static std::optional<std::string> parameterName(Value value) {
  auto role = roleOf(value);
  if (!role || !value.getType().isSignlessInteger())
    return std::nullopt;
  std::string name = "a" + std::to_string(role->argument);
  switch (role->part) {
  case ParameterRole::Part::Scalar:
    return name;
  case ParameterRole::Part::Shape:
    return name + "_shape" + std::to_string(role->dimension);
  case ParameterRole::Part::Stride:
    return name + "_stride" + std::to_string(role->dimension);
  case ParameterRole::Part::Descriptor:
  case ParameterRole::Part::Pointer:
  case ParameterRole::Part::Grid:
  case ParameterRole::Part::Programs:
  case ParameterRole::Part::Scratch:
  case ParameterRole::Part::Workspace:
    break;
  }
  return std::nullopt;
}

/// An expression of two operands: `infix` between them, or a call where it is a name.
static std::optional<std::string> binary(Operation *op, StringRef symbol) {
  auto left = launchExpression(op->getOperand(0));
  if (!left) // an expression that is too long ends the whole search, which may otherwise visit 2^n paths
    return std::nullopt;
  auto right = launchExpression(op->getOperand(1));
  if (!right || left->size() + right->size() > kLongestExpression)
    return std::nullopt;
  if (symbol.size() == 1)
    return "(" + *left + " " + symbol.str() + " " + *right + ")";
  return symbol.str() + "(" + *left + ", " + *right + ")";
}

std::optional<std::string> launchExpression(Value value) {
  APInt number;
  if (matchPattern(value, m_ConstantInt(&number)) && number.getBitWidth() <= 64 && !number.isMinSignedValue())
    return number.isNegative() ? "(0 - " + std::to_string(-number.getSExtValue()) + ")"
                               : std::to_string(number.getSExtValue());
  Operation *op = value.getDefiningOp();
  if (!op)
    return parameterName(value);
  if (isa<arith::ExtSIOp>(op))
    return launchExpression(op->getOperand(0));
  if (isa<arith::AddIOp>(op))
    return binary(op, "+");
  if (isa<arith::SubIOp>(op))
    return binary(op, "-");
  if (isa<arith::MulIOp>(op))
    return binary(op, "*");
  if (isa<arith::DivSIOp>(op))
    return binary(op, "/");
  if (isa<arith::RemSIOp>(op))
    return binary(op, "%");
  if (isa<arith::MinSIOp>(op))
    return binary(op, "min");
  if (isa<arith::MaxSIOp>(op))
    return binary(op, "max");
  return std::nullopt;
}

/// A pointer as a parameter plus an offset.
static std::optional<std::pair<unsigned, std::string>> launchPointer(Value pointer) {
  if (auto role = roleOf(pointer))
    return role->part == ParameterRole::Part::Pointer ? std::optional(std::pair(role->argument, std::string()))
                                                      : std::nullopt;
  auto add = pointer.getDefiningOp<tt::AddPtrOp>();
  auto base = add ? launchPointer(add.getPtr()) : std::nullopt;
  auto offset = base ? launchExpression(add.getOffset()) : std::nullopt;
  if (!offset)
    return std::nullopt;
  if (!base->second.empty())
    offset = "(" + base->second + " + " + *offset + ")";
  if (offset->size() > kLongestExpression)
    return std::nullopt;
  return std::pair(base->first, *offset);
}

std::optional<LaunchDescriptor> launchDescriptor(tt::MakeTensorDescOp make) {
  auto base = launchPointer(make.getBase());
  if (!base)
    return std::nullopt;
  LaunchDescriptor descriptor;
  descriptor.argument = base->first;
  descriptor.offset = base->second;
  descriptor.padsWithNaN = make.getPadding() == tt::PaddingOption::NaN;
  for (auto [operands, list] :
       {std::pair(make.getShape(), &descriptor.shape), std::pair(make.getStrides(), &descriptor.strides)})
    for (Value operand : operands) {
      auto expression = launchExpression(operand);
      if (!expression)
        return std::nullopt;
      list->push_back(*expression);
    }
  descriptor.strides.back() = "1"; // by definition of the operation
  return descriptor;
}

bool hasTensorMap(Value descriptor) {
  return isKnownAtLaunch(descriptor) || descriptor.getDefiningOp<tt::MakeTensorDescOp>() ||
         descriptor.getDefiningOp<ws::MakeDescriptorOp>();
}

bool isKnownAtLaunch(Value descriptor) {
  if (auto argument = dyn_cast<BlockArgument>(descriptor))
    return isa<tt::FuncOp>(argument.getOwner()->getParentOp());
  auto make = descriptor.getDefiningOp<tt::MakeTensorDescOp>();
  // A conditional one may describe a tensor that does not exist.
  return make && !make->getParentOfType<scf::IfOp>() && !make->getParentOfType<scf::WhileOp>() &&
         launchDescriptor(make).has_value();
}

} // namespace tawa
