// Topology of a machine as the planner needs it: numbered cores, the lines and rings that its networks make along its
// spatial dimensions, and its symmetries. All three are derived from the affine maps, never from names.
#pragma once

#include "runtime/mesh/Machine.h"

#include <span>

namespace tawa::mesh::planner {

/// The cores of a machine, numbered in row-major order of its core dimensions.
class CoreArray {
public:
  explicit CoreArray(const Machine &machine);

  int64_t size() const { return count; }
  /// Indices of a core in the order of Machine::coreDims, as maps of networks and muxes take them.
  std::span<const int64_t> indices(int64_t core) const { return {&all[core * rank], rank}; }
  /// Index of a core along a spatial dimension of the machine; 0 for one that cores do not have.
  int64_t along(int64_t core, int dim) const;
  /// -1 where the indices are out of bounds.
  int64_t number(std::span<const int64_t> indices) const;
  /// The core with another index along `dim`.
  int64_t moved(int64_t core, int dim, int64_t index) const;

private:
  int64_t count = 1;
  size_t rank = 0;
  std::vector<int> position; ///< Of each spatial dimension among the cores' dimensions, or -1.
  std::vector<int64_t> sizes, strides, all;
};

/// A network that connects the cores along a dimension, in all rows alike: one line, or a ring that starts at index 0.
struct Line {
  int dim = -1;
  int network = -1;
  std::vector<int64_t> order; ///< Indices along `dim` in the order in which a message passes them.
  bool isRing = false;        ///< The last one sends to the first.
};

/// All of them. Dimensions of size 1 have none.
std::vector<Line> findLines(const Machine &machine, const CoreArray &cores);

/// Whether a component is the cores themselves: they, or the memory that each has for itself.
bool isOfCores(const Component &component, const Machine &machine);

/// Instance that a mux or network names for a core, as a row-major number in the component `to`; -1: none.
int64_t instanceOf(const std::vector<Coordinate> &map, const Component &to, const Machine &machine,
                   std::span<const int64_t> indices);

/// Exchanges of spatial dimensions under which the machine stays the same: links with their bandwidths and latencies,
/// and which cores share an instance of a memory. Each is a permutation of all dimensions of the machine; without the
/// identity.
std::vector<std::vector<int>> findSymmetries(const Machine &machine, const CoreArray &cores);

} // namespace tawa::mesh::planner
