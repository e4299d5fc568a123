// ConvertTiles.cpp: what the threads of a converter put into a slot: a tile from a slot of another ring, which has
// another element order (tawa.put of the result of tawa.get), or one that they computed.
//
// The first moves through registers of all threads of the role (compiler/layouts/algebra/TransposeTile.h), a few words
// at a time: the data of one store is read just before it, unless an earlier one read it already. Bytes use ldmatrix
// and stmatrix where the two orders permit, otherwise words and vectors of them. The writers fence towards the async
// proxy, through which wgmma reads, and each warp arrives once on the slot's full barrier.
#include "compiler/target/hopper/TawaToSM90/ConvertTiles.h"
#include "compiler/analysis/ConvertingPut.h"
#include "compiler/roles/Tawa/Target.h"
#include "compiler/target/hopper/TawaToSM90/SharedAccess.h"

using namespace mlir;

namespace tawa {

/// One read and one store at a time: the role has time to spare, and its accesses in flight to shared memory delay the
/// exchanges and exponentials of the consumers. Four at a time made an FP8 attention 4 percent slower.
void ConvertEmitter::transposeByMatrices(Location loc, const MatrixTranspose &moves, Value from, Value to,
                                         Type element) {
  Value readBase = thread.applyBases(loc, moves.read.plan.laneBases, moves.read.plan.warpBases);
  Value writeBase = thread.applyBases(loc, moves.write.plan.laneBases, moves.write.plan.warpBases);
  llvm::DenseMap<uint32_t, const StmatrixPlan::Store *> readOf;
  for (const StmatrixPlan::Store &access : moves.read.plan.stores)
    for (uint32_t low : access.registers)
      for (uint32_t index : moves.read.bytesOf(low))
        readOf[index] = &access;
  Values elements(moves.registers.inSize("register"));
  auto load = [&](const StmatrixPlan::Store &access) {
    Value address = builder.plannedAddress(loc, from, readBase, access.xorBytes, moves.read.plan.immediatePart(access));
    SmallVector<Type> types(access.registers.size(), builder.getI32Type());
    auto words = builder.create<sm90::LdmatrixOp>(loc, types, address, moves.read.plan.transposed);
    for (auto [low, word] : llvm::zip(access.registers, words.getRegisters()))
      for (auto [index, value] : llvm::zip(moves.read.bytesOf(low), builder.unpackWords(loc, word, element, 4)))
        elements[index] = value;
  };
  auto read = [&](uint32_t index) {
    if (!elements[index])
      load(*readOf.at(index));
    return elements[index];
  };
  Value swaps = builder.hasOddBits(loc, thread.lane, moves.swappingLanes);
  for (const StmatrixPlan::Store &access : moves.write.plan.stores) {
    Values words;
    for (uint32_t low : access.registers) {
      auto indices = moves.write.bytesOf(low);
      auto other = [&](uint32_t index) { return read(MatrixTranspose::swapped(index)); };
      Values bytes = llvm::map_to_vector(indices, read);
      words.push_back(swaps ? builder.packBytesOrOthers(loc, bytes, llvm::map_to_vector(indices, other), swaps)
                            : builder.packBytes(loc, bytes));
    }
    Value address = builder.plannedAddress(loc, to, writeBase, access.xorBytes, moves.write.plan.immediatePart(access));
    builder.create<sm90::StmatrixOp>(loc, address, words, moves.write.plan.transposed);
  }
}

LogicalResult ConvertEmitter::transposeByVectors(ws::PutOp put, const LinearLayout &from, const LinearLayout &to,
                                                 Value target) {
  Location loc = put.getLoc();
  Value source = put.getValues().front();
  Type type = cast<RankedTensorType>(source.getType()).getElementType();
  unsigned bits = storageBits(type);
  LinearLayout registers = transposingRegisters(from, to, bits, thread.warps);
  auto read = deriveVectorAccess(registers, from, bits), write = deriveVectorAccess(registers, to, bits);
  if (!read || !write)
    return put.emitOpError() << "no registers hold every element of the tile";
  llvm::DenseMap<uint32_t, const VectorPlan::Access *> readOf;
  for (const VectorPlan::Access &access : read->accesses)
    for (uint32_t index : access.registers)
      readOf[index] = &access;
  Value readBase = thread.applyBases(loc, read->laneBases, read->warpBases);
  Value writeBase = thread.applyBases(loc, write->laneBases, write->warpBases);
  Type element = builder.machineType(type);
  Values elements(registers.inSize("register"));
  auto load = [&](const VectorPlan::Access &access) {
    Value address = builder.plannedAddress(loc, one(source), readBase, access.xorBytes, read->immediatePart(access));
    auto words =
        builder.create<sm90::LoadSharedOp>(loc, builder.wordTypes(element, access.registers.size()), address, Value());
    Values own = builder.unpackWords(loc, words.getResults(), element, access.registers.size());
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
    Value address = builder.plannedAddress(loc, target, writeBase, access.xorBytes, write->immediatePart(access));
    builder.create<sm90::StoreSharedOp>(loc, address, builder.packWords(loc, stored),
                                        thread.ownsElements(loc, registers));
  }
  return success();
}

LogicalResult ConvertEmitter::transpose(ws::PutOp put, const LinearLayout &to, Value target) {
  Value source = put.getValues().front();
  auto type = cast<RankedTensorType>(source.getType());
  LinearLayout from = ws::layoutOf(type).getLayout();
  auto plan = transposingMatrices(from, to, storageBits(type.getElementType()), thread.warps);
  if (!plan)
    return transposeByVectors(put, from, to, target);
  transposeByMatrices(put.getLoc(), *plan, one(source), target, builder.machineType(type.getElementType()));
  return success();
}

/// What the threads computed.
LogicalResult ConvertEmitter::write(ws::PutOp put, const LinearLayout &to, Value target) {
  Value source = put.getValues().front();
  auto type = cast<RankedTensorType>(source.getType());
  LinearLayout from = ws::layoutOf(type).getLayout();
  auto plan = planSharedWrite(from, to, storageBits(type.getElementType()), hasFeature(put, Feature::MatrixStores));
  if (!plan)
    return put.emitOpError() << "the slot has no place for every element that registers hold";
  Location loc = put.getLoc();
  writeShared(builder, thread, loc, target, *plan, Values(values[source]), thread.ownsElements(loc, from));
  return success();
}

LogicalResult ConvertEmitter::lower(ws::PutOp put, const RingSlot &slot) {
  Location loc = put.getLoc();
  LinearLayout to = ws::layoutOf(put.getAref().getType().getPayload().front()).getLayout();
  if (failed(isTransposed(put) ? transpose(put, to, slot.address) : write(put, to, slot.address)))
    return failure();
  builder.create<sm90::FenceProxyAsyncOp>(loc);
  builder.create<sm90::WarpSyncOp>(
      loc); // after the reads and writes of all lanes, also for the arrival that frees the source
  builder.create<sm90::MBarrierArriveOp>(loc, slot.full, thread.laneIsZero);
  return success();
}

} // namespace tawa
