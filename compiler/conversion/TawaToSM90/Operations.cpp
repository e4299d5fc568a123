// Operations.cpp: the table of operations, and those that pass through unchanged but for the width: scalars, constants,
// elementwise operations.
#include "compiler/conversion/TawaToSM90/Lowering.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tawa {

LogicalResult KernelLowering::lowerConstant(arith::ConstantOp op) {
  auto type = dyn_cast<RankedTensorType>(op.getType());
  if (!type) {
    values[op] = {builder.clone(*op)->getResult(0)};
    return success();
  }
  ws::LinearAttr layout = ws::layoutOf(type);
  if (!layout) // remade in the layout of each user; this one is left without users
    return success();
  auto splat = dyn_cast<SplatElementsAttr>(op.getValue());
  if (!splat)
    return lowerTable(op, layout.getLayout());
  Value scalar = builder.create<arith::ConstantOp>(op.getLoc(), splat.getSplatValue<TypedAttr>());
  values[op] = Values(layout.getLayout().inSize("register"), scalar);
  return success();
}

/// Registers of an aligned group that are known to be equal (tawa-assign-layouts).
static size_t equalRegisters(Operation *op) {
  auto equal = op->getAttrOfType<IntegerAttr>(ws::kEqualAttr);
  return equal ? equal.getInt() : 1;
}

/// The scalar form of an elementwise operation, once per register or group of equal ones; and of an operation on
/// scalars, once. Hints that are not part of the operation (contiguity and the like) have done their work and stay
/// behind.
LogicalResult KernelLowering::lowerElementwise(Operation *op) {
  size_t count = 1;
  for (Value operand : op->getOperands())
    count = std::max(count, values[operand].size());
  SmallVector<Values> results(op->getNumResults());
  size_t equal = equalRegisters(op);
  for (size_t index = 0; index < count; index += equal) {
    OperationState state(op->getLoc(), op->getName());
    for (Value operand : op->getOperands()) {
      const Values &parts = values[operand];
      state.operands.push_back(parts.size() == 1 ? parts.front() : parts[index]);
    }
    for (Type type : op->getResultTypes())
      state.types.push_back(machineType(getElementTypeOrSelf(type)));
    state.propertiesAttr = op->getPropertiesAsAttribute();
    Operation *scalar = builder.create(state);
    for (auto [list, result] : llvm::zip(results, scalar->getResults()))
      list.append(std::min(equal, count), result);
  }
  for (auto [old, list] : llvm::zip(op->getResults(), results))
    values[old] = std::move(list);
  return success();
}

static sm90::SpecialRegister gridRegister(bool count, unsigned axis) {
  auto first = count ? sm90::SpecialRegister::NctaidX : sm90::SpecialRegister::CtaidX;
  return static_cast<sm90::SpecialRegister>(static_cast<unsigned>(first) + axis);
}

