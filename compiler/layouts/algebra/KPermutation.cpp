// Finds, applies and inverts orders along K. The lanes determine the order: each lane bit that runs along K in the
// operand gives the index bit at its position. The other bits are registers on both sides and keep their order.
#include "compiler/layouts/algebra/KPermutation.h"

#include <algorithm>
#include <bit>
#include <numeric>

namespace tawa {
namespace {

uint32_t moveBits(uint32_t value, const KPermutation &order) {
  uint32_t moved = 0;
  for (unsigned bit = 0; bit < order.size(); ++bit)
    moved |= (value >> bit & 1) << order[bit];
  return moved;
}

KPermutation inverseOf(const KPermutation &order) {
  KPermutation inverse(order.size());
  for (unsigned bit = 0; bit < order.size(); ++bit)
    inverse[order[bit]] = bit;
  return inverse;
}

/// Whether both layouts give `in` the same bases, up to differences along K.
bool agreeBeyondK(const LinearLayout &a, const LinearLayout &b, const char *in) {
  if (a.inBits(in) != b.inBits(in))
    return false;
  for (unsigned bit = 0; bit < a.inBits(in); ++bit)
    if (a.basis(in, bit)[0] != b.basis(in, bit)[0] || (a.basis(in, bit)[1] == 0) != (b.basis(in, bit)[1] == 0))
      return false;
  return true;
}

} // namespace

LinearLayout withOrder(const LinearLayout &layout, unsigned axis, const KPermutation &order) {
  if (order.empty())
    return layout;
  std::vector<LinearLayout::InBases> ins;
  for (const LinearLayout::Dim &in : layout.ins()) {
    std::vector<LinearLayout::Basis> bases;
    for (unsigned bit = 0; bit < in.bits; ++bit) {
      bases.push_back(layout.basis(in.name, bit));
      bases.back()[axis] = moveBits(bases.back()[axis], order);
    }
    ins.emplace_back(in.name, std::move(bases));
  }
  return LinearLayout(std::move(ins), layout.outs());
}

LinearLayout withoutOrder(const LinearLayout &layout, unsigned axis, const KPermutation &order) {
  return withOrder(layout, axis, inverseOf(order));
}

std::optional<KPermutation> orderOfOperandA(const LinearLayout &registers, unsigned elementBits) {
  const uint32_t rows = registers.outSize(dimName(0)), k = registers.outSize(dimName(1));
  const uint32_t warps = registers.inSize("warp");
  if (elementBits > 32 || k * elementBits < 256 || rows < 64 || warps % 4 != 0)
    return std::nullopt;
  const LinearLayout wanted = wgmmaOperandA(rows, k, elementBits, warps);
  if (!agreeBeyondK(registers, wanted, "lane") || !(registers.sublayout({"warp"}, {dimName(0), dimName(1)}) ==
                                                    wanted.sublayout({"warp"}, {dimName(0), dimName(1)})))
    return std::nullopt;
  constexpr unsigned kOpen = ~0u;
  KPermutation order(registers.outBits(dimName(1)), kOpen);
  std::vector<bool> taken(order.size());
  for (unsigned bit = 0; bit < wanted.inBits("lane"); ++bit)
    if (uint32_t position = wanted.basis("lane", bit, dimName(1))) {
      uint32_t index = registers.basis("lane", bit, dimName(1));
      if (!std::has_single_bit(index) || taken[std::countr_zero(index)])
        return std::nullopt;
      order[std::countr_zero(position)] = std::countr_zero(index);
      taken[std::countr_zero(index)] = true;
    }
  unsigned next = 0;
  for (unsigned &index : order) {
    if (index != kOpen)
      continue;
    while (taken[next])
      ++next;
    index = next++;
  }
  KPermutation natural(order.size());
  std::iota(natural.begin(), natural.end(), 0);
  return order == natural ? KPermutation() : order;
}

KPermutation orderOfNeighbours(uint32_t size, FragmentBits fragment, unsigned bits, unsigned apart) {
  KPermutation order(std::countr_zero(size));
  const unsigned end = apart + fragment.word; // of the indices in a register
  unsigned next = apart == 0 ? fragment.word : 0;
  for (unsigned position = 0; position < order.size(); ++position) {
    if (position < fragment.word) {
      order[position] = apart + position;
    } else if (position < fragment.word + fragment.lanes) {
      order[position] = bits + position - fragment.word;
    } else {
      order[position] = next < bits ? next : fragment.lanes + next;
      next = next + 1 == apart ? end : next + 1;
    }
  }
  return order;
}

std::optional<KPermutation> orderOfFragment(const LinearLayout &fragment, const LinearLayout &natural, unsigned axis) {
  KPermutation order(natural.outBits(dimName(axis)));
  for (const LinearLayout::Dim &in : natural.ins()) {
    if (fragment.inBits(in.name) != in.bits)
      return std::nullopt;
    for (unsigned bit = 0; bit < in.bits; ++bit)
      if (uint32_t position = natural.basis(in.name, bit)[axis], index = fragment.basis(in.name, bit)[axis]; position) {
        if (!std::has_single_bit(index))
          return std::nullopt;
        order[std::countr_zero(position)] = std::countr_zero(index);
      }
  }
  return withOrder(natural, axis, order) == fragment ? std::optional(order) : std::nullopt;
}

} // namespace tawa
