#include "compiler/planner/space/Topology.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>

namespace tawa::mesh::planner {
namespace {

constexpr int64_t kNone = -1;

/// The index along `dim` that follows each one, the same in all rows; nothing where links leave the row or differ.
std::optional<std::vector<int64_t>> successorsAlong(const Network &network, int dim, const Machine &machine,
                                                    const CoreArray &cores) {
  std::vector<std::optional<int64_t>> next(machine.dims[dim].size);
  for (int64_t core = 0; core < cores.count(); ++core) {
    int64_t to = instanceOf(network.map, Component{}, machine, cores.coordinatesOf(core));
    if (to != kNone && cores.moved(core, dim, cores.along(to, dim)) != to)
      return std::nullopt;
    int64_t follower = to == kNone ? kNone : cores.along(to, dim);
    std::optional<int64_t> &known = next[cores.along(core, dim)];
    if (known && *known != follower)
      return std::nullopt;
    known = follower;
  }
  std::vector<int64_t> successors;
  successors.reserve(next.size());
  for (const std::optional<int64_t> &follower : next)
    successors.push_back(*follower);
  return successors;
}

/// All indices in the order of their links: from the one that no link leads to, or around a ring from index 0. Empty
/// where the links make neither.
std::vector<int64_t> orderOf(const std::vector<int64_t> &next) {
  std::vector<int64_t> incoming(next.size());
  for (int64_t follower : next)
    if (follower != kNone)
      ++incoming[follower];
  auto first = std::ranges::find(incoming, 0);
  int64_t at = first == incoming.end() ? 0 : first - incoming.begin();
  std::vector<int64_t> order;
  while (at != kNone && order.size() < next.size() && std::ranges::find(order, at) == order.end()) {
    order.push_back(at);
    at = next[at];
  }
  return order.size() == next.size() ? order : std::vector<int64_t>{};
}

/// The core that takes the place of each one when the dimensions are exchanged.
std::vector<int64_t> imageOf(const std::vector<int> &permutation, const Machine &machine, const CoreArray &cores) {
  std::vector<int64_t> image(cores.count());
  for (int64_t core = 0; core < cores.count(); ++core) {
    int64_t to = 0;
    for (int dim : machine.coreDims)
      to = cores.moved(to, permutation[dim], cores.along(core, dim));
    image[core] = to;
  }
  return image;
}

struct LinkFacts {
  int64_t from, to;
  double bandwidth, hopLatency;
  bool multicasts;
  auto operator<=>(const LinkFacts &) const = default;
};

bool keepsLinks(const std::vector<int64_t> &image, const Machine &machine, const CoreArray &cores) {
  std::vector<LinkFacts> before, after;
  for (const Network &network : machine.networks)
    for (int64_t core = 0; core < cores.count(); ++core) {
      int64_t to = instanceOf(network.map, Component{}, machine, cores.coordinatesOf(core));
      if (to == kNone)
        continue;
      before.push_back({core, to, network.bandwidth, network.hopLatency, network.multicasts});
      after.push_back({image[core], image[to], network.bandwidth, network.hopLatency, network.multicasts});
    }
  auto less = [](const LinkFacts &a, const LinkFacts &b) { return (a <=> b) < 0; };
  std::ranges::sort(before, less);
  std::ranges::sort(after, less);
  return before == after;
}

/// Whether cores that share an instance still share one.
bool keepsSharing(const Mux &mux, const std::vector<int64_t> &image, const Machine &machine, const CoreArray &cores) {
  std::map<int64_t, int64_t> renamed, back;
  for (int64_t core = 0; core < cores.count(); ++core) {
    int64_t old = instanceOf(mux.map, mux.to, machine, cores.coordinatesOf(core));
    int64_t now = instanceOf(mux.map, mux.to, machine, cores.coordinatesOf(image[core]));
    if (renamed.try_emplace(old, now).first->second != now || back.try_emplace(now, old).first->second != old)
      return false;
  }
  return true;
}

bool isSymmetry(const std::vector<int> &permutation, const Machine &machine, const CoreArray &cores) {
  for (int dim : machine.coreDims)
    if (machine.dims[permutation[dim]].size != machine.dims[dim].size)
      return false;
  std::vector<int64_t> image = imageOf(permutation, machine, cores);
  return keepsLinks(image, machine, cores) &&
         std::ranges::all_of(machine.muxes, [&](const Mux &mux) { return keepsSharing(mux, image, machine, cores); });
}

bool connectsOnlyCores(const Machine &machine) {
  return std::ranges::all_of(machine.networks,
                             [&](const Network &network) { return connectsCores(network, machine); }) &&
         std::ranges::all_of(machine.muxes, [&](const Mux &mux) { return isOfCores(mux.from, machine); });
}

} // namespace

int64_t instanceOf(const std::vector<Coordinate> &map, const Component &to, const Machine &machine,
                   std::span<const int64_t> indices) {
  const std::vector<int> &dims = to.isCores() ? machine.coreDims : machine.memories[to.memory].dims;
  int64_t instance = 0;
  for (size_t i = 0; i < dims.size(); ++i) {
    int64_t size = machine.dims[dims[i]].size, at = i < map.size() ? map[i].at(indices) : 0;
    if (at < 0 || at >= size)
      return kNone;
    instance = instance * size + at;
  }
  return instance;
}

std::vector<Line> findLines(const Machine &machine, const CoreArray &cores) {
  std::vector<Line> lines;
  for (int number = 0; number < static_cast<int>(machine.networks.size()); ++number) {
    const Network &network = machine.networks[number];
    if (!connectsCores(network, machine))
      continue;
    for (int dim : machine.coreDims) {
      if (machine.dims[dim].size == 1)
        continue;
      auto next = successorsAlong(network, dim, machine, cores);
      std::vector<int64_t> order = next ? orderOf(*next) : std::vector<int64_t>{};
      if (!order.empty())
        lines.push_back({dim, number, order, (*next)[order.back()] == order.front()});
    }
  }
  return lines;
}

std::vector<std::vector<int>> findSymmetries(const Machine &machine, const CoreArray &cores) {
  std::vector<std::vector<int>> symmetries;
  if (!connectsOnlyCores(machine))
    return symmetries;
  std::vector<int> order = machine.coreDims;
  std::ranges::sort(order);
  std::vector<int> sorted = order;
  while (std::ranges::next_permutation(order).found) {
    std::vector<int> permutation(machine.dims.size());
    std::iota(permutation.begin(), permutation.end(), 0);
    for (size_t i = 0; i < order.size(); ++i)
      permutation[sorted[i]] = order[i];
    if (isSymmetry(permutation, machine, cores))
      symmetries.push_back(permutation);
  }
  return symmetries;
}

} // namespace tawa::mesh::planner
