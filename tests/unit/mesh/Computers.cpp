#include "tests/unit/mesh/Computers.h"

#include "runtime/mesh/simulator/TensorBlock.h"

#include <cstring>
#include <random>

namespace tawa::mesh::examples {
namespace {

template <typename T> std::vector<T> elementsOf(const std::vector<char> &bytes) {
  std::vector<T> elements(bytes.size() / sizeof(T));
  std::memcpy(elements.data(), bytes.data(), elements.size() * sizeof(T));
  return elements;
}

template <typename T> std::vector<char> bytesOf(const std::vector<T> &elements) {
  std::vector<char> bytes(elements.size() * sizeof(T));
  std::memcpy(bytes.data(), elements.data(), bytes.size());
  return bytes;
}

void multiply(const std::vector<float> &a, const std::vector<float> &b, int64_t n, int64_t k, std::vector<float> &c) {
  for (size_t row = 0; row < c.size() / n; ++row)
    for (int64_t inner = 0; inner < k; ++inner)
      for (int64_t column = 0; column < n; ++column)
        c[row * n + column] += a[row * k + inner] * b[inner * n + column];
}

uint64_t mix(uint64_t hash, uint64_t value) {
  hash = (hash ^ value) * 0x9E3779B97F4A7C15u;
  return hash ^ (hash >> 29);
}

uint64_t mix(uint64_t hash, const std::vector<int64_t> &values) {
  for (int64_t value : values)
    hash = mix(hash, static_cast<uint64_t>(value));
  return hash;
}

/// Executes one program of the grid.
class DirectExecution {
public:
  DirectExecution(const TileProgram &program, SimulationData &data, std::vector<int64_t> indices)
      : program(program), data(data), indices(std::move(indices)) {}

  void run() {
    current.grid.assign(indices.begin(), indices.begin() + program.gridDims);
    list(program.body);
    (void)data.computer->run(current);
    for (size_t i = 0; i < places.size(); ++i)
      writeBlock(program.tensors[places[i].access->tensor], data.tensors[places[i].access->tensor],
                 places[i].access->block, places[i].start, current.stores[i].bytes);
  }

private:
  struct Place {
    const TileAccess *access;
    std::vector<int64_t> start;
  };

  void list(const std::vector<TileStep> &body) {
    for (const TileStep &step : body)
      if (step.kind == TileStep::Kind::Loop)
        loop(step);
      else if (step.kind == TileStep::Kind::Load)
        load(step.access);
      else if (step.kind == TileStep::Kind::Store)
        store(step.access);
  }
  void loop(const TileStep &step) {
    const Index &index = program.indices[step.index];
    int64_t length = index.trips ? index.trips->at(indices) : index.extent;
    for (int64_t &at = indices[step.index]; at < length; ++at)
      list(step.body);
    indices[step.index] = 0;
  }
  std::vector<int64_t> startOf(const TileAccess &access) const {
    std::vector<int64_t> start;
    start.reserve(access.start.size());
    for (const Affine &affine : access.start)
      start.push_back(affine.at(indices));
    return start;
  }
  std::vector<int64_t> loops() const { return {indices.begin() + program.gridDims, indices.end()}; }

  void load(const TileAccess &access) {
    std::vector<char> bytes(access.elements() * elementBytes(program.tensors[access.tensor].type));
    readBlock(program.tensors[access.tensor], data.tensors[access.tensor], access.block, startOf(access), bytes);
    current.loads.push_back({access.operation, loops(), std::move(bytes)});
  }
  void store(const TileAccess &access) {
    current.stores.push_back({access.operation, loops(), {}});
    places.push_back({&access, startOf(access)});
  }

  const TileProgram &program;
  SimulationData &data;
  std::vector<int64_t> indices;
  ProgramRun current;
  std::vector<Place> places;
};

} // namespace

Status GemmComputer::run(ProgramRun &run) {
  const TileOperator &dot = program.body[0].body[2].op;
  std::vector<float> sum(dot.m * dot.n);
  for (size_t i = 0; i + 1 < run.loads.size(); i += 2)
    multiply(elementsOf<float>(run.loads[i].bytes), elementsOf<float>(run.loads[i + 1].bytes), dot.n, dot.k, sum);
  for (TileOfRun &store : run.stores)
    store.bytes = bytesOf(sum);
  return Status::ok();
}

Status SumComputer::run(ProgramRun &run) {
  for (TileOfRun &store : run.stores) {
    std::vector<int32_t> sum;
    for (const TileOfRun &load : run.loads) {
      if (load.loops != store.loops)
        continue;
      std::vector<int32_t> elements = elementsOf<int32_t>(load.bytes);
      sum.resize(elements.size());
      for (size_t i = 0; i < elements.size(); ++i)
        sum[i] += elements[i];
    }
    store.bytes = bytesOf(sum);
  }
  return Status::ok();
}

Status HashComputer::run(ProgramRun &run) {
  uint64_t hash = mix(1, run.grid);
  for (const TileOfRun &load : run.loads) {
    hash = mix(mix(hash, load.operation), load.loops);
    for (char byte : load.bytes)
      hash = mix(hash, static_cast<unsigned char>(byte));
  }
  auto stores = program.stores();
  for (TileOfRun &store : run.stores) {
    std::vector<int32_t> elements(stores[store.operation].step->access.elements());
    for (size_t i = 0; i < elements.size(); ++i)
      elements[i] = static_cast<int32_t>(mix(mix(mix(hash, store.operation), store.loops), i) | 1);
    store.bytes = bytesOf(elements);
  }
  return Status::ok();
}

std::vector<std::vector<char>> randomTensors(const TileProgram &program, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::vector<char>> tensors;
  for (const Tensor &tensor : program.tensors) {
    std::vector<int32_t> numbers(storageBytes(tensor) / 4);
    for (int32_t &number : numbers)
      number = static_cast<int32_t>(random() % 17) - 8;
    if (tensor.type == ElementType::F32)
      tensors.push_back(bytesOf(std::vector<float>(numbers.begin(), numbers.end())));
    else
      tensors.push_back(bytesOf(numbers));
  }
  for (const TileProgram::Place &store : program.stores())
    tensors[store.step->access.tensor].assign(tensors[store.step->access.tensor].size(), 0);
  return tensors;
}

void executeDirectly(const TileProgram &program, SimulationData &data) {
  int64_t programs = 1;
  for (int dim = 0; dim < program.gridDims; ++dim)
    programs *= program.indices[dim].extent;
  for (int64_t number = 0; number < programs; ++number) {
    std::vector<int64_t> indices(program.indices.size());
    for (int64_t dim = program.gridDims, rest = number; dim-- > 0; rest /= program.indices[dim].extent)
      indices[dim] = rest % program.indices[dim].extent;
    DirectExecution(program, data, indices).run();
  }
}

} // namespace tawa::mesh::examples
