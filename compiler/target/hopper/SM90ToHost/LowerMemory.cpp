// Host form of OpsMemory.td and OpsAtomic.td. A load or store first asks the emulator for the host address, which
// checks and records the access, and is then an ordinary one.

#include "compiler/target/hopper/SM90ToHost/HostLowering.h"

using namespace mlir;

namespace tawa::sm90 {

/// `address` is a 32-bit shared address or a global pointer.
Value HostLowering::access(Value address, TypeRange types, bool write) {
  int64_t bytes = types.size() * types[0].getIntOrFloatBitWidth() / 8;
  if (!isa<LLVM::LLVMPointerType>(address.getType()))
    return call(EmuFn::shared_access, {address, constant(bytes), constant(write)});
  Value number = builder.create<LLVM::PtrToIntOp>(loc, builder.getI64Type(), address);
  return call(EmuFn::global_access, {number, constant(bytes), constant(write)});
}

HostLowering::Values HostLowering::lower(LoadSharedOp op, LoadSharedOp::Adaptor in) {
  return loadFrom(access(in.getAddress(), op.getResultTypes(), /*write=*/false), op.getResultTypes());
}
HostLowering::Values HostLowering::lower(LoadGlobalOp op, LoadGlobalOp::Adaptor in) {
  return loadFrom(access(in.getAddress(), op.getResultTypes(), /*write=*/false), op.getResultTypes());
}
HostLowering::Values HostLowering::lower(StoreSharedOp, StoreSharedOp::Adaptor in) {
  storeTo(access(in.getAddress(), in.getValues().getTypes(), /*write=*/true), in.getValues());
  return {};
}
HostLowering::Values HostLowering::lower(StoreAsyncOp, StoreAsyncOp::Adaptor in) {
  Value words = stackWords(in.getWords().size());
  storeTo(words, in.getWords());
  return callVoid(EmuFn::store_async,
                  {in.getAddress(), in.getMbarrier(), constant(4 * static_cast<int64_t>(in.getWords().size())), words});
}
HostLowering::Values HostLowering::lower(StoreGlobalOp, StoreGlobalOp::Adaptor in) {
  storeTo(access(in.getAddress(), in.getValues().getTypes(), /*write=*/true), in.getValues());
  return {};
}

HostLowering::Values HostLowering::lower(StmatrixOp op, StmatrixOp::Adaptor in) {
  constexpr size_t kMaxMatrices = 4;
  Values arguments{in.getAddress(), constant(in.getRegisters().size()), constant(op.getTrans())};
  llvm::append_range(arguments, in.getRegisters());
  for (size_t missing = in.getRegisters().size(); missing < kMaxMatrices; ++missing)
    arguments.push_back(constant(0));
  return callVoid(EmuFn::stmatrix, arguments);
}

HostLowering::Values HostLowering::lower(LdmatrixOp op, LdmatrixOp::Adaptor in) {
  Value words = stackWords(op.getNumResults());
  call(EmuFn::ldmatrix, {in.getAddress(), constant(op.getNumResults()), constant(op.getTrans()), words});
  return loadFrom(words, op.getResultTypes());
}

//===--- Asynchronous copies --------------------------------------------------------------------------------------===//

HostLowering::Values HostLowering::lower(CpAsyncOp op, CpAsyncOp::Adaptor in) {
  Value source = builder.create<LLVM::PtrToIntOp>(loc, builder.getI64Type(), in.getSource());
  Value bytes = constant(op.getBytes());
  return callVoid(EmuFn::cp_async,
                  {in.getDestination(), source, bytes, in.getSourceBytes() ? in.getSourceBytes() : bytes});
}
HostLowering::Values HostLowering::lower(CpAsyncCommitOp, CpAsyncCommitOp::Adaptor) {
  return callVoid(EmuFn::cp_async_commit);
}
HostLowering::Values HostLowering::lower(CpAsyncWaitOp op, CpAsyncWaitOp::Adaptor) {
  return callVoid(EmuFn::cp_async_wait, {constant(op.getPendings())});
}
HostLowering::Values HostLowering::lower(CpAsyncArriveOp, CpAsyncArriveOp::Adaptor in) {
  return callVoid(EmuFn::cp_async_arrive, {in.getAddress()});
}

//===--- Atomics --------------------------------------------------------------------------------------------------===//

Value HostLowering::toBits(Value value) {
  Type type = value.getType(), plain = builder.getIntegerType(type.getIntOrFloatBitWidth());
  if (type != plain)
    value = builder.create<LLVM::BitcastOp>(loc, plain, value);
  return plain.isInteger(64) ? value : builder.create<LLVM::ZExtOp>(loc, builder.getI64Type(), value).getResult();
}

Value HostLowering::fromBits(Value bits, Type type) {
  Type plain = builder.getIntegerType(type.getIntOrFloatBitWidth());
  if (!plain.isInteger(64))
    bits = builder.create<LLVM::TruncOp>(loc, plain, bits);
  return type == plain ? bits : builder.create<LLVM::BitcastOp>(loc, type, bits).getResult();
}

HostLowering::Values HostLowering::placeOf(Value address) {
  bool isShared = !isa<LLVM::LLVMPointerType>(address.getType());
  Type wide = builder.getI64Type();
  Value number = isShared ? builder.create<LLVM::ZExtOp>(loc, wide, address).getResult()
                          : builder.create<LLVM::PtrToIntOp>(loc, wide, address).getResult();
  return {number, constant(isShared)};
}

HostLowering::Values HostLowering::lower(AtomicRmwOp op, AtomicRmwOp::Adaptor in) {
  Type type = in.getValue().getType();
  Values arguments = placeOf(in.getAddress());
  arguments.append({constant(static_cast<uint32_t>(op.getKind())), typeNumber(type), toBits(in.getValue())});
  Value old = call(EmuFn::atomic_rmw, arguments);
  return op.getResult() ? Values{fromBits(old, type)} : Values{};
}

/// Element by element; the halves of a word are adjacent.
HostLowering::Values HostLowering::lower(AddGlobalOp op, AddGlobalOp::Adaptor in) {
  Type type = op.getType();
  int64_t bits = type.getIntOrFloatBitWidth(), at = 0;
  Values place = placeOf(in.getAddress());
  for (Value word : in.getWords()) {
    Value whole = toBits(word);
    for (int64_t bit = 0; bit < 32; bit += bits, at += bits / 8) {
      Value address = builder.create<LLVM::AddOp>(loc, place[0], constant(at, 64));
      Value shifted = builder.create<LLVM::LShrOp>(loc, whole, constant(bit, 64));
      Value element = builder.create<LLVM::AndOp>(loc, shifted, constant((int64_t{1} << bits) - 1, 64));
      call(EmuFn::atomic_rmw,
           {address, place[1], constant(static_cast<uint32_t>(AtomicKind::FAdd)), typeNumber(type), element});
    }
  }
  return {};
}

HostLowering::Values HostLowering::lower(FenceAcqRelOp, FenceAcqRelOp::Adaptor) { return {}; }

HostLowering::Values HostLowering::lower(AtomicCasOp op, AtomicCasOp::Adaptor in) {
  Type type = op.getType();
  Values arguments = placeOf(in.getAddress());
  arguments.append({constant(type.getIntOrFloatBitWidth() / 8), toBits(in.getExpected()), toBits(in.getValue())});
  return {fromBits(call(EmuFn::atomic_cas, arguments), type)};
}

} // namespace tawa::sm90
