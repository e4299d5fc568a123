// AsyncDots.cpp: asynchronous dots as wgmma. WgmmaDot.cpp emits the instructions of a dot.
#include "compiler/target/hopper/TawaToSM90/AsyncDots.h"

using namespace mlir;

namespace tawa {

static sm90::InflightType inflightType(RankedTensorType tensor) {
  return sm90::InflightType::get(WgmmaInstances(tensor).instrN, tensor.getElementType());
}

LogicalResult AsyncDotEmitter::lower(ws::DotBeginOp begin) {
  Location loc = begin.getLoc();
  auto tensor = cast<RankedTensorType>(begin.getTensor().getType());
  WgmmaInstances instances(tensor);
  Values &started = values[begin.getResult()];
  if (begin.getOverwritten()) {
    for (uint32_t index = 0; index < instances.count; ++index)
      started.push_back(builder.create<sm90::AccUndefOp>(loc, inflightType(tensor)));
    return success();
  }
  auto accumulator = sm90::AccumulatorType::get(instances.instrN, tensor.getElementType());
  Values registers = values[begin.getTensor()];
  for (uint32_t index = 0; index < instances.count; ++index) {
    ArrayRef<Value> own = ArrayRef(registers).slice(size_t(index) * instances.registers, instances.registers);
    Values words = tensor.getElementType().isF16() ? builder.packWords(loc, own) : Values(own);
    Value packed = builder.create<sm90::PackOp>(loc, accumulator, words);
    values[begin.getResult()].push_back(builder.create<sm90::ResumeOp>(loc, packed));
  }
  return success();
}

/// Whether no product in flight adds to this sum whose A may be in registers that this one's A is written to: all were
/// issued since the sum's begin, none of them an iteration earlier, and after this A was computed.
static bool hasOwnOperandA(ws::DotIssueOp op) {
  ws::DotIssueOp first = op;
  while (auto before = first.getAccumulator().getDefiningOp<ws::DotIssueOp>())
    first = before;
  if (!first.getAccumulator().getDefiningOp<ws::DotBeginOp>())
    return false;
  Operation *maker = op.getA().getDefiningOp();
  return first == op || !maker || maker->getBlock() != first->getBlock() || maker->isBeforeInBlock(first);
}

/// wgmma owns the registers of A until a wait: other ones are computed after it.
LogicalResult AsyncDotEmitter::holdOperandA(ws::DotIssueOp op, WgmmaDot &dot) {
  if (!hasOwnOperandA(op))
    waitForDots(builder, values, op);
  return wgmma.packOperandA(op, dot);
}

LogicalResult AsyncDotEmitter::lower(ws::DotIssueOp op) {
  Location loc = op.getLoc();
  FailureOr<WgmmaDot> dot = wgmma.describeDot(op, WgmmaInstances(op.getResult().getType().getTensor()));
  if (failed(dot))
    return failure();
  if (!dot->a && failed(holdOperandA(op, *dot)))
    return failure();
  Value always = builder.create<arith::ConstantOp>(loc, builder.getBoolAttr(true));
  Value adds = op.getAdds() ? one(op.getAdds()) : always;
  Values running = values[op.getAccumulator()];
  builder.create<sm90::WgmmaFenceOp>(loc);
  for (uint32_t step = 0; step < dot->steps(); ++step)
    for (uint32_t index = 0; index < dot->instances.count; ++index) {
      FailureOr<Value> next = wgmma.issue(op, *dot, index, step, running[index], step == 0 ? adds : always);
      if (failed(next))
        return failure();
      running[index] = *next;
    }
  builder.create<sm90::WgmmaCommitOp>(loc);
  values[op.getResult()] = running;
  return success();
}

LogicalResult AsyncDotEmitter::lower(ws::DotWaitOp wait) {
  tiles.meetForWrite(wait);
  Location loc = wait.getLoc();
  RankedTensorType tensor = wait.getAccumulator().getType().getTensor();
  bool readable = isa<RankedTensorType>(wait.getResult().getType());
  WgmmaInstances instances(tensor);
  Type accumulator = sm90::AccumulatorType::get(instances.instrN, tensor.getElementType());
  Type each = readable ? accumulator : Type(inflightType(tensor));
  Values operands = values[wait.getAccumulator()];
  auto waited =
      builder.create<sm90::WgmmaWaitOp>(loc, SmallVector<Type>(operands.size(), each), wait.getPendings(), operands);
  Values results;
  for (Value result : waited.getResults()) {
    if (!readable) {
      results.push_back(result);
      continue;
    }
    auto registers = builder.create<sm90::UnpackOp>(loc, result).getRegisters();
    if (tensor.getElementType().isF16())
      llvm::append_range(results, builder.unpackWords(loc, registers, tensor.getElementType(), instances.registers));
    else
      llvm::append_range(results, registers);
  }
  values[wait.getResult()] = results;
  return success();
}

} // namespace tawa
