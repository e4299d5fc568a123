#include "runtime/mesh/simulator/Fabric.h"

#include <algorithm>

namespace tawa::mesh {
namespace {

/// Indices of instance `number` of an array over dimensions of the machine.
std::vector<int64_t> indicesOf(const Machine &machine, const std::vector<int> &dims, int64_t number) {
  std::vector<int64_t> indices(dims.size());
  for (size_t i = dims.size(); i-- > 0; number /= machine.dims[dims[i]].size)
    indices[i] = number % machine.dims[dims[i]].size;
  return indices;
}

int64_t instances(const Machine &machine, const std::vector<int> &dims) {
  int64_t count = 1;
  for (int dim : dims)
    count *= machine.dims[dim].size;
  return count;
}

/// The instance that a mux connects indices to, or -1.
int64_t instanceAt(const Machine &machine, const std::vector<int> &dims, const std::vector<Coordinate> &map,
                   const std::vector<int64_t> &indices) {
  int64_t number = 0;
  for (size_t i = 0; i < dims.size(); ++i) {
    int64_t at = i < map.size() ? map[i].at(indices) : -1;
    if (at < 0 || at >= machine.dims[dims[i]].size)
      return -1;
    number = number * machine.dims[dims[i]].size + at;
  }
  return number;
}

void addStages(Route &route, const std::vector<int> &resources) {
  for (int resource : resources)
    route.stages.push_back({resource});
}

} // namespace

Fabric::Fabric(const Machine &machine) : machine(machine), array(machine) {
  addLinks();
  addPorts();
  addChannels();
  for (const Mux &mux : machine.muxes)
    attach(mux);
}

int Fabric::add(ResourceUse::Kind kind, const std::string &name, std::vector<int64_t> at, double bandwidth,
                double latency) {
  Resource resource;
  resource.use.kind = kind;
  resource.use.name = name;
  resource.use.from = std::move(at);
  resource.ticksPerByte = bandwidth > 0 ? kTicksPerCycle / bandwidth : 0;
  resource.latency = ticksOf(latency);
  resources.push_back(std::move(resource));
  return static_cast<int>(resources.size()) - 1;
}

void Fabric::addLinks() {
  for (int number = 0; number < static_cast<int>(machine.networks.size()); ++number) {
    const Network &network = machine.networks[number];
    links.emplace_back(array.count(), -1);
    if (!connectsCores(network, machine))
      continue;
    for (int64_t core = 0; core < array.count(); ++core) {
      std::vector<int64_t> from = array.coordinatesOf(core);
      int64_t to = array.numberOf(network.map, from);
      if (to < 0 || to == core)
        continue;
      links[number][core] = add(ResourceUse::Kind::Link, network.name, from, network.bandwidth, network.hopLatency);
      resources.back().use.to = array.coordinatesOf(to);
      resources.back().use.network = number;
    }
    for (int coordinate = 0; coordinate < static_cast<int>(array.extents().size()); ++coordinate)
      if (std::vector<int64_t> next = stepsAlong(machine, number, coordinate); !next.empty())
        lines.push_back({number, coordinate, std::move(next)});
  }
}

void Fabric::addPorts() {
  int local = machine.localMemory();
  double bandwidth = local < 0 ? 0 : machine.memories[local].bandwidth;
  for (const Mux &mux : machine.muxes)
    if (local >= 0 && mux.to.memory == local)
      bandwidth = mux.bandwidth;
  for (int64_t core = 0; core < array.count(); ++core)
    ports.push_back(add(ResourceUse::Kind::Port, local < 0 ? "port" : machine.memories[local].name,
                        array.coordinatesOf(core), bandwidth, local < 0 ? 0 : machine.memories[local].latency));
}

void Fabric::addChannels() {
  int global = machine.globalMemory();
  Memory none;
  const Memory &memory = global < 0 ? none : machine.memories[global];
  for (int64_t channel = 0; channel < instances(machine, memory.dims); ++channel)
    channelResources.push_back(add(ResourceUse::Kind::Channel, memory.name, indicesOf(machine, memory.dims, channel),
                                   memory.bandwidth, memory.latency));
  attached.resize(channelResources.size());
}

void Fabric::attach(const Mux &mux) {
  bool fromCores = mux.from.isCores() || mux.from.memory == machine.localMemory();
  if (!fromCores || mux.to.isCores() || mux.to.memory != machine.globalMemory())
    return;
  for (int64_t core = 0; core < array.count(); ++core) {
    std::vector<int64_t> at = array.coordinatesOf(core);
    int64_t channel = instanceAt(machine, machine.memories[mux.to.memory].dims, mux.map, at);
    if (channel >= 0)
      attached[channel].push_back(
          {static_cast<int>(core), add(ResourceUse::Kind::Connection, mux.name, at, mux.bandwidth, 0)});
  }
}

bool Fabric::walk(std::vector<int64_t> &at, int coordinate, int64_t to, std::vector<int> &path) const {
  std::vector<int> best;
  for (const Line &line : lines) {
    std::vector<int> hops;
    std::vector<int64_t> place = at;
    while (line.along == coordinate && place[coordinate] != to &&
           static_cast<int64_t>(hops.size()) < array.extents()[coordinate]) {
      int link = links[line.network][array.numberOf(place)];
      place[coordinate] = line.next[place[coordinate]];
      if (link < 0)
        break;
      hops.push_back(link);
    }
    if (place[coordinate] == to && (best.empty() || hops.size() < best.size()))
      best = hops;
  }
  at[coordinate] = to;
  path.insert(path.end(), best.begin(), best.end());
  return !best.empty();
}

std::optional<std::vector<int>> Fabric::linksBetween(int from, int to) const {
  std::vector<int64_t> at = array.coordinatesOf(from), end = array.coordinatesOf(to);
  std::vector<int> path;
  for (int coordinate = static_cast<int>(at.size()); coordinate-- > 0;)
    if (at[coordinate] != end[coordinate] && !walk(at, coordinate, end[coordinate], path))
      return std::nullopt;
  return path;
}

Ticks Fabric::latency(int from, int to) const {
  Ticks sum = 0;
  if (std::optional<std::vector<int>> path = linksBetween(from, to))
    for (int link : *path)
      sum += resources[link].latency;
  return sum;
}

std::optional<std::pair<Fabric::Attachment, std::vector<int>>> Fabric::nearest(int channel, int core,
                                                                               bool toChannel) const {
  std::optional<std::pair<Attachment, std::vector<int>>> best;
  for (const Attachment &attachment : attached[channel]) {
    auto path = toChannel ? linksBetween(core, attachment.core) : linksBetween(attachment.core, core);
    if (path && (!best || path->size() < best->second.size()))
      best = {attachment, *path};
  }
  return best;
}

Route Fabric::readRoute(int channel, int core) const {
  Route route;
  route.stages.push_back({channelResources[channel]});
  if (auto way = nearest(channel, core, /*toChannel=*/false)) {
    route.stages.push_back({way->first.connection});
    addStages(route, way->second);
    route.before = latency(core, way->first.core);
  }
  route.stages.push_back({-1, ports[core], core});
  return route;
}

Route Fabric::writeRoute(int core, int channel) const {
  Route route;
  route.stages.push_back({ports[core]});
  if (auto way = nearest(channel, core, /*toChannel=*/true)) {
    addStages(route, way->second);
    route.stages.push_back({way->first.connection});
    route.after = latency(way->first.core, core);
  }
  route.stages.push_back({-1, channelResources[channel], -1});
  return route;
}

Route Fabric::lineRoute(int core, std::span<const int> receivers, int network, bool leavesCopies) const {
  Route route;
  route.stages.push_back({ports[core]});
  int at = core;
  for (int receiver : receivers) {
    Stage link{links[network][at]};
    if (at != core && leavesCopies)
      link.sink = ports[at], link.core = at;
    route.stages.push_back(link);
    at = receiver;
    if (leavesCopies || receiver == receivers.back())
      route.after = std::max(route.after, latency(receiver, core));
  }
  route.stages.push_back({-1, ports[at], at});
  return route;
}

std::vector<Route> Fabric::forwardRoutes(int core, const std::vector<int> &receivers, int network) const {
  std::vector<Route> routes;
  if (receivers.empty())
    return routes;
  if (machine.networks[network].multicasts)
    return {lineRoute(core, receivers, network, /*leavesCopies=*/true)};
  for (size_t count = 1; count <= receivers.size(); ++count)
    routes.push_back(lineRoute(core, std::span(receivers).first(count), network, /*leavesCopies=*/false));
  return routes;
}

} // namespace tawa::mesh
