#include "runtime/mesh/core/NetworkLine.h"

#include <algorithm>

namespace tawa::mesh {

namespace {

constexpr int64_t kNone = -1;

/// Empty where links leave the line or differ between lines.
std::vector<int64_t> stepsOf(const CoreArray &array, const Network &network, int coordinate) {
  std::vector<int64_t> steps(array.extents()[coordinate], kNone);
  std::vector<bool> seen(steps.size());
  for (int64_t core = 0; core < array.count(); ++core) {
    std::vector<int64_t> from = array.coordinatesOf(core), to = from;
    int64_t receiver = array.numberOf(network.map, from), step = kNone;
    if (receiver >= 0)
      to = array.coordinatesOf(receiver), step = to[coordinate];
    size_t at = from[coordinate];
    to[coordinate] = from[coordinate];
    if (to != from || (seen[at] && steps[at] != step))
      return {};
    steps[at] = step, seen[at] = true;
  }
  return steps;
}

/// The values from `root` on until the line ends or comes back.
std::vector<int64_t> follow(const std::vector<int64_t> &steps, int64_t root) {
  std::vector<int64_t> order;
  for (int64_t at = root; at != kNone && std::ranges::find(order, at) == order.end(); at = steps[at])
    order.push_back(at);
  return order;
}

std::vector<Coordinate> identity(size_t coordinates) {
  std::vector<Coordinate> map(coordinates);
  for (size_t i = 0; i < coordinates; ++i) {
    map[i].affine.coefficients.resize(coordinates);
    map[i].affine.coefficients[i] = 1;
  }
  return map;
}

/// The inverse of the steps of the line as a shift, which is what links of regular networks are.
bool findPrevious(NetworkLine &line, const CoreArray &array) {
  line.previous = identity(array.extents().size());
  Coordinate &back = line.previous[line.along];
  if (line.order.size() > 1)
    back.affine.constant = line.order[0] - line.order[1];
  back.modulus = array.extents()[line.along];
  std::vector<int64_t> at(array.extents().size());
  for (size_t i = 1; i < line.order.size(); ++i) {
    at[line.along] = line.order[i];
    if (back.at(at) != line.order[i - 1])
      return false;
  }
  return true;
}

} // namespace

std::vector<int64_t> stepsAlong(const Machine &machine, int network, int coordinate) {
  CoreArray array(machine);
  if (!connectsCores(machine.networks[network], machine))
    return {};
  return stepsOf(array, machine.networks[network], coordinate);
}

std::optional<NetworkLine> lineAlong(const Machine &machine, int number, int coordinate, std::string &why) {
  CoreArray array(machine);
  const Network &network = machine.networks[number];
  why = network.name + " does not connect cores along " + machine.dims[machine.coreDims[coordinate]].name;
  std::vector<int64_t> steps = stepsAlong(machine, number, coordinate);
  if (steps.empty())
    return std::nullopt;
  NetworkLine line{coordinate, {}, network.map, {}};
  for (int64_t root = 0; root < array.extents()[coordinate]; ++root)
    if (line.order = follow(steps, root); static_cast<int64_t>(line.order.size()) == array.extents()[coordinate])
      break;
  why = network.name + " has no core from which it reaches a whole line";
  if (static_cast<int64_t>(line.order.size()) != array.extents()[coordinate])
    return std::nullopt;
  why = network.name + " does not step by a constant";
  return findPrevious(line, array) ? std::optional(line) : std::nullopt;
}

} // namespace tawa::mesh
