// Reductions.cpp: tt.reduce. A thread first combines its own registers along the axis, as a tree; then lanes along the
// axis exchange their results, each pair in the same operand order, so that all of them end with the same bits; then
// warps exchange theirs through scratch, where every thread combines the parts of all warps in one order.
#include "compiler/target/hopper/TawaToSM90/Reductions.h"

#include "llvm/ADT/MapVector.h"

using namespace mlir;

namespace tawa {

//===--- Registers ----------------------------------------------------------------------------------------------===//

namespace {

/// Registers of the operand by the place of the result they go to, those of one place in the order of the axis.
using Groups = llvm::MapVector<uint32_t, SmallVector<uint32_t>>;

Groups groupRegisters(const LinearLayout &layout, unsigned axis) {
  std::vector<uint32_t> places = packedBases(sliceAxis(layout, axis), "register");
  Copies copies = findCopies(layout);
  Groups groups;
  for (uint32_t index = 0; index < layout.inSize("register"); ++index)
    if (!(index & copies.registers))
      groups[combineBases(places, index)].push_back(index);
  auto along = [&](uint32_t index) {
    uint32_t coordinate = 0;
    for (unsigned bit = 0; bit < layout.inBits("register"); ++bit)
      if (index >> bit & 1)
        coordinate ^= layout.basis("register", bit, dimName(axis));
    return coordinate;
  };
  for (auto &[place, members] : groups)
    llvm::sort(members, [&](uint32_t a, uint32_t b) { return along(a) < along(b); });
  return groups;
}

/// Bits of `in` that run along the axis only.
uint32_t axisBits(const LinearLayout &layout, const LinearLayout &sliced, const char *in) {
  return sliced.zeroBasisMask(in) & ~layout.zeroBasisMask(in);
}

} // namespace

/// Combines neighbours, then neighbouring pairs, and so on: a short dependence chain. One half is finished before the
/// other begins, because the assembler keeps the order and few partial results are then live at once; elements are
/// therefore requested on demand.
template <typename Element, typename ElementAt, typename Combine>
static FailureOr<Element> combineTree(uint32_t first, uint32_t count, ElementAt elementAt, Combine combine) {
  if (count == 1)
    return elementAt(first);
  uint32_t half = llvm::bit_ceil(count) / 2;
  FailureOr<Element> left = combineTree<Element>(first, half, elementAt, combine);
  FailureOr<Element> right = combineTree<Element>(first + half, count - half, elementAt, combine);
  if (failed(left) || failed(right))
    return failure();
  return combine(*left, *right);
}

//===--- Lanes --------------------------------------------------------------------------------------------------===//

FailureOr<Element> ReduceEmitter::reduceLanes(Block &body, Element element, uint32_t laneMask) {
  Location loc = body.getTerminator()->getLoc();
  for (uint32_t rest = laneMask; rest; rest &= rest - 1) {
    uint32_t bit = rest & -rest;
    Element other;
    for (Value value : element)
      other.push_back(builder.shuffle(loc, sm90::ShuffleMode::Bfly, value, builder.constant(loc, bit)).front());
    Value swapped;
    if (!isSymmetric(body)) {
      Value masked = builder.create<arith::AndIOp>(loc, thread.lane, builder.constant(loc, bit));
      swapped = builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::ne, masked, builder.constant(loc, 0));
    }
    FailureOr<Element> combined = combiner.combineInOrder(body, element, other, swapped);
    if (failed(combined))
      return failure();
    element = *combined;
  }
  return element;
}

//===--- All together -------------------------------------------------------------------------------------------===//

/// The combination of one result element over a thread, and then over its warp.
FailureOr<Element> ReduceEmitter::reduceInWarp(tt::ReduceOp op, ArrayRef<uint32_t> registers, uint32_t laneMask) {
  Block &body = op.getCombineOp().front();
  SmallVector<Element> own(registers.size());
  for (Value operand : op.getSrcs())
    for (auto [element, index] : llvm::zip(own, registers))
      element.push_back(values[operand][index]);
  auto combineHere = [&](const Element &first, const Element &second) { return combiner.combine(body, first, second); };
  auto ownElement = [&](uint32_t number) { return own[number]; };
  FailureOr<Element> combined = combineTree<Element>(0, own.size(), ownElement, combineHere);
  return failed(combined) ? combined : reduceLanes(body, *combined, laneMask);
}

