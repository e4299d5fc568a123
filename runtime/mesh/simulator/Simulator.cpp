#include "runtime/mesh/simulator/Simulator.h"

#include "runtime/mesh/check/ProgramCheck.h"
#include "runtime/mesh/simulator/Simulation.h"

namespace tawa::mesh {

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

} // namespace tawa::mesh
