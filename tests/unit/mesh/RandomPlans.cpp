#include "tests/unit/mesh/RandomPlans.h"

#include <algorithm>

namespace tawa::mesh::examples {
namespace {

/// Whether the address changes with the coordinate along a spatial dimension.
bool dependsOnSpatial(const TileAccess &access, const Plan &plan, int dim) {
  for (size_t grid = 0; grid < plan.splits.size(); ++grid)
    if (std::ranges::find(plan.splits[grid].spatial, dim) != plan.splits[grid].spatial.end())
      return std::ranges::any_of(access.start, [&](const Affine &start) { return start.dependsOn(grid); });
  return false;
}

void collect(std::vector<Operation> &body, std::vector<std::pair<std::vector<Operation> *, size_t>> &all) {
  for (size_t i = 0; i < body.size(); ++i) {
    all.push_back({&body, i});
    if (auto *loop = std::get_if<Loop>(&body[i].what))
      collect(loop->body, all);
    else if (auto *branch = std::get_if<If>(&body[i].what))
      collect(branch->body, all);
  }
}

} // namespace

/// A ring or a line along dimension `dim` of the cores, in either direction.
Network RandomPlans::network(const Machine &machine, int dim) {
  Network network;
  network.name = "net" + std::to_string(machine.networks.size());
  int64_t step = chance(70) ? 1 : -1, size = machine.dims[dim].size;
  bool wraps = chance(75);
  for (int i = 0; i < static_cast<int>(machine.coreDims.size()); ++i) {
    Coordinate next;
    next.affine.coefficients.resize(i + 1);
    next.affine.coefficients[i] = 1;
    if (i == dim)
      next.affine.constant = step, next.modulus = wraps ? size : 0;
    network.map.push_back(next);
  }
  network.bandwidth = static_cast<double>(8 + upTo(56));
  network.hopLatency = static_cast<double>(upTo(12));
  network.multicasts = chance(80);
  return network;
}

Machine RandomPlans::machine() {
  Machine machine;
  machine.name = "random";
  int dims = 1 + static_cast<int>(upTo(3));
  for (int dim = 0; dim < dims; ++dim) {
    machine.dims.push_back({"x" + std::to_string(dim), 1 + upTo(dims == 3 ? 3 : 4)});
    machine.coreDims.push_back(dim);
  }
  for (int dim = 0; dim < dims; ++dim)
    for (int64_t count = 1 + upTo(2); count-- > 0;)
      machine.networks.push_back(network(machine, dim));
  int64_t channels = 1 + upTo(3);
  machine.dims.push_back({"channel", channels});
  machine.memories = {{"l1", machine.coreDims, chance(85) ? 1 << 20 : 64 + upTo(800), 64, 4},
                      {"dram", {dims}, int64_t(1) << 30, static_cast<double>(4 + upTo(30)), 100}};
  Mux mux;
  mux.name = "port";
  mux.to = {1};
  Coordinate channel;
  channel.affine.coefficients.assign(dims, 1);
  channel.modulus = channels;
  mux.map = {channel};
  mux.bandwidth = 32;
  if (chance(80))
    machine.muxes.push_back(mux);
  machine.matrix = MatrixUnit{8, 8, 8, 0.5, 1};
  machine.vector = VectorUnit{8, 1, 1};
  machine.launchCycles = 100;
  machine.messageCycles = static_cast<double>(upTo(30));
  machine.semaphoreCycles = static_cast<double>(upTo(20));
  return machine;
}

TileStep RandomPlans::load(TileProgram &program, const std::vector<int> &loops) {
  TileStep step;
  step.kind = TileStep::Kind::Load;
  Tensor tensor{"t" + std::to_string(program.tensors.size()), {}, {}, ElementType::I32};
  step.access.tensor = static_cast<int>(program.tensors.size());
  step.access.operation = static_cast<int>(program.loads().size()); // renumbered when all are there
  std::vector<int> indices = loops;
  for (int grid = 0; grid < program.gridDims; ++grid)
    indices.push_back(grid);
  for (int dim = 0; dim < 2; ++dim) {
    step.access.block.push_back(1 + upTo(4));
    Affine start;
    start.coefficients.resize(program.indices.size());
    int64_t last = 0;
    for (int index : indices)
      if (chance(30))
        start.coefficients[index] = step.access.block[dim],
        last += step.access.block[dim] * program.indices[index].extent;
    step.access.start.push_back(start);
    tensor.shape.push_back(std::max<int64_t>(1, last + step.access.block[dim] - upTo(3)));
  }
  tensor.strides = {tensor.shape[1] + upTo(2), 1};
  program.tensors.push_back(tensor);
  return step;
}

/// Stores to a place of its own for all indices around it.
TileStep RandomPlans::store(TileProgram &program, const std::vector<int> &loops) {
  TileStep step;
  step.kind = TileStep::Kind::Store;
  step.access.tensor = static_cast<int>(program.tensors.size());
  step.access.block = {1 + upTo(6)};
  Affine start;
  start.coefficients.resize(program.indices.size());
  int64_t size = step.access.block[0];
  auto add = [&](int index) {
    start.coefficients[index] = size;
    size *= program.indices[index].extent;
  };
  std::ranges::for_each(loops, add);
  for (int grid = 0; grid < program.gridDims; ++grid)
    add(grid);
  step.access.start = {start};
  program.tensors.push_back(
      {"t" + std::to_string(program.tensors.size()), {std::max<int64_t>(1, size - upTo(2))}, {1}, ElementType::I32});
  return step;
}

/// Of a loop whose length differs between programs; some have none, or always the most.
TripCount RandomPlans::trips(const TileProgram &program, int64_t most) {
  TripCount trips;
  for (int grid = 0; grid < program.gridDims; ++grid)
    trips.affine.coefficients.push_back(chance(60) ? upTo(5) - 2 : 0);
  trips.affine.constant = upTo(6) - 1;
  trips.divisor = 1 + upTo(3);
  trips.most = most;
  return trips;
}

std::vector<TileStep> RandomPlans::body(TileProgram &program, const std::vector<int> &loops, int depth) {
  std::vector<TileStep> steps;
  for (int64_t count = 1 + upTo(4); count-- > 0;) {
    int64_t kind = upTo(10);
    if (kind < 5) {
      steps.push_back(load(program, loops));
    } else if (kind < 7) {
      TileStep step;
      step.op = {"op", chance(50) ? Unit::Matrix : Unit::Vector, 8, 8, 8, 64, {}};
      for (int operand = 0; operand < static_cast<int>(steps.size()); ++operand)
        if (steps[operand].kind != TileStep::Kind::Store && chance(50))
          step.op.operands.push_back(operand);
      steps.push_back(step);
    } else if (kind < 8) {
      steps.push_back(store(program, loops));
    } else if (depth < 2) {
      TileStep step;
      step.kind = TileStep::Kind::Loop;
      step.index = static_cast<int>(program.indices.size());
      program.indices.push_back({"k" + std::to_string(step.index), 1 + upTo(4)});
      if (chance(40))
        program.indices.back().trips = trips(program, program.indices.back().extent);
      std::vector<int> inner = loops;
      inner.push_back(step.index);
      step.body = body(program, inner, depth + 1);
      steps.push_back(std::move(step));
    }
  }
  return steps;
}

namespace {

void number(std::vector<TileStep> &body, int &loads, int &stores) {
  for (TileStep &step : body) {
    if (step.kind == TileStep::Kind::Load)
      step.access.operation = loads++;
    else if (step.kind == TileStep::Kind::Store)
      step.access.operation = stores++;
    number(step.body, loads, stores);
  }
}

} // namespace

TileProgram RandomPlans::program() {
  TileProgram program;
  program.name = "random";
  program.gridDims = 1 + static_cast<int>(upTo(3));
  for (int grid = 0; grid < program.gridDims; ++grid)
    program.indices.push_back({"g" + std::to_string(grid), 1 + upTo(program.gridDims == 3 ? 4 : 7)});
  program.body = body(program, {}, 0);
  program.body.insert(program.body.begin(), load(program, {}));
  for (TileStep &step : program.body)
    for (int &operand : step.op.operands)
      ++operand;
  program.body.push_back(store(program, {}));
  int loads = 0, stores = 0;
  number(program.body, loads, stores);
  program.carriedBytes = upTo(64);
  return program;
}

LoadPlan RandomPlans::loadPlan(const Plan &plan, const TileProgram &program, const TileProgram::Place &place,
                               const Machine &machine, bool &isLegal) {
  LoadPlan load;
  const TileAccess &access = place.step->access;
  std::vector<int> dims;
  for (int dim : machine.coreDims)
    if (!dependsOnSpatial(access, plan, dim) || chance(4))
      dims.push_back(dim);
  std::ranges::shuffle(dims, random);
  load.movement = static_cast<Movement>(upTo(4));
  size_t needed = load.movement == Movement::PerCore ? 0 : load.movement == Movement::Broadcast ? 1 : 2;
  if (dims.size() < needed)
    load.movement = Movement::PerCore, needed = 0;
  for (size_t i = 0; i < needed; ++i) {
    load.along.push_back(dims[i]);
    isLegal = isLegal && !dependsOnSpatial(access, plan, dims[i]);
    std::vector<int> fitting;
    for (int network = 0; network < static_cast<int>(machine.networks.size()); ++network)
      if (machine.networks[network].map[dims[i]].affine.constant != 0)
        fitting.push_back(network);
    load.networks.push_back(fitting[upTo(static_cast<int64_t>(fitting.size()))]);
  }
  int waves = static_cast<int>(plan.waves.size()), loops = static_cast<int>(place.loops.size());
  load.level = static_cast<int>(upTo(waves + loops + 1));
  for (int level = load.level; level < waves + loops; ++level) {
    int index = level < waves ? plan.waves[level] : place.loops[level - waves];
    int64_t extent = level < waves ? plan.waveExtent(index, program, machine) : program.indices[index].extent;
    bool depends = std::ranges::any_of(access.start, [&](const Affine &start) { return start.dependsOn(index); });
    if (depends && extent > 1 && chance(3))
      isLegal = false; // says reuse where there is none
    else if (depends)
      load.tiles *= extent;
  }
  load.slots = 1 + static_cast<int>(upTo(3));
  return load;
}

Plan RandomPlans::plan(const TileProgram &program, const Machine &machine, bool &isLegal) {
  Plan plan;
  isLegal = true;
  plan.splits.resize(program.gridDims);
  std::vector<int> dims = machine.coreDims;
  std::ranges::shuffle(dims, random);
  for (int dim : dims)
    if (chance(85))
      plan.splits[upTo(program.gridDims)].spatial.push_back(dim);
  for (int grid = 0; grid < program.gridDims; ++grid) {
    int64_t cores = 1;
    for (int dim : plan.splits[grid].spatial)
      cores *= machine.dims[dim].size;
    plan.splits[grid].turns = chance(program.indices[grid].extent % cores == 0 ? 40 : 2);
    isLegal = isLegal && (!plan.splits[grid].turns || program.indices[grid].extent % cores == 0);
    plan.waves.push_back(grid);
  }
  std::ranges::shuffle(plan.waves, random);
  for (const TileProgram::Place &place : program.loads())
    plan.loads.push_back(loadPlan(plan, program, place, machine, isLegal));
  for (size_t store = 0; store < program.stores().size(); ++store)
    plan.stores.push_back({1 + static_cast<int>(upTo(2)), 0});
  return plan;
}

/// Changes a number of the operation; false where it has none.
bool RandomPlans::damage(Operation &operation) {
  int64_t step = chance(50) ? 1 : -1;
  if (auto *loop = std::get_if<Loop>(&operation.what))
    loop->extent += step;
  else if (auto *branch = std::get_if<If>(&operation.what)) {
    Guard &guard = branch->guards[upTo(static_cast<int64_t>(branch->guards.size()))];
    if (chance(50))
      guard.outside = !guard.outside;
    else
      guard.extent += step;
  } else if (auto *buffer = std::get_if<BufferStep>(&operation.what))
    buffer->tiles.constant = std::max<int64_t>(0, buffer->tiles.constant + step);
  else if (auto *wait = std::get_if<SemaphoreWait>(&operation.what))
    wait->count = std::max<int64_t>(0, wait->count + step);
  else
    return false;
  return true;
}

std::string RandomPlans::damage(CoreProgram &program) {
  if (chance(15)) {
    CircularBuffer &buffer = program.buffers[upTo(static_cast<int64_t>(program.buffers.size()))];
    --buffer.slots;
    return "one slot less of " + buffer.name;
  }
  std::vector<std::pair<std::vector<Operation> *, size_t>> all;
  for (std::vector<Operation> &thread : program.threads)
    collect(thread, all);
  auto [body, at] = all[upTo(static_cast<int64_t>(all.size()))];
  std::string before = str((*body)[at], program);
  if (chance(50) && damage((*body)[at]))
    return before + " -> " + str((*body)[at], program);
  body->erase(body->begin() + static_cast<int64_t>(at));
  return "without " + before;
}

} // namespace tawa::mesh::examples
