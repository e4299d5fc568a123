// Kernel.cpp: the frame of a machine kernel (parameters, barrier setup, one branch per role) and what passes through it
// unchanged but for the width: scalars, loops, elementwise operations.
#include "compiler/analysis/LogicalArguments.h"
#include "compiler/analysis/RegisterPlan.h"
#include "compiler/conversion/TawaToSM90/Lowering.h"
#include "compiler/conversion/TawaToSM90/TawaToSM90.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tawa {

Value KernelLowering::constant(Location loc, uint32_t value) {
  return builder.create<arith::ConstantOp>(loc, builder.getI32IntegerAttr(value));
}

Value KernelLowering::add(Location loc, Value base, uint32_t offset) {
  return offset == 0 ? base : builder.create<arith::AddIOp>(loc, base, constant(loc, offset));
}

Value KernelLowering::applyBases(Location loc, Value index, ArrayRef<uint32_t> bases) {
  Value result;
  for (auto [bit, basis] : llvm::enumerate(bases)) {
    if (basis == 0)
      continue;
    // Bit `bit` of the index, spread to the mask 0 or -1 and cut to the basis.
    Value shifted = builder.create<arith::ShLIOp>(loc, index, constant(loc, 31 - bit));
    Value mask = builder.create<arith::ShRSIOp>(loc, shifted, constant(loc, 31));
    Value term = builder.create<arith::AndIOp>(loc, mask, constant(loc, basis));
    result = result ? builder.create<arith::XOrIOp>(loc, result, term).getResult() : term;
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
  auto parameter = cast<BlockArgument>(descriptor);
  auto argument = source.getArgAttrOfType<DictionaryAttr>(parameter.getArgNumber(), ws::kArgumentAttr);
  Type element = cast<tt::TensorDescType>(descriptor.getType()).getBlockType().getElementType();
  if (auto integer = dyn_cast<IntegerType>(element))
    element = builder.getIntegerType(integer.getWidth());
  DictionaryAttr recipe = builder.getDictionaryAttr(
      {builder.getNamedAttr("argument", argument.get("index")), builder.getNamedAttr("element", TypeAttr::get(element)),
       builder.getNamedAttr("box", toArrayAttr(builder, box)),
       builder.getNamedAttr("swizzle", builder.getI32IntegerAttr(static_cast<int32_t>(swizzle)))});
  for (BlockArgument known : target.getArguments())
    if (target.getArgAttr(known.getArgNumber(), kTensorMapAttr) == recipe)
      return known;
  unsigned index = target.getNumArguments();
  target.insertArgument(index, sm90::TensorMapType::get(builder.getContext()),
                        builder.getDictionaryAttr({builder.getNamedAttr(kTensorMapAttr, recipe)}), descriptor.getLoc());
  return target.getArgument(index);
}

//===--- Frame
//----------------------------------------------------------------------------------------------------------===//

/// Every thread learns where it is; thread 0 makes the barriers; nobody goes on before they exist.
void KernelLowering::emitSetup() {
  Location loc = source.getLoc();
  unsigned threads = 0;
  for (auto role : source.getOps<ws::WarpGroupOp>())
    threads += role.getWarps() * kLanes;
  auto read = [&](sm90::SpecialRegister which) -> Value {
    return builder.create<sm90::SpecialRegisterOp>(loc, builder.getI32Type(), which);
  };
  sharedBase = builder.create<sm90::SharedBaseOp>(loc, builder.getI32Type());
  Value tid = read(sm90::SpecialRegister::TidX);
  lane = read(sm90::SpecialRegister::LaneId);
  // Read through lane 0, so that the assembler knows the warp index to be uniform and keeps what follows from it in
  // uniform registers (descriptors above all).
  Value ownWarp = builder.create<arith::ShRUIOp>(loc, tid, constant(loc, 5));
  warp = builder.create<sm90::ShuffleOp>(loc, ownWarp.getType(), sm90::ShuffleMode::Idx, ownWarp, constant(loc, 0));
  Value isFirst = builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::eq, tid, constant(loc, 0));
  auto once = builder.create<scf::IfOp>(loc, isFirst, /*withElseRegion=*/false);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(once.thenBlock());
    initBarriers(loc);
  }
  builder.create<sm90::BarrierSyncOp>(loc, 0, threads);
  target->setAttr("sm90.kernel", builder.getUnitAttr());
  target->setAttr("sm90.threads", builder.getI32IntegerAttr(threads));
  target->setAttr("sm90.shared_bytes", builder.getI32IntegerAttr(shared.totalBytes()));
  target->setAttr("sm90.cluster", builder.getDenseI32ArrayAttr({1, 1, 1}));
  uint32_t entry = std::min(kRegistersPerSM / threads / 8 * 8, kMaxRegistersPerThread);
  target->setAttr("sm90.entry_registers", builder.getI32IntegerAttr(entry));
}

