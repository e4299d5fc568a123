// The array of cores of a machine: coordinates and numbers of cores, and networks as lines of cores along one
// coordinate. Cores are numbered in the order of their coordinates, the last one fastest.
#pragma once

#include "runtime/mesh/Machine.h"

#include <string>

namespace tawa::mesh {

class CoreArray {
public:
  explicit CoreArray(const Machine &machine);

  int64_t count() const { return cores; }
  const std::vector<int64_t> &extents() const { return sizes; }
  std::vector<int64_t> coordinatesOf(int64_t core) const;
  /// -1 where the coordinates are outside of the array.
  int64_t numberOf(std::span<const int64_t> coordinates) const;
  int64_t numberOf(std::span<const Coordinate> map, std::span<const int64_t> indices) const;
  /// The coordinate that spatial dimension `dim` of the machine is, or -1.
  int coordinateOf(int dim) const;

  /// Whether both ends of the network's links are cores (or their local memories).
  bool connectsCores(const Network &network) const;

private:
  const Machine &machine;
  std::vector<int64_t> sizes;
  int64_t cores = 1;
};

/// A network along one coordinate: the order in which a message visits a line of cores.
struct NetworkLine {
  int along = -1;
  std::vector<int64_t> order;       ///< Values of the coordinate, from the root; each once.
  std::vector<Coordinate> next;     ///< Of a core: that after it in the order.
  std::vector<Coordinate> previous; ///< Of a core other than the root: that before it.
  int64_t root() const { return order.front(); }
  int64_t last() const { return order.back(); }
};

/// Of each value of the coordinate: that to which the network's links lead, -1 where there is no link. Empty where the
/// network does not run along the coordinate.
std::vector<int64_t> stepsAlong(const Machine &machine, int network, int coordinate);

/// The line of network `network` along `coordinate`, from the least root that reaches all of it. `why` says what is
/// wrong where there is none.
std::optional<NetworkLine> lineAlong(const Machine &machine, int network, int coordinate, std::string &why);

} // namespace tawa::mesh
