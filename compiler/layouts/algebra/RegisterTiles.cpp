// Register layouts that involve a choice: fragments of mma.sync with the distribution of the tile over warps, and
// coalesced (blocked) layouts. The fragments of wgmma, fixed by the hardware, are in HopperLayouts.cpp.
#include "compiler/layouts/algebra/HopperLayouts.h"

#include <algorithm>
#include <bit>

namespace tawa {
namespace {

using Basis = LinearLayout::Basis;
using Bases = std::vector<Basis>;

constexpr unsigned laneBits = 5;
/// Rows and columns of one mma.sync (PTX ISA, mma.m16n8k..).
constexpr uint32_t mmaRows = 16, mmaCols = 8;
constexpr unsigned mmaKBits = 256; // of a row of A: instrK elements

unsigned log2Exact(uint32_t size) {
  assert(std::has_single_bit(size) && "sizes are powers of two");
  return std::countr_zero(size);
}

// --- mma.sync -----------------------------------------------------------------------------------------------------

/// Collects bases of a rank-2 layout; a step beyond the dimension becomes a copy.
class FragmentBuilder {
public:
  FragmentBuilder(uint32_t rows, uint32_t cols) : extent{rows, cols} {}

  /// One bit that steps `step` along `axis`.
  static void add(Bases &bases, unsigned axis, uint32_t step, uint32_t size) {
    Basis basis{0, 0};
    basis[axis] = step < size ? step : 0;
    bases.push_back(std::move(basis));
  }
  /// Bits first, 2 * first, .. below `limit`, whatever the dimension's size.
  void steps(Bases &bases, unsigned axis, uint32_t first, uint32_t limit) const {
    for (uint32_t step = first; step < limit; step *= 2)
      add(bases, axis, step, extent[axis]);
  }
  /// The role's warps: split.m pieces of axis 0, split.n of axis 1, then copies. An operand that does not have M (or N)
  /// as that axis is the same for all those warps.
  Bases warps(MmaWarps split, bool hasM, bool hasN) const {
    Bases bases;
    auto place = [&](uint32_t pieces, unsigned axis, bool cut) {
      for (uint32_t i = 1; i < pieces; i *= 2)
        add(bases, axis, cut ? extent[axis] / pieces * i : extent[axis], extent[axis]);
    };
    place(split.m, 0, hasM);
    place(split.n, 1, hasN);
    bases.resize(log2Exact(split.total), Basis{0, 0});
    return bases;
  }
  LinearLayout finish(Bases registers, Bases lanes, Bases warpBases) const {
    return LinearLayout(
        {{"register", std::move(registers)}, {"lane", std::move(lanes)}, {"warp", std::move(warpBases)}},
        {{"dim0", log2Exact(extent[0])}, {"dim1", log2Exact(extent[1])}});
  }

private:
  uint32_t extent[2];
};

} // namespace

MmaWarps chooseMmaWarps(uint32_t rows, uint32_t cols, uint32_t warps, bool rowsFirst) {
  MmaWarps split;
  split.total = warps;
  for (uint32_t left = warps; left > 1; left /= 2) {
    const uint32_t partRows = rows / split.m, partCols = cols / split.n;
    const bool canRows = partRows >= 2 * mmaRows, canCols = partCols >= 2 * mmaCols;
    if (canRows && (rowsFirst || !canCols || partRows >= partCols))
      split.m *= 2;
    else if (canCols)
      split.n *= 2;
  }
  return split;
}

LinearLayout mmaAccumulator(uint32_t rows, uint32_t cols, MmaWarps warps) {
  FragmentBuilder tile(rows, cols);
  Bases lanes, registers;
  tile.steps(lanes, 1, 2, mmaCols);
  tile.steps(lanes, 0, 1, mmaRows / 2);
  tile.steps(registers, 1, 1, 2);
  tile.steps(registers, 0, mmaRows / 2, mmaRows);
  tile.steps(registers, 1, mmaCols, cols / warps.n);
  tile.steps(registers, 0, mmaRows, rows / warps.m);
  return tile.finish(std::move(registers), std::move(lanes), tile.warps(warps, true, true));
}

LinearLayout mmaOperandA(uint32_t rows, uint32_t k, unsigned elementBits, MmaWarps warps) {
  const uint32_t perRegister = 32 / elementBits, instrK = mmaKBits / elementBits;
  assert(k >= instrK && "a copied k would be counted twice");
  FragmentBuilder tile(rows, k);
  Bases lanes, registers;
  tile.steps(lanes, 1, perRegister, instrK / 2);
  tile.steps(lanes, 0, 1, mmaRows / 2);
  tile.steps(registers, 1, 1, perRegister);
  tile.steps(registers, 0, mmaRows / 2, mmaRows);
  tile.steps(registers, 1, instrK / 2, k);
  tile.steps(registers, 0, mmaRows, rows / warps.m);
  return tile.finish(std::move(registers), std::move(lanes), tile.warps(warps, true, false));
}

LinearLayout mmaOperandB(uint32_t k, uint32_t cols, unsigned elementBits, MmaWarps warps) {
  const uint32_t perRegister = 32 / elementBits, instrK = mmaKBits / elementBits;
  assert(k >= instrK && "a copied k would be counted twice");
  FragmentBuilder tile(k, cols);
  Bases lanes, registers;
  tile.steps(lanes, 0, perRegister, instrK / 2);
  tile.steps(lanes, 1, 1, mmaCols);
  tile.steps(registers, 0, 1, perRegister);
  tile.steps(registers, 0, instrK / 2, k);
  tile.steps(registers, 1, mmaCols, cols / warps.n);
  return tile.finish(std::move(registers), std::move(lanes), tile.warps(warps, false, true));
}

LinearLayout batchOf(const LinearLayout &one, uint32_t batches, uint32_t pieces) {
  return expandAxis(one, 0) * LinearLayout::identity1D(log2Exact(pieces), "warp", dimName(0)) *
         LinearLayout::identity1D(log2Exact(batches / pieces), "register", dimName(0));
}

// --- Coalesced tiles ----------------------------------------------------------------------------------------------

namespace {

/// What is left of each dimension while registers, lanes and warps are handed out.
class TileBits {
public:
  explicit TileBits(const std::vector<uint32_t> &shape) : shape(shape), next(shape.size(), 1) {}

