// Kernel.cpp: the frame of a machine kernel: parameters, barrier setup, one branch per role.
#include "compiler/analysis/EqualTiles.h"
#include "compiler/analysis/LogicalArguments.h"
#include "compiler/analysis/RegisterPlan.h"
#include "compiler/conversion/TawaToSM90/CodeSize.h"
#include "compiler/conversion/TawaToSM90/Lowering.h"
#include "compiler/conversion/TawaToSM90/PackedHalves.h"
#include "compiler/conversion/TawaToSM90/TawaToSM90.h"
#include "compiler/conversion/TawaToSM90/Unused.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;

namespace tawa {

Value KernelLowering::constant(Location loc, uint32_t value) {
  return builder.create<arith::ConstantOp>(loc, builder.getI32IntegerAttr(value));
}

Value KernelLowering::add(Location loc, Value base, uint32_t offset) {
  return offset == 0 ? base : builder.create<arith::AddIOp>(loc, base, constant(loc, offset));
}

/// The bits of an index that a linear map moves by the same distance, and where each of them goes.
using Diagonals = llvm::SmallMapVector<int, uint32_t, 8>;

static Diagonals diagonalsOf(ArrayRef<uint32_t> bases) {
  Diagonals diagonals;
  for (auto [bit, basis] : llvm::enumerate(bases))
    for (uint32_t rest = basis; rest; rest &= rest - 1)
      diagonals[llvm::countr_zero(rest) - static_cast<int>(bit)] |= 1u << bit;
  return diagonals;
}

Value KernelLowering::applyBases(Location loc, Value index, ArrayRef<uint32_t> bases) {
  Value result;
  auto include = [&](Value term) {
    result = result ? builder.create<arith::XOrIOp>(loc, result, term).getResult() : term;
  };
  Diagonals diagonals = diagonalsOf(bases);
  size_t used = llvm::count_if(bases, [](uint32_t basis) { return basis != 0; });
  if (2 * diagonals.size() <= 3 * used) { // an AND and a shift for each distance
    for (auto [distance, mask] : diagonals) {
      Value term = mask == (1u << bases.size()) - 1
                       ? index
                       : builder.create<arith::AndIOp>(loc, index, constant(loc, mask)).getResult();
      if (distance > 0)
        term = builder.create<arith::ShLIOp>(loc, term, constant(loc, distance));
      if (distance < 0)
        term = builder.create<arith::ShRUIOp>(loc, term, constant(loc, -distance));
      include(term);
    }
    return result ? result : constant(loc, 0);
  }
  for (auto [bit, basis] : llvm::enumerate(bases)) {
    if (basis == 0)
      continue;
    // Bit `bit` of the index, spread to the mask 0 or -1 and cut to the basis.
    Value shifted = builder.create<arith::ShLIOp>(loc, index, constant(loc, 31 - bit));
    Value mask = builder.create<arith::ShRSIOp>(loc, shifted, constant(loc, 31));
    include(builder.create<arith::AndIOp>(loc, mask, constant(loc, basis)));
  }
  return result ? result : constant(loc, 0);
}

//===--- Function and parameters
//--------------------------------------------------------------------------------------===//

/// The machine type of a parameter that is passed as it is; null for descriptors, which become tensor maps where used.
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
  target = builder.create<func::FuncOp>(source.getLoc(), source.getName(), builder.getFunctionType(types, {}));
  Block *entry = target.addEntryBlock();
  for (auto [index, argument] : llvm::enumerate(kept)) {
    target.setArgAttr(index, ws::kArgumentAttr, source.getArgAttr(argument.getArgNumber(), ws::kArgumentAttr));
    values[argument] = {entry->getArgument(index)};
  }
  builder.setInsertionPointToStart(entry);
}

static ArrayAttr toArrayAttr(Builder &builder, ArrayRef<uint32_t> values) {
  return builder.getI32ArrayAttr(SmallVector<int32_t>(values.begin(), values.end()));
}

