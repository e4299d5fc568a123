// Verifiers of everything but wgmma. Each message cites the constraint of the operation's description.

#include "compiler/dialect/SM90/SM90.h"

using namespace mlir;

namespace tawa::sm90 {

LogicalResult SetMaxRegistersOp::verify() {
  int64_t count = getCount();
  if (count < 24 || count > 256 || count % 8 != 0)
    return emitOpError() << "register count " << count << " is not a multiple of 8 from 24 to 256 (C1)";
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

LogicalResult BulkWaitOp::verify() {
  if (getPendingsAttr().getInt() < 0)
    return emitOpError("the number of pending groups is negative (C1)");
  return success();
}

static LogicalResult verifyAccess(Operation *op, TypeRange types) {
  if (types.size() != 1 && types.size() != 2 && types.size() != 4)
    return op->emitOpError() << "moves " << types.size() << " scalars, expected 1, 2 or 4 (C1)";
  if (types.size() > 1 && (!llvm::all_equal(types) || types[0].getIntOrFloatBitWidth() != 32))
    return op->emitOpError("several scalars must be 32-bit ones of one type (C1)");
  return success();
}

LogicalResult LoadSharedOp::verify() { return verifyAccess(*this, getResultTypes()); }
LogicalResult LoadGlobalOp::verify() { return verifyAccess(*this, getResultTypes()); }
LogicalResult StoreSharedOp::verify() { return verifyAccess(*this, getValues().getTypes()); }
LogicalResult StoreGlobalOp::verify() { return verifyAccess(*this, getValues().getTypes()); }

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

LogicalResult UnpackOp::inferReturnTypes(MLIRContext *, std::optional<Location>, Adaptor adaptor,
                                         SmallVectorImpl<Type> &results) {
  auto type = dyn_cast<AccumulatorType>(adaptor.getAccumulator().getType());
  if (!type)
    return failure();
  results = registerTypes(type);
  return success();
}

} // namespace tawa::sm90
