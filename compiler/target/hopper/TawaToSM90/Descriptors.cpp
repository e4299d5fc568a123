// Descriptors.cpp: tensor maps that a role makes itself (tawa.make_descriptor), in per-CTA global scratch memory of the
// launch.
//
// The last description is kept in shared memory. Where the new description is the same, as for the many tiles of one
// group, the map is kept. Otherwise the role waits until no copy through the old map is in flight (loads of the rings,
// stores of the role); then one thread writes the map (PTX ISA, tensormap.replace), and every thread that starts copies
// acquires it for the proxy through which TMA reads maps (PTX ISA, fence.proxy.tensormap).
#include "compiler/target/hopper/TawaToSM90/Descriptors.h"
#include "compiler/analysis/LogicalArguments.h"
#include "compiler/target/hopper/TawaToSM90/RingSlot.h"
#include "compiler/target/hopper/TawaToSM90/TawaToSM90.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace tawa {

static constexpr uint32_t kMapBytes = 128;
static constexpr uint32_t kRecordWord = 8; // of what was described last: sizes, base, strides

void DescriptorEmitter::init(Location loc) {
  tt::FuncOp source = context.source;
  source.walk([&](ws::MakeDescriptorOp make) {
    Value nothing = builder.create<arith::ConstantOp>(loc, builder.getI64IntegerAttr(-1));
    builder.create<sm90::StoreSharedOp>(loc, builder.add(loc, thread.sharedBase, shared.descriptor(make) + kMapBytes),
                                        nothing, Value());
  });
}

/// This CTA's part of the launch's scratch memory. How much each CTA has is known in the end (finishDescriptors).
Value DescriptorEmitter::scratchOfCta(Location loc) {
  if (ctaScratch)
    return ctaScratch;
  OpBuilder::InsertionGuard guard(builder);
  func::FuncOp target = context.target;
  unsigned index = target.getNumArguments();
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext(), 1);
  target.insertArgument(index, pointer,
                        builder.getDictionaryAttr(
                            ws::kArgumentAttr.named(writeParameterRole(builder, {ParameterRole::Part::Scratch, 0, 0}))),
                        loc);
  builder.setInsertionPointToStart(&target.getBody().front());
  auto read = [&](sm90::SpecialRegister which) -> Value {
    return builder.create<sm90::SpecialRegisterOp>(loc, builder.getI32Type(), which);
  };
  auto timesPlus = [&](Value a, Value b, Value c) -> Value {
    return builder.create<arith::AddIOp>(loc, builder.create<arith::MulIOp>(loc, a, b), c);
  };
  Value cta = timesPlus(read(sm90::SpecialRegister::CtaidZ), read(sm90::SpecialRegister::NctaidY),
                        read(sm90::SpecialRegister::CtaidY));
  cta = timesPlus(cta, read(sm90::SpecialRegister::NctaidX), read(sm90::SpecialRegister::CtaidX));
  ctaScratchBytes = builder.create<arith::ConstantOp>(loc, builder.getI64IntegerAttr(0));
  Value offset = builder.create<arith::MulIOp>(loc, builder.create<arith::ExtUIOp>(loc, builder.getI64Type(), cta),
                                               ctaScratchBytes);
  ctaScratch = builder.create<LLVM::GEPOp>(loc, pointer, builder.getI8Type(), target.getArgument(index),
                                           ArrayRef<LLVM::GEPArg>{offset});
  return ctaScratch;
}

void DescriptorEmitter::finish() {
  uint32_t bytes = madeMaps * kMapBytes;
  if (!ctaScratch)
    return;
  ctaScratchBytes.setValueAttr(builder.getI64IntegerAttr(bytes));
  func::FuncOp target = context.target;
  sm90::kScratchBytesAttr.set(target, bytes);
}

/// A description as TMA counts: sizes innermost first, strides of all but the innermost dimension in bytes.
DescriptorEmitter::Description DescriptorEmitter::descriptionOf(ws::MakeDescriptorOp make) {
  Location loc = make.getLoc();
  Description described;
  described.base = one(make.getBase());
  for (Value size : llvm::reverse(make.getShape()))
    described.sizes.push_back(one(size));
  unsigned elementBytes =
      storageBits(cast<tt::TensorDescType>(make.getResult().getType()).getBlockType().getElementType()) / 8;
  Value scale = builder.create<arith::ConstantOp>(loc, builder.getI64IntegerAttr(elementBytes));
  for (Value stride : llvm::drop_begin(llvm::reverse(make.getStrides())))
    described.strides.push_back(builder.create<arith::MulIOp>(loc, one(stride), scale));
  return described;
}

/// The same in 64-bit words, as the record holds it: a size first, which no description has before the first one.
Values DescriptorEmitter::recordWords(Location loc, const Description &described) {
  Type word = builder.getI64Type();
  Values words;
  for (Value size : described.sizes)
    words.push_back(builder.create<arith::ExtUIOp>(loc, word, size));
  words.push_back(builder.create<LLVM::PtrToIntOp>(loc, word, described.base));
  llvm::append_range(words, described.strides);
  return words;
}

