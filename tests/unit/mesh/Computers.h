// Computers of tiles in plain C++ for tests of the simulator, and the results that they should lead to: a tile program
// executed directly, without a plan.
#pragma once

#include "runtime/mesh/TileProgram.h"
#include "runtime/mesh/simulator/Simulator.h"

namespace tawa::mesh::examples {

/// The product of examples::gemm with tensors of f32.
class GemmComputer : public TileComputer {
public:
  explicit GemmComputer(const TileProgram &program) : program(program) {}
  Status run(ProgramRun &run) override;

private:
  const TileProgram &program;
};

/// Each store gets the sum of all loads before it in its iteration, element by element, in i32.
class SumComputer : public TileComputer {
public:
  Status run(ProgramRun &run) override;
};

/// Stores that depend on every byte that any load got, on their order and on all indices. For programs of any form.
class HashComputer : public TileComputer {
public:
  explicit HashComputer(const TileProgram &program) : program(program) {}
  Status run(ProgramRun &run) override;

private:
  const TileProgram &program;
};

/// Tensors with small random integers in their type (f32 or i32); those that are stored start as zero.
std::vector<std::vector<char>> randomTensors(const TileProgram &program, uint64_t seed);

/// Runs every program of the grid with loads from the tensors.
void executeDirectly(const TileProgram &program, SimulationData &data);

} // namespace tawa::mesh::examples
