// Counts bytes, absent rows and L2 lines of a block, from its coordinates and the strides of the tensor.
#include "runtime/tuner/model/BlockTraffic.h"

#include <algorithm>
#include <numeric>

namespace tawa {

constexpr int64_t kLine = 128; // also what TMA fetches and swizzles at once
constexpr int64_t kSector = 32;

/// To which power of two, a line at most, all rows of the block are aligned, the tensor being so.
static int64_t rowAlignment(const WorkAccess &access, const ArgumentValue &tensor) {
  int64_t alignment = kLine;
  size_t outer = tensor.rank - access.block.size();
  for (size_t i = 0; i + 1 < access.block.size(); ++i)
    if (int64_t stride = tensor.strides[outer + i]; access.block[i] > 1 && stride != INT64_MIN)
      alignment = std::gcd(alignment, stride * access.elementBytes);
  return alignment;
}

BlockTraffic trafficOf(const WorkAccess &access, std::span<const int64_t> places, const ArgumentValue *tensor) {
  BlockTraffic traffic;
  traffic.bytes = static_cast<double>(access.bytes());
  traffic.lines = traffic.bytes / kLine;
  bool isPlaced = access.isDescribed && tensor && !places.empty() && tensor->rank == places.size() &&
                  !access.block.empty() && access.block.size() <= places.size();
  if (!isPlaced)
    return traffic;
  double whole = 1, inside = 1;
  size_t outer = places.size() - access.block.size(); // blocks may leave out leading dimensions of 1
  for (size_t i = 0; i + 1 < access.block.size(); ++i) {
    auto extent = static_cast<double>(access.block[i]);
    int64_t left = tensor->shape[outer + i] - places[outer + i];
    whole *= extent;
    inside *= std::clamp(static_cast<double>(left), 0.0, extent);
  }
  int64_t rowBytes = access.block.back() * access.elementBytes, boxRow = std::min(rowBytes, kLine);
  double boxes = static_cast<double>((rowBytes + kLine - 1) / kLine);
  int64_t alignment = rowAlignment(access, *tensor);
  // Rows begin at any multiple of the alignment; a row straddles lines where it begins too late in one.
  double straddles = alignment == kLine ? 0 : static_cast<double>(std::max<int64_t>(boxRow - alignment, 0)) / kLine;
  double lines = inside * boxes * (1 + straddles);
  bool isBroken = alignment < kSector;
  return {inside * static_cast<double>(rowBytes), (whole - inside) * boxes, isBroken ? 0 : lines, isBroken ? lines : 0};
}

} // namespace tawa
