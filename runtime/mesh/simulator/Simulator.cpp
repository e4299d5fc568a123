#include "runtime/mesh/simulator/Simulator.h"

#include "runtime/mesh/check/ProgramCheck.h"
#include "runtime/mesh/simulator/Simulation.h"

namespace tawa::mesh {

const char *name(ResourceUse::Kind kind) {
  static const char *const names[] = {"channel", "connection", "link", "port", "matrix", "vector", "scalar"};
  return names[static_cast<int>(kind)];
}

const char *name(StallCause cause) {
  static const char *const names[] = {"tiles", "slots", "semaphore", "transfers", "outstanding"};
  return names[static_cast<int>(cause)];
}

SimulationResult simulate(const CoreProgram &program, const Machine &machine, const SimulatorOptions &options,
                          SimulationData *data) {
  SimulationResult refused;
  refused.outcome = SimulationResult::Outcome::Refused;
  if (CheckResult structure = checkStructure(program, machine); !structure.isOk()) {
    refused.detail = structure.detail;
    return refused;
  }
  std::vector<FlatCore> cores = flatten(program, machine, refused.detail);
  if (!refused.detail.empty())
    return refused;
  return Simulation(program, std::move(cores), machine, options, data).run();
}

SimulationResult simulatePlan(const Plan &plan, const TileProgram &tiles, const Machine &machine,
                              const SimulatorOptions &options, SimulationData *data) {
  SimulationResult refused;
  refused.outcome = SimulationResult::Outcome::Refused;
  Lowered lowered = lowerPlan(plan, tiles, machine);
  if (!lowered.isOk()) {
    refused.detail = std::string(name(lowered.fault)) + ": " + lowered.detail;
    return refused;
  }
  CheckResult check = checkProgram(lowered.program, machine);
  if (check.isOk())
    return simulate(lowered.program, machine, options, data);
  if (check.fault == CheckFault::Deadlock)
    refused.outcome = SimulationResult::Outcome::Deadlock;
  refused.detail = std::string(name(check.fault)) + ": " + check.detail;
  refused.blocked = std::move(check.blocked);
  return refused;
}

} // namespace tawa::mesh
