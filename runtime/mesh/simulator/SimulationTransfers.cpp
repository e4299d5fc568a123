// The transfers and signals that threads issue, and their ends.
#include "runtime/mesh/simulator/Simulation.h"

#include <algorithm>

namespace tawa::mesh {

using Kind = Instruction::Kind;

bool Simulation::issue(int thread, const Instruction &instruction) {
  CoreState &core = coreOf(thread);
  if (core.outstanding >= options.outstandingPackets)
    return block(thread, StallCause::Outstanding);
  Transfer transfer;
  transfer.core = thread / kThreads;
  transfer.thread = thread;
  transfer.instruction = &instruction;
  transfer.slot = slotOf(core.buffers[instruction.object], instruction.object, instruction.kind != Kind::Write,
                         amountOf(thread, instruction));
  const std::vector<int64_t> &values = threads[thread].cursor.values();
  for (const FlatAffine &start : instruction.starts)
    transfer.start.push_back(start.at(values));
  bool happens = std::ranges::all_of(instruction.guards, [&](const FlatGuard &guard) { return guard.holds(values); });
  startTransfer(std::move(transfer), happens);
  return pause(thread, messageTicks * messagesOf(instruction));
}

/// To issue a transfer or a signal: one, or one to each receiver where the network does not multicast.
int64_t Simulation::messagesOf(const Instruction &instruction) const {
  if (instruction.network < 0)
    return 1;
  return std::max<int64_t>(1, static_cast<int64_t>(forwardRoutes[instruction.note].size()));
}

void Simulation::startTransfer(Transfer transfer, bool happens) {
  const Instruction &instruction = *transfer.instruction;
  static constexpr auto kindOf = [](Kind kind) {
    return kind == Kind::Read    ? Transfer::Kind::Read
           : kind == Kind::Write ? Transfer::Kind::Write
                                 : Transfer::Kind::Forward;
  };
  transfer.kind = kindOf(instruction.kind);
  Window &window = windowOf(transfer);
  transfer.sequence = window.issued++;
  window.isDone.push_back(false);
  pieces.clear();
  if (transfer.kind == Transfer::Kind::Forward)
    cutForward(instruction);
  else if (happens)
    cutBlock(transfer);
  transfer.packets = static_cast<int>(pieces.size());
  transfer.happens = happens;
  states[transfer.core].outstanding += transfer.packets;
  int number = transport.open(std::move(transfer));
  for (const Piece &piece : pieces)
    transport.send(number, *piece.route, piece.bytes, piece.isLast, now + messageTicks);
  if (pieces.empty())
    events.add(now + messageTicks, Event::Kind::Done, number);
}

void Simulation::cutForward(const Instruction &instruction) {
  for (const Route &route : forwardRoutes[instruction.note])
    for (int64_t left = program.buffers[instruction.object].tileBytes; left > 0; left -= options.packetBytes)
      pieces.push_back({&route, std::min(left, options.packetBytes), left <= options.packetBytes});
}

void Simulation::cutBlock(const Transfer &transfer) {
  bool isRead = transfer.kind == Transfer::Kind::Read;
  const auto &what = transfer.instruction->operation->what;
  pages.clear();
  interleave.pagesOf(isRead ? std::get<Read>(what).access : std::get<Write>(what).access, transfer.start, pages);
  for (const PageAccess &page : pages) {
    pieces.push_back({&blockRoute(isRead, transfer.core, page.channel), page.bytes, &page == &pages.back()});
    (isRead ? bytesRead : bytesWritten) += page.bytes;
  }
}

const Route &Simulation::blockRoute(bool isRead, int core, int channel) {
  std::optional<Route> &route = (isRead ? readRoutes : writeRoutes)[core * fabric.channels() + channel];
  if (!route)
    route = isRead ? fabric.readRoute(channel, core) : fabric.writeRoute(core, channel);
  return *route;
}

bool Simulation::signal(int thread, const Instruction &instruction) {
  int core = thread / kThreads;
  if (instruction.network < 0) {
    for (size_t i = 0; i < instruction.receivers.size(); ++i)
      events.add(now + messageTicks + signalLatencies[instruction.note][i] + semaphoreTicks, Event::Kind::Signal,
                 instruction.object, instruction.receivers[i]);
  } else if (!instruction.receivers.empty()) {
    Transfer transfer;
    transfer.kind = Transfer::Kind::Signal;
    transfer.core = core;
    transfer.instruction = &instruction;
    int number = transport.open(std::move(transfer));
    for (const Route &route : forwardRoutes[instruction.note])
      transport.send(number, route, options.signalBytes, /*isLast=*/true, now + messageTicks);
  }
  return pause(thread, messageTicks * messagesOf(instruction));
}

Simulation::Window &Simulation::windowOf(const Transfer &transfer) {
  ThreadState &thread = threads[transfer.thread];
  return (transfer.kind == Transfer::Kind::Read ? thread.reads : thread.writes)[transfer.instruction->tag];
}

void Simulation::endTransfer(int number) {
  Transfer &transfer = transport.at(number);
  if (transfer.kind != Transfer::Kind::Signal) {
    if (memory && transfer.happens && transfer.kind == Transfer::Kind::Read)
      memory->read(transfer.core, transfer.instruction->object, transfer.slot,
                   std::get<Read>(transfer.instruction->operation->what).access, transfer.start);
    if (memory && transfer.kind == Transfer::Kind::Write)
      memory->write(transfer.contents, std::get<Write>(transfer.instruction->operation->what).access, transfer.start);
    Window &window = windowOf(transfer);
    window.isDone[transfer.sequence - window.ended] = true;
    for (; !window.isDone.empty() && window.isDone.front(); ++window.ended)
      window.isDone.pop_front();
    states[transfer.core].outstanding -= transfer.packets;
    wakeIfBlocked(transfer.thread, StallCause::Transfers);
    for (int thread = 0; thread < kThreads; ++thread)
      wakeIfBlocked(transfer.core * kThreads + thread, StallCause::Outstanding);
  }
  transport.end(number);
}

void Simulation::land(int number, int core) {
  const Transfer &transfer = transport.at(number);
  memory->arrive(core, transfer.instruction->object, transfer.slot, transfer.contents);
}

void Simulation::count(int core, int semaphore) {
  SemaphoreState &state = states[core].semaphores[semaphore];
  ++state.signals;
  wake(state.waiter);
}

} // namespace tawa::mesh
