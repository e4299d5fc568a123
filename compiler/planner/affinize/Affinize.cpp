// affinize(): a kernel's steps with starts in coordinates of its grid.
#include "compiler/planner/affinize/Affinize.h"

#include "compiler/planner/affinize/Kernel.h"
#include "compiler/planner/affinize/MemoryOrder.h"
#include "compiler/planner/affinize/Refuse.h"
#include "compiler/planner/affinize/StepBuilder.h"

#include <algorithm>

using namespace mlir;

namespace tawa {

std::string_view textOf(AffinizeReason reason) {
  switch (reason) {
  case AffinizeReason::WhileLoop:
    return "a while loop has no known number of iterations";
  case AffinizeReason::Condition:
    return "a condition is known only when the kernel runs, or differs between programs or iterations";
  case AffinizeReason::Atomic:
    return "an atomic operation lets programs depend on each other";
  case AffinizeReason::SideEffect:
    return "an operation has effects that a tile program does not have";
  case AffinizeReason::AddressDependsOnData:
    return "the address depends on data that the kernel loads";
  case AffinizeReason::AddressNotAffine:
    return "the address is not affine in loop indices and positions in the tile";
  case AffinizeReason::RemainderWrapsInTile:
    return "a remainder in the address may wrap around inside of a tile; sizes that are multiples of the tile's avoid "
           "it";
  case AffinizeReason::NotABlock:
    return "the addresses are no block of the tensor: its strides are not those of the caller's tensor";
  case AffinizeReason::TensorNotFixed:
    return "address, shape or strides of the tensor are not those of one parameter in all programs";
  case AffinizeReason::MaskDependsOnData:
    return "the mask depends on data that the kernel loads";
  case AffinizeReason::ReadsWhatItWrites:
    return "the kernel also stores to this tensor, elements that are loaded afterwards or by another program: a tile "
           "that is kept or shared could be out of date; a tensor of its own for the result avoids it";
  case AffinizeReason::TripCountDependsOnData:
    return "the number of iterations depends on data that the kernel loads";
  case AffinizeReason::TripCountNotAffine:
    return "the number of iterations differs between programs and is not affine in coordinates of the grid, not even "
           "rounded down and limited";
  case AffinizeReason::TripCountDependsOnLoop:
    return "the number of iterations depends on another loop";
  case AffinizeReason::GridNotABox:
    return "the address is not affine in coordinates of any box that the programs of the grid form";
  case AffinizeReason::GridTooLarge:
    return "the grid has too many programs to evaluate its positions";
  }
  return "";
}

namespace {

bool isStore(Operation *op) { return isa<tt::StoreOp, tt::DescriptorStoreOp>(op); }

constexpr uint64_t kMostPrograms = uint64_t(1) << 20;

class Affinizer {
public:
  explicit Affinizer(const AffinizedKernel &kernel)
      : kernel(kernel), func(kernel.func()), addresses(func, /*mayRelyOnHints=*/false), values(kernel.grid()),
        linear(addresses, values), blocks(func, kernel.arguments(), addresses, linear), masks(addresses, linear),
        builder(func, blocks, linear, masks) {}

  FailureOr<AffineKernel> run();

private:
  LogicalResult checkMemoryOrder(const mesh::TileProgram &program);
  LogicalResult findShape();
  std::vector<CoordinateCandidate> collectCandidates();
  LogicalResult findLengths();
  void nameIndices(mesh::TileProgram &program) const;
  std::optional<mesh::Affine> inCoordinates(const Linear &linear) const;
  void placeAccesses(std::vector<mesh::TileStep> &body, size_t &next) const;
  std::optional<mesh::TileMask> inCoordinates(const LinearMask &mask) const;
  void placeMasks(mesh::TileProgram &program) const;

