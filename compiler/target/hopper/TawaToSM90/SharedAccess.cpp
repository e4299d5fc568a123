// SharedAccess.cpp: stmatrix and ldmatrix where the plan has matrices, otherwise vector accesses.
#include "compiler/target/hopper/TawaToSM90/SharedAccess.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tawa {

void writeShared(MachineBuilder &builder, const ThreadPosition &thread, Location loc, Value tile,
                 const SharedAccessPlan &plan, ArrayRef<Value> from, Value predicate) {
  if (plan.matrix) {
    const StmatrixPlan &matrix = *plan.matrix;
    OpBuilder::InsertionGuard guard(builder);
    if (predicate) // of whole warps: lanes without copies are part of what a matrix plan needs
      builder.setInsertionPointToStart(builder.create<scf::IfOp>(loc, predicate, /*withElseRegion=*/false).thenBlock());
    Value own = thread.applyBases(loc, matrix.laneBases, matrix.warpBases);
    for (const StmatrixPlan::Store &store : matrix.stores) {
      Value address = builder.plannedAddress(loc, tile, own, store.xorBytes, matrix.immediatePart(store));
      Values words;
      for (uint32_t low : store.registers)
        words.push_back(builder.packHalves(loc, from[low], from[low ^ matrix.pairStride]));
      builder.create<sm90::StmatrixOp>(loc, address, words, matrix.transposed);
    }
    return;
  }
  Value own = thread.applyBases(loc, plan.vector.laneBases, plan.vector.warpBases);
  for (const VectorPlan::Access &access : plan.vector.accesses) {
    Value address = builder.plannedAddress(loc, tile, own, access.xorBytes, plan.vector.immediatePart(access));
    Values elements;
    for (uint32_t index : access.registers)
      elements.push_back(from[index]);
    builder.create<sm90::StoreSharedOp>(loc, address, builder.packWords(loc, elements), predicate);
  }
}

Values readShared(MachineBuilder &builder, const ThreadPosition &thread, Location loc, Value tile,
                  const SharedAccessPlan &plan, Type machineElement, const LinearLayout &layout) {
  Values result(layout.inSize("register"));
  if (plan.matrix) {
    const StmatrixPlan &matrix = *plan.matrix;
    Value own = thread.applyBases(loc, matrix.laneBases, matrix.warpBases);
    for (const StmatrixPlan::Store &load : matrix.stores) {
      Value address = builder.plannedAddress(loc, tile, own, load.xorBytes, matrix.immediatePart(load));
      SmallVector<Type> types(load.registers.size(), builder.getI32Type());
      auto words = builder.create<sm90::LdmatrixOp>(loc, types, address, matrix.transposed);
      for (auto [low, word] : llvm::zip(load.registers, words.getRegisters())) {
        Values pair = builder.unpackWords(loc, word, machineElement, 2);
        result[low] = pair[0];
        result[low ^ matrix.pairStride] = pair[1];
      }
    }
  } else {
    Value own = thread.applyBases(loc, plan.vector.laneBases, plan.vector.warpBases);
    for (const VectorPlan::Access &access : plan.vector.accesses) {
      Value address = builder.plannedAddress(loc, tile, own, access.xorBytes, plan.vector.immediatePart(access));
      auto load = builder.create<sm90::LoadSharedOp>(loc, builder.wordTypes(machineElement, access.registers.size()),
                                                     address, Value());
      Values elements = builder.unpackWords(loc, load.getResults(), machineElement, access.registers.size());
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
