#include "runtime/mesh/core/PlaceLoads.h"

#include <algorithm>
#include <set>

namespace tawa::mesh {
namespace {

PlanFault checkCounts(const Plan &plan, const TileProgram &program, const Machine &machine, std::string &detail) {
  detail = std::to_string(plan.splits.size()) + " splits, " + std::to_string(plan.loads.size()) + " loads, " +
           std::to_string(plan.stores.size()) + " stores";
  if (static_cast<int>(plan.splits.size()) != program.gridDims || plan.loads.size() != program.loads().size() ||
      plan.stores.size() != program.stores().size())
    return PlanFault::Counts;
  std::set<int> waves;
  for (int grid : plan.waves)
    if (grid < 0 || grid >= program.gridDims || !waves.insert(grid).second)
      return detail = "wave " + std::to_string(grid), PlanFault::Counts;
  for (int grid = 0; grid < program.gridDims; ++grid)
    if (!waves.contains(grid) && plan.waveExtent(grid, program, machine) > 1)
      return detail = "no wave of " + program.indices[grid].name, PlanFault::Counts;
  return PlanFault::None;
}

PlanFault checkSplits(const Plan &plan, const Machine &machine, std::string &detail) {
  std::set<int> used;
  for (const GridSplit &split : plan.splits)
    for (int dim : split.spatial)
      if (std::ranges::find(machine.coreDims, dim) == machine.coreDims.end() || !used.insert(dim).second)
        return detail = "spatial dimension " + std::to_string(dim), PlanFault::Split;
  return PlanFault::None;
}

/// A place in reverse order is another one of the wave only where the wave is whole.
PlanFault checkTurns(const Plan &plan, const TileProgram &program, const Machine &machine, std::string &detail) {
  for (int grid = 0; grid < program.gridDims; ++grid) {
    int64_t cores = 1;
    for (int dim : plan.splits[grid].spatial)
      cores *= machine.dims[dim].size;
    if (plan.splits[grid].turns && program.indices[grid].extent % cores != 0)
      return detail = program.indices[grid].name + " turns, but its last wave has idle cores", PlanFault::Split;
  }
  return PlanFault::None;
}

PlanFault checkSlots(const Plan &plan, std::string &detail) {
  detail = "slots";
  bool fit = std::ranges::all_of(plan.loads, [](const LoadPlan &load) { return load.slots >= 1; }) &&
             std::ranges::all_of(plan.stores, [](const StorePlan &store) { return store.slots >= 1; });
  return fit ? PlanFault::None : PlanFault::Slots;
}

/// Places one load.
class LoadPlacer {
public:
  LoadPlacer(const LoadPlan &plan, const Machine &machine, const PlanNest &nest, PlacedLoad &load, std::string &detail)
      : plan(plan), machine(machine), nest(nest), load(load), detail(detail) {}

  PlanFault place() {
    loops = nest.around(load.place);
    load.level = plan.level;
    load.slots = plan.slots;
    if (plan.level < 0 || plan.level > static_cast<int>(loops.size()))
      return detail = "level " + std::to_string(plan.level) + " of " + std::to_string(loops.size()), PlanFault::Level;
    if (!keep())
      return detail = std::to_string(plan.tiles) + " tiles at level " + std::to_string(plan.level), PlanFault::Tiles;
    PlanFault fault = addStages();
    addSharers();
    return fault;
  }

private:
  bool dependsOn(const NestLoop &loop) const {
    return std::ranges::any_of(load.place.step->access.start,
                               [&](const Affine &start) { return nest.substitute(start).dependsOn(loop.variable); });
  }

  /// The innermost loops that the address depends on, as far as the plan keeps their tiles.
  bool keep() {
    for (size_t i = loops.size(); i-- > static_cast<size_t>(plan.level);) {
      if (loops[i].extent == 1 || !dependsOn(loops[i]) || load.tiles * loops[i].extent > plan.tiles)
        continue;
      load.slot.coefficients.resize(std::max<size_t>(load.slot.coefficients.size(), loops[i].variable + 1));
      load.slot.coefficients[loops[i].variable] = load.tiles;
      load.tiles *= loops[i].extent;
      load.kept.insert(load.kept.begin(), {loops[i].variable, loops[i].extent});
    }
    return load.tiles == plan.tiles;
  }

  PlanFault addStages() {
    size_t most = plan.movement == Movement::PerCore ? 0 : plan.movement == Movement::Broadcast ? 1 : 2;
    size_t least = plan.movement == Movement::Wavefront ? 1 : most;
    detail = std::to_string(plan.along.size()) + " dimensions, " + std::to_string(plan.networks.size()) + " networks";
    if (plan.along.size() < least || plan.along.size() > most || plan.networks.size() != plan.along.size())
      return PlanFault::Movement;
    for (size_t i = 0; i < plan.along.size(); ++i)
      if (PlanFault fault = addStage(plan.along[i], plan.networks[i]); fault != PlanFault::None)
        return fault;
    return PlanFault::None;
  }

