// Register layouts of the wgmma fragments, coalesced layouts, and the effect of tensor operations on a layout:
// reductions drop an axis, transposition and reshape rename coordinates. Shared memory is in SharedLayouts.cpp.
#include "compiler/layouts/algebra/HopperLayouts.h"

#include <algorithm>
#include <bit>

namespace tawa {
namespace {

using Basis = LinearLayout::Basis;
using Bases = std::vector<Basis>;

/// wgmma gives each warp of a group 16 rows of the 64, in two halves of 8.
constexpr uint32_t warpRows = 16, groupRows = 64, groupWarps = 4;

unsigned log2Exact(uint32_t size) {
  assert(std::has_single_bit(size) && "sizes are powers of two");
  return std::countr_zero(size);
}

/// Appends the images limit/2 > .. >= first of a walk along one dimension: first, 2 * first, .. below `limit`.
void walk(Bases &bases, unsigned axis, uint32_t first, uint32_t limit) {
  for (uint32_t step = first; step < limit; step *= 2)
    bases.push_back(axis == 0 ? Basis{step, 0} : Basis{0, step});
}

/// The warps of all groups: 16-row bands inside a group, groups along M, then (colStep != 0) along N, then copies.
struct WarpPlacement {
  Bases bases;
  uint32_t rowsCovered = groupRows;
  uint32_t colsCovered = 0;
};

WarpPlacement placeWarps(uint32_t rows, uint32_t cols, uint32_t colStep, uint32_t warps) {
  assert(warps % groupWarps == 0 && rows >= groupRows && "wgmma works on 64 rows with 4 warps");
  WarpPlacement placement;
  placement.colsCovered = colStep;
  walk(placement.bases, 0, warpRows, groupRows);
  for (uint32_t groups = warps / groupWarps; groups > 1; groups /= 2) {
    if (placement.rowsCovered < rows) {
      placement.bases.push_back({placement.rowsCovered, 0});
      placement.rowsCovered *= 2;
    } else if (colStep && placement.colsCovered < cols) {
      placement.bases.push_back({0, placement.colsCovered});
      placement.colsCovered *= 2;
    } else {
      placement.bases.push_back({0, 0});
    }
  }
  return placement;
}

LinearLayout registerLayout(Bases registers, Bases lanes, Bases warps, uint32_t rows, uint32_t cols) {
  return LinearLayout({{"register", std::move(registers)}, {"lane", std::move(lanes)}, {"warp", std::move(warps)}},
                      {{"dim0", log2Exact(rows)}, {"dim1", log2Exact(cols)}});
}

} // namespace

LinearLayout wgmmaAccumulator(uint32_t rows, uint32_t cols, uint32_t instrN, uint32_t warps) {
  assert(instrN >= 8 && instrN <= 256 && cols >= instrN);
  Bases lanes;
  walk(lanes, 1, 2, 8);
  walk(lanes, 0, 1, 8);
  WarpPlacement placement = placeWarps(rows, cols, instrN, warps);

  Bases registers{{0, 1}, {8, 0}};
  walk(registers, 1, 8, instrN);
  walk(registers, 1, placement.colsCovered, cols);
  walk(registers, 0, placement.rowsCovered, rows);
  return registerLayout(std::move(registers), std::move(lanes), std::move(placement.bases), rows, cols);
}

LinearLayout wgmmaOperandA(uint32_t rows, uint32_t k, unsigned elementBits, uint32_t warps) {
  const uint32_t perRegister = 32 / elementBits; // elements in one 32-bit register
  assert((elementBits == 8 || elementBits == 16 || elementBits == 32) && k >= 8 * perRegister);
  Bases lanes;
  walk(lanes, 1, perRegister, 4 * perRegister);
  walk(lanes, 0, 1, 8);
  WarpPlacement placement = placeWarps(rows, k, 0, warps);

  Bases registers;
  walk(registers, 1, 1, perRegister);
  registers.push_back({8, 0});
  walk(registers, 1, 4 * perRegister, k);
  walk(registers, 0, placement.rowsCovered, rows);
  return registerLayout(std::move(registers), std::move(lanes), std::move(placement.bases), rows, k);
}

LinearLayout wgmmaOperandA16(uint32_t rows, uint32_t k, uint32_t warps) { return wgmmaOperandA(rows, k, 16, warps); }
LinearLayout wgmmaOperandA8(uint32_t rows, uint32_t k, uint32_t warps) { return wgmmaOperandA(rows, k, 8, warps); }
LinearLayout wgmmaOperandATf32(uint32_t rows, uint32_t k, uint32_t warps) { return wgmmaOperandA(rows, k, 32, warps); }

// --- Tensor operations on layouts ---------------------------------------------------------------------------------

std::string dimName(unsigned axis) { return "dim" + std::to_string(axis); }

unsigned tensorRank(const LinearLayout &layout) { return layout.outs().size(); }

LinearLayout sliceAxis(const LinearLayout &layout, unsigned axis) {
  LinearLayout::Names kept;
  for (unsigned i = 0; i < tensorRank(layout); ++i)
    if (i != axis)
      kept.push_back(dimName(i));
  LinearLayout result = layout.sublayout(layout.inNames(), kept);
  for (unsigned i = axis + 1; i < tensorRank(layout); ++i)
    result = result.renameOut(dimName(i), dimName(i - 1));
  return result;
}

std::optional<RegisterSlices> sliceRegisters(const LinearLayout &layout, unsigned axis, uint32_t extent) {
  const std::string cut = dimName(axis);
  const unsigned slices = layout.outSize(cut) / extent;
  std::vector<LinearLayout::InBases> bases;
  std::vector<unsigned> kept;
  std::vector<uint32_t> firstOf(slices, 0); // a register of each slice with all kept bits clear
  for (const LinearLayout::Dim &in : layout.ins()) {
    bases.push_back({in.name, {}});
    for (unsigned b = 0; b < in.bits; ++b) {
      const uint32_t along = layout.basis(in.name, b, cut);
      if (along < extent) {
        bases.back().second.push_back(layout.basis(in.name, b));
        if (in.name == "register")
          kept.push_back(b);
        continue;
      }
      // A bit that selects slices must be a register bit and have no other effect.
      LinearLayout::Basis other = layout.basis(in.name, b);
      other[axis] = 0;
      if (in.name != "register" || !std::has_single_bit(along) || other != LinearLayout::Basis(other.size(), 0))
        return std::nullopt;
      for (uint32_t slice = 0; slice < slices; ++slice)
        if (slice & along / extent)
          firstOf[slice] |= 1u << b;
    }
  }
  std::vector<LinearLayout::Dim> outs = layout.outs();
  outs[axis].bits = log2Exact(extent);
  RegisterSlices result{LinearLayout(std::move(bases), std::move(outs)), {}};
  for (uint32_t slice = 0; slice < slices; ++slice) {
    result.registers.emplace_back();
    for (uint32_t i = 0; i < 1u << kept.size(); ++i) {
      uint32_t reg = firstOf[slice];
      for (unsigned b = 0; b < kept.size(); ++b)
        reg |= (i >> b & 1) << kept[b];
      result.registers.back().push_back(reg);
    }
  }
  return result;
}

LinearLayout expandAxis(const LinearLayout &layout, unsigned axis) {
  LinearLayout result = layout;
  LinearLayout::Names order;
  for (unsigned i = tensorRank(layout); i > axis; --i)
    result = result.renameOut(dimName(i - 1), dimName(i));
  result = result * LinearLayout({}, {{dimName(axis), 0}});
  for (unsigned i = 0; i < tensorRank(result); ++i)
    order.push_back(dimName(i));
  return result.transposeOuts(order);
}

LinearLayout permuteAxes(const LinearLayout &layout, const std::vector<unsigned> &order) {
  LinearLayout::Names source;
  for (unsigned axis : order)
    source.push_back(dimName(axis));
  LinearLayout result = layout.transposeOuts(source);
  std::vector<LinearLayout::Dim> dims = result.outs();
  for (unsigned i = 0; i < dims.size(); ++i)
    dims[i].name = dimName(i);
  return result.reshapeOuts(dims);
}

LinearLayout reshapeTensor(const LinearLayout &layout, const std::vector<uint32_t> &shape) {
  // Row-major order packs the last dimension first.
  LinearLayout::Names reversed, forward;
  for (unsigned i = tensorRank(layout); i > 0; --i)
    reversed.push_back(dimName(i - 1));
  std::vector<LinearLayout::Dim> dims;
  for (unsigned i = shape.size(); i > 0; --i)
    dims.push_back({dimName(i - 1), log2Exact(shape[i - 1])});
  for (unsigned i = 0; i < shape.size(); ++i)
    forward.push_back(dimName(i));
  return layout.transposeOuts(reversed).reshapeOuts(dims).transposeOuts(forward);
}

} // namespace tawa