/// One tensor-map parameter per (descriptor, box, swizzle); made when first asked for.
Value KernelLowering::tensorMap(Value descriptor, ArrayRef<uint32_t> box, Swizzle swizzle) {
  if (auto make = descriptor.getDefiningOp<ws::MakeDescriptorOp>())
    return madeMap(make, box, swizzle);
  auto parameter = cast<BlockArgument>(descriptor);
  auto argument = source.getArgAttrOfType<DictionaryAttr>(parameter.getArgNumber(), ws::kArgumentAttr);
  Type element = cast<tt::TensorDescType>(descriptor.getType()).getBlockType().getElementType();
  if (auto integer = dyn_cast<IntegerType>(element))
    element = builder.getIntegerType(integer.getWidth());
  SmallVector<NamedAttribute> fields{
      builder.getNamedAttr("argument", argument.get("index")), builder.getNamedAttr("element", TypeAttr::get(element)),
      builder.getNamedAttr("box", toArrayAttr(builder, box)),
      builder.getNamedAttr("swizzle", builder.getI32IntegerAttr(static_cast<int32_t>(swizzle)))};
  if (Attribute described = source.getArgAttr(parameter.getArgNumber(), kDescriptorAttr))
    fields.push_back(builder.getNamedAttr("described", described));
  DictionaryAttr recipe = builder.getDictionaryAttr(fields);
  for (BlockArgument known : target.getArguments())
    if (target.getArgAttr(known.getArgNumber(), kTensorMapAttr) == recipe)
      return known;
  unsigned index = target.getNumArguments();
  target.insertArgument(index, sm90::TensorMapType::get(builder.getContext()),
                        builder.getDictionaryAttr({builder.getNamedAttr(kTensorMapAttr, recipe)}), descriptor.getLoc());
  return target.getArgument(index);
}

std::pair<Value, KernelLowering::Values> KernelLowering::tmaBox(Location loc, Value descriptor, ValueRange indices,
                                                                ArrayRef<uint32_t> shape, ArrayRef<uint32_t> origin,
                                                                Swizzle swizzle) {
  SmallVector<uint32_t> box(shape.rbegin(), shape.rend());
  box.resize(indices.size(), 1);
  Values coordinates;
  for (size_t dim = 0; dim < indices.size(); ++dim) { // innermost first
    Value index = one(indices[indices.size() - 1 - dim]);
    coordinates.push_back(dim < origin.size() ? add(loc, index, origin[origin.size() - 1 - dim]) : index);
  }
  return {tensorMap(descriptor, box, swizzle), coordinates};
}

//===--- Frame
//----------------------------------------------------------------------------------------------------------===//

