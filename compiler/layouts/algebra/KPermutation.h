// The order in which a product goes through K.
//
// The sum over k of a[m, k] b[k, n] does not depend on the order of its terms, as long as both operands have the same.
// Operand A in registers comes from a computation that spread K over lanes and registers in a way of its own: f32 sums
// of 8 neighbouring columns lie in 4 lanes, 2 in each, while the 8-bit operand A wants 4 neighbours in a lane. With
//
//   position of k in the instruction   bits  0 1 2 3 4 ..
//   index k                            bits  0 3 1 2 4 ..
//
// the sums are operand A where they are. What writes operand B to shared memory takes the same order at no cost.
#pragma once

#include "compiler/layouts/algebra/HopperLayouts.h"

namespace tawa {

/// A permutation of the bits of K: bit i of a position in the instruction is bit [i] of the index. Empty: as it is.
using KPermutation = std::vector<unsigned>;

/// The layout in which everything that `layout` has at position p of dimension `axis` has the index that `order` gives.
LinearLayout withOrder(const LinearLayout &layout, unsigned axis, const KPermutation &order);
/// The other way round: positions in place of the indices.
LinearLayout withoutOrder(const LinearLayout &layout, unsigned axis, const KPermutation &order);

/// The order of K with which lanes hold of a rows x K tile what they hold of wgmmaOperandA, so that registers only have
/// to be renamed; the natural one where that does it, none where no order does. `registers` maps (register, lane,
/// warp).
std::optional<KPermutation> orderOfOperandA(const LinearLayout &registers, unsigned elementBits);

} // namespace tawa
