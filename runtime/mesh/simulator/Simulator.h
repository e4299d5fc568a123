// Discrete-event simulation of core programs on a machine: all cores' three threads, memories, links, ports and DRAM
// channels, with contention and finite buffers; with real data where asked for. Deterministic. README.md has the model.
#pragma once

#include "runtime/mesh/Plan.h"
#include "runtime/mesh/core/Blocked.h"
#include "runtime/mesh/simulator/TileComputer.h"

namespace tawa::mesh {

/// Costs and sizes that a machine's description does not have.
struct SimulatorOptions {
  double operatorCycles = 30;      ///< To start one operator of the body.
  int64_t packetBytes = 4096;      ///< Largest packet between cores.
  int64_t signalBytes = 32;        ///< On links, of a signal that follows transfers.
  int64_t pageRows = 32;           ///< Pages of tensors are tiles of so many rows and columns.
  int64_t outstandingPackets = 64; ///< Of one core; further transfers wait to be issued.
  bool hashChannels = true;        ///< Pages are spread over channels by a hash of their number, not by its remainder.
};

/// Contents of the tensors, in the layout of their strides, and what computes tiles.
struct SimulationData {
  std::vector<std::vector<char>> tensors;
  TileComputer *computer = nullptr;
};

/// Work of one resource over the run.
struct ResourceUse {
  enum class Kind : uint8_t { Channel, Connection, Link, Port, Matrix, Vector, Scalar };
  Kind kind = Kind::Link;
  std::string name;              ///< Of the network, memory, mux or unit.
  int network = -1;              ///< Of Link.
  std::vector<int64_t> from, to; ///< Indices: of the instance; of Link, of both ends.
  double busy = 0;               ///< Cycles.
  int64_t bytes = 0;             ///< 0 of units.
};
const char *name(ResourceUse::Kind kind);

/// What threads wait for, beside their own work.
enum class StallCause : uint8_t { Tiles, Slots, Semaphore, Transfers, Outstanding };
constexpr int kStallCauses = 5;
const char *name(StallCause cause);

struct ThreadUse {
  double end = 0; ///< Cycle.
  std::array<double, kStallCauses> stalls{};
};

struct SimulationResult {
  enum class Outcome : uint8_t { Finished, Deadlock, Refused, ComputerFailed };
  Outcome outcome = Outcome::Finished;
  std::string detail;           ///< Of Refused, ComputerFailed: why.
  std::vector<Blocked> blocked; ///< Of Deadlock, as the check has them.
  double cycles = 0;            ///< Until the last thread ended.
  std::vector<ResourceUse> resources;
  std::vector<std::array<ThreadUse, kThreads>> cores; ///< By core, the last coordinate fastest.
  int64_t bytesRead = 0, bytesWritten = 0;            ///< Of global memory.
  int64_t programs = 0;                               ///< With data: programs of the grid that were computed.
  int64_t events = 0;
  bool isFinished() const { return outcome == Outcome::Finished; }
};

/// With `data`, tensors hold the results after a finished run. A program that exceeds the local memory, or with faults
/// of structure, is refused.
SimulationResult simulate(const CoreProgram &program, const Machine &machine, const SimulatorOptions &options = {},
                          SimulationData *data = nullptr);

/// Lowers, checks and simulates a plan. What the check refuses is not simulated: the outcome is Refused, or Deadlock.
SimulationResult simulatePlan(const Plan &plan, const TileProgram &tiles, const Machine &machine,
                              const SimulatorOptions &options = {}, SimulationData *data = nullptr);

} // namespace tawa::mesh
