// Reductions.cpp: tt.reduce. A thread first combines its own registers along the axis, as a tree; then lanes that run
// along the axis exchange what they have, each pair the same way round, so that all of them end with the same bits;
// then warps do, through scratch, where every thread combines the parts of all warps in one order.
#include "compiler/conversion/TawaToSM90/Lowering.h"

#include "llvm/ADT/MapVector.h"

using namespace mlir;

namespace tawa {

//===--- The region
//-----------------------------------------------------------------------------------------------------===//

FailureOr<KernelLowering::Element> KernelLowering::combine(Block &body, const Element &first, const Element &second) {
  for (auto [index, value] : llvm::enumerate(first))
    values[body.getArgument(index)] = {value};
  for (auto [index, value] : llvm::enumerate(second))
    values[body.getArgument(first.size() + index)] = {value};
  if (failed(lowerBlock(&body)))
    return failure();
  Element result;
  for (Value value : body.getTerminator()->getOperands())
    result.push_back(one(value));
  return result;
}

/// One operation whose operands may change places without a change of the result.
static bool isSymmetric(Block &body) {
  if (body.getNumArguments() != 2 || !llvm::hasNItems(body, 2))
    return false;
  Operation &op = body.front();
  return op.hasTrait<OpTrait::IsCommutative>() && op.getNumOperands() == 2 && op.getOperand(0) != op.getOperand(1) &&
         llvm::all_of(op.getOperands(),
                      [&](Value operand) { return llvm::is_contained(body.getArguments(), operand); });
}

FailureOr<KernelLowering::Element> KernelLowering::combineInOrder(Block &body, const Element &own, const Element &other,
                                                                  Value swapped) {
  if (isSymmetric(body))
    return combine(body, own, other);
  Location loc = body.getTerminator()->getLoc();
  Element first, second;
  for (auto [mine, theirs] : llvm::zip(own, other)) {
    first.push_back(select(loc, swapped, theirs, mine));
    second.push_back(select(loc, swapped, mine, theirs));
  }
  return combine(body, first, second);
}

//===--- Registers
//------------------------------------------------------------------------------------------------------===//

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

/// Combines neighbours, then neighbouring pairs, and so on: a short chain of dependences. One half is finished before
/// the other begins, because the assembler keeps the order and few partial results are then alive at once; so an
/// element is asked for when its turn comes.
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

//===--- Lanes
//----------------------------------------------------------------------------------------------------------===//

FailureOr<KernelLowering::Element> KernelLowering::reduceLanes(Block &body, Element element, uint32_t laneMask) {
  Location loc = body.getTerminator()->getLoc();
  for (uint32_t rest = laneMask; rest; rest &= rest - 1) {
    uint32_t bit = rest & -rest;
    Element other;
    for (Value value : element)
      other.push_back(shuffle(loc, sm90::ShuffleMode::Bfly, value, constant(loc, bit)).front());
    Value swapped;
    if (!isSymmetric(body)) {
      Value masked = builder.create<arith::AndIOp>(loc, lane, constant(loc, bit));
      swapped = builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::ne, masked, constant(loc, 0));
    }
    FailureOr<Element> combined = combineInOrder(body, element, other, swapped);
    if (failed(combined))
      return failure();
    element = *combined;
  }
  return element;
}

//===--- Warps
//----------------------------------------------------------------------------------------------------------===//

Value KernelLowering::gatherBits(Location loc, Value index, uint32_t mask, unsigned bits) {
  SmallVector<uint32_t> bases;
  for (unsigned bit = 0, position = 0; bit < bits; ++bit)
    bases.push_back(mask >> bit & 1 ? 1u << position++ : 0);
  return applyBases(loc, index, bases);
}

KernelLowering::WarpExchange KernelLowering::planWarpExchange(Location loc, const LinearLayout &sliced,
                                                              ArrayRef<unsigned> warpBits, ArrayRef<Element> elements) {
  uint32_t warpMask = 0;
  SmallVector<uint32_t> partBases(sliced.inBits("warp"), 0);
  for (auto [position, bit] : llvm::enumerate(warpBits)) {
    warpMask |= 1u << bit;
    partBases[bit] = 1u << position;
  }
  // A place is shared by the lanes and warps that hold copies of it; the others have places of their own.
  uint32_t lanes = (sliced.inSize("lane") - 1) & ~sliced.zeroBasisMask("lane");
  uint32_t warps = (sliced.inSize("warp") - 1) & ~sliced.zeroBasisMask("warp");
  WarpExchange plan;
  plan.parts = 1u << warpBits.size();
  plan.lanePlaces = 1u << llvm::popcount(lanes);
  plan.places = plan.lanePlaces * elements.size() << llvm::popcount(warps);
  Value place = gatherBits(loc, lane, lanes, sliced.inBits("lane"));
  Value warpPlace = builder.create<arith::MulIOp>(loc, gatherBits(loc, roleWarp, warps, sliced.inBits("warp")),
                                                  constant(loc, plan.lanePlaces * elements.size()));
  plan.place = builder.create<arith::AddIOp>(loc, place, warpPlace);
  plan.part = applyBases(loc, roleWarp, partBases);
  plan.writes = both(loc, bitsAreClear(loc, lane, sliced.zeroBasisMask("lane")),
                     bitsAreClear(loc, roleWarp, sliced.zeroBasisMask("warp") & ~warpMask));
  uint32_t bytes = 0;
  for (Value value : elements.front()) {
    plan.elementBytes.push_back(storageBits(value.getType()) / 8);
    plan.regions.push_back(bytes);
    bytes += llvm::alignTo(plan.places * plan.parts * plan.elementBytes.back(), 16);
  }
  plan.base = openScratch(loc, bytes);
  return plan;
}

