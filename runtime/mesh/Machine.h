// A spatial machine as the planner and the simulator see it: an array of cores, memories, networks between them, and
// the units of one core. Made from a description in the `df` dialect (compiler/planner/DF); plain data.
//
// Components (cores, memories) are arrays over some of the machine's spatial dimensions; an instance is named by its
// indices in these dimensions, in their order. Time is in cycles of the machine's clock, data in bytes.
#pragma once

#include "runtime/mesh/Affine.h"

#include <optional>

namespace tawa::mesh {

struct SpatialDim {
  std::string name; ///< "x"
  int64_t size = 0;
};

/// Which array of instances: the cores, or memory number `memory`.
struct Component {
  static constexpr int kCores = -1;
  int memory = kCores;
  bool isCores() const { return memory == kCores; }
  bool operator==(const Component &) const = default;
};

/// df.memory: one memory per index of `dims`.
struct Memory {
  std::string name; ///< "l1", "dram"
  std::vector<int> dims;
  int64_t bytes = 0;    ///< Of one instance.
  double bandwidth = 0; ///< Bytes per cycle of one port of one instance.
  double latency = 0;   ///< Cycles from a request to its first byte.
};

/// df.interconnects: one link from each instance of `from` to the instance of `to` that `map` names.
struct Network {
  std::string name; ///< "noc_h"
  Component from, to;
  std::vector<Coordinate> map; ///< Indices of the receiver from those of the sender; out of bounds: there is no link.
  double bandwidth = 0;        ///< Bytes per cycle of one link.
  double hopLatency = 0;       ///< Cycles that the head of a message takes to the next instance.
  bool multicasts = false;     ///< An instance can take a message and pass it on at the same time.
};

/// df.mux: instances of `from` reach the instance of `to` that `map` names, all that reach one sharing its port.
struct Mux {
  std::string name;
  Component from, to;
  std::vector<Coordinate> map; ///< Indices of the instance of `to` from those of the instance of `from`.
  double bandwidth = 0;        ///< Bytes per cycle of the connection of one instance of `from`.
};

/// df.mat: m x k times k x n in one instruction.
struct MatrixUnit {
  int64_t m = 0, n = 0, k = 0;
  double throughput = 0; ///< Instructions per cycle and unit (a fraction where one takes several cycles).
  int64_t count = 1;
};

/// df.vec: `width` elements in one instruction.
struct VectorUnit {
  int64_t width = 0;
  double throughput = 0;
  int64_t count = 1;
};

/// df.scalar.
struct ScalarUnit {
  double latency = 0; ///< Cycles of one operation.
};

struct Machine {
  std::string name;
  double clock = 0; ///< Hertz.
  std::vector<SpatialDim> dims;
  std::vector<int> coreDims; ///< Of `dims`: the indices of a core.
  std::optional<MatrixUnit> matrix;
  std::optional<VectorUnit> vector;
  std::optional<ScalarUnit> scalar;
  std::vector<Memory> memories;
  std::vector<Network> networks;
  std::vector<Mux> muxes;

  // Costs that a description may give and the model may not know exactly.
  double launchCycles = 0;    ///< From the start to the first instruction of a core.
  double messageCycles = 0;   ///< To issue one transfer.
  double semaphoreCycles = 0; ///< From a signal to the core that waits for it, beside the network.

  int64_t cores() const;
  /// The memory that every core has for itself (its dims are the cores'), and the one that holds tensors.
  int localMemory() const;
  int globalMemory() const;
  /// A summary in lines: cores, units, memories, networks and ports, with totals.
  std::string str() const;
};

} // namespace tawa::mesh
