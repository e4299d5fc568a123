#include "runtime/mesh/check/TokenExecution.h"

namespace tawa::mesh {

using Kind = Instruction::Kind;

TokenExecution::TokenExecution(const CoreProgram &program, const std::vector<FlatCore> &cores)
    : program(program), cores(cores), buffers(cores.size() * program.buffers.size()),
      semaphores(cores.size() * program.semaphores.size()) {
  for (const FlatCore &core : cores)
    for (const FlatThread &thread : core.threads) {
      ready.push_back(static_cast<int>(cursors.size()));
      cursors.emplace_back(thread, program.variables.size());
    }
}

std::vector<Blocked> TokenExecution::run() {
  while (!ready.empty()) {
    int thread = ready.back();
    ready.pop_back();
    execute(thread);
  }
  std::vector<Blocked> blocked;
  for (int thread = 0; thread < static_cast<int>(cursors.size()); ++thread)
    if (cursors[thread].fetch().kind != Kind::End)
      blocked.push_back(describe(thread));
  return blocked;
}

void TokenExecution::execute(int thread) {
  Cursor &cursor = cursors[thread];
  for (const Instruction *at = &cursor.fetch(); at->kind != Kind::End; at = &cursor.fetch()) {
    if (!step(thread, *at))
      return;
    cursor.advance();
  }
}

TokenExecution::BufferState &TokenExecution::bufferOf(int thread, const Instruction &instruction) {
  return buffers[(thread / kThreads) * program.buffers.size() + instruction.object];
}

TokenExecution::SemaphoreState &TokenExecution::semaphoreAt(int core, int semaphore) {
  return semaphores[core * program.semaphores.size() + semaphore];
}

std::pair<int64_t, int64_t> TokenExecution::demand(int thread, const Instruction &instruction) {
  if (instruction.kind == Kind::SemaphoreWait) {
    SemaphoreState &state = semaphoreAt(thread / kThreads, instruction.object);
    return {instruction.count, state.signals - state.taken};
  }
  BufferState &state = bufferOf(thread, instruction);
  int64_t held = state.pushed - state.popped, tiles = instruction.amount.at(cursors[thread].values());
  return {tiles, instruction.kind == Kind::Reserve ? program.buffers[instruction.object].slots - held : held};
}

bool TokenExecution::step(int thread, const Instruction &instruction) {
  switch (instruction.kind) {
  case Kind::Reserve:
  case Kind::Wait: {
    auto [needed, available] = demand(thread, instruction);
    BufferState &state = bufferOf(thread, instruction);
    if (needed > available)
      (instruction.kind == Kind::Reserve ? state.producer : state.consumer) = thread;
    return needed <= available;
  }
  case Kind::Push: {
    BufferState &state = bufferOf(thread, instruction);
    state.pushed += instruction.amount.at(cursors[thread].values());
    wake(state.consumer);
    return true;
  }
  case Kind::Pop: {
    BufferState &state = bufferOf(thread, instruction);
    state.popped += instruction.amount.at(cursors[thread].values());
    wake(state.producer);
    return true;
  }
  case Kind::SemaphoreWait: {
    auto [needed, available] = demand(thread, instruction);
    SemaphoreState &state = semaphoreAt(thread / kThreads, instruction.object);
    if (needed > available) {
      state.waiter = thread;
      return false;
    }
    state.taken += needed;
    return true;
  }
  case Kind::Signal:
    signal(instruction);
    return true;
  default: // Transfers end by themselves, and so do their barriers.
    return true;
  }
}

void TokenExecution::signal(const Instruction &instruction) {
  for (int core : instruction.receivers) {
    SemaphoreState &state = semaphoreAt(core, instruction.object);
    ++state.signals;
    wake(state.waiter);
  }
}

void TokenExecution::wake(int &waiter) {
  if (waiter >= 0)
    ready.push_back(waiter);
  waiter = -1;
}

Blocked TokenExecution::describe(int thread) {
  const Instruction &instruction = cursors[thread].fetch();
  auto [needed, available] = demand(thread, instruction);
  return blockedAt(program, cores[thread / kThreads], static_cast<Thread>(thread % kThreads), instruction,
                   cursors[thread], needed, available);
}

} // namespace tawa::mesh
