#include "compiler/planner/model/Routing.h"

#include <algorithm>
#include <map>
#include <optional>

namespace tawa::mesh::planner {
namespace {

const Mux *muxTo(int memory, const Machine &machine) {
  auto found = std::ranges::find_if(machine.muxes, [&](const Mux &mux) {
    return mux.to.memory == memory && !mux.to.isCores() && isOfCores(mux.from, machine);
  });
  return found == machine.muxes.end() ? nullptr : &*found;
}

int64_t instancesOf(int memory, const Machine &machine) {
  int64_t count = 1;
  for (int dim : machine.memories[memory].dims)
    count *= machine.dims[dim].size;
  return count;
}

/// Links of a path, as resources, and its hops.
struct Path {
  struct Hop {
    int network;
    int64_t sender;
  };
  std::vector<Hop> hops;
};

/// Finds ways over the lines of the networks.
class Router {
public:
  Router(const Machine &machine, const CoreArray &cores, const std::vector<Line> &lines)
      : machine(machine), cores(cores), lines(lines) {}

  std::optional<Path> path(int64_t from, int64_t to) const {
    Path path;
    for (size_t i = machine.coreDims.size(); i-- > 0;) {
      int dim = machine.coreDims[i];
      if (cores.along(from, dim) != cores.along(to, dim) && !walk(from, dim, cores.along(to, dim), path))
        return std::nullopt;
      from = cores.moved(from, dim, cores.along(to, dim));
    }
    return path;
  }

  double latency(const Path &path) const {
    double cycles = 0;
    for (const Path::Hop &hop : path.hops)
      cycles += machine.networks[hop.network].hopLatency;
    return cycles;
  }

private:
  bool walk(int64_t from, int dim, int64_t to, Path &path) const {
    std::vector<Path::Hop> best;
    for (const Line &line : lines) {
      if (line.dim != dim)
        continue;
      auto hops = along(line, from, to);
      if (!hops.empty() && (best.empty() || hops.size() < best.size()))
        best = hops;
    }
    path.hops.insert(path.hops.end(), best.begin(), best.end());
    return !best.empty();
  }

  std::vector<Path::Hop> along(const Line &line, int64_t from, int64_t to) const {
    auto size = static_cast<int64_t>(line.order.size());
    int64_t first = std::ranges::find(line.order, cores.along(from, line.dim)) - line.order.begin();
    int64_t last = std::ranges::find(line.order, to) - line.order.begin();
    if (last < first && !line.isRing)
      return {};
    std::vector<Path::Hop> hops;
    for (int64_t i = first; i % size != last; ++i)
      hops.push_back({line.network, cores.moved(from, line.dim, line.order[i % size])});
    return hops;
  }

  const Machine &machine;
  const CoreArray &cores;
  const std::vector<Line> &lines;
};

/// Averages the ways of one core to all instances.
class WayBuilder {
public:
  WayBuilder(const Machine &machine, const CoreArray &cores, const Resources &resources, const Router &router)
      : machine(machine), resources(resources), router(router), global(machine.globalMemory()),
        mux(*muxTo(global, machine)), attached(instancesOf(global, machine)) {
    for (int64_t core = 0; core < cores.count(); ++core)
      if (int64_t instance = instanceOf(mux.map, mux.to, machine, cores.coordinatesOf(core)); instance >= 0)
        attached[instance].push_back(core);
  }