/// Address of one operand's part of an element: parts of one place are apart, so that neighbouring lanes have
/// neighbouring words; where there is only one place, they are neighbours themselves.
Value KernelLowering::exchangeAddress(Location loc, const WarpExchange &plan, size_t operand, uint32_t element,
                                      Value part) {
  uint32_t bytes = plan.elementBytes[operand];
  Value scaledPart = builder.create<arith::MulIOp>(loc, part, constant(loc, plan.places * bytes));
  Value scaledPlace = builder.create<arith::MulIOp>(loc, plan.place, constant(loc, bytes));
  Value offset = builder.create<arith::AddIOp>(loc, scaledPart, scaledPlace);
  return add(loc, builder.create<arith::AddIOp>(loc, plan.base, offset),
             plan.regions[operand] + element * plan.lanePlaces * bytes);
}

void KernelLowering::writeParts(Location loc, const WarpExchange &plan, ArrayRef<Element> elements) {
  for (auto [index, element] : llvm::enumerate(elements))
    for (auto [operand, value] : llvm::enumerate(element))
      builder.create<sm90::StoreSharedOp>(loc, exchangeAddress(loc, plan, operand, index, plan.part),
                                          packWords(loc, value), plan.writes);
  publishScratch(loc);
}

void KernelLowering::readPart(Location loc, const WarpExchange &plan, uint32_t index, const Element &like,
                              uint32_t part, SmallVectorImpl<Element> &parts) {
  constexpr uint32_t kMaxBytes = 16;
  parts.resize(plan.parts);
  for (auto [operand, value] : llvm::enumerate(like)) {
    if (parts[part].size() > operand)
      continue;
    Type type = value.getType();
    uint32_t together = plan.places == 1 ? std::min(plan.parts, kMaxBytes / plan.elementBytes[operand]) : 1;
    Value address = exchangeAddress(loc, plan, operand, index, constant(loc, part));
    auto load = builder.create<sm90::LoadSharedOp>(loc, wordTypes(type, together), address, Value());
    for (auto [offset, read] : llvm::enumerate(unpackWords(loc, load.getResults(), type, together)))
      parts[part + offset].push_back(read);
  }
}

//===--- All together
//---------------------------------------------------------------------------------------------------===//

/// What one thread, and then its warp, has of one place of the result.
FailureOr<KernelLowering::Element> KernelLowering::reduceInWarp(tt::ReduceOp op, ArrayRef<uint32_t> registers,
                                                                uint32_t laneMask) {
  Block &body = op.getCombineOp().front();
  SmallVector<Element> own(registers.size());
  for (Value operand : op.getSrcs())
    for (auto [element, index] : llvm::zip(own, registers))
      element.push_back(values[operand][index]);
  auto combineHere = [&](const Element &first, const Element &second) { return combine(body, first, second); };
  auto ownElement = [&](uint32_t number) { return own[number]; };
  FailureOr<Element> combined = combineTree<Element>(0, own.size(), ownElement, combineHere);
  return failed(combined) ? combined : reduceLanes(body, *combined, laneMask);
}

LogicalResult KernelLowering::reduceWarps(tt::ReduceOp op, const LinearLayout &sliced, uint32_t warpMask,
                                          MutableArrayRef<Element> elements) {
  Block &body = op.getCombineOp().front();
  SmallVector<unsigned> warpBits;
  for (unsigned bit = 0; bit < sliced.inBits("warp"); ++bit)
    if (warpMask >> bit & 1)
      warpBits.push_back(bit);
  WarpExchange plan = planWarpExchange(op.getLoc(), sliced, warpBits, elements);
  writeParts(op.getLoc(), plan, elements);
  auto combineHere = [&](const Element &first, const Element &second) { return combine(body, first, second); };
  for (auto [index, element] : llvm::enumerate(elements)) {
    SmallVector<Element> parts;
    auto read = [&, index = index, &like = element](uint32_t part) {
      readPart(op.getLoc(), plan, index, like, part, parts);
      return parts[part];
    };
    FailureOr<Element> combined = combineTree<Element>(0, plan.parts, read, combineHere);
    if (failed(combined))
      return failure();
    element = *combined;
  }
  return success();
}

LogicalResult KernelLowering::lowerReduce(tt::ReduceOp op) {
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

/// The result's registers: those of `sliced`, then, where the result has another layout, converted.
LogicalResult KernelLowering::bindReduced(tt::ReduceOp op, const LinearLayout &sliced,
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
      registers = convert(op.getLoc(), registers, reduced, wanted.getLayout());
    values[result] = std::move(registers);
  }
  return success();
}

} // namespace tawa
