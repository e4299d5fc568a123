// Ways between the cores and the global memory, as averages: which share of each byte that a core reads or writes
// passes each port, connection and link, and how long a request takes (TileLoom, section 3.4: accesses to global memory
// spread over the links).
//
// Assumed: tensors are spread evenly over the instances of the memory; an instance is reached through the core nearest
// by hops of those that a mux connects to it; routes go dimension by dimension, the last one first. An instance that no
// links lead to is reached directly.
#pragma once

#include "compiler/planner/space/Topology.h"
#include "runtime/support/Status.h"

#include <array>

namespace tawa::mesh::planner {

/// Of tensors in one instance of the global memory before the next one, in no regular order: a tile of 32 x 32 elements
/// of 16 bits.
constexpr double kSpreadBytes = 32 * 32 * 2;

/// What transfers share, numbered: ports of the global memory's instances, connections of the cores to them, links of
/// the networks, ports of the local memories.
class Resources {
public:
  enum class Kind : uint8_t { Port, Connection, Link, Local };
  struct Range {
    size_t begin = 0, end = 0;
  };

  Resources(const Machine &machine, const CoreArray &cores);
  Range range(Kind kind) const { return ranges[static_cast<size_t>(kind)]; }
  size_t size() const { return range(Kind::Local).end; }
  size_t port(int64_t instance) const { return range(Kind::Port).begin + instance; }
  size_t connection(int64_t core) const { return range(Kind::Connection).begin + core; }
  size_t link(int network, int64_t sender) const { return range(Kind::Link).begin + network * cores + sender; }
  size_t local(int64_t core) const { return range(Kind::Local).begin + core; }
  /// Of the memory, mux or network that it belongs to.
  const std::string &name(size_t resource) const;
  /// Of its bandwidth.
  double cyclesPerByte(size_t resource) const { return rates[resource]; }

private:
  std::array<Range, 4> ranges;
  std::array<std::string, 4> names;
  std::vector<std::string> networks;
  std::vector<double> rates;
  size_t cores = 0;
};

/// What one core's accesses to global memory take.
struct Way {
  struct Share {
    uint32_t resource;
    float cyclesPerByte;
  };
  std::vector<Share> shares;
  double slowest = 0; ///< Largest of the shares: cycles per byte of the core alone.
  double latency = 0; ///< From the request to the first byte, of the farthest instance.
};

/// Everything about a machine that costs depend on.
class MachineModel {
public:
  /// Fails where the machine has no local or global memory, or no mux between the cores and the global memory.
  static Result<MachineModel> of(const Machine &machine);

  const Machine &machine;
  CoreArray cores;
  std::vector<Line> lines;
  Resources resources;
  std::vector<Way> reads, writes; ///< Of each core.
  double localBandwidth = 0;
  int64_t capacity = 0; ///< Bytes of a local memory.

private:
  explicit MachineModel(const Machine &machine);
};

} // namespace tawa::mesh::planner
