#include "runtime/mesh/core/PlanNest.h"

#include <algorithm>

namespace tawa::mesh {
namespace {

void add(Affine &sum, const Affine &term, int64_t factor) {
  if (sum.coefficients.size() < term.coefficients.size())
    sum.coefficients.resize(term.coefficients.size());
  for (size_t i = 0; i < term.coefficients.size(); ++i)
    sum.coefficients[i] += factor * term.coefficients[i];
  sum.constant += factor * term.constant;
}

Affine variable(int number) {
  Affine affine;
  affine.coefficients.resize(number + 1);
  affine.coefficients[number] = 1;
  return affine;
}

void addName(std::vector<std::string> &names, std::string name) {
  while (std::ranges::find(names, name) != names.end())
    name += "_";
  names.push_back(std::move(name));
}

} // namespace

PlanNest::PlanNest(const Plan &plan, const TileProgram &program, const Machine &machine)
    : plan(plan), program(program), machine(machine), array(machine), indices(program.indices.size()) {
  for (int grid = 0; grid < program.gridDims; ++grid)
    for (int dim : plan.splits[grid].spatial) {
      for (int64_t &coefficient : indices[grid].coefficients)
        coefficient *= machine.dims[dim].size;
      add(indices[grid], variable(array.coordinateOf(dim)), 1);
    }
  for (int grid : plan.waves)
    addWave(grid);
  for (int grid : plan.waves)
    addTurn(grid);
  for (int loop = program.gridDims; loop < static_cast<int>(indices.size()); ++loop)
    if (program.indices[loop].extent > 1)
      indices[loop] = variable(bodyLoop(loop).variable);
  addGuards();
}

void PlanNest::addWave(int grid) {
  int number = static_cast<int>(array.extents().size() + waveLoops.size());
  waveLoops.push_back({number, plan.waveExtent(grid, program, machine)});
  int64_t cores = 1;
  for (int dim : plan.splits[grid].spatial)
    cores *= machine.dims[dim].size;
  if (waveLoops.back().extent > 1)
    add(indices[grid], variable(number), cores);
}

/// What the index takes from the coordinates becomes a variable of its own.
void PlanNest::addTurn(int grid) {
  auto depth = std::ranges::find(plan.waves, grid) - plan.waves.begin();
  int64_t cores = 1;
  for (int dim : plan.splits[grid].spatial)
    cores *= machine.dims[dim].size;
  if (!plan.splits[grid].turns || waveLoops[depth].extent == 1 || cores == 1)
    return;
  auto coordinates = static_cast<int>(array.extents().size());
  Turn turn{static_cast<int>(coordinates + waveLoops.size() + turns.size()), indices[grid], cores - 1,
            waveLoops[depth].variable};
  turn.value.coefficients.resize(coordinates);
  indices[grid] = variable(turn.variable);
  add(indices[grid], variable(turn.wave), cores);
  turns.push_back(std::move(turn));
}

std::optional<Turn> PlanNest::turn(int depth) const {
  auto found = std::ranges::find(turns, waveLoops[depth].variable, &Turn::wave);
  return found == turns.end() ? std::nullopt : std::optional(*found);
}

void PlanNest::addGuards() {
  for (int coordinate = 0; coordinate < static_cast<int>(array.extents().size()); ++coordinate) {
    bool used = std::ranges::any_of(plan.splits, [&](const GridSplit &split) {
      return std::ranges::find(split.spatial, machine.coreDims[coordinate]) != split.spatial.end();
    });
    if (!used && array.extents()[coordinate] > 1)
      hasWork.push_back({variable(coordinate), 1});
  }
  for (int grid = 0; grid < program.gridDims; ++grid) {
    int64_t covered = plan.waveExtent(grid, program, machine);
    for (int dim : plan.splits[grid].spatial)
      covered *= machine.dims[dim].size;
    if (covered != program.indices[grid].extent)
      hasWork.push_back({indices[grid], program.indices[grid].extent});
  }
}

NestLoop PlanNest::ownLoop(int index) const {
  int first = static_cast<int>(array.extents().size() + waveLoops.size() + turns.size());
  NestLoop loop{first + index - program.gridDims, program.indices[index].extent};
  if (const auto &trips = program.indices[index].trips)
    loop.trips = TripCount{substitute(trips->affine), trips->divisor, trips->most};
  return loop;
}

NestLoop PlanNest::bodyLoop(int index) const {
  auto found = widened.find(index);
  return found == widened.end() ? ownLoop(index) : found->second;
}

void PlanNest::widen(int index, const std::set<int> &varied) {
  if (program.indices[index].trips)
    widened[index] = longest(ownLoop(index), varied);
}

NestLoop PlanNest::longest(NestLoop loop, const std::set<int> &varied) const {
  if (!loop.trips)
    return loop;
  Affine &affine = loop.trips->affine;
  std::set<int> all = varied;
  for (const Turn &turn : turns)
    if (std::ranges::any_of(varied, [&](int v) { return v == turn.wave || turn.value.dependsOn(v); }))
      all.insert(turn.variable);
  for (int variable : all)
    if (affine.dependsOn(variable)) {
      affine.constant += std::max<int64_t>(0, affine.coefficients[variable] * (extentOf(variable) - 1));
      affine.coefficients[variable] = 0;
    }
  if (affine.isConstant() && loop.trips->at({}) == loop.extent)
    loop.trips.reset();
  return loop;
}

/// Of a coordinate, a wave or a place that turns.
int64_t PlanNest::extentOf(int variable) const {
  if (auto found = std::ranges::find(turns, variable, &Turn::variable); found != turns.end())
    return found->last + 1;
  auto coordinates = static_cast<int>(array.extents().size());
  return variable < coordinates ? array.extents()[variable] : waveLoops[variable - coordinates].extent;
}

Guard PlanNest::within(const NestLoop &loop) {
  Guard guard{loop.trips->affine, Guard::kUnbounded};
  add(guard.value, variable(loop.variable), -loop.trips->divisor);
  guard.value.constant -= loop.trips->divisor;
  return guard;
}

void PlanNest::describe(CoreProgram &core) const {
  core.name = program.name;
  core.coordinates = array.extents();
  core.indices = indices;
  core.gridDims = program.gridDims;
  core.tensors = program.tensors;
  core.accumulatorBytes = program.carriedBytes;
  for (int dim : machine.coreDims)
    addName(core.variables, machine.dims[dim].name);
  for (int grid : plan.waves)
    addName(core.variables, "wave_" + program.indices[grid].name);
  for (const Turn &turn : turns)
    addName(core.variables, "turned_" + core.variables[turn.wave]);
  for (size_t loop = program.gridDims; loop < program.indices.size(); ++loop)
    addName(core.variables, program.indices[loop].name);
}

Affine PlanNest::substitute(const Affine &affine) const {
  Affine result;
  result.constant = affine.constant;
  for (size_t i = 0; i < affine.coefficients.size(); ++i)
    add(result, indices[i], affine.coefficients[i]);
  return result;
}

TileAccess PlanNest::substitute(const TileAccess &access) const {
  TileAccess result = access;
  for (Affine &start : result.start)
    start = substitute(start);
  return result;
}

std::vector<NestLoop> PlanNest::around(const TileProgram::Place &place) const {
  std::vector<NestLoop> nest = waveLoops;
  for (int index : place.loops)
    nest.push_back(bodyLoop(index));
  return nest;
}

} // namespace tawa::mesh