LogicalResult KernelLowering::lowerRoles() {
  SmallVector<ws::WarpGroupOp> roles(source.getOps<ws::WarpGroupOp>());
  Location loc = source.getLoc();
  unsigned firstWarp = 0;
  unsigned entry = target->getAttrOfType<IntegerAttr>("sm90.entry_registers").getInt();
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
    if (failed(lowerRole(op, firstWarp, entry)))
      return failure();
    if (!isLast)
      builder.setInsertionPointToStart(branch.elseBlock());
    firstWarp += op.getWarps();
  }
  return success();
}

/// A role that only computes addresses and starts copies needs one thread.
static bool runsOnOneThread(ws::WarpGroupOp role) {
  WalkResult result = role.walk([](Operation *op) {
    if (isa<ws::GetOp, ws::ConsumedOp, tt::DescriptorStoreOp, ws::DotIssueOp>(op))
      return WalkResult::interrupt();
    return WalkResult::advance();
  });
  return !result.wasInterrupted();
}

LogicalResult KernelLowering::lowerRole(ws::WarpGroupOp op, unsigned firstWarp, unsigned entryRegisters) {
  Location loc = op.getLoc();
  role = op;
  if (uint32_t registers = op.getRegisters()) {
    auto change = registers > entryRegisters ? sm90::RegisterChange::Inc : sm90::RegisterChange::Dec;
    builder.create<sm90::SetMaxRegistersOp>(loc, change, registers);
  }
  roleWarp = firstWarp == 0 ? warp : builder.create<arith::SubIOp>(loc, warp, constant(loc, firstWarp)).getResult();
  laneIsZero = builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::eq, lane, constant(loc, 0));
  if (!runsOnOneThread(op)) {
    if (failed(lowerBlock(&op.getBody().front())))
      return failure();
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

//===--- What passes through
//------------------------------------------------------------------------------------------===//

LogicalResult KernelLowering::lowerLoop(scf::ForOp loop) {
  Values inits;
  SmallVector<size_t> widths;
  for (Value init : loop.getInitArgs()) {
    const Values &parts = values[init];
    widths.push_back(parts.size());
    inits.append(parts.begin(), parts.end());
  }
  auto clone = builder.create<scf::ForOp>(loop.getLoc(), one(loop.getLowerBound()), one(loop.getUpperBound()),
                                          one(loop.getStep()), inits);
  if (inits.empty()) // only a loop that carries nothing is built with its terminator
    clone.getBody()->getTerminator()->erase();
  auto bind = [&](ValueRange olds, ValueRange news) {
    for (auto [old, width] : llvm::zip(olds, widths)) {
      values[old] = Values(news.take_front(width));
      news = news.drop_front(width);
    }
  };
  values[loop.getInductionVar()] = {clone.getInductionVar()};
  bind(loop.getRegionIterArgs(), clone.getRegionIterArgs());
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(clone.getBody());
    if (failed(lowerBlock(loop.getBody())))
      return failure();
    Values yielded;
    for (Value value : loop.getYieldedValues())
      llvm::append_range(yielded, values[value]);
    builder.create<scf::YieldOp>(loop.getLoc(), yielded);
  }
  bind(loop.getResults(), clone.getResults());
  return success();
}

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
    return op.emitOpError() << "only constants with one value for all elements are supported";
  Value scalar = builder.create<arith::ConstantOp>(op.getLoc(), splat.getSplatValue<TypedAttr>());
  values[op] = Values(layout.getLayout().inSize("register"), scalar);
  return success();
}

