// Tiles in shared memory: the swizzled panel layout and the TMA boxes that fill it.
//
// swizzleAddress() is the only definition of a swizzle: the layout is the plain panel order followed by that XOR, and
// boxes are found by undoing it and checking that a plain box order remains.
#include "compiler/layouts/algebra/HopperLayouts.h"

#include <algorithm>
#include <bit>

namespace tawa {

static unsigned log2Exact(uint32_t size) {
  assert(std::has_single_bit(size) && "sizes are powers of two");
  return std::countr_zero(size);
}

uint32_t swizzleBytes(Swizzle swizzle) { return 16u << static_cast<unsigned>(swizzle); }

uint32_t swizzleAlignment(Swizzle swizzle) { return 128u << static_cast<unsigned>(swizzle); }

unsigned wgmmaSwizzleField(Swizzle swizzle) { return (4 - static_cast<unsigned>(swizzle)) & 3; }

uint32_t swizzleAddress(Swizzle swizzle, uint32_t address) {
  // The chunk number in bits 4.. is XORed with as many bits from bit 7 on: 3 for 128 bytes, 2 for 64, 1 for 32.
  uint32_t chunks = (1u << static_cast<unsigned>(swizzle)) - 1;
  return address ^ ((address >> 7 & chunks) << 4);
}

Swizzle chooseSwizzle(uint32_t contiguousBytes, uint32_t otherExtent) {
  if (otherExtent >= 8)
    for (Swizzle swizzle : {Swizzle::B128, Swizzle::B64, Swizzle::B32})
      if (contiguousBytes % swizzleBytes(swizzle) == 0)
        return swizzle;
  return Swizzle::None;
}

/// offset -> offset of the same element before swizzling, for a tile of 1 << bits elements.
static LinearLayout swizzleMap(Swizzle swizzle, unsigned elementBits, unsigned bits) {
  std::vector<LinearLayout::Basis> images;
  const uint32_t elementBytes = elementBits / 8;
  for (unsigned b = 0; b < bits; ++b)
    images.push_back({swizzleAddress(swizzle, elementBytes << b) / elementBytes});
  return LinearLayout({{"offset", images}}, {{"offset", bits}});
}

LinearLayout sharedSwizzled(uint32_t rows, uint32_t cols, unsigned elementBits, Swizzle swizzle, bool rowMajor,
                            uint32_t panelBytes) {
  const uint32_t contiguous = rowMajor ? cols : rows, other = rowMajor ? rows : cols;
  const std::string fast = rowMajor ? "dim1" : "dim0", slow = rowMajor ? "dim0" : "dim1";
  const uint32_t elementBytes = elementBits / 8;
  if (panelBytes == 0)
    panelBytes = swizzle == Swizzle::None ? contiguous * elementBytes : swizzleBytes(swizzle);
  const uint32_t panel = panelBytes / elementBytes;
  assert(panel >= 1 && panel <= contiguous && "the tile is narrower than a panel");

  LinearLayout plain = LinearLayout::identity1D(log2Exact(panel), "offset", fast) *
                       LinearLayout::identity1D(log2Exact(other), "offset", slow) *
                       LinearLayout::identity1D(log2Exact(contiguous / panel), "offset", fast);
  return swizzleMap(swizzle, elementBits, plain.inBits("offset")).compose(plain).transposeOuts({"dim0", "dim1"});
}

LinearLayout sharedRowMajor(const std::vector<uint32_t> &shape) {
  LinearLayout result({{"offset", {}}}, {});
  for (unsigned i = shape.size(); i > 0; --i)
    result = result * LinearLayout::identity1D(log2Exact(shape[i - 1]), "offset", dimName(i - 1));
  LinearLayout::Names order;
  for (unsigned i = 0; i < shape.size(); ++i)
    order.push_back(dimName(i));
  return result.transposeOuts(order);
}

// --- TMA boxes
// --------------------------------------------------------------------------------------------------------

const char *describe(TmaFailure failure) {
  switch (failure) {
  case TmaFailure::None:
    return "no failure";
  case TmaFailure::NotBijective:
    return "the shared layout has holes or copies";
  case TmaFailure::NoContiguousDim:
    return "neighbouring elements in shared memory are not neighbours in the tensor";
  case TmaFailure::NotSwizzledSo:
    return "the shared layout is not an order in which TMA fills a box";
  case TmaFailure::InnerTooSmall:
    return "a contiguous run is shorter than the 16 bytes TMA needs";
  case TmaFailure::Misaligned:
    return "a box would start at an address that is not a multiple of 128 bytes";
  }
  return "unknown";
}

namespace {

constexpr uint32_t maxBoxExtent = 256; // CUtensorMap boxDim
constexpr uint32_t boxAlignment = 128; // shared memory address of cp.async.bulk.tensor

/// A tile in plain (unswizzled) order, read from the least significant offset bit up.
struct BoxScan {
  const LinearLayout &plain;
  unsigned next = 0; ///< The first offset bit not yet part of the box.

