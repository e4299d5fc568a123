// The contents of the slots of all cores in a simulation with real data, and the programs of the grid under way.
// Internal to the simulator.
//
// Slots of loads hold bytes. A slot of a store holds the number of the result, whose bytes are known when its program
// of the grid is complete and has been computed; results are written to the tensors at the end, in the order in which
// their transfers ended.
#pragma once

#include "runtime/mesh/simulator/Simulator.h"

namespace tawa::mesh {

class TileMemory {
public:
  TileMemory(const CoreProgram &program, size_t cores, SimulationData &data);

  /// What a slot holds when it is sent.
  struct Contents {
    std::vector<char> bytes;
    int64_t result = -1;
  };
  Contents contents(int core, int buffer, int64_t slot) const;
  void arrive(int core, int buffer, int64_t slot, const Contents &contents);
  /// A block of a tensor arrives in a slot.
  void read(int core, int buffer, int64_t slot, const TileAccess &access, const std::vector<int64_t> &start);
  /// A result arrives in global memory.
  void write(const Contents &contents, const TileAccess &access, const std::vector<int64_t> &start);

  /// The core starts a segment with these indices of the tile program; slots are of what it consumes and produces.
  void beginSegment(int core, const Compute &compute, const std::vector<int64_t> &indices,
                    const std::vector<int64_t> &consumed, const std::vector<int64_t> &produced);
  /// A tile that changed during the segment is spoilt.
  void endSegment(int core, const Compute &compute, const std::vector<int64_t> &consumed);

  /// Computes the programs under way, writes all results.
  Status finish();
  int64_t programs() const { return computed; }

private:
  struct Slot {
    Contents contents;
    int64_t version = 0;
  };
  struct Running {
    ProgramRun run;
    std::vector<int64_t> results;  ///< Of each store.
    std::vector<int64_t> versions; ///< Of the slots of the segment under way.
    bool isActive = false;
  };
  struct Written {
    int64_t result;
    const TileAccess *access;
    std::vector<int64_t> start;
  };

  Slot &slotAt(int core, int buffer, int64_t slot) { return slots[core * program.buffers.size() + buffer][slot]; }
  bool isWritten(const TileAccess &access, const std::vector<int64_t> &start) const;
  void complete(Running &running);

  const CoreProgram &program;
  SimulationData &data;
  std::vector<std::vector<Slot>> slots; ///< By core and buffer.
  std::vector<Running> running;         ///< By core.
  std::vector<std::vector<char>> results;
  std::vector<std::vector<Written>> written; ///< By tensor.
  Status failure;
  int64_t computed = 0;
};

} // namespace tawa::mesh