/// Operations of all combinations of the parts of one element, from which on lanes share them: each then does as many
/// as the parts have halvings.
constexpr size_t kLongCombination = 64;

static size_t countOperations(Block &body) { return body.getOperations().size() - 1; }

LogicalResult ReduceEmitter::reduceWarps(tt::ReduceOp op, const LinearLayout &sliced, uint32_t warpMask,
                                         MutableArrayRef<Element> elements) {
  Block &body = op.getCombineOp().front();
  SmallVector<unsigned> warpBits;
  for (unsigned bit = 0; bit < sliced.inBits("warp"); ++bit)
    if (warpMask >> bit & 1)
      warpBits.push_back(bit);
  WarpExchange exchange = combiner.openExchange(op.getLoc(), sliced, warpBits, elements);
  combiner.writeParts(op.getLoc(), exchange, elements);
  auto combineHere = [&](const Element &first, const Element &second) { return combiner.combine(body, first, second); };
  bool byLanes = exchange.plan.lanePlaces == 1 && exchange.plan.parts <= kLanes &&
                 countOperations(body) * (exchange.plan.parts - 1) >= kLongCombination;
  for (auto [index, element] : llvm::enumerate(elements)) {
    if (byLanes) {
      Element own = combiner.readPartOfLane(op.getLoc(), exchange, index, element);
      FailureOr<Element> combined = reduceLanes(body, own, exchange.plan.parts - 1);
      if (failed(combined))
        return failure();
      element = *combined;
      continue;
    }
    SmallVector<Element> parts;
    auto read = [&, index = index, &like = element](uint32_t part) {
      combiner.readPart(op.getLoc(), exchange, index, like, part, parts);
      return parts[part];
    };
    FailureOr<Element> combined = combineTree<Element>(0, exchange.plan.parts, read, combineHere);
    if (failed(combined))
      return failure();
    element = *combined;
  }
  return success();
}

bool reducesOverWarps(tt::ReduceOp op) {
  LinearLayout layout = ws::layoutOf(op.getSrcs()[0].getType()).getLayout();
  return axisBits(layout, sliceAxis(layout, op.getAxis()), "warp") != 0;
}

LogicalResult ReduceEmitter::lower(tt::ReduceOp op) {
  LinearLayout layout = ws::layoutOf(op.getSrcs()[0].getType()).getLayout();
  LinearLayout sliced = sliceAxis(layout, op.getAxis());
  uint32_t laneMask = axisBits(layout, sliced, "lane"), warpMask = axisBits(layout, sliced, "warp");
  Groups groups = groupRegisters(layout, op.getAxis());
  unsigned alone = llvm::popcount(laneMask) + llvm::popcount(warpMask) + llvm::Log2_64(groups.front().second.size());
  if (alone != layout.outBits(dimName(op.getAxis())))
    return op.emitOpError() << "lanes, warps or registers run along the axis and another dimension at once; "
                               "tawa-assign-layouts converts such an operand";
  SmallVector<Element> elements;
  for (auto &[place, members] : groups) {
    FailureOr<Element> combined = reduceInWarp(op, members, laneMask);
    if (failed(combined))
      return failure();
    elements.push_back(*combined);
  }
  if (warpMask != 0 && failed(reduceWarps(op, sliced, warpMask, elements)))
    return failure();
  return bindReduced(op, sliced, groups, elements);
}

/// Binds the result's registers: those of `sliced`, converted where the result has another layout.
LogicalResult ReduceEmitter::bindReduced(tt::ReduceOp op, const LinearLayout &sliced,
                                         const llvm::MapVector<uint32_t, SmallVector<uint32_t>> &groups,
                                         ArrayRef<Element> elements) {
  llvm::DenseMap<uint32_t, size_t> numberOf;
  for (auto [number, group] : llvm::enumerate(groups))
    numberOf[group.first] = number;
  LinearLayout reduced = sliced.removeZeroBases("register");
  std::vector<uint32_t> bases = packedBases(reduced, "register");
  for (auto [operand, result] : llvm::enumerate(op.getResults())) {
    Values registers;
    for (uint32_t index = 0; index < 1u << bases.size(); ++index)
      registers.push_back(elements[numberOf.lookup(combineBases(bases, index))][operand]);
    if (ws::LinearAttr wanted = ws::layoutOf(result.getType()))
      registers = conversions.convert(op.getLoc(), registers, reduced, wanted.getLayout());
    values[result] = std::move(registers);
  }
  return success();
}

} // namespace tawa
