// The table of pipes, issue cycles and latencies, by operation.
#include "compiler/target/hopper/SchedulePipes/PipeModel.h"

#include "compiler/target/hopper/SM90/SM90.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace tawa::sm90 {

/// A product fused into the sum that uses it: the sum accounts for both.
static bool isFused(Operation *op) {
  auto product = dyn_cast<arith::MulFOp>(op);
  return product && product->hasOneUse() && isa<arith::AddFOp, arith::SubFOp>(*product->user_begin()) &&
         arith::bitEnumContainsAll(product.getFastmath(), arith::FastMathFlags::contract);
}

PipeUse pipeUse(Operation *op) {
  if (isa<ApproxOp>(op))
    return {Pipe::Mufu, 8, 20};
  if (isa<ShuffleOp>(op))
    return {Pipe::Shuffle, 4, 24};
  if (isa<CvtPackOp, CvtRoundOp, CvtFp8PackOp, CvtFp8UnpackOp, arith::TruncFOp, arith::ExtFOp>(op))
    return {Pipe::Convert, 2, 6};
  if (isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, LLVM::FMAOp>(op))
    return isFused(op) ? PipeUse() : PipeUse{Pipe::Fma, 1, 4};
  bool isArithmetic = isa<arith::ArithDialect>(op->getDialect());
  if (!isArithmetic || isa<arith::ConstantOp, arith::BitcastOp, arith::NegFOp>(op))
    return {};
  return {Pipe::Alu, 2, 5};
}

bool mayMove(Operation *op) { return isa<ShuffleOp>(op) || (isPure(op) && op->getNumRegions() == 0); }

} // namespace tawa::sm90
