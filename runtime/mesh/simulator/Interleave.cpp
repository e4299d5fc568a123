#include "runtime/mesh/simulator/Interleave.h"

#include <algorithm>

namespace tawa::mesh {
namespace {

/// One dimension of a block in pages.
struct Span {
  int64_t begin = 0, end = 0;  ///< Elements, clipped to the tensor.
  int64_t page = 1, pages = 1; ///< Elements of one page, pages of the whole dimension.
  int64_t first() const { return begin / page; }
  int64_t last() const { return (end - 1) / page; }
  int64_t inPage(int64_t number) const { return std::min(end, (number + 1) * page) - std::max(begin, number * page); }
};

int64_t pageExtent(const Tensor &tensor, size_t dim, int64_t rows) {
  if (tensor.shape.size() == 1)
    return rows * rows;
  return dim + 2 < tensor.shape.size() ? 1 : rows;
}

int64_t ceilDiv(int64_t a, int64_t b) { return (a + b - 1) / b; }

} // namespace

Interleave::Interleave(const std::vector<Tensor> &tensors, const SimulatorOptions &options, int channels)
    : tensors(tensors), options(options), channels(channels) {
  int64_t next = 0;
  for (const Tensor &tensor : tensors) {
    firstPages.push_back(next);
    int64_t pages = 1;
    for (size_t dim = 0; dim < tensor.shape.size(); ++dim)
      pages *= ceilDiv(tensor.shape[dim], pageExtent(tensor, dim, options.pageRows));
    next += pages;
  }
}

int Interleave::channelOf(int64_t page) const {
  // Fibonacci hashing (D. Knuth, The Art of Computer Programming, volume 3, section 6.4).
  uint64_t spread = options.hashChannels ? (static_cast<uint64_t>(page) * 0x9E3779B97F4A7C15u) >> 32 : page;
  return static_cast<int>(spread % channels);
}

void Interleave::pagesOf(const TileAccess &access, const std::vector<int64_t> &start,
                         std::vector<PageAccess> &pages) const {
  const Tensor &tensor = tensors[access.tensor];
  std::vector<Span> spans(tensor.shape.size());
  std::vector<int64_t> at(spans.size());
  for (size_t dim = 0; dim < spans.size(); ++dim) {
    Span &span = spans[dim];
    span = {std::max<int64_t>(start[dim], 0), std::min(start[dim] + access.block[dim], tensor.shape[dim]),
            pageExtent(tensor, dim, options.pageRows), 0};
    if (span.begin >= span.end)
      return;
    span.pages = ceilDiv(tensor.shape[dim], span.page);
    at[dim] = span.first();
  }
  for (;;) {
    int64_t page = 0, bytes = elementBytes(tensor.type);
    for (size_t dim = 0; dim < spans.size(); ++dim) {
      page = page * spans[dim].pages + at[dim];
      bytes *= spans[dim].inPage(at[dim]);
    }
    pages.push_back({channelOf(firstPages[access.tensor] + page), bytes});
    size_t dim = spans.size();
    for (; dim > 0 && at[dim - 1] == spans[dim - 1].last(); --dim)
      at[dim - 1] = spans[dim - 1].first();
    if (dim == 0)
      return;
    ++at[dim - 1];
  }
}

} // namespace tawa::mesh
