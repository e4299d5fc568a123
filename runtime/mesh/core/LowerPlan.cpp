#include "runtime/mesh/core/LowerPlan.h"

#include "runtime/mesh/core/LowerThreads.h"
#include "runtime/mesh/core/PlaceLoads.h"

#include <algorithm>

namespace tawa::mesh {
namespace {

int64_t tileBytes(const TileAccess &access, const TileProgram &program) {
  return access.elements() * elementBytes(program.tensors[access.tensor].type);
}

void addBuffer(CoreProgram &core, const TileAccess &access, const TileProgram &program, int64_t slots) {
  std::string name = program.tensors[access.tensor].name;
  auto isTaken = [&](const CircularBuffer &buffer) { return buffer.name == name; };
  while (std::ranges::any_of(core.buffers, isTaken))
    name += "_";
  core.buffers.push_back({name, tileBytes(access, program), slots});
}

/// Whether the step, or one inside of it, is `wanted`.
bool contains(const TileStep &step, const TileStep *wanted) {
  return &step == wanted ||
         std::ranges::any_of(step.body, [&](const TileStep &inner) { return contains(inner, wanted); });
}

int numberOf(const TileStep &step, const std::vector<TileProgram::Place> &places) {
  auto found = std::ranges::find(places, &step, &TileProgram::Place::step);
  return static_cast<int>(found - places.begin());
}

} // namespace

int ThreadInput::loadOf(const TileStep &step) const { return numberOf(step, program.loads()); }

int ThreadInput::storeOf(const TileStep &step) const { return numberOf(step, program.stores()); }

std::vector<int> ThreadInput::loadsAtWave(int depth) const {
  std::vector<int> numbers;
  for (int i = 0; i < static_cast<int>(loads.size()); ++i)
    if (depth < nest.waves() && loads[i].level == depth)
      numbers.push_back(i);
  return numbers;
}

std::vector<int> ThreadInput::loadsAt(const TileStep &step, int depth) const {
  std::vector<int> numbers;
  for (int i = 0; i < static_cast<int>(loads.size()); ++i)
    if (loads[i].level == nest.waves() + depth && contains(step, loads[i].place.step))
      numbers.push_back(i);
  return numbers;
}

void appendLoop(Operations &body, const NestLoop &loop, Operations inside) {
  if (inside.empty())
    return;
  if (loop.extent == 1 && !loop.trips)
    std::ranges::move(inside, std::back_inserter(body));
  else
    append(body, Loop{loop.variable, loop.extent, std::move(inside), loop.trips});
}

void appendWave(Operations &body, const PlanNest &nest, int depth, Operations inside) {
  if (std::optional<Turn> turn = nest.turn(depth); turn && !inside.empty())
    inside.insert(inside.begin(), {*turn});
  appendLoop(body, nest.wave(depth), std::move(inside));
}

void appendGuarded(Operations &body, const std::vector<Guard> &guards, Operations inside) {
  if (inside.empty())
    return;
  Operations *to = &body;
  if (auto *last = body.empty() ? nullptr : std::get_if<If>(&body.back().what); last && last->guards == guards)
    to = &last->body;
  if (guards.empty() || to != &body)
    std::ranges::move(inside, std::back_inserter(*to));
  else
    append(body, If{guards, std::move(inside)});
}

BufferStep bufferStep(BufferStep::Kind kind, int buffer, Affine tiles) { return {kind, buffer, std::move(tiles)}; }

Affine constant(int64_t value) {
  Affine affine;
  affine.constant = value;
  return affine;
}

const char *name(PlanFault fault) {
  static const char *const names[] = {"none", "counts", "split", "level", "tiles", "slots", "movement", "network"};
  return names[static_cast<int>(fault)];
}

Lowered lowerPlan(const Plan &plan, const TileProgram &program, const Machine &machine) {
  Lowered lowered;
  lowered.fault = checkShape(plan, program, machine, lowered.detail);
  if (!lowered.isOk())
    return lowered;
  PlanNest nest(plan, program, machine);
  std::vector<PlacedLoad> loads;
  lowered.fault = placeLoads(plan, program, machine, nest, loads, lowered.detail);
  if (!lowered.isOk())
    return lowered;
  limitLoads(nest, loads);
  nest.describe(lowered.program);
  for (const PlacedLoad &load : loads)
    addBuffer(lowered.program, load.place.step->access, program, load.slots * load.tiles);
  auto stores = program.stores();
  for (size_t i = 0; i < stores.size(); ++i)
    addBuffer(lowered.program, stores[i].step->access, program, plan.stores[i].slots);
  ThreadInput input{program, nest, loads, lowered.program};
  lowerReader(input);
  lowerCompute(input);
  lowerWriter(input);
  lowered.detail.clear();
  return lowered;
}

} // namespace tawa::mesh
