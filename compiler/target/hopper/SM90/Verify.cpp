// Verifiers of all operations except the matrix products. Each message cites the constraint of the operation's
// description.

#include "compiler/target/hopper/SM90/SM90.h"

using namespace mlir;

namespace tawa::sm90 {

LogicalResult SetMaxRegistersOp::verify() {
  int64_t count = getCount();
  if (count < 24 || count > 256 || count % 8 != 0)
    return emitOpError() << "register count " << count << " is not a multiple of 8 from 24 to 256 (C1)";
  return success();
}

/// What is only brought near is read by an operation of its own.
static bool touchesGlobalMemory(Operation *op) {
  return !isMemoryEffectFree(op) && !isa<PrefetchTensormapOp>(op) && llvm::any_of(op->getOperandTypes(), [](Type type) {
    auto pointer = dyn_cast<LLVM::LLVMPointerType>(type);
    return isa<TensorMapType>(type) || (pointer && pointer.getAddressSpace() == 1);
  });
}

LogicalResult GridDependencyWaitOp::verify() {
  Block *block = (*this)->getBlock();
  if (!block->isEntryBlock() || !isa<FunctionOpInterface>(block->getParentOp()))
    return emitOpError("does not stand in the kernel's outermost block, where all threads come (C1)");
  for (Operation &op : llvm::make_range(block->begin(), (*this)->getIterator()))
    if (op.walk([](Operation *inner) {
            return touchesGlobalMemory(inner) ? WalkResult::interrupt() : WalkResult::advance();
          }).wasInterrupted())
      return emitOpError("comes after an access of global memory (C2)").attachNote(op.getLoc()) << "this one";
  return success();
}

LogicalResult MBarrierInitOp::verify() {
  int64_t count = getCountAttr().getInt();
  if (count < 1 || count >= (1 << 20))
    return emitOpError() << "arrival count " << count << " is not from 1 to 1048575 (C1)";
  return success();
}

static LogicalResult verifyNamedBarrier(Operation *op, int64_t id, int64_t threads) {
  if (id < 0 || id > 15)
    return op->emitOpError() << "barrier id " << id << " is not from 0 to 15 (C1)";
  if (threads < 32 || threads > kMaxThreads || threads % 32 != 0)
    return op->emitOpError() << "thread count " << threads << " is not a multiple of 32 from 32 to 1024 (C2)";
  return success();
}

LogicalResult BarrierSyncOp::verify() {
  return verifyNamedBarrier(*this, getIdAttr().getInt(), getThreadsAttr().getInt());
}
LogicalResult BarrierArriveOp::verify() {
  return verifyNamedBarrier(*this, getIdAttr().getInt(), getThreadsAttr().getInt());
}

static LogicalResult verifyRank(Operation *op, size_t rank) {
  if (rank < 1 || rank > 5)
    return op->emitOpError() << rank << " coordinates; TMA takes one to five (C1)";
  return success();
}

LogicalResult TmaLoadOp::verify() { return verifyRank(*this, getCoordinates().size()); }
LogicalResult TmaStoreOp::verify() { return verifyRank(*this, getCoordinates().size()); }

LogicalResult TensormapWriteOp::verify() {
  size_t rank = getBox().size();
  if (getSizes().size() != rank || getStrides().size() + 1 != rank) // C1
    return emitOpError() << "has " << getSizes().size() << " sizes, " << getStrides().size() << " strides and a box of "
                         << rank << " dimensions (C1)";
  return verifyRank(*this, rank);
}

LogicalResult BulkWaitOp::verify() {
  if (getPendingsAttr().getInt() < 0)
    return emitOpError("the number of pending groups is negative (C1)");
  return success();
}

static LogicalResult verifyAccess(Operation *op, TypeRange types) {
  constexpr unsigned kMaxBits = 128;
  if (types.empty() || types.size() > 16 || !llvm::isPowerOf2_64(types.size()))
    return op->emitOpError() << "moves " << types.size() << " scalars, expected 1, 2, 4, 8 or 16 (C1)";
  if (!llvm::all_equal(types) || types.size() * types[0].getIntOrFloatBitWidth() > kMaxBits)
    return op->emitOpError("several scalars must be of one type and 16 bytes at most (C1)");
  return success();
}

static LogicalResult verifyCache(Operation *op, std::optional<CacheModifier> cache, ArrayRef<CacheModifier> allowed) {
  if (cache && !llvm::is_contained(allowed, *cache))
    return op->emitOpError() << "has no cache modifier " << stringifyCacheModifier(*cache) << " (C3)";
  return success();
}

LogicalResult LoadSharedOp::verify() { return verifyAccess(*this, getResultTypes()); }
LogicalResult StoreSharedOp::verify() { return verifyAccess(*this, getValues().getTypes()); }
LogicalResult StoreAsyncOp::verify() {
  size_t count = getWords().size();
  if (count != 1 && count != 2 && count != 4)
    return emitOpError() << "stores " << count << " words, expected 1, 2 or 4 (C1)";
  if (!llvm::all_equal(getWords().getTypes()))
    return emitOpError("words are of one type (C1)");
  return success();
}
LogicalResult LoadGlobalOp::verify() {
  using enum CacheModifier;
  return failure(failed(verifyAccess(*this, getResultTypes())) ||
                 failed(verifyCache(*this, getCache(), {CA, CG, CS, CV})));
}
LogicalResult StoreGlobalOp::verify() {
  using enum CacheModifier;
  return failure(failed(verifyAccess(*this, getValues().getTypes())) ||
                 failed(verifyCache(*this, getCache(), {WB, CG, CS, WT})));
}

LogicalResult CpAsyncOp::verify() {
  int64_t bytes = getBytes();
  if (bytes != 4 && bytes != 8 && bytes != 16)
    return emitOpError() << "copies " << bytes << " bytes, expected 4, 8 or 16 (C1)";
  CacheModifier cache = getCache().value_or(CacheModifier::CA);
  if (cache != CacheModifier::CA && !(cache == CacheModifier::CG && bytes == 16))
    return emitOpError() << "has no cache modifier " << stringifyCacheModifier(cache) << " with " << bytes
                         << " bytes (C2)";
  return success();
}

LogicalResult CpAsyncWaitOp::verify() {
  if (getPendingsAttr().getInt() < 0)
    return emitOpError("the number of pending groups is negative (C1)");
  return success();
}

static bool isAtomicType(AtomicKind kind, Type type) {
  bool wide = type.isInteger(32) || type.isInteger(64);
  if (kind == AtomicKind::FAdd)
    return isa<FloatType>(type);
  return wide || (kind == AtomicKind::Exch && (type.isF32() || type.isF64()));
}

LogicalResult AtomicRmwOp::verify() {
  Type type = getValue().getType();
  if (!isAtomicType(getKind(), type))
    return emitOpError() << "no atomic " << stringifyAtomicKind(getKind()) << " of " << type << " (C1)";
  if (getResult() && getResult().getType() != type)
    return emitOpError() << "gives " << getResult().getType() << " for a value of " << type << " (C2)";
  return success();
}

LogicalResult AddGlobalOp::verify() {
  size_t count = getWords().size();
  Type word = getType().isF32() ? getType() : IntegerType::get(getContext(), 32);
  if (!getType().isF32() && !getType().isF16() && !getType().isBF16())
    return emitOpError() << "has no vectors of " << getType() << " (C1)";
  if ((count != 1 && count != 2 && count != 4) || (count == 1 && getType().isF32()))
    return emitOpError() << "adds " << count << " words of " << getType() << " (C1)";
  if (!llvm::all_of(getWords().getTypes(), [&](Type type) { return type == word; }))
    return emitOpError() << "words are expected to be " << word << " (C1)";
  if (getSemantics() != Semantics::Relaxed && getSemantics() != Semantics::Release)
    return emitOpError("does not acquire (C2)");
  return success();
}

LogicalResult AtomicCasOp::verify() {
  if (getValue().getType().getIntOrFloatBitWidth() < 16)
    return emitOpError() << "no atomic cas of " << getValue().getType() << " (C1)";
  return success();
}

static LogicalResult verifyMatrixCount(Operation *op, size_t count) {
  if (count != 1 && count != 2 && count != 4)
    return op->emitOpError() << count << " registers, expected 1, 2 or 4 (C1)";
  return success();
}

LogicalResult StmatrixOp::verify() { return verifyMatrixCount(*this, getRegisters().size()); }
LogicalResult LdmatrixOp::verify() { return verifyMatrixCount(*this, getNumResults()); }

LogicalResult CvtPackOp::verify() {
  if (!getType().isF16() && !getType().isBF16())
    return emitOpError() << "rounds to f16 or bf16, not " << getType() << " (C1)";
  return success();
}

LogicalResult CvtRoundOp::verify() {
  Type type = getType();
  bool known = type.isF16() || type.isBF16() || type.isTF32();
  if (!known || getResult().getType() != (type.isTF32() ? Float32Type::get(getContext()) : type))
    return emitOpError() << "does not round to " << type << " as " << getResult().getType() << " (C1)";
  if (type.isTF32() && getRounding() != Rounding::RN)
    return emitOpError("tf32 does not round to zero (C2)");
  return success();
}

static LogicalResult verifyFp8(Operation *op, Type type) {
  if (!type.isFloat8E4M3FN() && !type.isFloat8E5M2())
    return op->emitOpError() << "is for f8E4M3FN and f8E5M2, not " << type << " (C1)";
  return success();
}
LogicalResult CvtFp8PackOp::verify() { return verifyFp8(*this, getType()); }
LogicalResult CvtFp8UnpackOp::verify() { return verifyFp8(*this, getType()); }

LogicalResult BytePermuteOp::verify() {
  bool good = getBytes().size() == 4 && llvm::all_of(getBytes(), [](int32_t byte) { return byte >= 0 && byte < 8; });
  return good ? success() : emitOpError("C1: names four bytes of two words, numbers below 8");
}

uint32_t BytePermuteOp::selector() {
  uint32_t numbers = 0;
  for (auto [place, byte] : llvm::enumerate(getBytes()))
    numbers |= static_cast<uint32_t>(byte) << (4 * place);
  return numbers;
}

LogicalResult PrintOp::verify() {
  constexpr size_t kMaxValues = 16;
  if (getValues().size() > kMaxValues)
    return emitOpError() << "has " << getValues().size() << " values, at most 16 can be printed (C1)";
  return success();
}

void InlineAsmOp::getEffects(SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) {
  if (getPure())
    return;
  effects.emplace_back(MemoryEffects::Read::get());
  effects.emplace_back(MemoryEffects::Write::get());
}

LogicalResult UnpackOp::inferReturnTypes(MLIRContext *, std::optional<Location>, Adaptor adaptor,
                                         SmallVectorImpl<Type> &results) {
  auto type = dyn_cast<AccumulatorType>(adaptor.getAccumulator().getType());
  if (!type)
    return failure();
  results = registerTypes(type);
  return success();
}

} // namespace tawa::sm90
