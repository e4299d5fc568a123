// What transfers pass through: DRAM channels, connections of cores to them, links and ports of local memories, each
// serving one packet after the other; and the routes over them. Internal to the simulator.
//
// Routes are dimension-ordered, the last coordinate first; along each coordinate a message takes the network with the
// fewest hops. A channel is reached through the core nearest by hops of those that a mux connects to it. Where no links
// lead from there to a core, the core reaches the channel directly.
#pragma once

#include "runtime/mesh/core/NetworkLine.h"
#include "runtime/mesh/simulator/Simulator.h"
#include "runtime/mesh/simulator/Time.h"

namespace tawa::mesh {

struct Resource {
  double ticksPerByte = 0;
  Ticks latency = 0; ///< Of the head, to the next stage.
  Ticks free = 0;    ///< When it has served all that it took.
  Ticks busy = 0;
  int64_t bytes = 0;
  ResourceUse use; ///< `busy` and `bytes` are filled in at the end.

  /// Takes a packet whose head arrives `now`; returns when it starts to serve it.
  Ticks serve(Ticks now, int64_t size) {
    double exact = size * ticksPerByte;
    Ticks start = std::max(now, free), duration = static_cast<Ticks>(exact);
    duration += duration < exact;
    free = start + duration;
    busy += duration;
    bytes += size;
    return start;
  }
};

/// On arriving at a stage a packet is delivered where it has a sink, and goes on through the resource if there is one.
struct Stage {
  int resource = -1;
  int sink = -1; ///< A port, or a channel that is written.
  int core = -1; ///< To which the sink belongs; -1 for a channel.
};
struct Route {
  std::vector<Stage> stages;
  Ticks before = 0; ///< From the issue to the first stage: a request's way.
  Ticks after = 0;  ///< From the delivery to the sender's knowledge of it.
};

class Fabric {
public:
  explicit Fabric(const Machine &machine);

  int channels() const { return static_cast<int>(attached.size()); }
  Route readRoute(int channel, int core) const;
  Route writeRoute(int core, int channel) const;
  /// To the receivers, which lie one after the other along the network: one route that leaves a copy with each, or,
  /// where the network does not multicast, one for each.
  std::vector<Route> forwardRoutes(int core, const std::vector<int> &receivers, int network) const;
  /// Of a message without contention; 0 where no links lead there.
  Ticks latency(int from, int to) const;

  std::vector<Resource> resources;

private:
  struct Attachment {
    int core, connection;
  };
  struct Line {
    int network, along;
    std::vector<int64_t> next;
  };

  int add(ResourceUse::Kind kind, const std::string &name, std::vector<int64_t> at, double bandwidth, double latency);
  void addLinks();
  void addPorts();
  void addChannels();
  void attach(const Mux &mux);
  /// Links from core to core; nothing where there is no way.
  std::optional<std::vector<int>> linksBetween(int from, int to) const;
  bool walk(std::vector<int64_t> &at, int coordinate, int64_t to, std::vector<int> &links) const;
  /// Along the network to the last of the receivers; `leavesCopies` with the others too.
  Route lineRoute(int core, std::span<const int> receivers, int network, bool leavesCopies) const;
  /// The attachment of the channel nearest to the core (from it, or to it), with the links between.
  std::optional<std::pair<Attachment, std::vector<int>>> nearest(int channel, int core, bool toChannel) const;

  const Machine &machine;
  CoreArray array;
  std::vector<Line> lines;
  std::vector<std::vector<int>> links; ///< By network and sender; -1 where there is none.
  std::vector<int> ports;
  std::vector<int> channelResources;
  std::vector<std::vector<Attachment>> attached; ///< By channel.
};

} // namespace tawa::mesh
