// The wgmma matrix descriptor, derived from a shared-memory layout.
//
// For each swizzle mode, widest first, the swizzle is undone and the bits of the coordinates are followed to byte
// addresses. If those bits stand where one of the canonical layouts of the PTX ISA ("Shared Memory Matrix Layout" of
// wgmma.mma_async) puts them, the offsets can be read off:
//
//   K-major, W bytes of K per row    k: bytes inside the row         mn: 8 rows of W bytes, then the stride offset
//   the same without swizzle, W = 16 k: 16 bytes, then the leading offset
//   MN-major, W bytes of MN per row  mn: bytes inside the row, then the leading offset
//                                    k: 8 rows of W bytes, then the stride offset
//   the same without swizzle, W = 16 leading and stride offset change places
//
// Coordinate bits beyond one instruction become additions to the start address.
#include "compiler/layouts/algebra/HopperLayouts.h"

#include <algorithm>
#include <bit>

namespace tawa {
namespace {

constexpr uint32_t groupRows = 8; ///< Rows of W bytes between two stride (or leading) offsets.
constexpr unsigned groupBits = 3;
constexpr uint32_t chunkBytes = 16;
constexpr uint32_t instrKBytes = 32;
constexpr uint32_t fieldLimit = 1u << 18; ///< Offsets have 14 bits and count 16 bytes.

unsigned log2Exact(uint32_t size) {
  assert(std::has_single_bit(size) && "sizes are powers of two");
  return std::countr_zero(size);
}

/// Where the bits of one coordinate go, as unswizzled byte addresses.
using Addresses = std::vector<uint32_t>;

Addresses bitAddresses(const LinearLayout &inverse, unsigned axis, Swizzle swizzle, uint32_t elementBytes) {
  Addresses addresses;
  for (unsigned b = 0; b < inverse.inBits(dimName(axis)); ++b)
    addresses.push_back(swizzleAddress(swizzle, inverse.basis(dimName(axis), b, "offset") * elementBytes));
  return addresses;
}

/// True when bits [first, last) of the coordinate walk start, 2 * start, 4 * start ..
bool walks(const Addresses &addresses, unsigned first, unsigned last, uint32_t start) {
  for (unsigned b = first; b < last; ++b)
    if (b >= addresses.size() || addresses[b] != start << (b - first))
      return false;
  return true;
}

/// Reads the offset that bits [first, last) step by; 0 when there is no such bit, none when they do not step evenly.
std::optional<uint32_t> evenStep(const Addresses &addresses, unsigned first, unsigned last) {
  if (first >= last)
    return 0;
  if (!walks(addresses, first, last, addresses[first]))
    return std::nullopt;
  return addresses[first];
}

/// The byte offsets of all values of the coordinate's bits from `first` on.
std::vector<uint32_t> offsetsBeyond(const Addresses &addresses, unsigned first) {
  std::vector<uint32_t> offsets;
  for (uint32_t i = 0; i < 1u << (addresses.size() - first); ++i) {
    uint32_t offset = 0;
    for (unsigned b = first; b < addresses.size(); ++b)
      if (i >> (b - first) & 1)
        offset ^= addresses[b];
    offsets.push_back(offset);
  }
  return offsets;
}

/// Fits the canonical layout of operand.mnMajor and operand.swizzle; false when the map is not of that form.
bool fit(WgmmaSmemOperand &operand, const Addresses &mn, const Addresses &k) {
  // Addresses are sums for the hardware and XORs for the map: the same as long as no two bits coincide.
  for (const Addresses *addresses : {&mn, &k})
    if (!std::all_of(addresses->begin(), addresses->end(), [](uint32_t a) { return std::has_single_bit(a); }))
      return false;

  const uint32_t elementBytes = operand.elementBits / 8, width = swizzleBytes(operand.swizzle);
  const unsigned rowBits = log2Exact(width / elementBytes);
  const unsigned mnBits = log2Exact(operand.instrMN), kBits = log2Exact(operand.instrK());
  const Addresses &fast = operand.mnMajor ? mn : k, &slow = operand.mnMajor ? k : mn;
  const unsigned fastBits = operand.mnMajor ? mnBits : kBits, slowBits = operand.mnMajor ? kBits : mnBits;

  if (!walks(fast, 0, rowBits, elementBytes) || !walks(slow, 0, groupBits, width))
    return false;
  auto alongFast = evenStep(fast, rowBits, fastBits), alongSlow = evenStep(slow, groupBits, slowBits);
  if (!alongFast || !alongSlow)
    return false;
  // Along the contiguous dimension steps the leading offset, except in the MN-major form without swizzle.
  bool exchanged = operand.mnMajor && operand.swizzle == Swizzle::None;
  operand.leadingByteOffset = exchanged ? *alongSlow : *alongFast;
  operand.strideByteOffset = exchanged ? *alongFast : *alongSlow;
  operand.stepOffsets = offsetsBeyond(k, kBits);
  operand.blockOffsets = offsetsBeyond(mn, mnBits);
  return true;
}

} // namespace

const char *describe(WgmmaFailure failure) {
  switch (failure) {
  case WgmmaFailure::None:
    return "no failure";
  case WgmmaFailure::NotBijective:
    return "the shared layout has holes or copies";
  case WgmmaFailure::TooFewK:
    return "wgmma needs at least 32 bytes along K";
  case WgmmaFailure::TooFewMN:
    return "the tile has fewer rows or columns than one wgmma reads";
  case WgmmaFailure::MNMajorType:
    return "wgmma reads only 16-bit elements from a tile that is contiguous along M or N";
  case WgmmaFailure::NoCanonicalForm:
    return "the shared layout is none of the canonical layouts of the wgmma matrix descriptor";
  case WgmmaFailure::OffsetRange:
    return "an offset does not fit the wgmma matrix descriptor";
  }
  return "unknown";
}

std::optional<WgmmaSmemOperand> deriveWgmmaOperand(const LinearLayout &shared, unsigned elementBits, unsigned mnDim,
                                                   uint32_t instrMN, WgmmaFailure *why) {
  auto fail = [&](WgmmaFailure failure) {
    if (why)
      *why = failure;
    return std::nullopt;
  };
  assert(mnDim < 2 && tensorRank(shared) == 2);
  WgmmaSmemOperand operand;
  operand.elementBits = elementBits;
  operand.mnDim = mnDim;
  operand.instrMN = instrMN;
  auto inverse = shared.inverse();
  if (!inverse)
    return fail(WgmmaFailure::NotBijective);
  if (shared.outSize(dimName(1 - mnDim)) < operand.instrK())
    return fail(WgmmaFailure::TooFewK);
  if (shared.outSize(dimName(mnDim)) < instrMN || instrMN < groupRows)
    return fail(WgmmaFailure::TooFewMN);
  operand.mnMajor = inverse->basis(dimName(mnDim), 0, "offset") == 1;
  if (operand.mnMajor && elementBits != 16)
    return fail(WgmmaFailure::MNMajorType);

  for (Swizzle swizzle : {Swizzle::B128, Swizzle::B64, Swizzle::B32, Swizzle::None}) {
    operand.swizzle = swizzle;
    Addresses mn = bitAddresses(*inverse, mnDim, swizzle, elementBits / 8);
    Addresses k = bitAddresses(*inverse, 1 - mnDim, swizzle, elementBits / 8);
    if (!fit(operand, mn, k))
      continue;
    if (operand.leadingByteOffset >= fieldLimit || operand.strideByteOffset >= fieldLimit)
      return fail(WgmmaFailure::OffsetRange);
    return operand;
  }
  return fail(WgmmaFailure::NoCanonicalForm);
}

uint64_t encodeDescriptorConstant(const WgmmaSmemOperand &operand) {
  return uint64_t(operand.leadingByteOffset >> 4) << 16 | uint64_t(operand.strideByteOffset >> 4) << 32 |
         uint64_t(wgmmaSwizzleField(operand.swizzle)) << 62;
}

uint32_t descriptorElementAddress(uint64_t descriptor, bool mnMajor, unsigned elementBits, uint32_t mn, uint32_t k) {
  const uint32_t start = (descriptor & 0x3fff) << 4;
  const uint32_t leading = (descriptor >> 16 & 0x3fff) << 4, stride = (descriptor >> 32 & 0x3fff) << 4;
  const Swizzle swizzle = static_cast<Swizzle>((4 - (descriptor >> 62)) & 3);
  const uint32_t width = swizzleBytes(swizzle);
  const uint32_t fastByte = (mnMajor ? mn : k) * elementBits / 8, slow = mnMajor ? k : mn;

  uint32_t alongFast = leading, alongSlow = stride;
  if (mnMajor && swizzle == Swizzle::None)
    std::swap(alongFast, alongSlow);
  uint32_t address = start + (fastByte % width) + (fastByte / width) * alongFast;
  address += (slow % groupRows) * width + (slow / groupRows) * alongSlow;
  return swizzleAddress(swizzle, address);
}

bool checkWgmmaOperand(const WgmmaSmemOperand &operand, const LinearLayout &shared) {
  const uint32_t elementBytes = operand.elementBits / 8;
  const unsigned mnDim = operand.mnDim;
  if (shared.outSize(dimName(mnDim)) != operand.instrMN * operand.blockOffsets.size() ||
      shared.outSize(dimName(1 - mnDim)) != operand.instrK() * operand.stepOffsets.size())
    return false;
  for (uint32_t block = 0; block < operand.blockOffsets.size(); ++block)
    for (uint32_t step = 0; step < operand.stepOffsets.size(); ++step) {
      uint32_t start = operand.blockOffsets[block] + operand.stepOffsets[step];
      if (start % chunkBytes || start >= fieldLimit)
        return false;
      uint64_t descriptor = encodeDescriptorConstant(operand) | start >> 4;
      for (uint32_t mn = 0; mn < operand.instrMN; ++mn)
        for (uint32_t k = 0; k < operand.instrK(); ++k) {
          uint32_t address = descriptorElementAddress(descriptor, operand.mnMajor, operand.elementBits, mn, k);
          std::vector<uint32_t> wanted(2);
          wanted[mnDim] = block * operand.instrMN + mn;
          wanted[1 - mnDim] = step * operand.instrK() + k;
          if (address / elementBytes >= shared.inSize("offset") || shared.apply({address / elementBytes}) != wanted)
            return false;
        }
    }
  return true;
}

static_assert(instrKBytes * 8 == 256, "WgmmaSmemOperand::instrK() counts 32 bytes");

} // namespace tawa
