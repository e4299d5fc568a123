// Networks as lines of cores along one coordinate.
#pragma once

#include "runtime/mesh/CoreArray.h"

#include <optional>
#include <string>

namespace tawa::mesh {

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
