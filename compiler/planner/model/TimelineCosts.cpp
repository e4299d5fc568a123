#include "compiler/planner/model/TimelineCosts.h"

#include <algorithm>

namespace tawa::mesh::planner {

CoreClasses::CoreClasses(std::span<const LoadCost *const> loads) {
  for (const LoadCost *load : loads) {
    if (!load)
      continue;
    for (const StageCost &stage : load->stages)
      if (std::ranges::find(dims, stage.dim) == dims.end()) {
        dims.push_back(stage.dim);
        sizes.push_back(stage.hops + 1);
      }
  }
}

uint32_t CoreClasses::bitOf(int dim) const { return uint32_t(1) << (std::ranges::find(dims, dim) - dims.begin()); }

double CoreClasses::coresOf(size_t of) const {
  double cores = 1;
  for (size_t i = 0; i < dims.size(); ++i)
    cores *= (of >> i & 1) != 0 ? sizes[i] - 1 : 1;
  return cores;
}

TimelineCosts::TimelineCosts(const WalkInput &input)
    : classes(input.loads), message(ticksOf(input.view.model.machine.messageCycles)),
      semaphore(ticksOf(input.view.model.machine.semaphoreCycles)) {
  for (const LoadCost *cost : input.loads)
    loads.push_back(makeLoad(cost));
  findResources(input);
}

FetchCosts TimelineCosts::makeLoad(const LoadCost *cost) const {
  FetchCosts load;
  load.cost = cost;
  if (!cost)
    return load;
  uint32_t receivers = 0;
  for (const StageCost &stage : cost->stages) {
    for (ClassStage &earlier : load.stages)
      earlier.absent |= classes.bitOf(stage.dim);
    load.stages.push_back(makeStage(stage));
    receivers |= load.stages.back().bit;
  }
  double readers = 0;
  for (size_t of = 0; of < classes.count(); ++of)
    load.shares.push_back((of & receivers) == 0 ? classes.coresOf(of) : 0);
  for (double cores : load.shares)
    readers += cores;
  for (double &cores : load.shares)
    cores /= readers;
  load.latency = ticksOf(cost->latency);
  load.tiles = static_cast<size_t>(cost->tiles);
  load.slots = cost->issues > 1 ? 2 : 1;
  return load;
}

/// The cores of a chain follow each other by what one of them takes: the last one stands for all, and the first
/// waits for the second only.
ClassStage TimelineCosts::makeStage(const StageCost &stage) const {
  ClassStage made;
  made.bit = classes.bitOf(stage.dim);
  made.transfer = ticksOf(stage.transfer);
  made.way = made.back = ticksOf(stage.hops * stage.hop);
  if (stage.isChain) {
    Ticks later = (static_cast<Ticks>(stage.hops) - 1) * (message + semaphore + made.transfer + ticksOf(stage.hop));
    made.way = ticksOf(stage.hop) + later;
    made.back = ticksOf(stage.hop) - later;
  }
  return made;
}

/// Cores run in step that wait for each other: those of the lines and planes along which any load travels. Of their
/// fetches the busiest instance counts; other cores drift apart.
Service TimelineCosts::serviceOf(const LoadCost &cost, size_t resource, double deviations) const {
  double fetched = cost.issues * cost.tiles, read = (cost.busy[resource] - cost.sent[resource]) / fetched, inStep = 1;
  for (size_t i = 0; i < classes.dims.size(); ++i)
    if (std::ranges::find(cost.stages, classes.dims[i], &StageCost::dim) == cost.stages.end())
      inStep *= classes.sizes[i];
  double readers = std::max(1.0F, cost.readers[resource]);
  double variance = classes.dims.empty() ? 0 : cost.variance[resource] * std::min(1.0, inStep / readers);
  return {ticksOf(read), ticksOf(cost.sent[resource] / fetched), ticksOf(read / readers),
          ticksOf(deviations * std::sqrt(variance))};
}

void TimelineCosts::findResources(const WalkInput &input) {
  std::vector<std::vector<Service>> kept;
  auto covers = [](const std::vector<Service> &more, const std::vector<Service> &less) {
    return std::ranges::equal(more, less, [](const Service &a, const Service &b) { return a.isAtLeast(b); });
  };
  for (size_t resource = 0; resource < input.view.model.resources.size(); ++resource) {
    std::vector<Service> row;
    for (const LoadCost *cost : input.loads)
      row.push_back(cost ? serviceOf(*cost, resource, input.deviations) : Service{});
    for (const StoreCost &store : input.stores)
      row.push_back({.read = ticksOf(store.busy[resource] / store.issues)});
    if (std::ranges::any_of(kept, [&](const auto &other) { return covers(other, row); }))
      continue;
    std::erase_if(kept, [&](const auto &other) { return covers(row, other); });
    kept.push_back(std::move(row));
  }
  resources = kept.size();
  stores.resize(input.stores.size());
  for (const std::vector<Service> &row : kept) {
    for (size_t i = 0; i < loads.size(); ++i)
      loads[i].services.push_back(row[i]);
    for (size_t i = 0; i < stores.size(); ++i)
      stores[i].push_back(row[loads.size() + i].read);
  }
}

} // namespace tawa::mesh::planner
