// Where tensors lie in global memory: pages over channels. Internal to the simulator.
//
// A tensor is cut along its last two dimensions into tiles of pageRows x pageRows elements (pageRows^2 elements of a
// tensor of one dimension), each of which is a page; all tensors' pages are numbered one after the other. Page p is in
// channel hash(p) mod channels, or p mod channels.
#pragma once

#include "runtime/mesh/simulator/Simulator.h"

namespace tawa::mesh {

struct PageAccess {
  int channel;
  int64_t bytes; ///< Of the page that the block covers.
};

class Interleave {
public:
  Interleave(const std::vector<Tensor> &tensors, const SimulatorOptions &options, int channels);

  /// The pages of a block that starts at `start`; nothing of what is outside of the tensor.
  void pagesOf(const TileAccess &access, const std::vector<int64_t> &start, std::vector<PageAccess> &pages) const;

private:
  int channelOf(int64_t page) const;

  const std::vector<Tensor> &tensors;
  const SimulatorOptions &options;
  int channels;
  std::vector<int64_t> firstPages;
};

} // namespace tawa::mesh
