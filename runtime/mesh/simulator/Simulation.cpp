#include "runtime/mesh/simulator/Simulation.h"

#include <algorithm>

namespace tawa::mesh {

using Kind = Instruction::Kind;

Simulation::Simulation(const CoreProgram &program, std::vector<FlatCore> flat, const Machine &machine,
                       const SimulatorOptions &options, SimulationData *data)
    : program(program), cores(std::move(flat)), machine(machine), options(options), fabric(machine),
      interleave(program.tensors, options, fabric.channels()),
      transport(fabric, events, ticksOf(machine.semaphoreCycles)), states(cores.size()),
      readRoutes(cores.size() * fabric.channels()), writeRoutes(cores.size() * fabric.channels()),
      messageTicks(ticksOf(machine.messageCycles)), semaphoreTicks(ticksOf(machine.semaphoreCycles)) {
  if (data)
    transport.keepContents(&memory.emplace(program, cores.size(), *data));
  for (FlatCore &core : cores)
    prepare(core);
}

/// Routes and durations that do not change.
void Simulation::prepare(FlatCore &core) {
  int number = static_cast<int>(&core - cores.data());
  states[number].buffers.resize(program.buffers.size());
  states[number].semaphores.resize(program.semaphores.size());
  for (FlatThread &thread : core.threads) {
    int tags = 0;
    for (Instruction &instruction : thread) {
      tags = std::max(tags, instruction.tag + 1);
      if (instruction.network >= 0) {
        instruction.note = static_cast<int>(forwardRoutes.size());
        forwardRoutes.push_back(fabric.forwardRoutes(number, instruction.receivers, instruction.network));
      } else if (instruction.kind == Kind::Signal) {
        instruction.note = static_cast<int>(signalLatencies.size());
        std::vector<Ticks> &latencies = signalLatencies.emplace_back();
        for (int receiver : instruction.receivers)
          latencies.push_back(fabric.latency(number, receiver));
      } else if (instruction.kind == Kind::Compute) {
        instruction.note = static_cast<int>(segments.size());
        segments.push_back(timeOf(std::get<Compute>(instruction.operation->what), program, machine, options));
      }
    }
    ThreadState &state = threads.emplace_back();
    state.cursor = Cursor(thread, program.variables.size());
    state.reads.resize(tags);
    state.writes.resize(tags);
  }
}

SimulationResult Simulation::run() {
  SimulationResult result;
  for (int thread = 0; thread < static_cast<int>(threads.size()); ++thread)
    events.add(ticksOf(machine.launchCycles), Event::Kind::Resume, thread);
  while (!events.isEmpty()) {
    Event event = events.take();
    now = event.time;
    switch (event.kind) {
    case Event::Kind::Resume:
      resume(event.subject);
      break;
    case Event::Kind::Arrive:
      transport.arrive(event.subject, now);
      break;
    case Event::Kind::Done:
      endTransfer(event.subject);
      break;
    case Event::Kind::Land:
      land(event.subject, event.core);
      break;
    case Event::Kind::Signal:
      count(event.core, event.subject);
      break;
    }
  }
  collect(result);
  return result;
}

void Simulation::resume(int number) {
  ThreadState &thread = threads[number];
  if (thread.blockedSince >= 0)
    thread.use.stalls[static_cast<int>(thread.cause)] += cyclesOf(now - thread.blockedSince);
  thread.blockedSince = -1;
  thread.woken = false;
  if (thread.computes)
    endCompute(number, thread.cursor.fetch());
  thread.computes = false;
  if (thread.paused) {
    thread.paused = false;
    thread.cursor.advance();
  }
  for (const Instruction *at = &thread.cursor.fetch(); at->kind != Kind::End; at = &thread.cursor.fetch()) {
    if (!step(number, *at))
      return;
    thread.cursor.advance();
  }
  thread.use.end = cyclesOf(now);
}

bool Simulation::step(int thread, const Instruction &instruction) {
  ThreadState &state = threads[thread];
  switch (instruction.kind) {
  case Kind::Reserve:
  case Kind::Wait:
    return acquire(thread, instruction);
  case Kind::Push: {
    BufferState &buffer = coreOf(thread).buffers[instruction.object];
    buffer.pushed += amountOf(thread, instruction);
    wake(buffer.consumer);
    return true;
  }
  case Kind::Pop: {
    BufferState &buffer = coreOf(thread).buffers[instruction.object];
    buffer.popped += amountOf(thread, instruction);
    wake(buffer.producer);
    return true;
  }
  case Kind::Read:
  case Kind::Write:
  case Kind::Forward:
    return issue(thread, instruction);
  case Kind::ReadBarrier:
    return awaitTransfers(thread, instruction, state.reads[instruction.tag]);
  case Kind::WriteBarrier:
    return awaitTransfers(thread, instruction, state.writes[instruction.tag]);
  case Kind::SemaphoreWait:
    return awaitSignals(thread, instruction);
  case Kind::Signal:
    return signal(thread, instruction);
  default:
    return beginCompute(thread, instruction);
  }
}

/// The instruction is executed again when the thread is woken.
bool Simulation::block(int thread, StallCause cause) {
  threads[thread].blockedSince = now;
  threads[thread].cause = cause;
  return false;
}

/// The thread goes on after the instruction, later.
bool Simulation::pause(int thread, Ticks duration) {
  if (duration == 0)
    return true;
  threads[thread].paused = true;
  events.add(now + duration, Event::Kind::Resume, thread);
  return false;
}

void Simulation::wake(int &thread) {
  if (thread >= 0)
    events.add(now, Event::Kind::Resume, thread);
  thread = -1;
}

void Simulation::wakeIfBlocked(int thread, StallCause cause) {
  ThreadState &state = threads[thread];
  if (state.blockedSince < 0 || state.cause != cause || state.woken)
    return;
  state.woken = true;
  events.add(now, Event::Kind::Resume, thread);
}

std::pair<int64_t, int64_t> Simulation::demand(int thread, const Instruction &instruction) {
  if (instruction.kind == Kind::SemaphoreWait) {
    SemaphoreState &state = coreOf(thread).semaphores[instruction.object];
    return {instruction.count, state.signals - state.taken};
  }
  BufferState &state = coreOf(thread).buffers[instruction.object];
  int64_t held = state.pushed - state.popped;
  int64_t available = instruction.kind == Kind::Reserve ? program.buffers[instruction.object].slots - held : held;
  return {amountOf(thread, instruction), available};
}

bool Simulation::acquire(int thread, const Instruction &instruction) {
  auto [needed, available] = demand(thread, instruction);
  if (needed <= available)
    return true;
  BufferState &state = coreOf(thread).buffers[instruction.object];
  bool isProducer = instruction.kind == Kind::Reserve;
  (isProducer ? state.producer : state.consumer) = thread;
  return block(thread, isProducer ? StallCause::Slots : StallCause::Tiles);
}

bool Simulation::awaitSignals(int thread, const Instruction &instruction) {
  auto [needed, available] = demand(thread, instruction);
  SemaphoreState &state = coreOf(thread).semaphores[instruction.object];
  if (needed > available) {
    state.waiter = thread;
    return block(thread, StallCause::Semaphore);
  }
  state.taken += needed;
  return true;
}

bool Simulation::awaitTransfers(int thread, const Instruction &instruction, const Window &window) {
  if (window.issued - window.ended <= std::max<int64_t>(amountOf(thread, instruction), 0))
    return true;
  return block(thread, StallCause::Transfers);
}

int64_t Simulation::slotOf(const BufferState &state, int buffer, bool fromProducer, int64_t offset) const {
  int64_t slots = program.buffers[buffer].slots, position = (fromProducer ? state.pushed : state.popped) + offset;
  return ((position % slots) + slots) % slots;
}

std::vector<int64_t> Simulation::consumedSlots(int thread, const Instruction &instruction) {
  const Compute &compute = std::get<Compute>(instruction.operation->what);
  std::vector<int64_t> slots;
  for (size_t i = 0; i < compute.consumes.size(); ++i) {
    int buffer = compute.consumes[i].buffer;
    slots.push_back(slotOf(coreOf(thread).buffers[buffer], buffer, /*fromProducer=*/false,
                           instruction.slots[i].at(threads[thread].cursor.values())));
  }
  return slots;
}

bool Simulation::beginCompute(int thread, const Instruction &instruction) {
  const SegmentTime &time = segments[instruction.note];
  for (size_t unit = 0; unit < time.busy.size(); ++unit)
    coreOf(thread).busy[unit] += time.busy[unit];
  if (!memory)
    return pause(thread, time.total);
  const Compute &compute = std::get<Compute>(instruction.operation->what);
  std::vector<int64_t> indices, produced;
  for (const FlatAffine &index : cores[thread / kThreads].indices)
    indices.push_back(index.at(threads[thread].cursor.values()));
  for (const Compute::Tile &tile : compute.produces)
    produced.push_back(slotOf(coreOf(thread).buffers[tile.buffer], tile.buffer, /*fromProducer=*/true, 0));
  memory->beginSegment(thread / kThreads, compute, indices, consumedSlots(thread, instruction), produced);
  threads[thread].computes = time.total > 0;
  return pause(thread, time.total);
}

void Simulation::endCompute(int thread, const Instruction &instruction) {
  memory->endSegment(thread / kThreads, std::get<Compute>(instruction.operation->what),
                     consumedSlots(thread, instruction));
}

void Simulation::collect(SimulationResult &result) {
  for (int thread = 0; thread < static_cast<int>(threads.size()); ++thread) {
    ThreadState &state = threads[thread];
    if (thread % kThreads == 0)
      result.cores.emplace_back();
    result.cores.back()[thread % kThreads] = state.use;
    result.cycles = std::max(result.cycles, state.use.end);
    const Instruction &at = state.cursor.fetch();
    if (at.kind == Kind::End)
      continue;
    result.outcome = SimulationResult::Outcome::Deadlock;
    auto [needed, available] = demand(thread, at);
    result.blocked.push_back(blockedAt(program, cores[thread / kThreads], static_cast<Thread>(thread % kThreads), at,
                                       state.cursor, needed, available));
  }
  result.bytesRead = bytesRead;
  result.bytesWritten = bytesWritten;
  result.events = events.count();
  collectUse(result);
  if (memory && result.isFinished())
    if (Status status = memory->finish(); !status) {
      result.outcome = SimulationResult::Outcome::ComputerFailed;
      result.detail = status.message();
    }
  result.programs = memory ? memory->programs() : 0;
}

void Simulation::collectUse(SimulationResult &result) {
  for (const Resource &resource : fabric.resources) {
    result.resources.push_back(resource.use);
    result.resources.back().busy = cyclesOf(resource.busy);
    result.resources.back().bytes = resource.bytes;
  }
  static constexpr std::pair<ResourceUse::Kind, const char *> units[] = {
      {ResourceUse::Kind::Matrix, "mat"}, {ResourceUse::Kind::Vector, "vec"}, {ResourceUse::Kind::Scalar, "scalar"}};
  for (size_t core = 0; core < cores.size(); ++core)
    for (size_t unit = 0; unit < std::size(units); ++unit) {
      ResourceUse use{units[unit].first, units[unit].second, -1, cores[core].coordinates, {}, 0, 0};
      use.busy = cyclesOf(states[core].busy[unit]);
      result.resources.push_back(std::move(use));
    }
}

} // namespace tawa::mesh
