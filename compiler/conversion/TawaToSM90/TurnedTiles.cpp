// TurnedTiles.cpp: a tile goes from the slot of one ring to that of another, where it lies in another order (tawa.put
// of what tawa.get gave).
//
// It goes through registers of all threads of the role (compiler/layout/TurnTile.h), a few words at a time: what one
// store needs is read just before it, unless an earlier one needed it too. The writers fence towards the async proxy,
// through which wgmma reads, and each warp arrives once on the slot's full barrier.
#include "compiler/conversion/TawaToSM90/Lowering.h"
#include "compiler/layout/TurnTile.h"

using namespace mlir;

namespace tawa {

LogicalResult KernelLowering::turnTile(ws::PutOp put, const Slot &slot) {
  Location loc = put.getLoc();
  Value source = put.getValues().front();
  auto type = cast<RankedTensorType>(source.getType());
  unsigned bits = storageBits(type.getElementType());
  LinearLayout from = ws::layoutOf(type).getLayout();
  LinearLayout to = ws::layoutOf(put.getAref().getType().getPayload().front()).getLayout();
  LinearLayout registers = turningRegisters(from, to, bits, role.getWarps());
  auto read = deriveVectorAccess(registers, from, bits), write = deriveVectorAccess(registers, to, bits);
  if (!read || !write)
    return put.emitOpError() << "no registers hold every element of the tile";
  llvm::DenseMap<uint32_t, const VectorPlan::Access *> readOf;
  for (const VectorPlan::Access &access : read->accesses)
    for (uint32_t index : access.registers)
      readOf[index] = &access;
  Value readBase = plannedBase(loc, read->laneBases, read->warpBases);
  Value writeBase = plannedBase(loc, write->laneBases, write->warpBases);
  Type element = machineType(type.getElementType());
  Values elements(registers.inSize("register"));
  auto load = [&](const VectorPlan::Access &access) {
    Value address = plannedAddress(loc, one(source), readBase, access.xorBytes, read->immediatePart(access));
    auto words = builder.create<sm90::LoadSharedOp>(loc, wordTypes(element, access.registers.size()), address, Value());
    Values own = unpackWords(loc, words.getResults(), element, access.registers.size());
    for (auto [index, value] : llvm::zip(access.registers, own))
      elements[index] = value;
  };
  for (const VectorPlan::Access &access : write->accesses) {
    Values stored;
    for (uint32_t index : access.registers) {
      if (!elements[index])
        load(*readOf.at(index));
      stored.push_back(elements[index]);
    }
    Value address = plannedAddress(loc, slot.address, writeBase, access.xorBytes, write->immediatePart(access));
    builder.create<sm90::StoreSharedOp>(loc, address, packWords(loc, stored), ownsElements(loc, registers));
  }
  builder.create<sm90::FenceProxyAsyncOp>(loc);
  builder.create<sm90::WarpSyncOp>(loc); // behind the reads and writes of all lanes, also for who gives the source back
  builder.create<sm90::MBarrierArriveOp>(loc, slot.full, laneIsZero);
  return success();
}

} // namespace tawa
