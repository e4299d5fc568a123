// Panels of an accumulator, and how registers are stored to them without bank conflicts.
//
// 16-bit elements are stored by stmatrix, without conflicts under the 128-byte swizzle. Of 32-bit elements a thread
// stores two neighbours (8 bytes), so half a warp, 4 rows of 32 bytes, is served at once; the swizzle moves 16-byte
// chunks and keeps two neighbouring rows in the same four of them. If every second row stores its registers in another
// order, the rows use different chunks:
//
//   chunks of one access   row 0   row 1   row 2   row 3
//   as they are            0 1     1 0     2 3     3 2       16 lanes in 64 bytes of banks
//   odd rows 16 on         0 1     5 4     2 3     7 6       16 lanes in 128 bytes
//
// In terms of layouts, the image of a register bit is added to that of a lane bit. Such a change selects between two
// registers in each thread, and any pair of bits that removes the conflicts will do.
#include "compiler/layouts/algebra/StorePanels.h"

#include "compiler/layouts/algebra/BankConflicts.h"

#include <algorithm>
#include <bit>

namespace tawa {
namespace {

constexpr uint32_t kLeastRowBytes = 16; // of a TMA box (CUDA driver API, cuTensorMapEncodeTiled)
constexpr unsigned kMatrixBits = 16;    // of an element that stmatrix moves
constexpr unsigned kBankBits = 32;

std::vector<LinearLayout::Basis> basesOf(const LinearLayout &layout, const char *in) {
  std::vector<LinearLayout::Basis> bases;
  bases.reserve(layout.inBits(in));
  for (unsigned bit = 0; bit < layout.inBits(in); ++bit)
    bases.push_back(layout.basis(in, bit));
  return bases;
}

/// `layout` with the image of a register bit added to that of a lane bit.
LinearLayout exchanged(const LinearLayout &layout, unsigned laneBit, unsigned registerBit) {
  std::vector<LinearLayout::Basis> registers = basesOf(layout, "register"), lanes = basesOf(layout, "lane");
  for (unsigned dim = 0; dim < lanes[laneBit].size(); ++dim)
    lanes[laneBit][dim] ^= registers[registerBit][dim];
  return LinearLayout({{"register", registers}, {"lane", lanes}, {"warp", {}}}, layout.outs());
}

/// Cycles of a warp's vector stores of one panel, plus one per instruction.
struct Cycles {
  unsigned all = ~0u, conflicts = 0;
};
Cycles cyclesOf(const LinearLayout &registers, const LinearLayout &shared, unsigned elementBits) {
  auto plan = deriveVectorAccess(registers, shared, elementBits);
  if (!plan)
    return {};
  unsigned each = std::max(1u, plan->vector * elementBits / kBankBits) + 1;
  unsigned conflicts = countBankConflicts(*plan, elementBits / 8);
  return {static_cast<unsigned>(plan->accesses.size()) * each + conflicts, conflicts};
}

/// The exchange that makes the stores fastest, if one is better than none.
LinearLayout spread(const LinearLayout &registers, const LinearLayout &shared, unsigned elementBits) {
  LinearLayout best = registers;
  auto [least, conflicts] = cyclesOf(registers, shared, elementBits);
  if (conflicts == 0) // an exchange changes nothing else
    return best;
  for (unsigned lane = 0; lane < registers.inBits("lane"); ++lane)
    for (unsigned bit = 0; bit < registers.inBits("register"); ++bit) {
      LinearLayout candidate = exchanged(registers, lane, bit);
      unsigned cycles = cyclesOf(candidate, shared, elementBits).all;
      if (cycles < least) {
        best = candidate;
        least = cycles;
      }
    }
  return best;
}

} // namespace

std::optional<StorePanels> planStorePanels(const LinearLayout &tile, unsigned elementBits) {
  if (elementBits < 8 || elementBits > 32)
    return std::nullopt;
  StorePanels panels;
  panels.elementBits = elementBits;
  panels.rows = tile.outSize(dimName(0));
  panels.cols = std::min(tile.outSize(dimName(1)), kPanelRowBytes * 8 / elementBits);
  // A warp's part ends where that of another begins: warp groups may share a tile side by side.
  for (unsigned bit = 0; bit < tile.inBits("warp"); ++bit) {
    const LinearLayout::Basis &basis = tile.basis("warp", bit);
    panels.rows = std::min(panels.rows, basis[0] ? basis[0] : panels.rows);
    panels.cols = std::min(panels.cols, basis[1] ? basis[1] : panels.cols);
  }
  uint32_t rowBytes = panels.cols * elementBits / 8;
  if (rowBytes < kLeastRowBytes)
    return std::nullopt;
  panels.rows = std::min(panels.rows, kPanelBytes / rowBytes);

  std::vector<LinearLayout::Basis> inside;
  for (unsigned bit = 0; bit < tile.inBits("register"); ++bit) {
    const LinearLayout::Basis &basis = tile.basis("register", bit);
    bool fits = basis[0] < panels.rows && basis[1] < panels.cols;
    (fits ? panels.insideBits : panels.outsideBits).push_back(bit);
    if (fits)
      inside.push_back(basis);
  }
  panels.registers = LinearLayout({{"register", inside}, {"lane", basesOf(tile, "lane")}, {"warp", {}}},
                                  {{dimName(0), static_cast<unsigned>(std::countr_zero(panels.rows))},
                                   {dimName(1), static_cast<unsigned>(std::countr_zero(panels.cols))}});
  if (!panels.registers.isInvertible())
    return std::nullopt;
  panels.swizzle = chooseSwizzle(panels.cols * elementBits / 8, panels.rows);
  panels.shared = sharedSwizzled(panels.rows, panels.cols, elementBits, panels.swizzle);
  panels.staged = elementBits == kMatrixBits ? panels.registers : spread(panels.registers, panels.shared, elementBits);
  return panels;
}

} // namespace tawa