/// Roles branch on the warp, and wgmma and TMA take what follows from it from uniform registers.
static bool needsUniformWarp(tt::FuncOp source) {
  if (!llvm::hasSingleElement(source.getOps<ws::WarpGroupOp>()))
    return true;
  return source
      .walk([](Operation *op) {
        return isa<tt::DescriptorStoreOp>(op) || runsOnWgmma(op) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Warps of the roles that multiply: those that a scheduler of the SM has to share between them.
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

/// Every thread learns where it is. Gives its number in the CTA.
Value KernelLowering::readPosition(Location loc, unsigned threads) {
  auto read = [&](sm90::SpecialRegister which) -> Value {
    return builder.create<sm90::SpecialRegisterOp>(loc, builder.getI32Type(), which);
  };
  sharedBase = builder.create<sm90::SharedBaseOp>(loc, builder.getI32Type());
  Value tid = read(sm90::SpecialRegister::TidX);
  warp = builder.create<arith::ShRUIOp>(loc, tid, constant(loc, 5));
  if (needsUniformWarp(source)) {
    lane = read(sm90::SpecialRegister::LaneId);
    // Read through lane 0, so that the assembler knows the warp index to be uniform and keeps what follows from it in
    // uniform registers (descriptors above all).
    warp = builder.create<sm90::ShuffleOp>(loc, warp.getType(), sm90::ShuffleMode::Idx, warp, constant(loc, 0));
  } else { // both are bits of one number, and addresses made of them need not take it apart
    lane = builder.create<arith::AndIOp>(loc, tid, constant(loc, kLanes - 1));
    thread = tid;
  }
  if (threads == kLanes)
    warp = constant(loc, 0);
  if (auto size = source->getAttrOfType<IntegerAttr>(ws::kClusterAttr))
    cluster = size.getInt();
  if (auto size = source->getAttrOfType<IntegerAttr>(ws::kSplitAttr))
    cluster = split = size.getInt();
  if (cluster != 1)
    clusterRank = read(sm90::SpecialRegister::ClusterCtaRank);
  return tid;
}

/// Thread 0 makes the barriers of rings, under which the launch ahead may still end; nobody goes on before they exist
/// and that launch is over.
void KernelLowering::emitSetup() {
  Location loc = source.getLoc();
  unsigned threads = 0;
  for (auto role : source.getOps<ws::WarpGroupOp>())
    threads += role.getWarps() * kLanes;
  Value tid = readPosition(loc, threads);
  bool hasBarriers = !shared.allRings().empty() || !shared.allSums().empty();
  if (hasBarriers) {
    Value isFirst = builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::eq, tid, constant(loc, 0));
    auto once = builder.create<scf::IfOp>(loc, isFirst, /*withElseRegion=*/false);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(once.thenBlock());
    initBarriers(loc);
    initDescriptors(loc);
  }
  builder.create<sm90::GridDependencyWaitOp>(loc);
  if (hasBarriers)
    awaitBarriers(loc, threads);
  setKernelAttributes(threads);
}

void KernelLowering::awaitBarriers(Location loc, unsigned threads) {
  if (cluster == split)
    builder.create<sm90::BarrierSyncOp>(loc, 0, threads);
  else // peers arrive at the barriers and count bytes on them
    waitForCluster(loc);
  if (split != 1) { // the other half of it comes when peers are needed
    builder.create<sm90::WarpSyncOp>(loc);
    builder.create<sm90::ClusterArriveOp>(loc);
  }
}

void KernelLowering::setKernelAttributes(unsigned threads) {
  target->setAttr("sm90.kernel", builder.getUnitAttr());
  target->setAttr("sm90.threads", builder.getI32IntegerAttr(threads));
  target->setAttr("sm90.product_warps", builder.getI32IntegerAttr(productWarps(source)));
  target->setAttr("sm90.cluster", builder.getDenseI32ArrayAttr({static_cast<int32_t>(cluster), 1, 1}));
  if (Attribute divides = source->getAttr(ws::kClusterDividesAttr))
    target->setAttr(ws::kClusterDividesAttr, divides);
  if (Attribute equal = source->getAttr(kEqualTilesAttr))
    target->setAttr(kEqualTilesAttr, equal);
  if (split != 1)
    target->setAttr(ws::kSplitAttr, builder.getI32IntegerAttr(split));
  // A lone role keeps what it begins with. Told no count, the assembler leaves room for several CTAs on an SM.
  auto roles = source.getOps<ws::WarpGroupOp>();
  loneRole = llvm::hasSingleElement(roles);
  entryRegisters = tawa::entryRegisters(threads);
  if (loneRole)
    entryRegisters = (*roles.begin()).getRegisters();
  if (entryRegisters)
    target->setAttr("sm90.entry_registers", builder.getI32IntegerAttr(entryRegisters));
}

/// All threads of the cluster have come here. Lanes that took other ways come together first: the barrier is for whole
/// warps.
void KernelLowering::waitForCluster(Location loc) {
  builder.create<sm90::WarpSyncOp>(loc);
  builder.create<sm90::ClusterArriveOp>(loc);
  builder.create<sm90::ClusterWaitOp>(loc);
}

/// The CTAs of a program have begun and made their barriers.
void KernelLowering::awaitPeers(Location loc) {
  if (split == 1 || knowsPeers)
    return;
  builder.create<sm90::WarpSyncOp>(loc);
  builder.create<sm90::ClusterWaitOp>(loc);
  knowsPeers = true;
}

LogicalResult KernelLowering::lowerRoles() {
  SmallVector<ws::WarpGroupOp> roles(source.getOps<ws::WarpGroupOp>());
  Location loc = source.getLoc();
  unsigned firstWarp = 0;
  OpBuilder::InsertionGuard guard(builder);
  for (auto [index, op] : llvm::enumerate(roles)) {
    bool isLast = index + 1 == roles.size();
    scf::IfOp branch;
    if (!isLast) {
      Value mine =
          builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::ult, warp, constant(loc, firstWarp + op.getWarps()));
      branch = builder.create<scf::IfOp>(loc, mine, /*withElseRegion=*/true);
      builder.setInsertionPointToStart(branch.thenBlock());
    }
    roleIndex = index;
    knowsPeers = false;
    if (failed(lowerRole(op, firstWarp)))
      return failure();
    awaitPeers(loc); // who has arrived waits before it ends
    if (!isLast)
      builder.setInsertionPointToStart(branch.elseBlock());
    firstWarp += op.getWarps();
  }
  return success();
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

LogicalResult KernelLowering::lowerRole(ws::WarpGroupOp op, unsigned firstWarp) {
  Location loc = op.getLoc();
  role = op;
  singleThread = runsOnOneThread(op);
  scratchIsRead = false;
  globalOrder = {};
  scratchBytes = 0;
  if (uint32_t registers = op.getRegisters(); registers && !loneRole) {
    auto change = registers > entryRegisters ? sm90::RegisterChange::Inc : sm90::RegisterChange::Dec;
    builder.create<sm90::SetMaxRegistersOp>(loc, change, registers);
  }
  roleWarp = firstWarp == 0 ? warp : builder.create<arith::SubIOp>(loc, warp, constant(loc, firstWarp)).getResult();
  laneIsZero = builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::eq, lane, constant(loc, 0));
  leader = {};
  if (copiesWithAllThreads(op)) {
    Value isFirst = builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::eq, roleWarp, constant(loc, 0));
    Value elected = builder.create<sm90::ElectSyncOp>(loc, builder.getI1Type());
    leader = builder.create<arith::AndIOp>(loc, isFirst, elected);
  }
  if (!singleThread) {
    if (failed(lowerBlock(&op.getBody().front())))
      return failure();
    if (scratchBytes != 0)
      scratchEnd = scratchOffset + scratchBytes;
    bool stores = op.walk([](tt::DescriptorStoreOp) { return WalkResult::interrupt(); }).wasInterrupted();
    if (stores) // staging is read until then; a CTA must not end before
      builder.create<sm90::BulkWaitOp>(loc, 0, /*read=*/true);
    return success();
  }
  OpBuilder::InsertionGuard guard(builder);
  Value isFirst = builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::eq, roleWarp, constant(loc, 0));
  auto firstWarpOnly = builder.create<scf::IfOp>(loc, isFirst, /*withElseRegion=*/false);
  builder.setInsertionPointToStart(firstWarpOnly.thenBlock());
  Value elected = builder.create<sm90::ElectSyncOp>(loc, builder.getI1Type());
  auto one = builder.create<scf::IfOp>(loc, elected, /*withElseRegion=*/false);
  builder.setInsertionPointToStart(one.thenBlock());
  return lowerBlock(&op.getBody().front());
}

