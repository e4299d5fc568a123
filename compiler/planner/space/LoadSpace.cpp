#include "compiler/planner/space/LoadSpace.h"

#include <algorithm>

namespace tawa::mesh::planner {
namespace {

/// The routes of one load, dimension by dimension.
class RouteList {
public:
  RouteList(const std::vector<Line> &lines, const Machine &machine, PruneCounts &pruned)
      : lines(lines), machine(machine), pruned(pruned) {}

  void add(Movement movement, int dim) {
    for (int network : networksAlong(dim))
      if (isAble(movement, network))
        routes.push_back({movement, {dim}, {network}});
  }

  void add(Movement movement, int first, int second) {
    for (int one : networksAlong(first))
      for (int other : networksAlong(second))
        if (isAble(movement, one) && isAble(movement, other))
          routes.push_back({movement, {first, second}, {one, other}});
  }

  std::vector<int> networksAlong(int dim) const {
    std::vector<int> networks;
    for (const Line &line : lines)
      if (line.dim == dim)
        networks.push_back(line.network);
    return networks;
  }

  std::vector<Route> routes = {{}};

private:
  bool isAble(Movement movement, int network) {
    if (movement == Movement::Wavefront || machine.networks[network].multicasts)
      return true;
    pruned.add(PruneReason::NoMulticast);
    return false;
  }

  const std::vector<Line> &lines;
  const Machine &machine;
  PruneCounts &pruned;
};

int64_t timesIssued(const std::vector<NestLoop> &nest, int level) {
  int64_t times = 1;
  for (int i = 0; i < level; ++i)
    times *= nest[i].extent;
  return times;
}

void countRefused(const Reuse &reuse, const RouteList &list, const Machine &machine, PruneCounts &pruned) {
  for (int dim : machine.coreDims) {
    if (machine.dims[dim].size == 1)
      continue;
    if (std::ranges::find(reuse.spatial, dim) == reuse.spatial.end())
      pruned.add(PruneReason::TileChanges);
    else if (list.networksAlong(dim).empty())
      pruned.add(PruneReason::NoLine);
  }
}

int64_t localBytes(const Machine &machine) { return machine.memories[machine.localMemory()].bytes; }

std::vector<Route> allowedRoutes(const Reuse &reuse, const std::vector<Line> &lines, const Machine &machine,
                                 const ChoiceFilter &filter, PruneCounts &pruned) {
  std::vector<Route> all = enumerateRoutes(reuse, lines, machine, pruned), routes = all;
  if (filter.pick)
    routes = filter.pick(all);
  if (!filter.spatialReuse)
    std::erase_if(routes, [](const Route &route) { return route.movement != Movement::PerCore; });
  pruned.add(PruneReason::NotOfTemplate, static_cast<int64_t>(all.size() - routes.size()));
  return routes;
}

std::vector<Level> allowedLevels(const std::vector<NestLoop> &nest, const Reuse &reuse, int64_t tileBytes,
                                 int64_t capacity, const ChoiceFilter &filter, PruneCounts &pruned) {
  if (filter.temporalReuse)
    return enumerateLevels(nest, reuse, tileBytes, capacity, pruned);
  pruned.add(PruneReason::NotOfTemplate, static_cast<int64_t>(nest.size()));
  Level innermost = levelAt(static_cast<int>(nest.size()), nest, reuse, tileBytes);
  if (innermost.bytes <= capacity)
    return {innermost};
  pruned.add(PruneReason::LoadTooLarge);
  return {};
}

} // namespace

std::vector<Route> enumerateRoutes(const Reuse &reuse, const std::vector<Line> &lines, const Machine &machine,
                                   PruneCounts &pruned) {
  RouteList list(lines, machine, pruned);
  countRefused(reuse, list, machine, pruned);
  for (int dim : reuse.spatial) {
    list.add(Movement::Broadcast, dim);
    list.add(Movement::Wavefront, dim);
  }
  for (int first : reuse.spatial)
    for (int second : reuse.spatial) {
      if (first != second)
        list.add(Movement::RowsThenColumns, first, second);
      if (first < second)
        list.add(Movement::Wavefront, first, second);
    }
  return list.routes;
}

Level levelAt(int level, const std::vector<NestLoop> &nest, const Reuse &reuse, int64_t tileBytes) {
  Level made;
  made.level = level;
  for (size_t i = level; i < nest.size(); ++i)
    if (!reuse.temporal[i])
      made.tiles *= nest[i].extent;
  made.slots = timesIssued(nest, level) > 1 ? 2 : 1;
  made.bytes = made.tiles * tileBytes * made.slots;
  return made;
}

std::vector<Level> enumerateLevels(const std::vector<NestLoop> &nest, const Reuse &reuse, int64_t tileBytes,
                                   int64_t capacity, PruneCounts &pruned) {
  std::vector<Level> levels;
  for (int level = 0; level <= static_cast<int>(nest.size()); ++level) {
    if (level > 0 && (reuse.temporal[level - 1] || nest[level - 1].extent == 1)) {
      pruned.add(PruneReason::DominatedLevel);
      continue;
    }
    Level made = levelAt(level, nest, reuse, tileBytes);
    if (made.bytes > capacity)
      pruned.add(PruneReason::LoadTooLarge);
    else
      levels.push_back(made);
  }
  return levels;
}

int64_t tileBytesOf(const TileAccess &access, const TileProgram &program) {
  return access.elements() * static_cast<int64_t>(elementBytes(program.tensors[access.tensor].type));
}

StorePlan storePlanOf(const TileAccess &access, const std::vector<NestLoop> &nest, const TileProgram &program) {
  StorePlan plan;
  plan.slots = timesIssued(nest, static_cast<int>(nest.size())) > 1 ? 2 : 1;
  plan.bytes = plan.slots * tileBytesOf(access, program);
  return plan;
}

LoadSpace enumerateLoads(const Mapping &mapping, const GridShare &share, const TileProgram &program,
                         const Machine &machine, const std::vector<Line> &lines, const ChoiceFilter &filter) {
  LoadSpace space;
  space.fixedBytes = program.carriedBytes;
  for (const TileProgram::Place &store : program.stores()) {
    space.stores.push_back(storePlanOf(store.step->access, nestOf(mapping, share, program, store), program));
    space.fixedBytes += space.stores.back().bytes;
  }
  int64_t capacity = localBytes(machine) - space.fixedBytes;
  for (const TileProgram::Place &load : program.loads()) {
    const TileAccess &access = load.step->access;
    std::vector<NestLoop> nest = nestOf(mapping, share, program, load);
    Reuse reuse = analyzeReuse(access, nest, mapping, share, machine);
    auto levels = allowedLevels(nest, reuse, tileBytesOf(access, program), capacity, filter, space.pruned);
    std::vector<LoadPlan> &choices = space.choices.emplace_back();
    for (const Route &route : allowedRoutes(reuse, lines, machine, filter, space.pruned))
      for (const Level &level : levels)
        choices.push_back(
            {route.movement, route.along, route.networks, level.level, level.tiles, level.bytes, level.slots});
  }
  return space;
}

} // namespace tawa::mesh::planner
