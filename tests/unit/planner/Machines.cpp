#include "tests/unit/planner/Machines.h"

namespace tawa::mesh::examples {

Machine ring(int64_t cores) {
  Machine machine = grid(1, cores);
  machine.name = "ring";
  machine.dims = {{"x", cores}, {"channel", machine.dims[2].size}};
  machine.coreDims = {0};
  machine.memories[0].dims = {0};
  machine.memories[1].dims = {1};
  Network network = machine.networks[0];
  network.map = {{{{1}, 1}, 1, cores}};
  machine.networks = {network, network, network};
  machine.muxes[0].map = {{{{1}, 0}, 4, 0}};
  machine.muxes[1].map = {{{{1}, 0}}};
  return machine;
}

Machine symmetricGrid(int64_t side) {
  Machine machine = grid(side, side);
  machine.dims[2].size = 1;
  machine.muxes[0].map = {{{{0, 0}, 0}}};
  return machine;
}

Machine mesh(int64_t rows, int64_t columns) {
  Machine machine = grid(rows, columns);
  std::vector<Network> networks;
  for (const Network &ring : machine.networks)
    for (int64_t step : {1, -1}) {
      Network network = ring;
      network.name += step > 0 ? "_up" : "_down";
      for (Coordinate &coordinate : network.map) {
        coordinate.affine.constant *= step;
        coordinate.modulus = 0;
      }
      networks.push_back(network);
    }
  machine.networks = networks;
  return machine;
}

Machine withoutNetworks(Machine machine) {
  machine.networks.clear();
  return machine;
}

Machine withoutMulticast(Machine machine) {
  for (Network &network : machine.networks)
    network.multicasts = false;
  return machine;
}

Machine withLocalMemory(Machine machine, int64_t bytes) {
  machine.memories[machine.localMemory()].bytes = bytes;
  return machine;
}

} // namespace tawa::mesh::examples