  /// Extends the box along `axis` while the offset bits walk 1, 2, 4 .. there; returns the extent reached.
  uint32_t run(unsigned axis, uint32_t limit) {
    uint32_t extent = 1;
    for (; next < plain.inBits("offset") && extent < limit; ++next, extent *= 2) {
      const LinearLayout::Basis &image = plain.basis("offset", next);
      for (unsigned d = 0; d < image.size(); ++d)
        if (image[d] != (d == axis ? extent : 0))
          return extent;
    }
    return extent;
  }
};

std::optional<unsigned> contiguousAxis(const LinearLayout &plain) {
  if (plain.inBits("offset") == 0)
    return std::nullopt;
  const LinearLayout::Basis &first = plain.basis("offset", 0);
  for (unsigned axis = 0; axis < first.size(); ++axis)
    if (first[axis] == 1)
      return axis;
  return std::nullopt;
}

} // namespace

std::optional<std::vector<TmaBox>> deriveTmaBoxes(const LinearLayout &shared, unsigned elementBits, Swizzle swizzle,
                                                  TmaFailure *why) {
  auto fail = [&](TmaFailure failure) {
    if (why)
      *why = failure;
    return std::nullopt;
  };
  const uint32_t elementBytes = elementBits / 8;
  if (!shared.isInvertible())
    return fail(TmaFailure::NotBijective);
  // The swizzle is its own inverse: after applying it the tile must be in plain box order.
  LinearLayout plain = swizzleMap(swizzle, elementBits, shared.inBits("offset")).compose(shared);
  auto axis = contiguousAxis(plain);
  if (!axis)
    return fail(TmaFailure::NoContiguousDim);

  BoxScan scan{plain};
  uint32_t innerLimit = swizzle == Swizzle::None ? maxBoxExtent : swizzleBytes(swizzle) / elementBytes;
  TmaBox box;
  box.shape.assign(tensorRank(plain), 1);
  box.shape[*axis] = scan.run(*axis, innerLimit);
  if (box.shape[*axis] * elementBytes < 16)
    return fail(TmaFailure::InnerTooSmall);
  if (swizzle != Swizzle::None && box.shape[*axis] != innerLimit)
    return fail(TmaFailure::NotSwizzledSo);
  // The other dimensions follow, the last one first: the order in which a tensor map lists them.
  for (unsigned d = tensorRank(plain); d > 0; --d)
    if (d - 1 != *axis)
      box.shape[d - 1] = scan.run(d - 1, maxBoxExtent);

  const uint32_t boxBytes = elementBytes << scan.next;
  std::vector<TmaBox> boxes;
  for (uint32_t i = 0; i < 1u << (plain.inBits("offset") - scan.next); ++i) {
    box.origin = plain.apply({i << scan.next});
    box.byteOffset = i * boxBytes;
    if (box.byteOffset % boxAlignment)
      return fail(TmaFailure::Misaligned);
    // Inside a box coordinates count up from the origin, where the map XORs: the same when the origin is a multiple of
    // the box.
    for (unsigned d = 0; d < box.shape.size(); ++d)
      if (box.origin[d] % box.shape[d])
        return fail(TmaFailure::NotSwizzledSo);
    boxes.push_back(box);
  }
  return boxes;
}

bool checkTmaBoxes(const std::vector<TmaBox> &boxes, const LinearLayout &shared, unsigned elementBits,
                   Swizzle swizzle) {
  const uint32_t elementBytes = elementBits / 8;
  const unsigned rank = tensorRank(shared);
  if (shared.inBits("offset") == 0)
    return false;
  auto inner = contiguousAxis(swizzleMap(swizzle, elementBits, shared.inBits("offset")).compose(shared));
  if (!inner)
    return false;
  uint64_t elements = 0;
  for (const TmaBox &box : boxes) {
    // TMA walks the box with the tensor map's innermost dimension fastest, then the others from the last on.
    std::vector<unsigned> walkOrder{*inner};
    for (unsigned d = rank; d > 0; --d)
      if (d - 1 != *inner)
        walkOrder.push_back(d - 1);
    uint32_t count = 1;
    for (uint32_t extent : box.shape)
      count *= extent;
    elements += count;
    for (uint32_t i = 0; i < count; ++i) {
      std::vector<uint32_t> coordinate = box.origin;
      uint32_t rest = i;
      for (unsigned axis : walkOrder) {
        coordinate[axis] += rest % box.shape[axis];
        rest /= box.shape[axis];
      }
      uint32_t address = swizzleAddress(swizzle, box.byteOffset + i * elementBytes);
      if (address / elementBytes >= shared.inSize("offset") || shared.apply({address / elementBytes}) != coordinate)
        return false;
    }
  }
  return elements == shared.inSize("offset");
}

std::optional<Swizzle> findTmaSwizzle(const LinearLayout &shared, unsigned elementBits) {
  for (Swizzle swizzle : {Swizzle::B128, Swizzle::B64, Swizzle::B32, Swizzle::None})
    if (deriveTmaBoxes(shared, elementBits, swizzle))
      return swizzle;
  return std::nullopt;
}

} // namespace tawa