  bool left(unsigned axis) const { return next[axis] < shape[axis]; }
  Basis take(unsigned axis) {
    Basis basis(shape.size(), 0);
    basis[axis] = next[axis];
    next[axis] *= 2;
    return basis;
  }
  /// Up to `count` bits in the given order of dimensions, at most `bound` indices of each, filled up with copies.
  Bases take(unsigned count, const std::vector<unsigned> &order, const std::vector<uint32_t> &bound = {}) {
    Bases taken;
    for (unsigned axis : order)
      for (uint32_t used = 1; left(axis) && taken.size() < count && (bound.empty() || used < bound[axis]); used *= 2)
        taken.push_back(take(axis));
    taken.resize(count, Basis(shape.size(), 0));
    return taken;
  }
  /// All that is left.
  void takeRest(Bases &bases, const std::vector<unsigned> &order) {
    for (unsigned axis : order)
      while (left(axis))
        bases.push_back(take(axis));
  }

private:
  const std::vector<uint32_t> &shape;
  std::vector<uint32_t> next; ///< First step of each dimension that is not placed yet.
};

} // namespace

LinearLayout blocked(const std::vector<uint32_t> &shape, const BlockedPlan &plan) {
  assert(plan.order.size() == shape.size());
  TileBits bits(shape);
  Bases registers;
  for (uint32_t i = 1; i < plan.vector && !plan.order.empty() && bits.left(plan.order[0]); i *= 2)
    registers.push_back(bits.take(plan.order[0]));
  Bases lanes = bits.take(laneBits, plan.order, plan.maxLanes);
  Bases warps = bits.take(log2Exact(plan.warps), plan.warpOrder.empty() ? plan.order : plan.warpOrder);
  bits.takeRest(registers, plan.order);
  std::vector<LinearLayout::Dim> outs(shape.size());
  for (unsigned axis = 0; axis < shape.size(); ++axis)
    outs[axis] = {dimName(axis), log2Exact(shape[axis])};
  return LinearLayout({{"register", std::move(registers)}, {"lane", std::move(lanes)}, {"warp", std::move(warps)}},
                      std::move(outs));
}

LinearLayout blocked(const std::vector<uint32_t> &shape, uint32_t vector, uint32_t warps, std::vector<unsigned> order) {
  if (order.empty())
    for (unsigned axis = shape.size(); axis > 0; --axis)
      order.push_back(axis - 1);
  return blocked(shape, BlockedPlan{vector, warps, std::move(order), {}, {}});
}

} // namespace tawa