  const AffinizedKernel &kernel;
  tt::FuncOp func;
  raise::Affine addresses;
  ProgramScalars values;
  LinearReader linear;
  BlockReader blocks;
  MaskReader masks;
  StepBuilder builder;
  std::optional<GridShape> shape;
  std::vector<std::optional<mesh::TripCount>> lengths; ///< Of each loop; nothing where it is always the longest.
};

/// Different parameters are different memory.
LogicalResult Affinizer::checkMemoryOrder(const mesh::TileProgram &program) {
  const mesh::TileAccess *late = findLateLoad(program);
  if (!late)
    return success();
  int loads = 0;
  auto isLate = [&](const BuiltAccess &access) { return !isStore(access.op) && loads++ == late->operation; };
  return refuse(llvm::find_if(builder.accesses, isLate)->op, AffinizeReason::ReadsWhatItWrites);
}

/// The integers that the kernel computes from the place in the grid, in the order of the text, then the starts of
/// accesses.
std::vector<CoordinateCandidate> Affinizer::collectCandidates() {
  std::vector<CoordinateCandidate> candidates;
  func.walk([&](Operation *op) {
    for (Value result : op->getResults())
      if (result.getType().isInteger(32) || result.getType().isInteger(64))
        if (const ProgramFunction *function = values.of(result))
          candidates.push_back({kernel.nameOf(op), *function});
  });
  for (const BuiltAccess &access : builder.accesses)
    for (const Linear &start : access.block.start)
      candidates.push_back({"", start.programs});
  return candidates;
}

LogicalResult Affinizer::findShape() {
  std::vector<CoordinateCandidate> candidates = collectCandidates();
  std::vector<ProgramFunction> needed;
  for (const BuiltAccess &access : builder.accesses)
    for (const Linear &start : access.block.start)
      if (std::ranges::find(needed, start.programs) == needed.end())
        needed.push_back(start.programs);
  shape = GridShape::find(candidates, needed);
  if (shape)
    return success();
  // Which access is the first that no box of the accesses up to it has?
  needed.clear();
  for (const BuiltAccess &access : builder.accesses) {
    for (const Linear &start : access.block.start)
      needed.push_back(start.programs);
    if (!GridShape::find(candidates, needed))
      return refuse(access.op, AffinizeReason::GridNotABox);
  }
  return refuse(func, AffinizeReason::GridNotABox);
}

/// The lengths of loops that differ between programs, in coordinates of the grid.
LogicalResult Affinizer::findLengths() {
  for (const CountedLoop &loop : builder.loops) {
    std::optional<mesh::TripCount> &length = lengths.emplace_back();
    if (loop.distances.empty())
      continue;
    length = shape->tripCount(loop.distances, loop.step);
    if (!length)
      return refuse(loop.op, AffinizeReason::TripCountNotAffine);
  }
  return success();
}

static std::string unique(const std::string &name, const std::vector<mesh::Index> &taken) {
  auto isTaken = [&](const std::string &wanted) {
    return std::ranges::find(taken, wanted, &mesh::Index::name) != taken.end();
  };
  std::string result = name;
  for (int number = 1; isTaken(result); ++number)
    result = name + "_" + std::to_string(number);
  return result;
}

void Affinizer::nameIndices(mesh::TileProgram &program) const {
  auto add = [&](const std::string &name, const char *otherwise, int64_t extent) {
    program.indices.push_back({unique(name.empty() ? otherwise : name, program.indices), extent});
  };
  for (const mesh::Index &dim : shape->dims())
    add(dim.name, "tile", dim.extent);
  for (const CountedLoop &loop : builder.loops)
    add(kernel.nameOf(loop.op), "loop", loop.extent);
  for (size_t i = 0; i < lengths.size(); ++i)
    program.indices[shape->dims().size() + i].trips = lengths[i];
}

std::optional<mesh::Affine> Affinizer::inCoordinates(const Linear &linear) const {
  size_t dims = shape->dims().size();
  std::optional<mesh::Affine> affine = shape->affine(linear.programs);
  if (!affine)
    return std::nullopt;
  affine->coefficients.resize(dims + builder.loops.size());
  for (auto [loop, coefficient] : linear.loops)
    affine->coefficients[dims + loop] = coefficient;
  return affine;
}

/// Numbers loops after the dimensions of the grid, and gives accesses their starts.
void Affinizer::placeAccesses(std::vector<mesh::TileStep> &body, size_t &next) const {
  size_t dims = shape->dims().size();
  for (mesh::TileStep &step : body) {
    if (step.kind == mesh::TileStep::Kind::Loop) {
      step.index += static_cast<int>(dims);
      placeAccesses(step.body, next);
    }
    if (step.kind != mesh::TileStep::Kind::Load && step.kind != mesh::TileStep::Kind::Store)
      continue;
    for (const Linear &start : builder.accesses[next++].block.start)
      step.access.start.push_back(*inCoordinates(start));
  }
}

std::optional<mesh::TileMask> Affinizer::inCoordinates(const LinearMask &mask) const {
  mesh::TileMask placed;
  for (const LinearMask::Sum &sum : mask.negative) {
    std::optional<mesh::Affine> start = inCoordinates(sum.start);
    if (!start)
      return std::nullopt;
    placed.negative.push_back({sum.steps, std::move(*start)});
  }
  return placed;
}

/// What is not affine in the coordinates that the accesses have is no operand that is known exactly.
static void forgetMask(std::vector<mesh::TileStep> &body, int mask) {
  for (mesh::TileStep &step : body) {
    forgetMask(step.body, mask);
    for (mesh::TileOperand &operand : step.op.reads)
      if (operand.kind == mesh::TileOperand::Kind::Mask && operand.step == mask)
        operand = {};
  }
}

void Affinizer::placeMasks(mesh::TileProgram &program) const {
  for (const LinearMask &mask : builder.masks) {
    std::optional<mesh::TileMask> placed = inCoordinates(mask);
    if (!placed)
      forgetMask(program.body, static_cast<int>(program.masks.size()));
    program.masks.push_back(placed.value_or(mesh::TileMask()));
  }
}

FailureOr<AffineKernel> Affinizer::run() {
  AffineKernel result;
  result.grid = kernel.grid();
  result.text = kernel.print(); // before operations are added to it that say where blocks begin
  if (uint64_t(result.grid[0]) * result.grid[1] * result.grid[2] > kMostPrograms)
    return refuse(func, AffinizeReason::GridTooLarge);
  if (failed(builder.build()) || failed(findShape()) || failed(findLengths()))
    return failure();
  mesh::TileProgram &program = result.program;
  program.name = func.getName().str();
  program.gridDims = static_cast<int>(shape->dims().size());
  nameIndices(program);
  program.tensors = blocks.takeTensors();
  for (BlockArgument scalar : builder.scalars)
    program.scalars.push_back(kernel.nameOf(scalar));
  program.body = std::move(builder.steps);
  size_t next = 0;
  placeAccesses(program.body, next);
  placeMasks(program);
  if (failed(checkMemoryOrder(program)))
    return failure();
  program.carriedBytes = builder.carriedBytes;
  result.programs = shape->programs();
  return result;
}

} // namespace

Result<AffineKernel> affinize(const AffinizeInput &input) {
  AffinizedKernel kernel(input);
  if (Status status = kernel.prepare(); !status)
    return status;
  FailureOr<AffineKernel> result = Affinizer(kernel).run();
  if (failed(result))
    return kernel.failure(StatusCode::Unsupported, "the kernel is no tile program");
  return std::move(*result);
}

} // namespace tawa
