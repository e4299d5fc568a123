// The order in which a product traverses K.
//
// The sum over k of a[m, k] b[k, n] does not depend on the order of its terms, as long as both operands have the same.
// Operand A in registers comes from a computation with its own distribution of K over lanes and registers: f32 sums of
// 8 neighbouring columns lie in 4 lanes, 2 in each, while the 8-bit operand A needs 4 neighbours in a lane. With
//
//   position of k in the instruction   bits  0 1 2 3 4 ..
//   index k                            bits  0 3 1 2 4 ..
//
// the sums are operand A without any data movement. Writing operand B to shared memory in the same order costs nothing.
#pragma once

#include "compiler/layouts/algebra/HopperLayouts.h"

#include <bit>

namespace tawa {

/// A permutation of the bits of K: bit i of a position in the instruction is bit [i] of the index. Empty: identity.
using KPermutation = std::vector<unsigned>;

/// `layout` with each position p of dimension `axis` replaced by the index that `order` assigns to it.
LinearLayout withOrder(const LinearLayout &layout, unsigned axis, const KPermutation &order);
/// The inverse: positions in place of indices.
LinearLayout withoutOrder(const LinearLayout &layout, unsigned axis, const KPermutation &order);

/// The order of K in which the lanes' elements of a rows x K tile match wgmmaOperandA, so that only registers are /
/// renamed; the natural order where that matches, none where no order does. `registers` maps (register, lane, / warp).
std::optional<KPermutation> orderOfOperandA(const LinearLayout &registers, unsigned elementBits);

/// How a fragment of mma.sync enumerates a dimension, from the lowest bit on: elements of a register, then lanes, then
/// further registers and warps.
struct FragmentBits {
  unsigned word = 0, lanes = 0;
};
/// K of operands A and B.
constexpr FragmentBits bitsOfK(unsigned elementBits) { return {unsigned(std::countr_zero(32 / elementBits)), 2}; }
/// Columns of operand B.
inline constexpr FragmentBits kBitsOfColumns{0, 3};

/// Of mma.sync: the order of `size` elements of a dimension in which a lane has 2^`bits` neighbours, so that it can
/// read or unpack them at once. A register holds those that are 2^`apart` elements from each other, as one mask takes
/// both from a word in which they are 16 bits apart. Of K, of 16-bit elements:
///
///   position in the instruction      bits  0 | 1 2 | 3 4 ..      word, lanes, registers
///   index k, for bits = 3            bits  0 | 3 4 | 1 2 5 ..
///   index k, for bits = 3, apart = 2 bits  2 | 3 4 | 0 1 5 ..
KPermutation orderOfNeighbours(uint32_t size, FragmentBits fragment, unsigned bits, unsigned apart = 0);
/// The order in which a fragment holds `axis`, where it is mma.sync's but for that; nothing for others.
std::optional<KPermutation> orderOfFragment(const LinearLayout &fragment, const LinearLayout &natural, unsigned axis);

} // namespace tawa