/// Whether a description differs from the one before.
Value DescriptorEmitter::differsFromRecord(Location loc, Value record, ArrayRef<Value> words) {
  Value differs;
  for (auto [index, word] : llvm::enumerate(words)) {
    auto kept = builder.create<sm90::LoadSharedOp>(loc, TypeRange{builder.getI64Type()},
                                                   builder.add(loc, record, index * kRecordWord), Value());
    Value other = builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::ne, kept.getResult(0), word);
    differs = differs ? builder.create<arith::OrIOp>(loc, differs, other).getResult() : other;
  }
  return differs;
}

/// Waits until all puts with numbers below `index` have landed: each slot has completed its last round. Where a slot
/// was not filled yet, the round before its first is complete by definition (PTX ISA, mbarrier phases).
void DescriptorEmitter::awaitLanded(Location loc, const RingPlan &ring, Value index) {
  for (uint32_t back = 0; back < ring.depth; ++back) {
    RingSlot slot =
        slotOf(builder, thread, loc, ring, builder.add(loc, index, back)); // the next put but `back` into this slot
    builder.create<sm90::MBarrierWaitParityOp>(loc, slot.full, parityBefore(builder, loc, slot));
  }
}

/// Executed by the thread that acts for the role; returns its branch, which is null in a role of one thread.
scf::IfOp DescriptorEmitter::writeRecord(Location loc, Value record, ArrayRef<Value> words) {
  Value acts = thread.actsForRole(loc);
  scf::IfOp actor;
  if (acts) {
    actor = builder.create<scf::IfOp>(loc, acts, /*withElseRegion=*/false);
    builder.setInsertionPointToStart(actor.thenBlock());
  }
  for (auto [index, word] : llvm::enumerate(words)) // in the same order as they are read
    builder.create<sm90::StoreSharedOp>(loc, builder.add(loc, record, index * kRecordWord), word, Value());
  if (actor) {
    builder.setInsertionPointAfter(actor);
    barrier.emit(loc);
  }
  return actor;
}

LogicalResult DescriptorEmitter::lower(ws::MakeDescriptorOp make) {
  Location loc = make.getLoc();
  Description described = descriptionOf(make);
  Value staging = builder.add(loc, thread.sharedBase, shared.descriptor(make));
  Value record = builder.add(loc, staging, kMapBytes);
  Values words = recordWords(loc, described);
  auto changed = builder.create<scf::IfOp>(loc, differsFromRecord(loc, record, words), /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(changed.thenBlock());
  // Barriers inside the branch may not happen, so they order nothing after it.
  PendingAccesses pending = order.pendingAccesses();
  bool mayBeRead = scratch.mayBeRead();
  for (auto [aref, index] : llvm::zip(make.getArefs(), make.getIndices()))
    awaitLanded(loc, shared.ring(aref), one(index));
  if (!thread.isSingle) {
    builder.create<sm90::BulkWaitOp>(loc, 0, /*read=*/false); // stores of this thread, map and all
    barrier.emit(loc);                                        // those of all threads; and the record has been read
  }
  scf::IfOp actor = writeRecord(loc, record, words);
  makes[make] = {changed, actor ? actor : changed, staging, std::move(described), {}};
  order.setPendingAccesses(std::move(pending));
  scratch.setMayBeRead(mayBeRead);
  return success();
}

/// One map per form that TMA requires, made on first request.
Value DescriptorEmitter::mapOf(ws::MakeDescriptorOp make, ArrayRef<uint32_t> box, Swizzle swizzle) {
  Location loc = make.getLoc();
  MadeDescriptor &made = makes.find(make)->second;
  for (auto &[form, map] : made.maps)
    if (ArrayRef<uint32_t>(form.first) == box && form.second == swizzle)
      return map;
  OpBuilder::InsertionGuard guard(builder);
  Value memory = scratchOfCta(loc);
  builder.setInsertionPoint(made.changed);
  Value address = builder.create<LLVM::GEPOp>(loc, memory.getType(), builder.getI8Type(), memory,
                                              ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(madeMaps++ * kMapBytes)});
  Value map =
      builder.create<sm90::TensormapAtOp>(loc, sm90::TensorMapType::get(builder.getContext()), address).getResult();
  Type element = cast<tt::TensorDescType>(make.getResult().getType()).getBlockType().getElementType();
  if (auto integer = dyn_cast<IntegerType>(element))
    element = builder.getIntegerType(integer.getWidth());
  builder.setInsertionPoint(made.actor.thenBlock()->getTerminator());
  builder.create<sm90::TensormapWriteOp>(loc, map, made.staging, made.described.base, made.described.sizes,
                                         made.described.strides, element,
                                         builder.getDenseI32ArrayAttr(SmallVector<int32_t>(box.begin(), box.end())),
                                         static_cast<uint32_t>(swizzle), make.getPadsWithNaN());
  builder.setInsertionPoint(made.changed.thenBlock()->getTerminator());
  builder.create<sm90::TensormapAcquireOp>(loc, map);
  made.maps.push_back({{SmallVector<uint32_t>(box), swizzle}, map});
  return map;
}

} // namespace tawa
