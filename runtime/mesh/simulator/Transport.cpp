#include "runtime/mesh/simulator/Transport.h"

namespace tawa::mesh {

int Transport::open(Transfer transfer) {
  if (freeTransfers.empty()) {
    transfers.push_back(std::move(transfer));
    return static_cast<int>(transfers.size()) - 1;
  }
  int number = freeTransfers.back();
  freeTransfers.pop_back();
  transfers[number] = std::move(transfer);
  return number;
}

void Transport::send(int transfer, const Route &route, int64_t bytes, bool isLast, Ticks time) {
  Packet packet{transfer, &route, 0, isLast, bytes, time + route.before};
  transfers[transfer].after = std::max(transfers[transfer].after, route.after);
  for (const Stage &stage : route.stages)
    transfers[transfer].undelivered += stage.sink >= 0;
  int number = static_cast<int>(packets.size());
  if (freePackets.empty()) {
    packets.push_back(packet);
  } else {
    number = freePackets.back();
    freePackets.pop_back();
    packets[number] = packet;
  }
  events.add(packet.tail, Event::Kind::Arrive, number);
}

void Transport::arrive(int number, Ticks now) {
  Packet &packet = packets[number];
  const Stage &stage = packet.route->stages[packet.stage];
  if (stage.sink >= 0)
    deliver(packet, stage, now);
  if (stage.resource < 0) {
    freePackets.push_back(number);
    return;
  }
  Resource &resource = fabric.resources[stage.resource];
  Ticks start = resource.serve(now, packet.bytes);
  if (Transfer &transfer = transfers[packet.transfer]; memory && packet.stage == 0 && packet.isLast &&
                                                       transfer.kind != Transfer::Kind::Read &&
                                                       transfer.kind != Transfer::Kind::Signal)
    transfer.contents = memory->contents(transfer.core, transfer.instruction->object, transfer.slot);
  packet.tail = std::max(packet.tail, resource.free) + resource.latency;
  ++packet.stage;
  events.add(start + resource.latency, Event::Kind::Arrive, number);
}

void Transport::deliver(const Packet &packet, const Stage &stage, Ticks now) {
  Transfer &transfer = transfers[packet.transfer];
  Resource &sink = fabric.resources[stage.sink];
  sink.serve(now, packet.bytes);
  Ticks tail = std::max(packet.tail, sink.free) + (stage.core < 0 ? 0 : sink.latency);
  if (transfer.kind == Transfer::Kind::Signal)
    events.add(tail + semaphoreLatency, Event::Kind::Signal, transfer.instruction->object, stage.core);
  else if (transfer.kind == Transfer::Kind::Forward && memory && packet.isLast)
    events.add(tail, Event::Kind::Land, packet.transfer, stage.core);
  transfer.last = std::max(transfer.last, tail);
  if (--transfer.undelivered == 0)
    events.add(transfer.last + transfer.after, Event::Kind::Done, packet.transfer);
}

} // namespace tawa::mesh
