// Operations.cpp: the table that maps each operation to its emitter.
#include "compiler/target/hopper/TawaToSM90/Operations.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tawa {

Emitters::Emitters(RoleContext &context)
    : barrier(context), scratch(context, barrier), order(context, barrier), conversions(context, scratch),
      descriptors(context, barrier, scratch, order), maps(context, descriptors), loads(context, maps), copies(context),
      converts(context), arefs(context, loads, copies, converts), pingPong(context), turns(context),
      clusterSync(context), clusterSums(context, clusterSync), workspace(context),
      partSums(context, barrier, scratch, order, workspace), tileCounter(context, scratch, workspace),
      slotReads(context), tiles(context, barrier, slotReads), wgmma(context), asyncDots(context, wgmma, tiles),
      dots(context, wgmma, slotReads), stores(context, barrier, maps, conversions), globalMemory(context, order),
      atomics(context, barrier, scratch, order, conversions), views(context, conversions), elementwise(context),
      combiner(context, scratch), reductions(context, combiner, conversions), scans(context, combiner),
      gathers(context, barrier, scratch, conversions), controlFlow(context, scratch, order), debug(context),
      inlineAsm(context) {}

void Emitters::beginRole() {
  scratch.beginRole();
  order.beginRole();
  clusterSync.beginRole();
  clusterSums.beginRole();
}

static sm90::SpecialRegister gridRegister(bool count, unsigned axis) {
  auto first = count ? sm90::SpecialRegister::NctaidX : sm90::SpecialRegister::CtaidX;
  return static_cast<sm90::SpecialRegister>(static_cast<unsigned>(first) + axis);
}

LogicalResult OperationTable::lowerGridRead(Operation *op, bool count, unsigned axis) {
  Location loc = op->getLoc();
  Value read = builder.create<sm90::SpecialRegisterOp>(loc, builder.getI32Type(), gridRegister(count, axis));
  if (cluster.split != 1 && axis == 0) // programs, where the register counts CTAs
    read = builder.create<arith::DivUIOp>(loc, read, builder.constant(loc, cluster.split));
  values[op->getResult(0)] = {read};
  return success();
}

/// Operations of the tile program that no emitter has: scalar ones and elementwise ones without effects.
LogicalResult OperationTable::lowerOther(Operation *op) {
  if (!isMemoryEffectFree(op) || op->getNumRegions() != 0 || op->getName().getDialectNamespace() == "tt")
    return op->emitOpError() << "is not supported by this version of Tawa";
  return emit.elementwise.lowerScalars(op);
}

LogicalResult OperationTable::lowerOperation(Operation *op) {
  auto grid = [&](bool count, auto id) { return lowerGridRead(op, count, static_cast<unsigned>(id.getAxis())); };
  auto by = [](auto &emitter) { return [&](auto found) { return emitter.lower(found); }; };
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case<ws::CreateArefOp, ws::WarpGroupOp, tt::ReturnOp, scf::YieldOp>([](auto) { return success(); })
      .Case<tt::DescriptorLoadOp, ws::CopyTileOp>([](auto) { return success(); }) // their put does the work
      .Case<tt::ReduceReturnOp, tt::ScanReturnOp, tt::MapElementwiseReturnOp, scf::ConditionOp>(
          [](auto) { return success(); })                   // read by what lowers the region
      .Case<LLVM::AssumeOp>([](auto) { return success(); }) // its information has been used
      .Case<scf::ForOp, scf::IfOp, scf::WhileOp>(by(emit.controlFlow))
      .Case<tt::GetProgramIdOp>([&](auto id) { return grid(false, id); })
      .Case<tt::GetNumProgramsOp>([&](auto id) { return grid(true, id); })
      .Case<ws::PutOp, ws::GetOp, ws::ConsumedOp, ws::ProducerTailOp>(by(emit.arefs))
      .Case<ws::PingPongWaitOp, ws::PingPongPassOp>(by(emit.pingPong))
      .Case<ws::TurnsBeginOp, ws::TurnWaitOp, ws::TurnPassOp>(by(emit.turns))
      .Case<ws::MakeDescriptorOp>(by(emit.descriptors))
      .Case<ws::ClusterRankOp>([&](auto rank) { return values[rank] = {cluster.ofSum}, success(); })
      .Case<ws::ClusterSumOp>(by(emit.clusterSums))
      .Case<ws::NeedsPartOp, ws::StorePartOp, ws::CountPartOp, ws::SumPartsOp>(by(emit.partSums))
      .Case<ws::NextTileOp>(by(emit.tileCounter))
      .Case<ws::ToSharedOp, ws::FromSharedOp>(by(emit.tiles))
      .Case<tt::DotOp>(by(emit.dots))
      .Case<ws::DotBeginOp, ws::DotIssueOp, ws::DotWaitOp>(by(emit.asyncDots))
      .Case<tt::DescriptorStoreOp>(by(emit.stores))
      .Case<ws::ConvertLayoutOp>(by(emit.conversions))
      .Case<tt::LoadOp, tt::StoreOp>(by(emit.globalMemory))
      .Case<tt::AtomicRMWOp, tt::AtomicCASOp>(by(emit.atomics))
      .Case<arith::ConstantOp, tt::MakeRangeOp, tt::JoinOp, tt::SplitOp>(by(emit.views))
      .Case<tt::SplatOp, tt::UnsplatOp, tt::ExpandDimsOp, tt::BroadcastOp, tt::TransOp, tt::ReshapeOp>(
          [&](auto view) { return emit.views.lowerShape(view); })
      .Case<tt::AddPtrOp, tt::IntToPtrOp, tt::PtrToIntOp, tt::BitcastOp>(
          [&](auto pointer) { return emit.elementwise.lowerPointer(pointer); })
      .Case<tt::ReduceOp>(by(emit.reductions))
      .Case<tt::ScanOp>(by(emit.scans))
      .Case<tt::GatherOp, tt::HistogramOp>(by(emit.gathers))
      .Case<tt::AssertOp, tt::PrintOp>(by(emit.debug))
      .Case<tt::ElementwiseInlineAsmOp>(by(emit.inlineAsm))
      .Case<tt::MapElementwiseOp, ub::PoisonOp>(by(emit.elementwise))
      .Case<tt::DebugBarrierOp>([&](auto meet) { return emit.barrier.emit(meet.getLoc()), success(); })
      .Case<tt::FpToFpOp, tt::ClampFOp, tt::PreciseSqrtOp, tt::PreciseDivFOp, tt::MulhiUIOp, tt::ExternElementwiseOp>(
          [&](auto function) { return emit.elementwise.lowerScalars(function); }) // tawa-expand-math computes them
      .Default([&](Operation *other) { return lowerOther(other); });
}

LogicalResult OperationTable::lowerOperations(Block *block) {
  for (Operation &op : *block) {
    emit.slotReads.joinBefore(&op);
    emit.tiles.publishBefore(&op);
    emit.scratch.approach(&op);
    tt::FuncOp source = context.source;
    if (failed(lowerOperation(&op)) || failed(checkOperationCount(&op, source.getName(), context.made.count,
                                                                  "of one thread up to here", kLessForAThread)))
      return failure();
    emit.tiles.noteReads(&op);
  }
  return success();
}

} // namespace tawa
