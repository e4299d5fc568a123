// Transposing a tile: the register layout through which it moves from one order in shared memory to another.
//
// Both sides need wide accesses, one along rows and one along columns, so a thread takes a small rectangle: 4 x 4 bytes
// are four loads of 4 bytes and four stores of 4 bytes. The size of the rectangle and the arrangement of lanes are
// found by search: there are a few dozen choices, and the access plans give their cycles.
//
// Bytes have a shorter way. With r0 .. r3 the bits of a position within 16 bytes of a row where the tile is read, and
// w0 .. w3 those where it is written, ldmatrix.trans gives a thread
//
//   byte of a word   r0, w0            its pair, and the pair of the next row
//   lane             w2 w3 r1 r2 r3
//
// and stmatrix needs w0 w1 in a word and the same lanes. So bytes are exchanged only between two words of one thread.
//
// r0 selects one of two stores, so rows of a matrix are two rows of the tile apart, and in a swizzle of eight rows half
// of them share banks with the others. Some lanes therefore invert r0: the row that a lane writes is then given by r1
// r2 r3 and r0 + r3, say, and eight rows are eight different ones of the swizzle.
#include "compiler/layouts/algebra/TransposeTile.h"

#include "compiler/layouts/algebra/BankConflicts.h"

#include <algorithm>
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

/// A rectangle of 1 << high[0] by 1 << high[1] elements per thread; lanes run along `first` for `along` bits, / then
/// along the other dimension.
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

/// Cycles of one warp, plus one per instruction.
unsigned cyclesOf(const LinearLayout &registers, const LinearLayout &shared, unsigned elementBits) {
  auto plan = deriveVectorAccess(registers, shared, elementBits);
  if (!plan)
    return ~0u / 4;
  unsigned each = std::max(1u, plan->vector * elementBits / kBankBits) + 1;
  return static_cast<unsigned>(plan->accesses.size()) * each + countBankConflicts(*plan, elementBits / 8);
}

/// Bits of a position within 16 bytes, a row of an 8x8 matrix of pairs.
constexpr unsigned kRowBits = 4;
/// The register bit that selects the byte of a pair, for reads and for writes.
constexpr unsigned kReadPairBit = 0, kWritePairBit = 1;

/// The bits of a lane that are r1 r2 r3.
constexpr unsigned kRowLaneBit = 2, kRowLanes = 8;

/// The registers described above; the rest of the tile goes to warps and further registers. None where rows of the /
/// two orders share elements.
std::optional<LinearLayout> crossing(const LinearLayout &from, const LinearLayout &to, unsigned warpBits,
                                     uint32_t swappingLanes) {
  using Bases = std::vector<LinearLayout::Basis>;
  std::vector<LinearLayout::Dim> outs = {{dimName(0), from.outBits(dimName(0))},
                                         {dimName(1), from.outBits(dimName(1))}};
  auto basis = [](const LinearLayout &side, unsigned bit) {
    return LinearLayout::Basis{side.basis("offset", bit, dimName(0)), side.basis("offset", bit, dimName(1))};
  };
  Bases read, write, taken, rest;
  for (unsigned bit = 0; bit < kRowBits; ++bit) {
    read.push_back(basis(from, bit));
    write.push_back(basis(to, bit));
  }
  taken = read;
  taken.insert(taken.end(), write.begin(), write.end());
  auto isNew = [&](const LinearLayout::Basis &next) {
    Bases all = taken;
    all.push_back(next);
    return LinearLayout({{"place", all}}, outs).isInjective();
  };
  for (unsigned bit = kRowBits; bit < from.inBits("offset"); ++bit)
    if (isNew(basis(from, bit))) {
      rest.push_back(basis(from, bit));
      taken.push_back(rest.back());
    }
  if (!LinearLayout({{"place", taken}}, outs).isInvertible() || rest.size() < warpBits)
    return std::nullopt;
  Bases registers = {read[0], write[0], write[1]}, warps(rest.end() - warpBits, rest.end());
  registers.insert(registers.end(), rest.begin(), rest.end() - warpBits);
  Bases lanes = {write[2], write[3], read[1], read[2], read[3]};
  for (unsigned bit = 0; bit < kLaneBits; ++bit)
    if (swappingLanes >> bit & 1)
      for (unsigned dim : {0u, 1u})
        lanes[bit][dim] ^= read[0][dim];
  return LinearLayout({{"register", registers}, {"lane", lanes}, {"warp", warps}}, outs);
}

/// Moves of pairs of bytes between `registers` and `shared`; `pairBit` is the register bit that reaches the next byte.
std::optional<BytePairMoves> pairMoves(const LinearLayout &registers, unsigned pairBit, const LinearLayout &shared) {
  LinearLayout places = registers.invertAndCompose(shared);
  std::vector<LinearLayout::InBases> pairs;
  for (const LinearLayout::Dim &in : places.ins()) {
    pairs.push_back({in.name, {}});
    for (unsigned bit = 0; bit < in.bits; ++bit) {
      uint32_t offset = places.basis(in.name, bit, "offset");
      if (in.name == "register" && bit == pairBit ? offset != 1 : offset % 2 != 0)
        return std::nullopt;
      if (offset != 1)
        pairs.back().second.push_back({offset / 2});
    }
  }
  const unsigned bits = shared.totalInBits() - 1;
  auto plan =
      deriveStmatrix(LinearLayout(pairs, {{"pair", bits}}), LinearLayout::identity1D(bits, "offset", "pair"), 16);
  return plan ? std::optional(BytePairMoves{*plan, pairBit}) : std::nullopt;
}

} // namespace

LinearLayout transposingRegisters(const LinearLayout &from, const LinearLayout &to, unsigned elementBits,
                                  uint32_t warps) {
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

std::array<uint32_t, 4> BytePairMoves::bytesOf(uint32_t low) const {
  const uint32_t below = (1u << pairBit) - 1;
  auto byte = [&](uint32_t pair, uint32_t number) { return (pair & below) | (pair & ~below) << 1 | number << pairBit; };
  uint32_t high = low ^ plan.pairStride;
  return {byte(low, 0), byte(low, 1), byte(high, 0), byte(high, 1)};
}

std::optional<MatrixTranspose> transposingMatrices(const LinearLayout &from, const LinearLayout &to,
                                                   unsigned elementBits, uint32_t warps) {
  if (elementBits != 8 || from.totalInBits() < 2 * kRowBits || to.totalInBits() < 2 * kRowBits)
    return std::nullopt;
  const unsigned warpBits = std::countr_zero(warps);
  std::optional<LinearLayout> registers = crossing(from, to, warpBits, 0);
  if (!registers)
    return std::nullopt;
  auto read = pairMoves(*registers, kReadPairBit, from);
  if (!read || !read->plan.transposed)
    return std::nullopt;
  std::optional<MatrixTranspose> best;
  for (uint32_t rows = 0; rows < kRowLanes; ++rows) {
    const uint32_t swapping = rows << kRowLaneBit;
    auto write = pairMoves(*crossing(from, to, warpBits, swapping), kWritePairBit, to);
    bool isBetter = write && !write->plan.transposed &&
                    (!best || countBankConflicts(write->plan) < countBankConflicts(best->write.plan));
    if (isBetter)
      best = MatrixTranspose{*registers, *read, *write, swapping};
  }
  return best;
}

} // namespace tawa
