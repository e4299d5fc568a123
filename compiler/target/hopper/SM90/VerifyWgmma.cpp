// Verifiers of wgmma and mma and of an accumulator's life: compatible types, that an in-flight value names its
// registers once, and that a wait makes only values readable that it covers.

#include "compiler/target/hopper/SM90/SM90.h"
#include "runtime/artifact/PtxShapes.h"

#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;

namespace tawa::sm90 {

//===--- One use on every path ------------------------------------------------------------------------------------===//

/// True if no path runs through both uses: they are in different regions of one operation (the branches of scf.if), or
/// in blocks of one region, where the order of blocks is the control flow's and is not judged here.
static bool onDifferentPaths(Operation *first, Operation *second) {
  for (Operation *a = first; a; a = a->getParentOp())
    for (Operation *b = second; b && b->getParentRegion(); b = b->getParentOp()) {
      if (a->getBlock() == b->getBlock())
        return a == b && a != first && b != second;
      if (a->getParentRegion() == b->getParentRegion())
        return true;
    }
  return false;
}

/// A use below a loop that does not define the value would name the same registers once per iteration.
static bool entersLoop(Value value, Operation *user) {
  for (Operation *op = user->getParentOp(); op && op->isProperAncestor(user); op = op->getParentOp()) {
    if (op->isAncestor(value.getParentBlock()->getParentOp()))
      return false;
    if (isa<LoopLikeOpInterface>(op))
      return true;
  }
  return false;
}

static LogicalResult verifySingleUse(Operation *op, Value inflight) {
  if (entersLoop(inflight, op))
    return op->emitOpError("an in-flight accumulator enters a loop only as the loop's operand (C5)");
  for (OpOperand &use : inflight.getUses()) {
    Operation *other = use.getOwner();
    if (other == op ? llvm::count(op->getOperands(), inflight) > 1 : !onDifferentPaths(op, other)) {
      InFlightDiagnostic error = op->emitOpError("an in-flight accumulator is used twice on one path (C5)");
      error.attachNote(other->getLoc()) << "other use";
      return error;
    }
  }
  return success();
}

//===--- Types ----------------------------------------------------------------------------------------------------===//

static bool isFp8(Type type) { return type.isFloat8E4M3FN() || type.isFloat8E5M2(); }

static bool typesGoTogether(Type a, Type b, Type d) {
  if (isFp8(a) && isFp8(b))
    return d.isF32() || d.isF16();
  if (a != b)
    return false;
  if (a.isF16())
    return d.isF32() || d.isF16();
  if (a.isBF16() || a.isTF32())
    return d.isF32();
  return a.isInteger(8) && d.isInteger(32);
}

template <typename WgmmaLike> static LogicalResult verifyWgmma(WgmmaLike op, bool transposesA) {
  Type a = op.getAType(), b = op.getBType();
  InflightType d = op.getType();
  if (!typesGoTogether(a, b, d.getElementType()))
    return op.emitOpError() << "no wgmma multiplies " << a << " by " << b << " into " << d.getElementType() << " (C1)";
  if ((transposesA || op.getTransB()) && elementBits(a) != 16)
    return op.emitOpError() << "only 16-bit elements can be transposed, not " << a << " (C2)";
  if (a.isInteger(8) && (op.getNegA() || op.getNegB()))
    return op.emitOpError("i8 operands cannot be negated (C3)");
  if (a.isInteger(8) && d.getN() != 8 && d.getN() != 24 && d.getN() % 16 != 0)
    return op.emitOpError() << "with i8, n is 8, 24 or a multiple of 16, not " << d.getN() << " (C4)";
  return verifySingleUse(op, op.getAccumulator());
}

LogicalResult WgmmaOp::verify() { return verifyWgmma(*this, getTransA()); }
LogicalResult WgmmaRsOp::verify() { return verifyWgmma(*this, /*transposesA=*/false); }

/// The register type and count of D, for what the warp's own product can multiply; count 0 for nothing.
static LogicalResult verifyMmaTypes(MmaOp op) {
  Type a = op.getAType(), b = op.getBType();
  TypeRange d = op.getD().getTypes();
  auto isByte = [](Type type) { return type.isSignlessInteger(8) || type.isUnsignedInteger(8); };
  bool uniform = !d.empty() && llvm::all_equal(d);
  bool floats = uniform && d.size() == 4 && d[0].isF32(), integers = uniform && d.size() == 4 && d[0].isInteger(32);
  bool halves = uniform && d.size() == 2 && d[0].isInteger(32);
  if (!floats && !integers && !halves)
    return op.emitOpError("takes and gives four f32 or i32, or two i32 for f16 (C2)");
  bool legal = isByte(a) && isByte(b) ? integers
               : isFp8(a) && isFp8(b) ? floats
               : a != b               ? false
               : a.isF16()            ? floats || halves
                                      : floats && (a.isBF16() || a.isTF32());
  if (!legal)
    return op.emitOpError() << "no mma multiplies " << a << " by " << b << " into " << d.size() << " registers of "
                            << d[0] << " (C1)";
  return success();
}

LogicalResult MmaOp::verify() { return verifyMmaTypes(*this); }

LogicalResult ResumeOp::verify() {
  auto from = getAccumulator().getType();
  if (from.getN() != getType().getN() || from.getElementType() != getType().getElementType())
    return emitOpError() << "cannot resume " << from << " as " << getType() << " (C1)";
  return success();
}

void ResumeOp::build(OpBuilder &, OperationState &state, Value accumulator) {
  auto type = cast<AccumulatorType>(accumulator.getType());
  state.addOperands(accumulator);
  state.addTypes(InflightType::get(type.getN(), type.getElementType()));
}

//===--- Waits ----------------------------------------------------------------------------------------------------===//

/// The last wgmma of this block that wrote the value, seen through waits that left it in flight. None where the value
/// comes from elsewhere. `fresh`: it was just created, so no wgmma has written it.
static Operation *lastWgmma(Value inflight, Block *block, bool &fresh) {
  fresh = false;
  while (Operation *op = inflight.getDefiningOp()) {
    if (auto wait = dyn_cast<WgmmaWaitOp>(op)) {
      inflight = wait.getAccumulators()[cast<OpResult>(inflight).getResultNumber()];
      continue;
    }
    fresh = isa<AccUndefOp, ResumeOp>(op);
    return op->getBlock() == block && isa<WgmmaOp, WgmmaRsOp>(op) ? op : nullptr;
  }
  return nullptr;
}

static int64_t commitsBetween(Operation *from, Operation *to) {
  int64_t commits = 0;
  for (Operation *op = from->getNextNode(); op && op != to; op = op->getNextNode())
    commits += isa<WgmmaCommitOp>(op);
  return commits;
}

static LogicalResult verifyCovered(WgmmaWaitOp wait, Value operand) {
  bool fresh = false;
  Operation *writer = lastWgmma(operand, wait->getBlock(), fresh);
  if (fresh)
    return success();
  int64_t pendings = wait.getPendingsAttr().getInt();
  if (!writer) {
    if (pendings == 0)
      return success();
    return wait.emitOpError("with groups left pending, only an accumulator whose last wgmma stands in this block can "
                            "become readable (C3)");
  }
  int64_t commits = commitsBetween(writer, wait);
  if (commits > pendings)
    return success();
  InFlightDiagnostic error = wait.emitOpError()
                             << "leaves " << pendings << " groups pending, but only " << commits
                             << " were committed since the accumulator was last written: it is not readable yet (C3)";
  error.attachNote(writer->getLoc()) << "last written here";
  return error;
}

static bool matches(Type operand, Type result) {
  if (operand == result)
    return true;
  auto from = cast<InflightType>(operand);
  auto to = dyn_cast<AccumulatorType>(result);
  return to && to.getN() == from.getN() && to.getElementType() == from.getElementType();
}

LogicalResult WgmmaWaitOp::verify() {
  constexpr int64_t most = kMostPendings;
  if (getPendingsAttr().getInt() < 0 || getPendingsAttr().getInt() > most)
    return emitOpError() << getPendingsAttr().getInt() << " pending groups, expected 0 to " << most << " (C2)";
  if (getAccumulators().size() != getResults().size())
    return emitOpError() << getAccumulators().size() << " accumulators but " << getResults().size() << " results (C1)";
  for (auto [operand, result] : llvm::zip_equal(getAccumulators(), getResults())) {
    if (!matches(operand.getType(), result.getType()))
      return emitOpError() << "gives " << result.getType() << " for " << operand.getType() << " (C1)";
    if (failed(verifySingleUse(*this, operand)))
      return failure();
    if (isa<AccumulatorType>(result.getType()) && failed(verifyCovered(*this, operand)))
      return failure();
  }
  return success();
}

} // namespace tawa::sm90