LogicalResult KernelLowering::lowerScalar(Operation *op) {
  IRMapping mapping;
  for (Value operand : op->getOperands())
    mapping.map(operand, one(operand));
  Operation *clone = builder.clone(*op, mapping);
  for (auto [old, now] : llvm::zip(op->getResults(), clone->getResults()))
    values[old] = {now};
  return success();
}

/// The scalar form of an elementwise operation, once per register.
LogicalResult KernelLowering::lowerElementwise(Operation *op) {
  size_t count = 1;
  for (Value operand : op->getOperands())
    count = std::max(count, values[operand].size());
  SmallVector<Values> results(op->getNumResults());
  for (size_t index = 0; index < count; ++index) {
    OperationState state(op->getLoc(), op->getName());
    for (Value operand : op->getOperands()) {
      const Values &parts = values[operand];
      state.operands.push_back(parts.size() == 1 ? parts.front() : parts[index]);
    }
    for (Type type : op->getResultTypes())
      state.types.push_back(getElementTypeOrSelf(type));
    state.attributes = op->getDiscardableAttrDictionary();
    state.propertiesAttr = op->getPropertiesAsAttribute();
    Operation *scalar = builder.create(state);
    for (auto [list, result] : llvm::zip(results, scalar->getResults()))
      list.push_back(result);
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
    values[op->getResult(0)] = {
        builder.create<sm90::SpecialRegisterOp>(loc, builder.getI32Type(), gridRegister(count, axis))};
    return success();
  };
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case<ws::CreateArefOp, ws::WarpGroupOp, tt::ReturnOp, scf::YieldOp>([](auto) { return success(); })
      .Case<tt::DescriptorLoadOp>([](auto) { return success(); }) // its put does the work
      .Case<arith::ConstantOp>([&](auto constant) { return lowerConstant(constant); })
      .Case<scf::ForOp>([&](auto loop) { return lowerLoop(loop); })
      .Case<tt::GetProgramIdOp>([&](auto id) { return readGrid(false, static_cast<unsigned>(id.getAxis())); })
      .Case<tt::GetNumProgramsOp>([&](auto id) { return readGrid(true, static_cast<unsigned>(id.getAxis())); })
      .Case<ws::PutOp>([&](auto put) { return lowerPut(put); })
      .Case<ws::GetOp>([&](auto get) { return lowerGet(get), success(); })
      .Case<ws::ConsumedOp>([&](auto consumed) { return lowerConsumed(consumed), success(); })
      .Case<ws::DotBeginOp>([&](auto begin) { return lowerDotBegin(begin), success(); })
      .Case<ws::DotIssueOp>([&](auto issue) { return lowerDotIssue(issue); })
      .Case<ws::DotWaitOp>([&](auto wait) { return lowerDotWait(wait), success(); })
      .Case<tt::DescriptorStoreOp>([&](auto store) { return lowerStore(store); })
      .Case<tt::TransOp>([&](auto trans) { // a view: same bytes, other layout
        values[trans->getResult(0)] = values[trans->getOperand(0)];
        return success();
      })
      .Default([&](Operation *other) -> LogicalResult {
        auto isTensor = [](Type type) { return isa<ShapedType>(type); };
        if (!isMemoryEffectFree(other) || other->getNumRegions() != 0 || other->getName().getDialectNamespace() == "tt")
          return other->emitOpError() << "is not supported by this version of Tawa";
        if (llvm::any_of(other->getResultTypes(), isTensor))
          return lowerElementwise(other);
        return lowerScalar(other);
      });
}

LogicalResult KernelLowering::lowerBlock(Block *block) {
  for (Operation &op : *block)
    if (failed(lowerOperation(&op)))
      return failure();
  return success();
}

LogicalResult KernelLowering::run() {
  if (failed(shared.plan(source, epilogueStages)))
    return failure();
  createFunction();
  emitSetup();
  Block &body = source.getBody().front();
  if (failed(lowerBlock(&body)) || failed(lowerRoles()))
    return failure();
  builder.setInsertionPointToEnd(&target.getBody().front());
  builder.create<func::ReturnOp>(source.getLoc());
  source.erase();
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
