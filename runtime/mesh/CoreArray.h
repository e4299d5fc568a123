// The array of cores of a machine: numbers and coordinates of cores. Cores are numbered in the order of their
// coordinates, the last one fastest.
#pragma once

#include "runtime/mesh/Machine.h"

#include <span>
#include <vector>

namespace tawa::mesh {

/// Does not refer to its machine.
class CoreArray {
public:
  explicit CoreArray(const Machine &machine);

  int64_t count() const { return cores; }
  const std::vector<int64_t> &extents() const { return sizes; }
  /// In the order of Machine::coreDims, as maps of networks and muxes take them.
  std::vector<int64_t> coordinatesOf(int64_t core) const;
  /// -1 where the coordinates are outside of the array.
  int64_t numberOf(std::span<const int64_t> coordinates) const;
  int64_t numberOf(std::span<const Coordinate> map, std::span<const int64_t> indices) const;

  /// The coordinate that spatial dimension `dim` of the machine is, or -1.
  int coordinateOf(int dim) const { return position[dim]; }
  /// The index of a core along a spatial dimension of the machine; 0 for one that cores do not have.
  int64_t along(int64_t core, int dim) const;
  /// The core with another index along `dim`.
  int64_t moved(int64_t core, int dim, int64_t index) const;

private:
  int64_t cores = 1;
  std::vector<int> position; ///< Of each spatial dimension: its coordinate, or -1.
  std::vector<int64_t> sizes, strides;
};

/// Whether a component is the cores themselves: they, or the memory that each has for itself.
bool isOfCores(const Component &component, const Machine &machine);

/// Whether both ends of the network's links are cores.
bool connectsCores(const Network &network, const Machine &machine);

} // namespace tawa::mesh
