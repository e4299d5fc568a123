// Turning a tile: through which registers it goes from one order in shared memory to another.
//
// Both sides want wide accesses, one along rows and one along columns, so a thread takes a small rectangle: 4 x 4 bytes
// are four loads of 4 bytes and four stores of 4 bytes. How large the rectangle is, and how lanes lie side by side, is
// searched for: there are a few dozen choices, and the plans of the accesses tell their cycles.
#include "compiler/layout/TurnTile.h"

#include "compiler/layout/BankConflicts.h"

#include <algorithm>
#include <array>
#include <bit>

namespace tawa {
namespace {

constexpr uint32_t kAccessBytes = 16;
constexpr unsigned kLaneBits = 5, kBankBits = 32;

/// Hands out the bits of a tile's two coordinates, low ones first.
class CoordinateBits {
public:
  explicit CoordinateBits(const LinearLayout &tile) : size{tile.outBits(dimName(0)), tile.outBits(dimName(1))} {}

  bool has(unsigned dim) const { return next[dim] < size[dim]; }
  /// The next bit of `dim`, or of the other one where there is none, or a copy where the tile ends.
  LinearLayout::Basis take(unsigned dim) {
    LinearLayout::Basis basis(2, 0);
    if (!has(dim))
      dim = 1 - dim;
    if (has(dim))
      basis[dim] = 1u << next[dim]++;
    return basis;
  }
  bool isEmpty() const { return !has(0) && !has(1); }

private:
  std::array<unsigned, 2> size, next{0, 0};
};

/// A rectangle of 1 << high[0] by 1 << high[1] elements in a thread; lanes run along `first`, `along` bits of them,
/// then along the other dimension.
LinearLayout rectangles(const LinearLayout &tile, std::array<unsigned, 2> high, unsigned first, unsigned along,
                        unsigned warpBits) {
  CoordinateBits bits(tile);
  std::vector<LinearLayout::Basis> registers, lanes, warps;
  for (unsigned dim : {1u, 0u})
    for (unsigned bit = 0; bit < high[dim]; ++bit)
      registers.push_back(bits.take(dim));
  for (unsigned bit = 0; bit < kLaneBits; ++bit)
    lanes.push_back(bits.take(bit < along ? first : 1 - first));
  for (unsigned bit = 0; bit < warpBits; ++bit)
    warps.push_back(bits.take(0));
  while (!bits.isEmpty())
    registers.push_back(bits.take(1));
  return LinearLayout({{"register", registers}, {"lane", lanes}, {"warp", warps}},
                      {{dimName(0), tile.outBits(dimName(0))}, {dimName(1), tile.outBits(dimName(1))}});
}

/// Cycles of one warp, an instruction each on top.
unsigned cyclesOf(const LinearLayout &registers, const LinearLayout &shared, unsigned elementBits) {
  auto plan = deriveVectorAccess(registers, shared, elementBits);
  if (!plan)
    return ~0u / 4;
  plan->warpBases.clear();
  unsigned each = std::max(1u, plan->vector * elementBits / kBankBits) + 1;
  return static_cast<unsigned>(plan->accesses.size()) * each + countBankConflicts(*plan, elementBits / 8);
}

} // namespace

LinearLayout turningRegisters(const LinearLayout &from, const LinearLayout &to, unsigned elementBits, uint32_t warps) {
  const unsigned widest = std::countr_zero(kAccessBytes * 8 / elementBits), warpBits = std::countr_zero(warps);
  LinearLayout best;
  unsigned least = ~0u;
  for (unsigned rows = 0; rows <= widest; ++rows)
    for (unsigned cols = 0; cols <= widest; ++cols)
      for (unsigned first : {0u, 1u})
        for (unsigned along = 0; along <= kLaneBits; ++along) {
          if (rows > from.outBits(dimName(0)) || cols > from.outBits(dimName(1)))
            continue;
          LinearLayout candidate = rectangles(from, {rows, cols}, first, along, warpBits);
          unsigned cycles = cyclesOf(candidate, from, elementBits) + cyclesOf(candidate, to, elementBits);
          if (cycles < least) {
            best = candidate;
            least = cycles;
          }
        }
  return best;
}

} // namespace tawa
