#include "runtime/mesh/check/ProgramCheck.h"

#include "runtime/mesh/check/TokenExecution.h"

#include <map>

namespace tawa::mesh {
namespace {

/// Which thread is at each end of buffers and waits for semaphores.
class EndsOfObjects {
public:
  explicit EndsOfObjects(const CoreProgram &program) : program(program) {}

  /// Empty, or what two threads share.
  std::string findShared() {
    for (thread = 0; thread < kThreads && shared.empty(); ++thread)
      list(program.threads[thread]);
    return shared;
  }

private:
  void list(const std::vector<Operation> &body) {
    for (const Operation &operation : body)
      std::visit([&](const auto &what) { visit(what); }, operation.what);
  }

  void visit(const Loop &loop) { list(loop.body); }
  void visit(const If &branch) { list(branch.body); }
  void visit(const BufferStep &step) {
    if (step.kind == BufferStep::Kind::Reserve || step.kind == BufferStep::Kind::Push)
      note(producers, step.buffer, "producers of " + program.buffers[step.buffer].name);
    else
      note(consumers, step.buffer, "consumers of " + program.buffers[step.buffer].name);
  }
  void visit(const SemaphoreWait &wait) {
    note(waiters, wait.semaphore, "waiters for " + program.semaphores[wait.semaphore]);
  }
  template <typename Other> void visit(const Other &) {}

  void note(std::map<int, int> &ends, int object, const std::string &what) {
    auto [end, isFirst] = ends.try_emplace(object, thread);
    if (!isFirst && end->second != thread)
      shared = what + ": " + threadName(static_cast<Thread>(end->second)) + " and " +
               threadName(static_cast<Thread>(thread));
  }

  const CoreProgram &program;
  std::map<int, int> producers, consumers, waiters;
  int thread = 0;
  std::string shared;
};

} // namespace

const char *name(CheckFault fault) {
  static const char *const names[] = {"none", "plan", "local-memory", "buffer", "sharing", "destination", "deadlock"};
  return names[static_cast<int>(fault)];
}

CheckResult checkStructure(const CoreProgram &program, const Machine &machine) {
  if (int local = machine.localMemory(); local >= 0 && program.localBytes() > machine.memories[local].bytes)
    return {CheckFault::LocalMemory,
            std::to_string(program.localBytes()) + " bytes of " + std::to_string(machine.memories[local].bytes) +
                " of " + machine.memories[local].name,
            {}};
  for (const CircularBuffer &buffer : program.buffers)
    if (buffer.slots < 1)
      return {CheckFault::Buffer, buffer.name + " has " + std::to_string(buffer.slots) + " slots", {}};
  if (std::string shared = EndsOfObjects(program).findShared(); !shared.empty())
    return {CheckFault::Sharing, shared, {}};
  return {};
}

CheckResult checkProgram(const CoreProgram &program, const Machine &machine) {
  CheckResult result = checkStructure(program, machine);
  if (!result.isOk())
    return result;
  std::vector<FlatCore> cores = flatten(program, machine, result.detail);
  if (!result.detail.empty()) {
    result.fault = CheckFault::Destination;
    return result;
  }
  result.blocked = TokenExecution(program, cores).run();
  if (!result.blocked.empty()) {
    result.fault = CheckFault::Deadlock;
    result.detail = result.blocked.front().str();
  }
  return result;
}

CheckResult checkPlan(const Plan &plan, const TileProgram &program, const Machine &machine) {
  Lowered lowered = lowerPlan(plan, program, machine);
  if (!lowered.isOk())
    return {CheckFault::Plan, std::string(name(lowered.fault)) + ": " + lowered.detail, {}};
  return checkProgram(lowered.program, machine);
}

} // namespace tawa::mesh