//===--- All of it
//-----------------------------------------------------------------------------------------------------===//

LogicalResult KernelLowering::run() {
  if (failed(checkCodeSize(source)) || failed(shared.plan(source, epilogueStages)))
    return failure();
  scratchEnd = shared.totalBytes();
  createFunction();
  emitSetup();
  Block &body = source.getBody().front();
  if (failed(lowerBlock(&body)) || failed(lowerRoles()) || failed(checkSharedBytes()))
    return failure();
  finishDescriptors();
  target->setAttr("sm90.shared_bytes", builder.getI32IntegerAttr(scratchEnd));
  builder.setInsertionPointToEnd(&target.getBody().front());
  if (cluster != split) // shared memory must stay while peers may write to it or arrive at its barriers
    waitForCluster(source.getLoc());
  builder.create<func::ReturnOp>(source.getLoc());
  if (auto shuffle = warp.getDefiningOp<sm90::ShuffleOp>(); shuffle && warp.use_empty())
    shuffle.erase(); // not known to do nothing
  source.erase();
  readPackedHalves(target);
  eraseUnused(target);
  return success();
}

#define GEN_PASS_DEF_TAWATOSM90
#include "compiler/conversion/TawaToSM90/Passes.h.inc"

namespace {
struct TawaToSM90Pass : impl::TawaToSM90Base<TawaToSM90Pass> {
  using TawaToSM90Base::TawaToSM90Base;
  void runOnOperation() override {
    tt::FuncOp func = findKernel(getOperation());
    if (!func || failed(KernelLowering(func, epilogueStages).run()))
      signalPassFailure();
  }
};
} // namespace

} // namespace tawa