  PlanFault addStage(int dim, int network) {
    CoreArray array(machine);
    int coordinate = array.coordinateOf(dim);
    detail = "dimension " + std::to_string(dim) + ", network " + std::to_string(network);
    if (coordinate < 0 || network < 0 || network >= static_cast<int>(machine.networks.size()) ||
        std::ranges::any_of(load.stages, [&](auto &stage) { return stage.line.along == coordinate; }))
      return PlanFault::Movement;
    std::optional<NetworkLine> line = lineAlong(machine, network, coordinate, detail);
    if (!line)
      return PlanFault::Network;
    if (line->order.size() > 1)
      load.stages.push_back({*line, network, plan.movement == Movement::Wavefront});
    return PlanFault::None;
  }

  /// Work lies at the low coordinates: a line has some where its first core has.
  void addSharers() {
    for (Guard guard : nest.active()) {
      for (const MovementStage &stage : load.stages)
        if (guard.value.dependsOn(stage.line.along))
          guard.value.coefficients[stage.line.along] = 0;
      if (!guard.value.isConstant())
        load.sharers.push_back(guard);
    }
  }

  const LoadPlan &plan;
  const Machine &machine;
  const PlanNest &nest;
  PlacedLoad &load;
  std::string &detail;
  std::vector<NestLoop> loops;
};

/// Coordinates along which the load's tiles travel.
std::set<int> sharedOf(const PlacedLoad &load) {
  std::set<int> shared;
  for (const MovementStage &stage : load.stages)
    shared.insert(stage.line.along);
  return shared;
}

/// Loops of the body around the load, outermost first, from number `first` on.
std::span<const int> loopsFrom(const PlacedLoad &load, int first) {
  std::span<const int> loops = load.place.loops;
  return loops.subspan(std::min<size_t>(std::max(0, first), loops.size()));
}

/// Cores that share what is fetched inside of a loop stay in it together.
void widenLoops(PlanNest &nest, const std::vector<PlacedLoad> &loads) {
  std::map<int, std::set<int>> shared;
  for (const PlacedLoad &load : loads)
    for (size_t i = 0; i < load.place.loops.size(); ++i)
      if (load.level > nest.waves() + static_cast<int>(i))
        shared[load.place.loops[i]].merge(sharedOf(load));
  for (const auto &[loop, coordinates] : shared)
    nest.widen(loop, coordinates);
}

void limitLoad(const PlanNest &nest, PlacedLoad &load) {
  std::set<int> shared = sharedOf(load);
  int inside = load.level - nest.waves();
  for (int index : load.place.loops)
    load.isBeyond |= nest.bodyLoop(index) != nest.ownLoop(index);
  for (int index : load.place.loops) {
    bool isAround = std::ranges::find(loopsFrom(load, inside), index) == loopsFrom(load, inside).end();
    NestLoop loop = nest.longest(nest.ownLoop(index), shared);
    if (isAround && loop.trips && loop != nest.bodyLoop(index))
      load.sharers.push_back(PlanNest::within(loop));
  }
  // What is kept is used until the loops further in have ended.
  for (int depth = std::max(0, load.level); depth < nest.waves(); ++depth)
    if (std::ranges::find(load.kept, nest.wave(depth)) == load.kept.end())
      shared.insert(nest.wave(depth).variable);
  for (int index : loopsFrom(load, inside)) {
    NestLoop loop = nest.longest(nest.ownLoop(index), shared);
    load.isBeyond |= nest.ownLoop(index).trips.has_value();
    bool isKept = std::ranges::find(load.kept, loop.variable, &NestLoop::variable) != load.kept.end();
    if (loop.trips && isKept)
      load.needed.push_back(PlanNest::within(loop));
  }
}

} // namespace

void limitLoads(PlanNest &nest, std::vector<PlacedLoad> &loads) {
  widenLoops(nest, loads);
  for (PlacedLoad &load : loads)
    limitLoad(nest, load);
}

PlanFault checkShape(const Plan &plan, const TileProgram &program, const Machine &machine, std::string &detail) {
  if (static_cast<int>(plan.splits.size()) == program.gridDims)
    if (PlanFault fault = checkSplits(plan, machine, detail); fault != PlanFault::None)
      return fault;
  if (PlanFault fault = checkCounts(plan, program, machine, detail); fault != PlanFault::None)
    return fault;
  if (PlanFault fault = checkTurns(plan, program, machine, detail); fault != PlanFault::None)
    return fault;
  return checkSlots(plan, detail);
}

PlanFault placeLoads(const Plan &plan, const TileProgram &program, const Machine &machine, const PlanNest &nest,
                     std::vector<PlacedLoad> &loads, std::string &detail) {
  for (const TileProgram::Place &place : program.loads()) {
    PlacedLoad load;
    load.place = place;
    PlanFault fault = LoadPlacer(plan.loads[loads.size()], machine, nest, load, detail).place();
    if (fault != PlanFault::None) {
      detail = "load " + std::to_string(loads.size()) + ": " + detail;
      return fault;
    }
    loads.push_back(std::move(load));
  }
  return PlanFault::None;
}

} // namespace tawa::mesh
