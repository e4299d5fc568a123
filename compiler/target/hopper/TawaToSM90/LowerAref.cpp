// LowerAref: lowers a laid-out kernel of roles to the code of one thread, arefs to mbarriers and shared memory.
//
//   tt.func @k(%a: tensordesc) {                       func.func @k(%map: !sm90.tensormap) {
//     %r = tawa.create_aref : <3, [64x64xf16]>           if thread 0: init full and empty mbarriers of 3 slots
//     tawa.warp_group producer warps(4) {..put..}   ->   if warp < 4: wait empty, expect bytes, tma_load
//     tawa.warp_group consumer warps(8) {..get..}        else: wait full, wgmma, arrive empty
//   }                                                  }
//
// This file makes the frame: parameters, the position of the thread, barrier setup, one branch per role. The operations
// inside of roles are lowered by emitters, one a file (Operations.cpp has the table).
#include "compiler/analysis/LogicalArguments.h"
#include "compiler/analysis/RegisterPlan.h"
#include "compiler/analysis/UniformTileWork.h"
#include "compiler/roles/Tawa/Target.h"
#include "compiler/support/Debug.h"
#include "compiler/target/hopper/TawaToSM90/CodeSize.h"
#include "compiler/target/hopper/TawaToSM90/EarlyQuotients.h"
#include "compiler/target/hopper/TawaToSM90/NamedBarriers.h"
#include "compiler/target/hopper/TawaToSM90/Operations.h"
#include "compiler/target/hopper/TawaToSM90/PackedHalves.h"
#include "compiler/target/hopper/TawaToSM90/TawaToSM90.h"
#include "compiler/target/hopper/TawaToSM90/TileReaders.h"
#include "compiler/target/hopper/TawaToSM90/Unused.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"

#define DEBUG_TYPE "tawa-lower-aref"

using namespace mlir;

namespace tawa {

namespace {

/// Lowers one kernel: makes the frame, in which the emitters fill in the roles.
class KernelLowering {
public:
  KernelLowering(tt::FuncOp source, uint32_t epilogueStages)
      : source(source), epilogueStages(epilogueStages), context(source) {}
  LogicalResult run();

private:
  void createFunction();
  Value readPosition(Location loc, unsigned threads);
  void readClusterPosition();
  void emitSetup(Emitters &emit);
  void initSharedMemory(Emitters &emit, Value thread);
  void awaitCta(Emitters &emit, bool hasBarriers, unsigned threads);
  void awaitCluster(Emitters &emit, unsigned threads);
  void awaitLaunchBefore();
  void setKernelAttributes(unsigned threads);
  LogicalResult lowerRoles(Emitters &emit);
  LogicalResult lowerRole(Emitters &emit, ws::WarpGroupOp role, unsigned firstWarp);
  void enterRole(ws::WarpGroupOp role, unsigned firstWarp);
  Value electLeader(Location loc);
  LogicalResult lowerOnAllThreads(Emitters &emit, ws::WarpGroupOp role);
  LogicalResult lowerOnOneThread(ws::WarpGroupOp role);
  void prefetchMaps();
  void finish(Emitters &emit);

  Value isZero(Location loc, Value index) {
    return builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::eq, index, builder.constant(loc, 0));
  }

  tt::FuncOp source;
  uint32_t epilogueStages;
  uint32_t entryRegisters = 0;    ///< Of every thread, before roles change it; 0: the assembler's choice.
  Block *setup = nullptr;         ///< Of one thread.
  Operation *beginning = nullptr; ///< Where the others first wait: for that one, the launch before, or the cluster.
  RoleContext context;
  MachineBuilder &builder = context.builder;
  ThreadPosition &thread = context.thread;
};

} // namespace

//===--- Function and parameters --------------------------------------------------------------------------------===//

/// The machine type of a parameter passed unchanged; null for descriptors, which become tensor maps at their uses.
static Type machineParameterType(Type type) {
  if (isa<tt::TensorDescType>(type))
    return {};
  if (isa<tt::PointerType>(type))
    return LLVM::LLVMPointerType::get(type.getContext(), 1);
  return type;
}

