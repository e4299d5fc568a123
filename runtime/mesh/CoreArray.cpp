#include "runtime/mesh/CoreArray.h"

namespace tawa::mesh {

CoreArray::CoreArray(const Machine &machine) : position(machine.dims.size(), -1) {
  for (size_t i = 0; i < machine.coreDims.size(); ++i) {
    position[machine.coreDims[i]] = static_cast<int>(i);
    sizes.push_back(machine.dims[machine.coreDims[i]].size);
  }
  strides.resize(sizes.size());
  for (size_t i = sizes.size(); i-- > 0; cores *= sizes[i])
    strides[i] = cores;
}

std::vector<int64_t> CoreArray::coordinatesOf(int64_t core) const {
  std::vector<int64_t> coordinates(sizes.size());
  for (size_t i = 0; i < sizes.size(); ++i)
    coordinates[i] = core / strides[i] % sizes[i];
  return coordinates;
}

int64_t CoreArray::numberOf(std::span<const int64_t> coordinates) const {
  int64_t number = 0;
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (coordinates[i] < 0 || coordinates[i] >= sizes[i])
      return -1;
    number += coordinates[i] * strides[i];
  }
  return number;
}

int64_t CoreArray::numberOf(std::span<const Coordinate> map, std::span<const int64_t> indices) const {
  std::vector<int64_t> coordinates;
  for (const Coordinate &coordinate : map)
    coordinates.push_back(coordinate.at(indices));
  return coordinates.size() == sizes.size() ? numberOf(coordinates) : -1;
}

int64_t CoreArray::along(int64_t core, int dim) const {
  int at = position[dim];
  return at < 0 ? 0 : core / strides[at] % sizes[at];
}

int64_t CoreArray::moved(int64_t core, int dim, int64_t index) const {
  return position[dim] < 0 ? core : core + (index - along(core, dim)) * strides[position[dim]];
}

bool isOfCores(const Component &component, const Machine &machine) {
  return component.isCores() || component.memory == machine.localMemory();
}

bool connectsCores(const Network &network, const Machine &machine) {
  return isOfCores(network.from, machine) && isOfCores(network.to, machine) &&
         network.map.size() == machine.coreDims.size();
}

} // namespace tawa::mesh
