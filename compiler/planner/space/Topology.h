// Topology of a machine as the planner needs it: the lines and rings that its networks make along its spatial
// dimensions, and its symmetries. Both are derived from the affine maps, never from names.
#pragma once

#include "runtime/mesh/CoreArray.h"

#include <span>

namespace tawa::mesh::planner {

/// A network that connects the cores along a dimension, in all rows alike: one line, or a ring that starts at index 0.
struct Line {
  int dim = -1;
  int network = -1;
  std::vector<int64_t> order; ///< Indices along `dim` in the order in which a message passes them.
  bool isRing = false;        ///< The last one sends to the first.
};

/// All of them. Dimensions of size 1 have none.
std::vector<Line> findLines(const Machine &machine, const CoreArray &cores);

/// Instance that a mux or network names for a core, as a row-major number in the component `to`; -1: none.
int64_t instanceOf(const std::vector<Coordinate> &map, const Component &to, const Machine &machine,
                   std::span<const int64_t> indices);

/// Exchanges of spatial dimensions under which the machine stays the same: links with their bandwidths and latencies,
/// and which cores share an instance of a memory. Each is a permutation of all dimensions of the machine; without the
/// identity.
std::vector<std::vector<int>> findSymmetries(const Machine &machine, const CoreArray &cores);

} // namespace tawa::mesh::planner
