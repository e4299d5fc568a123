#include "compiler/planner/EvaluatedTiles.h"

#include "runtime/mesh/simulator/TensorBlock.h"

#include <cstring>

namespace tawa {

namespace {

constexpr char kPoison = '\xff'; ///< Repeated, a NaN of every type of floats.
constexpr uint64_t kStepsPerProgram = uint64_t(1) << 30;

/// The access of a step with this number, among loads or stores.
const mesh::TileAccess *accessOf(const std::vector<mesh::TileProgram::Place> &places, int operation) {
  for (const mesh::TileProgram::Place &place : places)
    if (place.step->access.operation == operation)
      return &place.step->access;
  return nullptr;
}

std::vector<int64_t> startOf(const mesh::TileAccess &access, const mesh::ProgramRun &program,
                             const std::vector<int64_t> &loops) {
  std::vector<int64_t> indices = program.grid, start;
  indices.insert(indices.end(), loops.begin(), loops.end());
  for (const mesh::Affine &each : access.start)
    start.push_back(each.at(indices));
  return start;
}

} // namespace

Result<EvaluatedTiles> EvaluatedTiles::make(const AffineKernel &kernel,
                                            const std::vector<reference::ReferenceArgument> &arguments) {
  Result<reference::ReferenceKernel> evaluator = reference::ReferenceKernel::read(kernel.text, kernel.program.name);
  if (!evaluator)
    return evaluator.status();
  return EvaluatedTiles(kernel, arguments, std::move(*evaluator));
}

/// Of each argument. What is written keeps what it had where a mask may leave elements as they are.
std::vector<std::vector<char>> EvaluatedTiles::startingMemory() const {
  std::vector<std::vector<char>> memory;
  memory.reserve(arguments.size());
  for (const reference::ReferenceArgument &argument : arguments)
    memory.emplace_back(argument.bytes, kPoison);
  for (const mesh::TileProgram::Place &store : kernel.program.stores()) {
    if (!store.step->access.isMasked)
      continue;
    int argument = kernel.program.tensors[store.step->access.tensor].argument;
    std::memcpy(memory[argument].data(), arguments[argument].data, arguments[argument].bytes);
  }
  return memory;
}

/// Nothing for a tile outside of the grid, as a wrong plan may have one.
std::optional<uint32_t> EvaluatedTiles::numberOf(const std::vector<int64_t> &grid) const {
  size_t tile = 0;
  for (size_t dim = 0; dim < grid.size(); ++dim) {
    int64_t extent = kernel.program.indices[dim].extent;
    if (grid[dim] < 0 || grid[dim] >= extent)
      return std::nullopt;
    tile = tile * extent + grid[dim];
  }
  return kernel.programs[tile];
}

Status EvaluatedTiles::run(mesh::ProgramRun &program) {
  const mesh::TileProgram &tiles = kernel.program;
  std::vector<std::vector<char>> memory = startingMemory();
  const auto loads = tiles.loads(), stores = tiles.stores();
  for (const mesh::TileOfRun &load : program.loads) {
    const mesh::TileAccess &access = *accessOf(loads, load.operation);
    const mesh::Tensor &tensor = tiles.tensors[access.tensor];
    mesh::writeBlock(tensor, memory[tensor.argument], access.block, startOf(access, program, load.loops), load.bytes);
  }
  std::vector<reference::ReferenceArgument> own = arguments;
  for (size_t i = 0; i < own.size(); ++i)
    if (own[i].data)
      own[i].data = memory[i].data();
  if (std::optional<uint32_t> number = numberOf(program.grid))
    if (Status status = evaluator.runProgram(own, kernel.grid, *number, kStepsPerProgram); !status)
      return status;
  for (mesh::TileOfRun &store : program.stores) {
    const mesh::TileAccess &access = *accessOf(stores, store.operation);
    const mesh::Tensor &tensor = tiles.tensors[access.tensor];
    store.bytes.resize(access.elements() * elementBytes(tensor.type));
    mesh::readBlock(tensor, memory[tensor.argument], access.block, startOf(access, program, store.loops), store.bytes);
  }
  return Status::ok();
}

} // namespace tawa
