// Scratch.cpp: shared memory that one operation uses and leaves to the next, and how registers get there and back.
//
// Each role has one scratch buffer, as large as its hungriest operation asks for, behind everything SharedPlan gave
// away. Barriers of the role separate one use from the next: one before the writes, where somebody may still be reading
// what was there, and one between writes and reads.
#include "compiler/conversion/TawaToSM90/Lowering.h"

using namespace mlir;

namespace tawa {

static constexpr uint32_t kScratchAlignment = 128; // one row of all banks

void KernelLowering::roleBarrier(Location loc) {
  scratchIsRead = tileIsFresh = false;
  globalOrder = {};
  if (singleThread)
    return;
  if (role.getWarps() == 1) {
    builder.create<sm90::WarpSyncOp>(loc);
    return;
  }
  builder.create<sm90::BarrierSyncOp>(loc, loneRole ? 0 : roleIndex + 1, role.getWarps() * kLanes);
}

Value KernelLowering::openScratch(Location loc, uint32_t bytes) {
  if (scratchBytes == 0) // where the buffers of the roles before end
    scratchOffset = llvm::alignTo(scratchEnd, kScratchAlignment);
  scratchBytes = std::max(scratchBytes, bytes);
  if (scratchIsRead)
    roleBarrier(loc);
  return add(loc, sharedBase, scratchOffset);
}

void KernelLowering::publishScratch(Location loc) {
  roleBarrier(loc);
  scratchIsRead = true;
}

LogicalResult KernelLowering::checkSharedBytes() {
  if (scratchEnd <= kMaxSharedBytes)
    return success();
  shared.noteFittingDepth(source, scratchEnd - kMaxSharedBytes);
  return source.emitOpError() << "needs " << scratchEnd << " bytes of shared memory, "
                              << scratchEnd - shared.totalBytes()
                              << " of them to move tensors between threads; a CTA has " << kMaxSharedBytes
                              << ". Smaller tiles or a smaller D help";
}

//===--- Registers to shared memory and back
//----------------------------------------------------------------------------===//

Value KernelLowering::plannedBase(Location loc, ArrayRef<uint32_t> laneBases, ArrayRef<uint32_t> warpBases) {
  if (thread) { // a run of bits that goes over from lanes to warps stays one run
    SmallVector<uint32_t> bases(laneBases);
    bases.resize(llvm::Log2_32(kLanes), 0);
    llvm::append_range(bases, warpBases);
    return applyBases(loc, thread, bases);
  }
  Value own = applyBases(loc, lane, laneBases);
  if (llvm::all_of(warpBases, [](uint32_t basis) { return basis == 0; }))
    return own;
  return builder.create<arith::XOrIOp>(loc, own, applyBases(loc, roleWarp, warpBases));
}

Value KernelLowering::plannedAddress(Location loc, Value tile, Value own, uint32_t xorBytes, uint32_t immediate) {
  uint32_t variable = xorBytes & ~immediate;
  Value offset = variable ? builder.create<arith::XOrIOp>(loc, own, constant(loc, variable)).getResult() : own;
  return add(loc, builder.create<arith::AddIOp>(loc, tile, offset), immediate);
}

void KernelLowering::writeShared(Location loc, Value tile, const SharedAccessPlan &plan, ArrayRef<Value> from,
                                 Value predicate) {
  if (plan.matrix) {
    const StmatrixPlan &matrix = *plan.matrix;
    OpBuilder::InsertionGuard guard(builder);
    if (predicate) // of whole warps: lanes without copies are part of what a matrix plan needs
      builder.setInsertionPointToStart(builder.create<scf::IfOp>(loc, predicate, /*withElseRegion=*/false).thenBlock());
    Value own = plannedBase(loc, matrix.laneBases, matrix.warpBases);
    for (const StmatrixPlan::Store &store : matrix.stores) {
      Value address = plannedAddress(loc, tile, own, store.xorBytes, matrix.immediatePart(store));
      Values words;
      for (uint32_t low : store.registers)
        words.push_back(pack(loc, from[low], from[low ^ matrix.pairStride]));
      builder.create<sm90::StmatrixOp>(loc, address, words, matrix.transposed);
    }
    return;
  }
  Value own = plannedBase(loc, plan.vector.laneBases, plan.vector.warpBases);
  for (const VectorPlan::Access &access : plan.vector.accesses) {
    Value address = plannedAddress(loc, tile, own, access.xorBytes, plan.vector.immediatePart(access));
    Values elements;
    for (uint32_t index : access.registers)
      elements.push_back(from[index]);
    builder.create<sm90::StoreSharedOp>(loc, address, packWords(loc, elements), predicate);
  }
}

KernelLowering::Values KernelLowering::readShared(Location loc, Value tile, const SharedAccessPlan &plan,
                                                  Type machineElement, const LinearLayout &layout) {
  Values result(layout.inSize("register"));
  if (plan.matrix) {
    const StmatrixPlan &matrix = *plan.matrix;
    Value own = plannedBase(loc, matrix.laneBases, matrix.warpBases);
    for (const StmatrixPlan::Store &load : matrix.stores) {
      Value address = plannedAddress(loc, tile, own, load.xorBytes, matrix.immediatePart(load));
      SmallVector<Type> types(load.registers.size(), builder.getI32Type());
      auto words = builder.create<sm90::LdmatrixOp>(loc, types, address, matrix.transposed);
      for (auto [low, word] : llvm::zip(load.registers, words.getRegisters())) {
        Values pair = unpackWords(loc, word, machineElement, 2);
        result[low] = pair[0];
        result[low ^ matrix.pairStride] = pair[1];
      }
    }
  } else {
    Value own = plannedBase(loc, plan.vector.laneBases, plan.vector.warpBases);
    for (const VectorPlan::Access &access : plan.vector.accesses) {
      Value address = plannedAddress(loc, tile, own, access.xorBytes, plan.vector.immediatePart(access));
      auto load =
          builder.create<sm90::LoadSharedOp>(loc, wordTypes(machineElement, access.registers.size()), address, Value());
      Values elements = unpackWords(loc, load.getResults(), machineElement, access.registers.size());
      for (auto [index, element] : llvm::zip(access.registers, elements))
        result[index] = element;
    }
  }
  uint32_t copies = layout.zeroBasisMask("register");
  for (uint32_t index = 0; index < result.size(); ++index)
    if (!result[index])
      result[index] = result[index & ~copies];
  return result;
}

} // namespace tawa
