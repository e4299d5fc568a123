#include "compiler/planner/model/TimeModel.h"

#include <algorithm>
#include <cmath>

namespace tawa::mesh::planner {
namespace {

/// Part of the unevenness that counts for cores that read the same tiles but do not wait for each other: they drift
/// apart.
constexpr double kDrift = 0.5;
/// That one core can have requested and not got.
constexpr double kBytesUnderWay = 64 * kSpreadBytes;

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
    : mapping(mapping), view(view), work(work), formula(formula), storeBusy(view.model.resources.size()) {
  auto [begin, end] = view.model.resources.range(Resources::Kind::Port);
  deviations = std::max(0.0, std::sqrt(2 * std::log(static_cast<double>(end - begin))) - 0.6);
  std::vector<size_t> path;
  for (int grid : mapping.waves) {
    Node node;
    node.firstGroup = groups;
    node.loops.push_back({static_cast<int>(nodes.size()) + 1, static_cast<double>(view.share.waves(grid))});
    path.push_back(groups);
    groups += 2;
    nodes.push_back(std::move(node));
  }
  int body = addBody(view.program.body, work);
  for (int wave = body; wave-- > 0;)
    nodes[wave].total = nodes[wave].loops[0].extent * nodes[wave + 1].total;
  placeLoads(view.program.body, body, path);
}

int TimeModel::addBody(const std::vector<TileStep> &body, const Work &own) {
  int number = static_cast<int>(nodes.size());
  nodes.emplace_back();
  nodes[number].firstGroup = groups;
  nodes[number].compute = own.cycles;
  groups += own.loops.size() + 1;
  addStores(body, number);
  double total = nodes[number].compute;
  size_t loop = 0;
  for (const TileStep &step : body) {
    if (step.kind != TileStep::Kind::Loop)
      continue;
    const Work::Inner &inner = own.loops[loop++];
    int node = addBody(step.body, *inner.body);
    nodes[number].loops.push_back({node, static_cast<double>(inner.extent)});
    total += static_cast<double>(inner.extent) * nodes[node].total;
  }
  nodes[number].total = total;
  return number;
}

void TimeModel::addStores(const std::vector<TileStep> &body, int node) {
  auto places = view.program.stores();
  for (const TileStep &step : body) {
    if (step.kind != TileStep::Kind::Store)
      continue;
    auto place = std::ranges::find(places, &step, &TileProgram::Place::step);
    std::vector<NestLoop> nest = nestOf(mapping, view.share, view.program, *place);
    const StoreCost &cost = stores.emplace_back(costOf(step.access, nest, view));
    double shared = *std::ranges::max_element(cost.busy) / cost.issues;
    double once = std::max(cost.latency + cost.alone + view.model.machine.messageCycles, shared);
    nodes[node].store += once;
    nodes[node].compute += cost.copy;
    drain = std::max(drain, once);
    addTo(storeBusy, cost.busy);
  }
}

/// `path`: the group of each level so far.
void TimeModel::placeLoads(const std::vector<TileStep> &body, int node, std::vector<size_t> &path) {
  size_t loop = 0;
  for (size_t i = 0; i < body.size(); ++i) {
    if (body[i].kind != TileStep::Kind::Load && body[i].kind != TileStep::Kind::Loop)
      continue;
    path.push_back(nodes[node].firstGroup + loopsBefore(body, i));
    if (body[i].kind == TileStep::Kind::Load)
      groupOfLevel.push_back(path);
    else
      placeLoads(body[i].body, nodes[node].loops[loop++].node, path);
    path.pop_back();
  }
}

/// Cycles of the busiest resource for one fetch of all these loads. Tensors are spread over the memory's instances at
/// random. Where cores wait for each other, or read the same tile, the busiest resource of each fetch counts: it
/// exceeds the average by as many deviations as the largest of so many normal variables.
double TimeModel::sharedCycles(std::span<const LoadCost *const> loads) const {
  double issues = loads.front()->issues, most = 0, factor = 0;
  for (const LoadCost *load : loads)
    factor = std::max(factor, load->isShared ? deviations : load->isRepeated ? deviations * kDrift : 0);
  Busy sum = loads.front()->busy, variance = loads.front()->variance;
  for (const LoadCost *load : loads.subspan(1)) {
    addTo(sum, load->busy);
    addTo(variance, load->variance);
  }
  for (size_t i = 0; i < sum.size(); ++i)
    most = std::max(most, sum[i] / issues + factor * std::sqrt(variance[i]));
  return most;
}

TimeModel::Fetch TimeModel::fetchOf(std::span<const LoadCost *const> loads) const {
  bool isShared = std::ranges::any_of(loads, [](const LoadCost *load) { return load->isShared; });
  double shared = sharedCycles(loads);
  double latency = 0, together = 0, alone = 0, issue = 0, way = 0, handshake = 0, bytes = 0;
  for (const LoadCost *load : loads) {
    latency = std::max(latency, load->latency);
    bytes += load->bytes;
    (load->isShared ? alone : together) += load->alone;
    issue += load->issue;
    way = std::max(way, load->way);
    handshake = std::max(handshake, load->handshake);
  }
  double own = std::max(alone, together), stream = std::max({own, shared, issue});
  // All loads are requested, as far as so much can be under way, then delivered one after the other: of the last one a
  // tile can be used as it arrives. Those that different cores read arrive beside each other.
  const LoadCost &last = *loads.back();
  double later = std::max(last.alone, *std::ranges::max_element(last.busy) / last.issues) * (1 - 1 / last.tiles);
  if (isShared && loads.size() > 1)
    later = 0;
  Fetch fetch;
  fetch.pace = std::max({latency + own, shared, issue, handshake});
  fetch.whole = latency + stream + way;
  fetch.first = fetch.whole - std::min(later, stream * std::min(1.0, kBytesUnderWay / bytes));
  fetch.after = 1 - last.untilLast;
  return fetch;
}

std::vector<TimeModel::Fetch> TimeModel::fetches(std::span<const LoadCost *const> loads) const {
  std::vector<Fetch> all(groups);
  std::vector<const LoadCost *> together;
  for (size_t i = 0; i < loads.size(); ++i) {
    if (!loads[i])
      continue;
    size_t group = groupOfLevel[i][loads[i]->level];
    if (!all[group].isEmpty())
      continue;
    together.clear();
    for (size_t j = i; j < loads.size(); ++j)
      if (loads[j] && groupOfLevel[j][loads[j]->level] == group)
        together.push_back(loads[j]);
    all[group] = fetchOf(together);
  }
  return all;
}

TimeModel::Time TimeModel::timeOf(int number, std::span<const Fetch> fetches) const {
  const Node &node = nodes[number];
  std::vector<Time> inner;
  bool loadsInside = false;
  for (const Node::Inner &loop : node.loops) {
    inner.push_back(timeOf(loop.node, fetches));
    loadsInside |= inner.back().loads;
  }
  std::span<const Fetch> groups = fetches.subspan(node.firstGroup, node.loops.size() + 1);
  if (loadsInside)
    return sequence(node, inner, groups);
  Time time;
  double pace = 0, first = 0, rest = 0;
  for (const Fetch &fetch : groups) {
    pace += fetch.pace;
    first = first == 0 ? fetch.first : first;
    rest = std::max(rest, fetch.isEmpty() ? 0 : fetch.whole + fetch.after * node.total);
  }
  time.loads = pace > 0;
  time.first = std::max(first + node.total, rest);
  time.steady = std::max({pace, node.total, node.store});
  time.lead = std::max(0.0, node.total - pace);
  return time;
}

/// A body of which some loop loads tiles.
TimeModel::Time TimeModel::sequence(const Node &node, std::span<const Time> inner,
                                    std::span<const Fetch> groups) const {
  Time time;
  time.loads = true;
  double lead = 0, stalls = 0;
  // The first fetch of a body can begin at the end of the body's last execution: twice around for the lead.
  for (int round = 0; round < 2; ++round) {
    double steady = node.compute, first = node.compute;
    stalls = 0;
    for (size_t i = 0; i <= inner.size(); ++i) {
      double stall = std::max(0.0, groups[i].pace - lead);
      lead = std::max(0.0, lead - groups[i].pace);
      stalls += stall;
      first += i == 0 ? groups[i].whole : stall;
      if (i == inner.size())
        break;
      double extent = node.loops[i].extent;
      steady += extent * inner[i].steady;
      first += inner[i].loads ? inner[i].first + (extent - 1) * inner[i].steady : extent * inner[i].steady;
      lead = inner[i].loads ? std::min(extent, 2.0) * inner[i].lead : lead + extent * inner[i].steady;
    }
    lead += node.compute;
    time.first = first;
    time.steady = std::max(steady + stalls, node.store);
    time.lead = lead;
  }
  return time;
}

double TimeModel::paperTime(int number, std::span<const Fetch> fetches) const {
  const Node &node = nodes[number];
  double load = 0, compute = node.compute;
  for (const Node::Inner &loop : node.loops) {
    const Node &body = nodes[loop.node];
    double innerLoad = 0, innerCompute = paperTime(loop.node, fetches);
    for (size_t i = 0; i <= body.loops.size(); ++i)
      innerLoad += fetches[body.firstGroup + i].pace;
    double pace = std::max({innerLoad, innerCompute, body.store});
    double ends = innerLoad + innerCompute + body.store;
    compute += loop.extent > 1 ? pace * (loop.extent - 2) + ends : ends;
  }
  if (number == 0)
    for (size_t i = 0; i <= node.loops.size(); ++i)
      load += fetches[i].pace;
  return load + compute;
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

double TimeModel::cycles(std::span<const LoadCost *const> loads) const {
  std::vector<Fetch> all = fetches(loads);
  size_t resource = 0;
  double run =
      formula == Formula::Paper ? paperTime(0, all) : softMax(timeOf(0, all).first + drain, busiest(loads, resource));
  return std::round(view.model.machine.launchCycles + run);
}

Estimate TimeModel::estimate(std::span<const LoadCost *const> loads) const {
  Estimate estimate;
  estimate.cycles = cycles(loads);
  estimate.compute = computeCycles();
  for (const LoadCost *load : loads)
    if (load)
      estimate.load += load->issues * fetchOf({&load, 1}).pace;
  for (const StoreCost &store : stores)
    estimate.store += store.issues * (store.latency + store.alone);
  size_t resource = 0;
  double most = busiest(loads, resource);
  estimate.bound = view.model.resources.name(resource);
  std::array<double, kUnits> busy = totalBusy(work);
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
