// Tiles that CTAs of a cluster load for each other: to which of them each copy goes, and which part of the tile it is
// (see MachineRings.h).
#include "compiler/target/hopper/prover/MachineRings.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

#include <set>

using namespace mlir;

namespace tawa::verify {

/// The value that all threads of a CTA have.
static std::optional<uint32_t> valueOfAll(ThreadValues &ofCta, Value value) {
  const std::vector<uint32_t> *values = ofCta.of(value);
  bool isOne = values && llvm::all_equal(*values);
  return isOne ? std::optional(values->front()) : std::nullopt;
}

/// CTAs fall into sets, each of which loads its parts of a tile for all of the set: those whose programs' numbers
/// differ in these bits only. 0: each for itself; nothing where that is not known.
std::optional<uint32_t> MachineRings::sharedBitsOf(sm90::TmaLoadOp load) {
  Value mask = load.getMulticastMask();
  if (!mask)
    return 0;
  uint32_t first = valueOfAll(kernel.valuesOf(0), mask).value_or(0), bits = 0;
  for (uint32_t rank = 0; rank < kernel.cluster(); ++rank)
    if ((first >> rank & 1) != 0)
      bits |= kernel.programOf(rank);
  for (uint32_t rank = 0; rank < kernel.cluster(); ++rank)
    if (valueOfAll(kernel.valuesOf(rank), mask) != kernel.sharersOf(rank, bits))
      return std::nullopt;
  return bits;
}

/// Each CTA of a set fills bytes of its own, together they fill all of them, and each loads what belongs there.
bool MachineRings::arePartsOfOne(sm90::TmaLoadOp load, Range all, int64_t bytes, uint32_t sharers) {
  if (all.end - all.begin != bytes * sharers)
    return false;
  std::set<std::pair<uint32_t, uint32_t>> parts; // by the set
  std::vector<uint32_t> numbers;
  for (uint32_t rank = 0; rank < kernel.cluster(); ++rank) {
    auto begin = valueOfAll(kernel.slotBytesOf(rank), load.getDestination());
    auto mask = valueOfAll(kernel.valuesOf(rank), load.getMulticastMask());
    if (!begin || *begin < all.begin || *begin >= all.end || (*begin - all.begin) % bytes != 0)
      return false;
    numbers.push_back((*begin - all.begin) / bytes);
    if (!parts.emplace(*mask, numbers.back()).second)
      return false;
  }
  return sharers == 1 || followInTensor(load, numbers);
}

/// What a CTA adds to a number, by its rank; empty: all have the same, or it is not known.
static std::vector<uint32_t> addedByRank(MachineKernel &kernel, Value number) {
  auto valuesOf = [&](Value value) {
    std::vector<uint32_t> values;
    for (uint32_t rank = 0; rank < kernel.cluster(); ++rank)
      if (auto known = valueOfAll(kernel.valuesOf(rank), value))
        values.push_back(*known);
    bool differ = values.size() == kernel.cluster() && !llvm::all_equal(values);
    return differ ? values : std::vector<uint32_t>();
  };
  if (auto sum = number.getDefiningOp<arith::AddIOp>())
    if (std::vector<uint32_t> added = valuesOf(sum.getRhs()); !added.empty())
      return added;
  std::vector<uint32_t> values = valuesOf(number); // to a constant, which the first CTA's is
  for (uint32_t &value : llvm::drop_begin(values, values.empty() ? 0 : 1))
    value -= values.front();
  if (!values.empty())
    values.front() = 0;
  return values;
}

/// By the number of its part, a CTA begins so many boxes further on in the outermost dimension of the box, and in no
/// other.
bool MachineRings::followInTensor(sm90::TmaLoadOp load, ArrayRef<uint32_t> numbers) {
  sm90::TensorMapAttr map = writtenMaps.parameterOf(load.getMap());
  bool haveMoved = false;
  for (auto [extent, coordinate] : llvm::zip(map ? map.getBox() : ArrayRef<uint32_t>(), load.getCoordinates())) {
    if (haveMoved && extent != 1)
      return false;
    std::vector<uint32_t> added = addedByRank(kernel, coordinate);
    if (added.empty())
      continue;
    for (auto [rows, number] : llvm::zip(added, numbers))
      if (rows != number * extent)
        return false;
    haveMoved = true;
  }
  return haveMoved;
}

/// A branch is taken for one number of sharing, and its copies are shared by these bits.
bool MachineRings::followsChoice(scf::IfOp choice) {
  auto compare = choice.getCondition().getDefiningOp<arith::CmpIOp>();
  APInt bits;
  if (!compare || compare.getPredicate() != arith::CmpIPredicate::eq ||
      !matchPattern(compare.getRhs(), m_ConstantInt(&bits)))
    return false;
  return llvm::all_of(choice.thenBlock()->getOps<sm90::TmaLoadOp>(),
                      [&](sm90::TmaLoadOp load) { return sharedBitsOf(load) == bits.getZExtValue(); });
}

} // namespace tawa::verify
