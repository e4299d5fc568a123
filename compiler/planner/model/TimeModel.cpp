#include "compiler/planner/model/TimeModel.h"

#include <algorithm>
#include <cmath>

namespace tawa::mesh::planner {
namespace {

void addTo(Busy &sum, const Busy &other) {
  for (size_t i = 0; i < sum.size(); ++i)
    sum[i] += other[i];
}

/// Limits that nearly meet slow each other down: queues form at a resource before it is always busy.
double softMax(double a, double b) { return std::pow(std::pow(a, 8) + std::pow(b, 8), 1.0 / 8); }

const char *nameOf(size_t unit) {
  static const char *const names[] = {"mat", "vec", "scalar"};
  return names[unit];
}

/// Loops of a body before position `end`.
size_t loopsBefore(const std::vector<TileStep> &body, size_t end) {
  return std::count_if(body.begin(), body.begin() + static_cast<ptrdiff_t>(end),
                       [](const TileStep &step) { return step.kind == TileStep::Kind::Loop; });
}

} // namespace

TimeModel::TimeModel(const Mapping &mapping, const MappingView &view, const Work &work, Formula formula)
    : mapping(mapping), view(view), work(work), formula(formula), storeBusy(view.model.resources.size()),
      compute(view.lengths.cycles(work, view.busiest)) {
  auto [begin, end] = view.model.resources.range(Resources::Kind::Port);
  deviations = std::max(0.0, std::sqrt(2 * std::log(static_cast<double>(end - begin))) - 0.6);
  std::vector<size_t> path;
  for (int grid : mapping.waves) {
    bodies.push_back({.segments = std::vector<Body::Segment>(2),
                      .loops = {{static_cast<int>(bodies.size()) + 1, view.share.waves(grid), grid,
                                 !view.lengths.differsInWaves(grid)}},
                      .firstGroup = groups});
    path.push_back(groups);
    groups += 2;
  }
  int body = addBody(view.program.body, work);
  placeLoads(view.program.body, body, path);
}

int TimeModel::addBody(const std::vector<TileStep> &body, const Work &own) {
  int number = static_cast<int>(bodies.size());
  bodies.emplace_back();
  Body made{.firstGroup = groups};
  groups += own.loops.size() + 1;
  for (double cycles : own.segments)
    made.segments.push_back({.compute = cycles});
  for (const TileStep &step : body)
    if (step.kind == TileStep::Kind::Store)
      addStore(step, made.segments[loopsBefore(body, &step - body.data())]);
    else if (step.kind == TileStep::Kind::Loop) {
      const Work::Inner &inner = own.loops[made.loops.size()];
      made.loops.push_back({addBody(step.body, *inner.body), inner.extent, inner.index});
    }
  bodies[number] = std::move(made);
  return number;
}

void TimeModel::addStore(const TileStep &step, Body::Segment &segment) {
  auto places = view.program.stores();
  auto place = std::ranges::find(places, &step, &TileProgram::Place::step);
  std::vector<NestLoop> nest = nestOf(mapping, view.share, view.program, *place);
  segment.stores.push_back(stores.size());
  const StoreCost &cost = stores.emplace_back(costOf(step.access, nest, view));
  segment.compute += cost.copy;
  addTo(storeBusy, cost.busy);
}

/// `path`: the group of each level so far.
void TimeModel::placeLoads(const std::vector<TileStep> &body, int number, std::vector<size_t> &path) {
  size_t loop = 0;
  for (const TileStep &step : body) {
    if (step.kind != TileStep::Kind::Load && step.kind != TileStep::Kind::Loop)
      continue;
    path.push_back(bodies[number].firstGroup + loop);
    if (step.kind == TileStep::Kind::Loop) {
      placeLoads(step.body, bodies[number].loops[loop++].body, path);
    } else {
      bodies[number].segments[loop].loads.push_back(groupOfLevel.size());
      groupOfLevel.push_back(path);
    }
    path.pop_back();
  }
}

/// Between two fetches of all these loads: the cycles of the busiest resource, at least the latency and the own
/// transfer of one core, at least the handshake of a broadcast.
double TimeModel::paceOf(std::span<const LoadCost *const> loads) const {
  double latency = 0, together = 0, alone = 0, issue = 0, handshake = 0;
  Busy sum(view.model.resources.size());
  for (const LoadCost *load : loads) {
    latency = std::max(latency, load->latency);
    (load->isShared ? alone : together) += load->alone;
    issue += load->issue;
    handshake = std::max(handshake, load->handshake);
    addTo(sum, load->busy);
  }
  double shared = loads.empty() ? 0 : *std::ranges::max_element(sum) / loads.front()->issues;
  return std::max({latency + std::max(alone, together), shared, issue, handshake});
}

double TimeModel::paperTime(int number, const std::vector<std::vector<const LoadCost *>> &loads) const {
  const Body &body = bodies[number];
  auto fetch = [&](const Body &of) {
    double cycles = 0;
    for (size_t i = 0; i <= of.loops.size(); ++i)
      cycles += paceOf(loads[of.firstGroup + i]);
    return cycles;
  };
  auto store = [&](const Body &of) {
    double cycles = 0;
    for (const Body::Segment &segment : of.segments)
      for (size_t each : segment.stores)
        cycles += stores[each].latency + stores[each].alone + view.model.machine.messageCycles;
    return cycles;
  };
  double cycles = 0;
  for (const Body::Segment &segment : body.segments)
    cycles += segment.compute;
  for (const Body::Inner &loop : body.loops) {
    const Body &inner = bodies[loop.body];
    double fetches = fetch(inner), computes = paperTime(loop.body, loads), writes = store(inner);
    double pace = std::max({fetches, computes, writes}), ends = fetches + computes + writes;
    cycles += loop.extent > 1 ? pace * static_cast<double>(loop.extent - 2) + ends : ends;
  }
  return number == 0 ? fetch(body) + cycles : cycles;
}

std::vector<std::vector<size_t>> TimeModel::groupsOf(std::span<const LoadCost *const> loads) const {
  std::vector<std::vector<size_t>> all(groups);
  for (size_t i = 0; i < loads.size(); ++i)
    if (loads[i])
      all[groupOfLevel[i][loads[i]->level]].push_back(i);
  return all;
}

float TimeModel::busiest(std::span<const LoadCost *const> loads, size_t &resource) const {
  Busy sum = storeBusy;
  for (const LoadCost *load : loads)
    if (load)
      addTo(sum, load->busy);
  auto found = std::ranges::max_element(sum);
  resource = static_cast<size_t>(found - sum.begin());
  return *found;
}

/// Cores of a line stay together that share tiles which are fetched anew in each of those waves that differ.
std::map<int, std::vector<int>> TimeModel::togetherOf(std::span<const LoadCost *const> loads) const {
  std::map<int, std::vector<int>> together;
  for (int loop = view.program.gridDims; loop < static_cast<int>(view.program.indices.size()); ++loop) {
    if (view.lengths.isEqual(loop))
      continue;
    int depth = 0; // of the innermost of those waves
    for (int i = 0; i < static_cast<int>(mapping.waves.size()); ++i)
      if (view.lengths.differsInWaves(mapping.waves[i]))
        depth = i + 1;
    std::vector<int> &dims = together[loop];
    for (const LoadCost *load : loads)
      for (size_t i = 0; load && load->level >= depth && i < load->stages.size(); ++i)
        if (std::ranges::find(dims, load->stages[i].dim) == dims.end())
          dims.push_back(load->stages[i].dim);
  }
  return together;
}

double TimeModel::cycles(std::span<const LoadCost *const> loads) const {
  std::vector<std::vector<size_t>> all = groupsOf(loads);
  double run = 0;
  if (formula == Formula::Paper) {
    std::vector<std::vector<const LoadCost *>> costs(groups);
    for (size_t group = 0; group < groups; ++group)
      for (size_t load : all[group])
        costs[group].push_back(loads[load]);
    run = paperTime(0, costs);
  } else {
    size_t resource = 0;
    run = softMax(walkTimeline({bodies, loads, std::move(all), stores, view, togetherOf(loads), deviations}),
                  busiest(loads, resource));
  }
  return std::round(view.model.machine.launchCycles + run);
}

double TimeModel::bound(std::span<const LoadCost *const> loads) const {
  constexpr double kRounding = 0.999; // of the walk's fixed-point cycles
  size_t resource = 0;
  return kRounding * (view.model.machine.launchCycles + std::max<double>(compute, busiest(loads, resource)));
}

Estimate TimeModel::estimate(std::span<const LoadCost *const> loads) const {
  Estimate estimate;
  estimate.cycles = cycles(loads);
  estimate.compute = compute;
  for (const LoadCost *load : loads)
    if (load)
      estimate.load += load->issues * paceOf({&load, 1});
  for (const StoreCost &store : stores)
    estimate.store += store.issues * (store.latency + store.alone);
  size_t resource = 0;
  double most = busiest(loads, resource);
  estimate.bound = view.model.resources.name(resource);
  std::array<double, kUnits> busy = totalBusy(work, [&](const Work::Inner &loop) {
    return view.lengths.isEqual(loop.index) ? longest(loop) : view.lengths.mean(loop.index, view.busiest, {});
  });
  double waves = 1;
  for (int grid : mapping.waves)
    waves *= static_cast<double>(view.share.waves(grid));
  for (size_t unit = 0; unit < kUnits; ++unit)
    if (busy[unit] * waves > most) {
      most = busy[unit] * waves;
      estimate.bound = nameOf(unit);
    }
  if (2 * most < estimate.cycles)
    estimate.bound = "latency";
  return estimate;
}

} // namespace tawa::mesh::planner
