// Transfers on their way: packets that go from stage to stage of their routes. Internal to the simulator.
//
// A stage serves packets in the order of their arrival. The head of a packet reaches the next stage after the latency
// of the one that serves it, its tail when it has been served (virtual cut-through: a router can hold a whole packet,
// so that one that waits does not hold up the link before).
#pragma once

#include "runtime/mesh/simulator/EventQueue.h"
#include "runtime/mesh/simulator/Fabric.h"
#include "runtime/mesh/simulator/TileMemory.h"

namespace tawa::mesh {

struct Transfer {
  enum class Kind : uint8_t { Read, Write, Forward, Signal };
  Kind kind = Kind::Read;
  int core = -1, thread = -1;
  const Instruction *instruction = nullptr;
  int64_t sequence = 0;          ///< Among those of its tag and direction on this thread.
  int64_t slot = 0;              ///< Of the buffer: from its first.
  std::vector<int64_t> start;    ///< Of the block, of Read and Write.
  bool happens = true;           ///< Of Read: its guards hold.
  int packets = 0;               ///< Of this transfer, for the limit of outstanding ones.
  int undelivered = 0;           ///< Packets to their sinks.
  Ticks after = 0;               ///< From the last delivery to the end.
  Ticks last = 0;                ///< Latest delivery so far.
  TileMemory::Contents contents; ///< With data: of the slot when the last packet left it.
};

class Transport {
public:
  Transport(Fabric &fabric, EventQueue &events, Ticks semaphoreLatency)
      : fabric(fabric), events(events), semaphoreLatency(semaphoreLatency) {}

  /// With data.
  void keepContents(const TileMemory *tiles) { memory = tiles; }

  /// A new transfer; it is taken back with `end`.
  int open(Transfer transfer);
  Transfer &at(int transfer) { return transfers[transfer]; }
  void end(int transfer) { freeTransfers.push_back(transfer); }

  /// Sends a packet of the transfer over a route from `time` on. Routes have to stay where they are.
  void send(int transfer, const Route &route, int64_t bytes, bool isLast, Ticks time);
  /// A packet's head arrives at its stage.
  void arrive(int packet, Ticks now);

private:
  struct Packet {
    int transfer;
    const Route *route;
    int stage;
    bool isLast; ///< Of its transfer.
    int64_t bytes;
    Ticks tail; ///< When its last byte is at the stage.
  };

  void deliver(const Packet &packet, const Stage &stage, Ticks now);

  Fabric &fabric;
  EventQueue &events;
  const TileMemory *memory = nullptr;
  Ticks semaphoreLatency;
  std::vector<Transfer> transfers;
  std::vector<Packet> packets;
  std::vector<int> freeTransfers, freePackets;
};

} // namespace tawa::mesh