LogicalResult KernelLowering::lowerOperation(Operation *op) {
  Location loc = op->getLoc();
  auto readGrid = [&](bool count, unsigned axis) {
    Value read = builder.create<sm90::SpecialRegisterOp>(loc, builder.getI32Type(), gridRegister(count, axis));
    if (split != 1 && axis == 0) // programs, where the register counts CTAs
      read = builder.create<arith::DivUIOp>(loc, read, constant(loc, split));
    values[op->getResult(0)] = {read};
    return success();
  };
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case<ws::CreateArefOp, ws::WarpGroupOp, tt::ReturnOp, scf::YieldOp>([](auto) { return success(); })
      .Case<tt::DescriptorLoadOp, ws::CopyTileOp>([](auto) { return success(); }) // their put does the work
      .Case<arith::ConstantOp>([&](auto constant) { return lowerConstant(constant); })
      .Case<scf::ForOp>([&](auto loop) { return lowerLoop(loop); })
      .Case<tt::GetProgramIdOp>([&](auto id) { return readGrid(false, static_cast<unsigned>(id.getAxis())); })
      .Case<tt::GetNumProgramsOp>([&](auto id) { return readGrid(true, static_cast<unsigned>(id.getAxis())); })
      .Case<ws::PutOp>([&](auto put) { return lowerPut(put); })
      .Case<ws::MakeDescriptorOp>([&](auto make) { return lowerMakeDescriptor(make); })
      .Case<ws::GetOp>([&](auto get) { return lowerGet(get), success(); })
      .Case<ws::ConsumedOp>([&](auto consumed) { return lowerConsumed(consumed), success(); })
      .Case<ws::AwaitTurnOp, ws::PassTurnOp>([&](auto turn) {
        return lowerTurn(loc, turn.getTurn(), turn.getCondition(), isa<ws::AwaitTurnOp>(op)), success();
      })
      .Case<ws::ClusterRankOp>([&](auto rank) { return values[rank] = {clusterRank}, success(); })
      .Case<ws::ClusterSumOp>([&](auto sum) { return lowerClusterSum(sum); })
      .Case<ws::ToSharedOp>([&](auto write) { return lowerToShared(write); })
      .Case<ws::FromSharedOp>([&](auto read) { return lowerFromShared(read); })
      .Case<tt::DotOp>([&](auto dot) { return lowerDot(dot); })
      .Case<ws::DotBeginOp>([&](auto begin) { return lowerDotBegin(begin), success(); })
      .Case<ws::DotIssueOp>([&](auto issue) { return lowerDotIssue(issue); })
      .Case<ws::DotWaitOp>([&](auto wait) { return lowerDotWait(wait), success(); })
      .Case<tt::DescriptorStoreOp>([&](auto store) { return lowerStore(store); })
      .Case<ws::ConvertLayoutOp>([&](auto convert) { return lowerConvert(convert); })
      .Case<scf::IfOp>([&](auto branch) { return lowerIf(branch); })
      .Case<scf::WhileOp>([&](auto loop) { return lowerWhile(loop); })
      .Case<tt::LoadOp>([&](auto load) { return lowerLoad(load); })
      .Case<tt::StoreOp>([&](auto store) { return lowerStoreThroughPointers(store); })
      .Case<tt::AtomicRMWOp>([&](auto atomic) { return lowerAtomicRMW(atomic); })
      .Case<tt::AtomicCASOp>([&](auto atomic) { return lowerAtomicCAS(atomic); })
      .Case<tt::MakeRangeOp>([&](auto range) { return lowerMakeRange(range), success(); })
      .Case<tt::SplatOp, tt::UnsplatOp, tt::ExpandDimsOp, tt::BroadcastOp, tt::TransOp, tt::ReshapeOp>(
          [&](auto view) { return lowerShapeOp(view); })
      .Case<tt::JoinOp>([&](auto join) { return lowerJoin(join); })
      .Case<tt::SplitOp>([&](auto split) { return lowerSplit(split); })
      .Case<tt::AddPtrOp, tt::IntToPtrOp, tt::PtrToIntOp, tt::BitcastOp>([&](auto ptr) { return lowerPointerOp(ptr); })
      .Case<tt::ReduceOp>([&](auto reduce) { return lowerReduce(reduce); })
      .Case<tt::ScanOp>([&](auto scan) { return lowerScan(scan); })
      .Case<tt::GatherOp>([&](auto gather) { return lowerGather(gather); })
      .Case<tt::HistogramOp>([&](auto histogram) { return lowerHistogram(histogram); })
      .Case<tt::AssertOp>([&](auto check) { return lowerAssert(check); })
      .Case<tt::PrintOp>([&](auto print) { return lowerPrint(print); })
      .Case<tt::ElementwiseInlineAsmOp>([&](auto text) { return lowerInlineAsm(text); })
      .Case<tt::MapElementwiseOp>([&](auto map) { return lowerMapElementwise(map); })
      .Case<tt::DebugBarrierOp>([&](auto) { return roleBarrier(loc), success(); })
      .Case<tt::FpToFpOp, tt::ClampFOp, tt::PreciseSqrtOp, tt::PreciseDivFOp, tt::MulhiUIOp, tt::ExternElementwiseOp>(
          [&](auto function) { return lowerElementwise(function); }) // tawa-expand-math computes them
      .Case<LLVM::AssumeOp>([](auto) { return success(); })          // has told what it knows
      .Case<ub::PoisonOp>([&](auto poison) { return lowerPoison(poison), success(); })
      .Case<tt::ReduceReturnOp, tt::ScanReturnOp, tt::MapElementwiseReturnOp, scf::ConditionOp>(
          [](auto) { return success(); }) // whoever lowers the region reads them
      .Default([&](Operation *other) -> LogicalResult {
        if (!isMemoryEffectFree(other) || other->getNumRegions() != 0 || other->getName().getDialectNamespace() == "tt")
          return other->emitOpError() << "is not supported by this version of Tawa";
        return lowerElementwise(other);
      });
}

LogicalResult KernelLowering::lowerBlock(Block *block) {
  for (Operation &op : *block) {
    joinSlotReads(&op);
    publishTiles(&op);
    if (failed(lowerOperation(&op)) ||
        failed(checkOperationCount(&op, source.getName(), made.count, "of one thread up to here", kLessForAThread)))
      return failure();
  }
  return success();
}

} // namespace tawa