void KernelLowering::createFunction() {
  SmallVector<Type> types;
  SmallVector<BlockArgument> kept;
  for (BlockArgument argument : source.getArguments())
    if (Type type = machineParameterType(argument.getType()); type && !argument.use_empty()) {
      types.push_back(type);
      kept.push_back(argument);
    }
  builder.setInsertionPoint(source);
  func::FuncOp target = context.target =
      builder.create<func::FuncOp>(source.getLoc(), source.getName(), builder.getFunctionType(types, {}));
  Block *entry = target.addEntryBlock();
  for (auto [index, argument] : llvm::enumerate(kept)) {
    ws::kArgumentAttr.set(target, index, ws::kArgumentAttr.get(source, argument.getArgNumber()));
    context.values[argument] = {entry->getArgument(index)};
  }
  builder.setInsertionPointToStart(entry);
}

//===--- Frame --------------------------------------------------------------------------------------------------===//

/// Roles branch on the warp, and wgmma and TMA take values derived from it from uniform registers.
static bool needsUniformWarp(tt::FuncOp source) {
  if (!llvm::hasSingleElement(source.getOps<ws::WarpGroupOp>()))
    return true;
  return source
      .walk([](Operation *op) {
        return isa<tt::DescriptorStoreOp>(op) || runsOnWgmma(op) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Warps of the roles that multiply, which share the SM's schedulers.
static int32_t productWarps(tt::FuncOp source) {
  int32_t warps = 0;
  for (auto role : source.getOps<ws::WarpGroupOp>()) {
    bool multiplies = role.walk([](Operation *op) {
                            return isa<ws::DotIssueOp, tt::DotOp>(op) ? WalkResult::interrupt() : WalkResult::advance();
                          })
                          .wasInterrupted();
    warps += multiplies ? role.getWarps() : 0;
  }
  return warps;
}

/// Computes every thread's position. Returns its index in the CTA.
Value KernelLowering::readPosition(Location loc, unsigned threads) {
  auto read = [&](sm90::SpecialRegister which) -> Value {
    return builder.create<sm90::SpecialRegisterOp>(loc, builder.getI32Type(), which);
  };
  thread.sharedBase = builder.create<sm90::SharedBaseOp>(loc, builder.getI32Type());
  Value tid = read(sm90::SpecialRegister::TidX);
  Value warp = builder.create<arith::ShRUIOp>(loc, tid, builder.constant(loc, 5));
  if (needsUniformWarp(source)) {
    thread.lane = read(sm90::SpecialRegister::LaneId);
    // Read through lane 0, so that the assembler knows the warp index to be uniform and keeps values derived from it in
    // uniform registers (descriptors above all).
    warp = builder.create<sm90::ShuffleOp>(loc, warp.getType(), sm90::ShuffleMode::Idx, warp, builder.constant(loc, 0));
  } else { // both are bits of one number, and addresses made of them need not take it apart
    thread.lane = builder.create<arith::AndIOp>(loc, tid, builder.constant(loc, kLanes - 1));
    thread.linear = tid;
  }
  thread.ctaWarp = threads == kLanes ? builder.constant(loc, 0) : warp;
  return tid;
}

void KernelLowering::readClusterPosition() {
  ClusterPosition &cluster = context.cluster;
  cluster.programs = ws::kClusterAttr.get(source).value_or(1);
  cluster.split = ws::kSplitAttr.get(source).value_or(1);
  if (cluster.size() == 1)
    return;
  Location loc = source.getLoc();
  cluster.rank = cluster.ofProgram = cluster.ofSum =
      builder.create<sm90::SpecialRegisterOp>(loc, builder.getI32Type(), sm90::SpecialRegister::ClusterCtaRank);
  if (cluster.programs == 1 || cluster.split == 1)
    return;
  Value split = builder.constant(loc, cluster.split);
  cluster.ofProgram = builder.create<arith::DivUIOp>(loc, cluster.rank, split);
  cluster.ofSum = builder.create<arith::RemUIOp>(loc, cluster.rank, split);
}

/// A role that only computes addresses and starts copies needs one thread.
static bool runsOnOneThread(ws::WarpGroupOp role) {
  bool puts = role.walk([](ws::PutOp) { return WalkResult::interrupt(); }).wasInterrupted();
  if (!puts || copiesWithAllThreads(role))
    return false;
  WalkResult result = role.walk([](Operation *op) {
    if (isa<ws::GetOp, ws::ConsumedOp, tt::DescriptorStoreOp, ws::DotIssueOp>(op))
      return WalkResult::interrupt();
    return WalkResult::advance();
  });
  return !result.wasInterrupted();
}

/// The first thread that has nothing else to do: a producer on one thread computes where its first tile is meanwhile.
static uint32_t setupThread(tt::FuncOp source) {
  auto roles = source.getOps<ws::WarpGroupOp>();
  ws::WarpGroupOp first = *roles.begin();
  return !llvm::hasSingleElement(roles) && runsOnOneThread(first) ? first.getWarps() * kLanes : 0;
}

/// By one thread.
void KernelLowering::initSharedMemory(Emitters &emit, Value tid) {
  Location loc = source.getLoc();
  Value isOne =
      builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::eq, tid, builder.constant(loc, setupThread(source)));
  auto once = builder.create<scf::IfOp>(loc, isOne, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(builder);
  setup = once.thenBlock();
  builder.setInsertionPointToStart(setup);
  emit.arefs.initBarriers(loc);
  emit.clusterSums.initBarriers(loc);
  if (hasFeature(source, Feature::Tma)) // for peers and TMA; threads of the CTA see them after its barrier
    builder.create<sm90::FenceMBarrierInitOp>(loc);
  emit.descriptors.init(loc);
}

/// Barriers of rings are initialized while the previous launch may still run; no thread continues before they exist and
/// that launch is over.
void KernelLowering::emitSetup(Emitters &emit) {
  Location loc = source.getLoc();
  unsigned threads = 0;
  for (auto role : source.getOps<ws::WarpGroupOp>())
    threads += role.getWarps() * kLanes;
  Value tid = readPosition(loc, threads);
  readClusterPosition();
  bool hasBarriers = !context.shared.allRings().empty() || !context.shared.allSums().empty();
  if (hasBarriers)
    initSharedMemory(emit, tid);
  if (hasBarriers && context.cluster.programs != 1)
    awaitCluster(emit, threads);
  else
    awaitCta(emit, hasBarriers, threads);
  setKernelAttributes(threads);
}

/// Other CTAs are needed later: where their sums are.
void KernelLowering::awaitCta(Emitters &emit, bool hasBarriers, unsigned threads) {
  Location loc = source.getLoc();
  Operation *last = builder.getInsertionBlock()->empty() ? nullptr : &builder.getInsertionBlock()->back();
  awaitLaunchBefore();
  if (hasBarriers)
    builder.create<sm90::BarrierSyncOp>(loc, kKernelBarrier, threads, Value());
  if (hasBarriers && context.cluster.split != 1)
    emit.clusterSync.arrive(loc);
  beginning = last ? last->getNextNode() : nullptr;
}

/// Peers arrive at the barriers and count bytes on them. Their CTAs begin at different times, and the launch before may
/// not be over: both waits come after all that needs neither.
void KernelLowering::awaitCluster(Emitters &emit, unsigned threads) {
  Location loc = source.getLoc();
  builder.create<sm90::BarrierSyncOp>(loc, kKernelBarrier, threads, Value());
  emit.clusterSync.arrive(loc);
  beginning = builder.create<sm90::ClusterWaitOp>(loc);
  awaitLaunchBefore();
}

void KernelLowering::awaitLaunchBefore() {
  if (hasFeature(source, Feature::EarlyLaunch))
    builder.create<sm90::GridDependencyWaitOp>(source.getLoc());
}

void KernelLowering::setKernelAttributes(unsigned threads) {
  func::FuncOp target = context.target;
  sm90::kKernelAttr.set(target);
  sm90::kThreadsAttr.set(target, threads);
  sm90::kProductWarpsAttr.set(target, productWarps(source));
  sm90::kClusterAttr.set(target, builder.getDenseI32ArrayAttr({static_cast<int32_t>(context.cluster.size()), 1, 1}));
  if (ArrayAttr divides = ws::kClusterDividesAttr.get(source))
    ws::kClusterDividesAttr.set(target, divides);
  if (ArrayAttr programs = ws::kRetiledGridAttr.get(source))
    ws::kRetiledGridAttr.set(target, programs);
  if (ArrayAttr zeros = ws::kRetiledZerosAttr.get(source))
    ws::kRetiledZerosAttr.set(target, zeros);
  if (StringAttr walkers = ws::kWalkersAttr.get(source))
    ws::kWalkersAttr.set(target, walkers);
  if (ws::kPaddedGridAttr.on(source))
    ws::kPaddedGridAttr.set(target);
  if (ws::kUniformTileWorkAttr.on(source))
    ws::kUniformTileWorkAttr.set(target);
  if (context.cluster.split != 1)
    ws::kSplitAttr.set(target, context.cluster.split);
  if (ws::kStreamAttr.on(source))
    ws::kStreamAttr.set(target);
  // A lone role keeps what it begins with. Told no count, the assembler leaves room for several CTAs on an SM.
  auto roles = source.getOps<ws::WarpGroupOp>();
  context.roleCount = std::distance(roles.begin(), roles.end());
  entryRegisters =
      context.roleCount == 1 ? (*roles.begin()).getRegisters() : tawa::entryRegisters(moduleTarget(source), threads);
  if (entryRegisters)
    sm90::kEntryRegistersAttr.set(target, entryRegisters);
}

LogicalResult KernelLowering::lowerRoles(Emitters &emit) {
  SmallVector<ws::WarpGroupOp> roles(source.getOps<ws::WarpGroupOp>());
  Location loc = source.getLoc();
  unsigned firstWarp = 0;
  OpBuilder::InsertionGuard guard(builder);
  for (auto [index, role] : llvm::enumerate(roles)) {
    bool isLast = index + 1 == roles.size();
    scf::IfOp branch;
    if (!isLast) {
      Value mine = builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::ult, thread.ctaWarp,
                                                 builder.constant(loc, firstWarp + role.getWarps()));
      branch = builder.create<scf::IfOp>(loc, mine, /*withElseRegion=*/true);
      builder.setInsertionPointToStart(branch.thenBlock());
    }
    context.roleIndex = index;
    if (failed(lowerRole(emit, role, firstWarp)))
      return failure();
    emit.clusterSync.awaitPeers(loc); // a thread that has arrived waits before it ends
    if (!isLast)
      builder.setInsertionPointToStart(branch.elseBlock());
    firstWarp += role.getWarps();
  }
  return success();
}

/// The one thread of the role's first warp that starts TMA loads.
Value KernelLowering::electLeader(Location loc) {
  Value isFirst = isZero(loc, thread.warp);
  Value elected = builder.create<sm90::ElectSyncOp>(loc, builder.getI1Type());
  return builder.create<arith::AndIOp>(loc, isFirst, elected);
}

/// Sets register counts and the thread's position in the role.
void KernelLowering::enterRole(ws::WarpGroupOp role, unsigned firstWarp) {
  Location loc = role.getLoc();
  context.role = role;
  thread.warps = role.getWarps();
  thread.isSingle = runsOnOneThread(role);
  if (uint32_t registers = role.getRegisters(); registers && context.roleCount != 1) {
    auto change = registers > entryRegisters ? sm90::RegisterChange::Inc : sm90::RegisterChange::Dec;
    builder.create<sm90::SetMaxRegistersOp>(loc, change, registers);
  }
  thread.warp = thread.ctaWarp;
  if (firstWarp != 0)
    thread.warp = builder.create<arith::SubIOp>(loc, thread.ctaWarp, builder.constant(loc, firstWarp));
  thread.laneIsZero = isZero(loc, thread.lane);
  thread.leader = copiesWithAllThreads(role) && context.roleCount != 1 ? electLeader(loc) : Value();
}

LogicalResult KernelLowering::lowerRole(Emitters &emit, ws::WarpGroupOp role, unsigned firstWarp) {
  enterRole(role, firstWarp);
  emit.beginRole();
  return thread.isSingle ? lowerOnOneThread(role) : lowerOnAllThreads(emit, role);
}

LogicalResult KernelLowering::lowerOnAllThreads(Emitters &emit, ws::WarpGroupOp role) {
  if (failed(context.lowerBlock(&role.getBody().front())))
    return failure();
  emit.scratch.endRole();
  bool stores = role.walk([](tt::DescriptorStoreOp) { return WalkResult::interrupt(); }).wasInterrupted();
  if (stores) // staging is read until then; a CTA must not end before
    builder.create<sm90::BulkWaitOp>(role.getLoc(), 0, /*read=*/true);
  return success();
}

LogicalResult KernelLowering::lowerOnOneThread(ws::WarpGroupOp role) {
  Location loc = role.getLoc();
  OpBuilder::InsertionGuard guard(builder);
  auto firstWarpOnly = builder.create<scf::IfOp>(loc, isZero(loc, thread.warp), /*withElseRegion=*/false);
  builder.setInsertionPointToStart(firstWarpOnly.thenBlock());
  Value elected = builder.create<sm90::ElectSyncOp>(loc, builder.getI1Type());
  auto one = builder.create<scf::IfOp>(loc, elected, /*withElseRegion=*/false);
  builder.setInsertionPointToStart(one.thenBlock());
  if (failed(context.lowerBlock(&role.getBody().front())))
    return failure();
  if (context.roleIndex == 0 && beginning)
    moveQuotients(one.thenBlock(), beginning, thread.ctaWarp);
  return success();
}

/// TMA has to read a map before its first copy: those of loads come near while barriers are made, those of stores while
/// the kernel computes.
void KernelLowering::prefetchMaps() {
  if (!setup)
    return;
  auto first = OpBuilder::atBlockBegin(setup);
  for (BlockArgument argument : context.target.getArguments())
    if (isa<sm90::TensorMapType>(argument.getType()))
      first.create<sm90::PrefetchTensormapOp>(source.getLoc(), argument, Value());
}

//===--- All of it ----------------------------------------------------------------------------------------------===//

LogicalResult KernelLowering::run() {
  if (failed(checkCodeSize(source)) || failed(context.shared.plan(source, epilogueStages)))
    return failure();
  Emitters emit(context);
  OperationTable table(context, emit);
  context.lowerBlock = [&](Block *block) { return table.lowerOperations(block); };
  createFunction();
  emitSetup(emit);
  Block &body = source.getBody().front();
  if (failed(context.lowerBlock(&body)) || failed(lowerRoles(emit)) || failed(emit.scratch.checkTotalBytes()))
    return failure();
  prefetchMaps();
  finish(emit);
  return success();
}

void KernelLowering::finish(Emitters &emit) {
  func::FuncOp target = context.target;
  emit.descriptors.finish();
  sm90::kSharedBytesAttr.set(target, emit.scratch.totalBytes());
  builder.setInsertionPointToEnd(&target.getBody().front());
  builder.create<func::ReturnOp>(source.getLoc());
  if (auto shuffle = thread.ctaWarp.getDefiningOp<sm90::ShuffleOp>(); shuffle && thread.ctaWarp.use_empty())
    shuffle.erase(); // not known to do nothing
  source.erase();
  readPackedHalves(target);
  eraseUnused(target);
}

#define GEN_PASS_DEF_LOWERAREF
#include "compiler/target/hopper/TawaToSM90/Passes.h.inc"

namespace {
struct LowerArefPass : impl::LowerArefBase<LowerArefPass> {
  using LowerArefBase::LowerArefBase;
  void runOnOperation() override {
    tt::FuncOp func = findKernel(getOperation());
    if (!func)
      return signalPassFailure();
    func.walk([&](ws::WarpGroupOp role) { roles.at(role); });
    func.walk([&](ws::CreateArefOp ring) { rings.at(ring); });
    if (failed(KernelLowering(func, epilogueStages).run()))
      return signalPassFailure();
    getOperation().walk([&](Operation *op) {
      ++operations;
      if (isa<sm90::WgmmaOp, sm90::WgmmaRsOp, sm90::MmaOp>(op))
        dots.because(op, op->getName().getStringRef());
    });
  }
};
} // namespace

} // namespace tawa