  Way build(int64_t core, bool isRead) const {
    std::map<size_t, double> shares;
    Way way;
    for (size_t instance = 0; instance < attached.size(); ++instance) {
      double share = 1.0 / static_cast<double>(attached.size());
      shares[resources.port(instance)] += share / machine.memories[global].bandwidth;
      double latency = machine.memories[global].latency + addPath(core, instance, isRead, share, shares);
      way.latency = std::max(way.latency, latency);
    }
    shares[resources.local(core)] += 1 / machine.memories[machine.localMemory()].bandwidth;
    way.latency += machine.memories[machine.localMemory()].latency;
    for (auto [resource, cycles] : shares) {
      way.shares.push_back({static_cast<uint32_t>(resource), static_cast<float>(cycles)});
      way.slowest = std::max(way.slowest, cycles);
    }
    return way;
  }

private:
  /// Returns the cycles of a request's way and of its answer's.
  double addPath(int64_t core, size_t instance, bool isRead, double share, std::map<size_t, double> &shares) const {
    std::optional<Path> best;
    int64_t door = -1;
    for (int64_t candidate : attached[instance]) {
      std::optional<Path> path = isRead ? router.path(candidate, core) : router.path(core, candidate);
      if (path && (!best || path->hops.size() < best->hops.size())) {
        best = path;
        door = candidate;
      }
    }
    if (!best)
      return 0;
    shares[resources.connection(door)] += share / mux.bandwidth;
    for (const Path::Hop &hop : best->hops)
      shares[resources.link(hop.network, hop.sender)] += share / machine.networks[hop.network].bandwidth;
    std::optional<Path> back = isRead ? router.path(core, door) : router.path(door, core);
    return router.latency(*best) + (back ? router.latency(*back) : 0);
  }

  const Machine &machine;
  const Resources &resources;
  const Router &router;
  int global;
  const Mux &mux;
  std::vector<std::vector<int64_t>> attached; ///< Cores at each instance.
};

} // namespace

Resources::Resources(const Machine &machine, const CoreArray &array) : cores(array.count()) {
  int global = machine.globalMemory(), local = machine.localMemory();
  const Mux *mux = muxTo(global, machine);
  names = {machine.memories[global].name, mux->name, "", machine.memories[local].name};
  for (const Network &network : machine.networks)
    networks.push_back(network.name);
  size_t sizes[] = {static_cast<size_t>(instancesOf(global, machine)), cores, cores * networks.size(), cores};
  size_t begin = 0;
  for (size_t kind = 0; kind < ranges.size(); ++kind) {
    ranges[kind] = {begin, begin + sizes[kind]};
    begin += sizes[kind];
  }
  rates.resize(sizes[0], 1 / machine.memories[global].bandwidth);
  rates.resize(rates.size() + cores, 1 / mux->bandwidth);
  for (const Network &network : machine.networks)
    rates.resize(rates.size() + cores, 1 / network.bandwidth);
  rates.resize(rates.size() + cores, 1 / machine.memories[local].bandwidth);
}

const std::string &Resources::name(size_t resource) const {
  for (size_t kind = 0; kind < ranges.size(); ++kind)
    if (resource < ranges[kind].end)
      return kind == static_cast<size_t>(Kind::Link) ? networks[(resource - ranges[kind].begin) / cores] : names[kind];
  return names.back();
}

MachineModel::MachineModel(const Machine &machine)
    : machine(machine), cores(machine), lines(findLines(machine, cores)), resources(machine, cores),
      localBandwidth(machine.memories[machine.localMemory()].bandwidth),
      capacity(machine.memories[machine.localMemory()].bytes) {
  Router router(machine, cores, lines);
  WayBuilder builder(machine, cores, resources, router);
  for (int64_t core = 0; core < cores.count(); ++core) {
    reads.push_back(builder.build(core, /*isRead=*/true));
    writes.push_back(builder.build(core, /*isRead=*/false));
  }
}

Result<MachineModel> MachineModel::of(const Machine &machine) {
  auto refuse = [&](const std::string &what) {
    return Status(StatusCode::Unsupported, "machine " + machine.name + " " + what);
  };
  if (machine.localMemory() < 0)
    return refuse("has no memory that is an array over the cores' dimensions: tiles need one local memory per core");
  if (machine.globalMemory() < 0)
    return refuse("has no memory besides the local one: tensors need a place");
  if (!muxTo(machine.globalMemory(), machine))
    return refuse("has no mux between its cores and memory " + machine.memories[machine.globalMemory()].name);
  return MachineModel(machine);
}

} // namespace tawa::mesh::planner
