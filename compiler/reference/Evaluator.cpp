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
    value.descriptor = {{static_cast<int>(role.argument), 0}, arg.shape, arg.strides, {}, false};
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
  case ParameterRole::Part::Grid: // no text has one of these
  case ParameterRole::Part::Programs:
  case ParameterRole::Part::Scratch:
  case ParameterRole::Part::Workspace:
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

/// The place in the grid of the program with this number, x fastest.
static std::array<uint32_t, 3> placeOf(uint64_t number, std::array<uint32_t, 3> grid) {
  return {static_cast<uint32_t>(number % grid[0]), static_cast<uint32_t>(number / grid[0] % grid[1]),
          static_cast<uint32_t>(number / grid[0] / grid[1])};
}

static Status runPrograms(tt::FuncOp kernel, const std::vector<ValueRef> &parameters, Launch &launch, bool reversed) {
  uint64_t count = uint64_t(launch.grid[0]) * launch.grid[1] * launch.grid[2];
  for (uint64_t i = 0; i < count; ++i) {
    uint64_t number = reversed ? count - 1 - i : i;
    Program program(launch, placeOf(number, launch.grid), static_cast<uint32_t>(number + 1));
    if (Status status = program.call(kernel, parameters); !status)
      return status;
  }
  return Status::ok();
}

/// Atomics may order other accesses of programs to the same bytes, which only execution shows.
static bool mayOrderPrograms(tt::FuncOp kernel) {
  Operation *module = kernel->getParentOp() ? kernel->getParentOp() : kernel.getOperation();
  return module
      ->walk([](Operation *op) {
        bool isAtomic = isa<tt::AtomicRMWOp, tt::AtomicCASOp, tt::DescriptorReduceOp>(op);
        return isAtomic ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

static Result<std::vector<ValueRef>> bindParameters(tt::FuncOp kernel, const std::vector<ReferenceArgument> &args) {
  if (kernel.isExternal())
    return Status(StatusCode::Unsupported, "the reference evaluator runs kernels that have a body");
  FailureOr<LogicalSignature> signature = readLogicalSignature(kernel);
  if (failed(signature))
    return Status(StatusCode::InvalidArgument, "a parameter of the kernel has a type that cannot be passed");
  if (Status status = checkArguments(*signature, args); !status)
    return status;
  std::vector<ValueRef> parameters;
  for (auto [role, type] : llvm::zip(signature->parameters, kernel.getArgumentTypes()))
    parameters.push_back(std::make_shared<const Value>(bind(role, args[role.argument], type)));
  return parameters;
}

/// Without a record of which program touched which byte.
static Launch makeLaunch(std::vector<ReferenceArgument> &args, std::array<uint32_t, 3> grid, uint64_t stepLimit,
                         Perturbation perturbation) {
  Launch launch{args, grid, stepLimit, {}, std::nullopt, perturbation.scale};
  launch.touched.resize(args.size());
  for (ReferenceArgument &arg : args)
    arg.address = arg.address ? arg.address : reinterpret_cast<uint64_t>(arg.data);
  if (perturbation.seed != 0)
    launch.noise.emplace(perturbation.seed);
  return launch;
}

Status evaluate(tt::FuncOp kernel, std::vector<ReferenceArgument> &args, std::array<uint32_t, 3> grid,
                uint64_t stepLimit, Perturbation perturbation) {
  Result<std::vector<ValueRef>> parameters = bindParameters(kernel, args);
  if (!parameters)
    return parameters.status();
  Launch launch = makeLaunch(args, grid, stepLimit, perturbation);
  if (!mayOrderPrograms(kernel))
    for (auto [index, arg] : llvm::enumerate(args))
      launch.touched[index].resize(arg.bytes);
  return runPrograms(kernel, *parameters, launch, perturbation.seed % 2 == 1);
}

Status evaluateProgram(tt::FuncOp kernel, std::vector<ReferenceArgument> &args, std::array<uint32_t, 3> grid,
                       uint32_t number, uint64_t stepLimit) {
  Result<std::vector<ValueRef>> parameters = bindParameters(kernel, args);
  if (!parameters)
    return parameters.status();
  if (number >= uint64_t(grid[0]) * grid[1] * grid[2])
    return Status(StatusCode::InvalidArgument, "the grid has no program " + std::to_string(number));
  Launch launch = makeLaunch(args, grid, stepLimit, {});
  return Program(launch, placeOf(number, grid), number + 1).call(kernel, *parameters);
}

} // namespace tawa::reference
