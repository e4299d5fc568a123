// Refuses plans and core programs before they are simulated: whose buffers exceed a core's local memory, or that
// deadlock.
//
// The threads of all cores are a network of processes that communicate through buffers with one producer and one
// consumer, and through semaphores that one thread waits for and that count. What a thread does depends only on what it
// has received, never on when: so either every execution ends or none does (G. Kahn, "The semantics of a simple
// language for parallel programming", 1974). One execution without time, in any order, decides it.
#pragma once

#include "runtime/mesh/core/Blocked.h"
#include "runtime/mesh/core/LowerPlan.h"

namespace tawa::mesh {

enum class CheckFault : uint8_t {
  None,
  Plan,        ///< The plan has no program: PlanFault.
  LocalMemory, ///< Buffers, accumulators and semaphores exceed the memory of a core.
  Buffer,      ///< A buffer has no slot.
  Sharing,     ///< A buffer has two producer or consumer threads, or two threads wait for a semaphore.
  Destination, ///< A destination is no core, or the network does not reach it.
  Deadlock,
};
const char *name(CheckFault fault);

struct CheckResult {
  CheckFault fault = CheckFault::None;
  std::string detail;           ///< What has the fault, with values; of Deadlock, the first of `blocked`.
  std::vector<Blocked> blocked; ///< Of Deadlock: every thread that has not ended.
  bool isOk() const { return fault == CheckFault::None; }
};

CheckResult checkProgram(const CoreProgram &program, const Machine &machine);
/// The part of the check that executes nothing: memory, buffers and their ends.
CheckResult checkStructure(const CoreProgram &program, const Machine &machine);
/// Lowers and checks.
CheckResult checkPlan(const Plan &plan, const TileProgram &program, const Machine &machine);

} // namespace tawa::mesh
