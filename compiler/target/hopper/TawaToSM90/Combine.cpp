// Combine.cpp: one copy of a region for each combined pair; warps exchange parts through scratch.
#include "compiler/target/hopper/TawaToSM90/Combine.h"

using namespace mlir;

namespace tawa {

//===--- The region ---------------------------------------------------------------------------------------------===//

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

/// A single commutative operation.
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

//===--- Warps --------------------------------------------------------------------------------------------------===//

WarpExchange CombineEmitter::openExchange(Location loc, const LinearLayout &sliced, ArrayRef<unsigned> warpBits,
                                          ArrayRef<Element> elements) {
  uint32_t warpMask = 0;
  SmallVector<uint32_t> partBases(sliced.inBits("warp"), 0);
  for (auto [position, bit] : llvm::enumerate(warpBits)) {
    warpMask |= 1u << bit;
    partBases[bit] = 1u << position;
  }
  // Lanes and warps that hold copies share a place; all others have places of their own.
  uint32_t lanes = (sliced.inSize("lane") - 1) & ~sliced.zeroBasisMask("lane");
  uint32_t warps = (sliced.inSize("warp") - 1) & ~sliced.zeroBasisMask("warp");
  std::vector<uint32_t> elementBytes;
  for (Value value : elements.front())
    elementBytes.push_back(storageBits(value.getType()) / 8);
  WarpExchange exchange{{1u << warpBits.size(), static_cast<uint32_t>(elements.size()), 1u << llvm::popcount(lanes),
                         1u << llvm::popcount(warps), elementBytes},
                        {},
                        {},
                        {},
                        {}};
  Value place = builder.gatherBits(loc, thread.lane, lanes, sliced.inBits("lane"));
  Value warpPlace =
      builder.create<arith::MulIOp>(loc, builder.gatherBits(loc, thread.warp, warps, sliced.inBits("warp")),
                                    builder.constant(loc, exchange.plan.lanePlaces * elements.size()));
  exchange.place = builder.create<arith::AddIOp>(loc, place, warpPlace);
  exchange.part = builder.applyBases(loc, thread.warp, partBases);
  exchange.writes = builder.both(loc, builder.bitsAreClear(loc, thread.lane, sliced.zeroBasisMask("lane")),
                                 builder.bitsAreClear(loc, thread.warp, sliced.zeroBasisMask("warp") & ~warpMask));
  exchange.base = scratch.open(loc, exchange.plan.bytes);
  return exchange;
}

/// Address of a part of an element of one operand.
Value CombineEmitter::addressOf(Location loc, const WarpExchange &exchange, size_t operand, uint32_t element,
                                Value part) {
  const WarpExchangePlan &plan = exchange.plan;
  Value scaledPart = builder.create<arith::MulIOp>(loc, part, builder.constant(loc, plan.partStride(operand)));
  Value scaledPlace =
      builder.create<arith::MulIOp>(loc, exchange.place, builder.constant(loc, plan.elementBytes[operand]));
  Value offset = builder.create<arith::AddIOp>(loc, scaledPart, scaledPlace);
  return builder.add(loc, builder.create<arith::AddIOp>(loc, exchange.base, offset), plan.offsetOf(operand, element));
}

void CombineEmitter::writeParts(Location loc, const WarpExchange &exchange, ArrayRef<Element> elements) {
  for (auto [index, element] : llvm::enumerate(elements))
    for (auto [operand, value] : llvm::enumerate(element))
      builder.create<sm90::StoreSharedOp>(loc, addressOf(loc, exchange, operand, index, exchange.part),
                                          builder.packWords(loc, value), exchange.writes);
  scratch.publish(loc);
}

Element CombineEmitter::readPartOfLane(Location loc, const WarpExchange &exchange, uint32_t index,
                                       const Element &like) {
  Value part = builder.create<arith::AndIOp>(loc, thread.lane, builder.constant(loc, exchange.plan.parts - 1));
  Element own;
  for (auto [operand, value] : llvm::enumerate(like)) {
    Type type = value.getType();
    Value address = addressOf(loc, exchange, operand, index, part);
    auto load = builder.create<sm90::LoadSharedOp>(loc, builder.wordTypes(type, 1), address, Value());
    own.push_back(builder.unpackWords(loc, load.getResults(), type, 1).front());
  }
  return own;
}

void CombineEmitter::readPart(Location loc, const WarpExchange &exchange, uint32_t index, const Element &like,
                              uint32_t part, SmallVectorImpl<Element> &parts) {
  // Operands of other widths come in other numbers at once, so that a part may have some of them only.
  parts.resize(exchange.plan.parts, Element(like.size()));
  for (auto [operand, value] : llvm::enumerate(like)) {
    if (parts[part][operand])
      continue;
    Type type = value.getType();
    uint32_t together = exchange.plan.partsPerLoad(operand);
    Value address = addressOf(loc, exchange, operand, index, builder.constant(loc, part));
    auto load = builder.create<sm90::LoadSharedOp>(loc, builder.wordTypes(type, together), address, Value());
    for (auto [offset, read] : llvm::enumerate(builder.unpackWords(loc, load.getResults(), type, together)))
      parts[part + offset][operand] = read;
  }
}

} // namespace tawa
