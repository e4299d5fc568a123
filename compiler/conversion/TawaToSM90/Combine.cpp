// Combine.cpp: one copy of a region for each pair that is combined; parts of warps through scratch.
#include "compiler/conversion/TawaToSM90/Combine.h"

using namespace mlir;

namespace tawa {

//===--- The region
//-----------------------------------------------------------------------------------------------------===//

FailureOr<Element> CombineEmitter::combine(Block &body, const Element &first, const Element &second) {
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
bool isSymmetric(Block &body) {
  if (body.getNumArguments() != 2 || !llvm::hasNItems(body, 2))
    return false;
  Operation &op = body.front();
  return op.hasTrait<OpTrait::IsCommutative>() && op.getNumOperands() == 2 && op.getOperand(0) != op.getOperand(1) &&
         llvm::all_of(op.getOperands(),
                      [&](Value operand) { return llvm::is_contained(body.getArguments(), operand); });
}

FailureOr<Element> CombineEmitter::combineInOrder(Block &body, const Element &own, const Element &other,
                                                  Value swapped) {
  if (isSymmetric(body))
    return combine(body, own, other);
  Location loc = body.getTerminator()->getLoc();
  Element first, second;
  for (auto [mine, theirs] : llvm::zip(own, other)) {
    first.push_back(builder.select(loc, swapped, theirs, mine));
    second.push_back(builder.select(loc, swapped, mine, theirs));
  }
  return combine(body, first, second);
}

//===--- Warps
//----------------------------------------------------------------------------------------------------------===//

WarpExchange CombineEmitter::planExchange(Location loc, const LinearLayout &sliced, ArrayRef<unsigned> warpBits,
                                          ArrayRef<Element> elements) {
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
  Value place = builder.gatherBits(loc, thread.lane, lanes, sliced.inBits("lane"));
  Value warpPlace =
      builder.create<arith::MulIOp>(loc, builder.gatherBits(loc, thread.warp, warps, sliced.inBits("warp")),
                                    builder.constant(loc, plan.lanePlaces * elements.size()));
  plan.place = builder.create<arith::AddIOp>(loc, place, warpPlace);
  plan.part = builder.applyBases(loc, thread.warp, partBases);
  plan.writes = builder.both(loc, builder.bitsAreClear(loc, thread.lane, sliced.zeroBasisMask("lane")),
                             builder.bitsAreClear(loc, thread.warp, sliced.zeroBasisMask("warp") & ~warpMask));
  uint32_t bytes = 0;
  for (Value value : elements.front()) {
    plan.elementBytes.push_back(storageBits(value.getType()) / 8);
    plan.regions.push_back(bytes);
    bytes += llvm::alignTo(plan.places * plan.parts * plan.elementBytes.back(), 16);
  }
  plan.base = scratch.open(loc, bytes);
  return plan;
}

/// Address of one operand's part of an element: parts of one place are apart, so that neighbouring lanes have
/// neighbouring words; where there is only one place, they are neighbours themselves.
Value CombineEmitter::addressOf(Location loc, const WarpExchange &plan, size_t operand, uint32_t element, Value part) {
  uint32_t bytes = plan.elementBytes[operand];
  Value scaledPart = builder.create<arith::MulIOp>(loc, part, builder.constant(loc, plan.places * bytes));
  Value scaledPlace = builder.create<arith::MulIOp>(loc, plan.place, builder.constant(loc, bytes));
  Value offset = builder.create<arith::AddIOp>(loc, scaledPart, scaledPlace);
  return builder.add(loc, builder.create<arith::AddIOp>(loc, plan.base, offset),
                     plan.regions[operand] + element * plan.lanePlaces * bytes);
}

void CombineEmitter::writeParts(Location loc, const WarpExchange &plan, ArrayRef<Element> elements) {
  for (auto [index, element] : llvm::enumerate(elements))
    for (auto [operand, value] : llvm::enumerate(element))
      builder.create<sm90::StoreSharedOp>(loc, addressOf(loc, plan, operand, index, plan.part),
                                          builder.packWords(loc, value), plan.writes);
  scratch.publish(loc);
}

void CombineEmitter::readPart(Location loc, const WarpExchange &plan, uint32_t index, const Element &like,
                              uint32_t part, SmallVectorImpl<Element> &parts) {
  constexpr uint32_t kMaxBytes = 16;
  parts.resize(plan.parts);
  for (auto [operand, value] : llvm::enumerate(like)) {
    if (parts[part].size() > operand)
      continue;
    Type type = value.getType();
    uint32_t together = plan.places == 1 ? std::min(plan.parts, kMaxBytes / plan.elementBytes[operand]) : 1;
    Value address = addressOf(loc, plan, operand, index, builder.constant(loc, part));
    auto load = builder.create<sm90::LoadSharedOp>(loc, builder.wordTypes(type, together), address, Value());
    for (auto [offset, read] : llvm::enumerate(builder.unpackWords(loc, load.getResults(), type, together)))
      parts[part + offset].push_back(read);
  }
}

} // namespace tawa
