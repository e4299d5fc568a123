// evaluate(): binds the caller's arguments to the printed parameters, then runs the grid program by program.
#include "compiler/reference/Evaluator.h"

#include "compiler/analysis/LogicalArguments.h"
#include "compiler/reference/Numbers.h"
#include "compiler/reference/Program.h"

using namespace mlir;

namespace tawa::reference {

static Status badArgument(unsigned index, const std::string &why) {
  return Status(StatusCode::InvalidArgument, "argument " + std::to_string(index) + " " + why);
}

/// A parameter's value from the caller's argument it belongs to.
static Value bind(const ParameterRole &role, const ReferenceArgument &arg, Type type) {
  Value value;
  value.type = type;
  switch (role.part) {
  case ParameterRole::Part::Descriptor:
    value.descriptor = {{static_cast<int>(role.argument), 0}, arg.shape, arg.strides, false};
    break;
  case ParameterRole::Part::Shape:
    value.integers = {wrapTo(arg.shape[role.dimension], type)};
    break;
  case ParameterRole::Part::Stride:
    value.integers = {wrapTo(arg.strides[role.dimension], type)};
    break;
  case ParameterRole::Part::Pointer:
    value.pointers = {{static_cast<int>(role.argument), 0}};
    break;
  case ParameterRole::Part::Scalar:
    if (isa<FloatType>(type))
      value.floats = {roundTo(arg.real, type)};
    else
      value.integers = {wrapTo(arg.integer, type)};
    break;
  }
  return value;
}

static Status checkArguments(const LogicalSignature &signature, const std::vector<ReferenceArgument> &args) {
  if (signature.arguments.size() != args.size())
    return Status(StatusCode::InvalidArgument, "the kernel takes " + std::to_string(signature.arguments.size()) +
                                                   " arguments, not " + std::to_string(args.size()));
  for (size_t i = 0; i < args.size(); ++i) {
    const LogicalArgument &wanted = signature.arguments[i];
    if (wanted.kind != LogicalArgument::Kind::Tensor)
      continue;
    if (!args[i].data && args[i].bytes != 0)
      return badArgument(i, "is a tensor without memory");
    if (args[i].shape.size() != args[i].strides.size() || (wanted.rank != 0 && args[i].shape.size() != wanted.rank))
      return badArgument(i, "does not have the rank that the text says");
  }
  return Status::ok();
}

static Status runPrograms(tt::FuncOp kernel, const std::vector<Value> &parameters, Launch &launch) {
  uint32_t number = 0;
  for (uint32_t z = 0; z < launch.grid[2]; ++z)
    for (uint32_t y = 0; y < launch.grid[1]; ++y)
      for (uint32_t x = 0; x < launch.grid[0]; ++x) {
        Program program(launch, {x, y, z}, ++number);
        for (auto [argument, value] : llvm::zip(kernel.getArguments(), parameters))
          program.set(argument, value);
        if (Status status = program.run(kernel.getBody().front()); !status)
          return status;
      }
  return Status::ok();
}

Status evaluate(tt::FuncOp kernel, std::vector<ReferenceArgument> &args, std::array<uint32_t, 3> grid,
                uint64_t stepLimit) {
  if (kernel.isExternal() || !llvm::hasSingleElement(kernel.getBody()))
    return Status(StatusCode::Unsupported, "the reference evaluator runs kernels of one block");
  FailureOr<LogicalSignature> signature = readLogicalSignature(kernel);
  if (failed(signature))
    return Status(StatusCode::InvalidArgument, "a parameter of the kernel has a type that nobody can pass");
  if (Status status = checkArguments(*signature, args); !status)
    return status;
  std::vector<Value> parameters;
  for (auto [role, type] : llvm::zip(signature->parameters, kernel.getArgumentTypes()))
    parameters.push_back(bind(role, args[role.argument], type));
  Launch launch{args, grid, stepLimit, {}};
  for (const ReferenceArgument &arg : args)
    launch.touched.emplace_back(arg.bytes);
  return runPrograms(kernel, parameters, launch);
}

} // namespace tawa::reference
