// Prints a machine as a summary for people.
#include "runtime/mesh/Machine.h"

#include <cstdio>

namespace tawa::mesh {
namespace {

template <typename... Values> std::string format(const char *pattern, Values... values) {
  char text[256];
  std::snprintf(text, sizeof(text), pattern, values...);
  return text;
}

std::string bytesText(double bytes) {
  constexpr const char *kUnits[] = {"B", "KiB", "MiB", "GiB"};
  constexpr double kStep = 1024;
  size_t unit = 0;
  for (; unit + 1 < std::size(kUnits) && bytes >= 4 * kStep; ++unit)
    bytes /= kStep;
  return format("%.4g %s", bytes, kUnits[unit]);
}

/// "x 8, y 8"
std::string dimsText(const Machine &machine, const std::vector<int> &dims) {
  std::string text;
  for (int dim : dims)
    text += (text.empty() ? "" : ", ") + machine.dims[dim].name + " " + std::to_string(machine.dims[dim].size);
  return text;
}

std::vector<int64_t> extentsOf(const Machine &machine, Component component) {
  std::vector<int64_t> extents;
  for (int dim : component.isCores() ? machine.coreDims : machine.memories[component.memory].dims)
    extents.push_back(machine.dims[dim].size);
  return extents;
}

int64_t countOf(const std::vector<int64_t> &extents) {
  int64_t count = 1;
  for (int64_t extent : extents)
    count *= extent;
  return count;
}

/// Instances of `from` that the map takes to one of `to`.
int64_t linksOf(const Machine &machine, Component from, Component to, const std::vector<Coordinate> &map) {
  std::vector<int64_t> senders = extentsOf(machine, from), receivers = extentsOf(machine, to);
  std::vector<int64_t> index(senders.size());
  int64_t links = 0;
  for (int64_t sender = 0; sender < countOf(senders); ++sender) {
    int64_t rest = sender;
    for (size_t dim = senders.size(); dim-- > 0; rest /= senders[dim])
      index[dim] = rest % senders[dim];
    bool isInside = true;
    for (size_t dim = 0; dim < receivers.size(); ++dim)
      isInside = isInside && map[dim].at(index) >= 0 && map[dim].at(index) < receivers[dim];
    links += isInside;
  }
  return links;
}

std::string unitsText(const Machine &machine) {
  constexpr double kTera = 1e12;
  double perSecond = double(machine.cores()) * machine.clock / kTera;
  std::string text;
  if (const auto &mat = machine.matrix) {
    double rate = 2.0 * double(mat->m) * double(mat->n) * double(mat->k) * mat->throughput * double(mat->count);
    text +=
        format("  mat     %lld x [%lld, %lld, %lld], %.4g operations per cycle of a core, %.4g T/s in all\n",
               (long long)mat->count, (long long)mat->m, (long long)mat->n, (long long)mat->k, rate, rate * perSecond);
  }
  if (const auto &vec = machine.vector) {
    double rate = double(vec->width) * vec->throughput * double(vec->count);
    text += format("  vec     %lld x [%lld], %.4g elements per cycle of a core, %.4g T/s in all\n",
                   (long long)vec->count, (long long)vec->width, rate, rate * perSecond);
  }
  if (machine.scalar)
    text += format("  scalar  %.4g cycles an operation\n", machine.scalar->latency);
  return text;
}

std::string memoryText(const Machine &machine, int number) {
  constexpr double kGiga = 1e9;
  const Memory &memory = machine.memories[number];
  int64_t count = countOf(extentsOf(machine, {number}));
  return format("  memory  %s: %lld of %s, %.4g B per cycle each, %.4g GB/s in all\n", memory.name.c_str(),
                (long long)count, bytesText(double(memory.bytes)).c_str(), memory.bandwidth,
                memory.bandwidth * double(count) * machine.clock / kGiga);
}

} // namespace

std::string Machine::str() const {
  constexpr double kGiga = 1e9;
  std::string text = format("%s: %lld cores (%s) at %.4g GHz\n", name.c_str(), (long long)cores(),
                            dimsText(*this, coreDims).c_str(), clock / kGiga);
  text += unitsText(*this);
  for (size_t i = 0; i < memories.size(); ++i)
    text += memoryText(*this, static_cast<int>(i));
  for (const Network &network : networks)
    text += format("  network %s: %lld links, %.4g B per cycle, %.4g cycles a hop%s\n", network.name.c_str(),
                   (long long)linksOf(*this, network.from, network.to, network.map), network.bandwidth,
                   network.hopLatency, network.multicasts ? ", multicast" : "");
  for (const Mux &mux : muxes)
    text += format("  port    %s: %lld to %s, %.4g B per cycle\n", mux.name.c_str(),
                   (long long)linksOf(*this, mux.from, mux.to, mux.map),
                   mux.to.isCores() ? "cores" : memories[mux.to.memory].name.c_str(), mux.bandwidth);
  return text;
}

} // namespace tawa::mesh
