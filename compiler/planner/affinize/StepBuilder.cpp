// Builds loops, accesses and work of a tile program.
#include "compiler/planner/affinize/StepBuilder.h"

#include "compiler/planner/affinize/DescribeOperator.h"
#include "compiler/planner/affinize/Refuse.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <algorithm>

using namespace mlir;

namespace tawa {

using mesh::TileStep;

static bool isLoad(Operation *op) { return isa<tt::LoadOp, tt::DescriptorLoadOp>(op); }
static bool isStore(Operation *op) { return isa<tt::StoreOp, tt::DescriptorStoreOp>(op); }

static Value storedValue(Operation *op) {
  if (auto store = dyn_cast<tt::StoreOp>(op))
    return store.getValue();
  return cast<tt::DescriptorStoreOp>(op).getSrc();
}

/// Tensors as they lie in memory move without work of a unit: what only names, repeats or turns elements.
static bool isFree(Operation *op) {
  return op->hasTrait<OpTrait::ConstantLike>() ||
         isa<tt::SplatOp, tt::UnsplatOp, tt::BroadcastOp, tt::ExpandDimsOp, tt::TransOp, tt::ReshapeOp, tt::MakeRangeOp,
             tt::BitcastOp, tt::GetProgramIdOp, tt::GetNumProgramsOp>(op);
}

/// Whether a tile changes its float type on its way from or to memory: what packs and unpacks tiles does that as well.
static bool isConvertedByAccess(Operation *op) {
  if (!isa<arith::ExtFOp, arith::TruncFOp, tt::FpToFpOp>(op))
    return false;
  Operation *source = op->getOperand(0).getDefiningOp();
  return (source && isLoad(source)) || llvm::all_of(op->getUsers(), isStore);
}

/// Values of tensors and floats are work; other scalars are addresses and bounds.
static bool isWork(Type type) { return isa<FloatType>(tt::elementTypeOf(type)) || isa<RankedTensorType>(type); }

static std::optional<AffinizeReason> obstacle(Operation *op) {
  if (isa<scf::WhileOp>(op))
    return AffinizeReason::WhileLoop;
  if (isa<scf::IfOp>(op))
    return AffinizeReason::Condition;
  if (isa<tt::AtomicRMWOp, tt::AtomicCASOp, tt::DescriptorReduceOp>(op))
    return AffinizeReason::Atomic;
  if (isa<tt::DescriptorGatherOp, tt::DescriptorScatterOp>(op))
    return AffinizeReason::AddressDependsOnData;
  bool isKnown = isLoad(op) || isStore(op) || isa<scf::ForOp>(op) || op->hasTrait<OpTrait::IsTerminator>() ||
                 op->hasTrait<OpTrait::HasRecursiveMemoryEffects>();
  return isKnown || isMemoryEffectFree(op) ? std::nullopt : std::optional(AffinizeReason::SideEffect);
}

LogicalResult StepBuilder::checkOperation(Operation *op) {
  std::optional<AffinizeReason> reason = obstacle(op);
  return reason ? refuse(op, *reason) : success();
}

//===--- What is computed -----------------------------------------------------------------------------------------===//

/// Values that an operation's result of this number is computed from; addresses and masks are not among them.
static void pushOperands(OpResult result, SmallVectorImpl<Value> &list) {
  Operation *op = result.getOwner();
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    list.push_back(loop.getInitArgs()[result.getResultNumber()]);
    list.push_back(loop.getYieldedValues()[result.getResultNumber()]);
  } else if (!isLoad(op)) {
    llvm::copy_if(op->getOperands(), std::back_inserter(list), [](Value operand) { return isWork(operand.getType()); });
  }
}

static void pushOperands(BlockArgument argument, SmallVectorImpl<Value> &list) {
  auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
  if (!loop || argument == loop.getInductionVar())
    return;
  list.push_back(loop.getInitArgs()[argument.getArgNumber() - 1]);
  list.push_back(loop.getYieldedValues()[argument.getArgNumber() - 1]);
}

void StepBuilder::findComputed() {
  SmallVector<Value> list;
  func.walk([&](Operation *op) {
    if (isStore(op))
      list.push_back(storedValue(op));
  });
  while (!list.empty()) {
    Value value = list.pop_back_val();
    if (!values.insert(value).second)
      continue;
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      pushOperands(argument, list);
      continue;
    }
    computed.insert(value.getDefiningOp());
    pushOperands(cast<OpResult>(value), list);
  }
}

//===--- Work -----------------------------------------------------------------------------------------------------===//

/// The steps of its block that an operation's operands come from, each once, in order.
StepBuilder::Positions StepBuilder::sourcesOf(Operation *op) {
  Positions sources;
  for (Value operand : op->getOperands()) {
    Operation *definition = operand.getDefiningOp();
    if (definition && definition->getBlock() == op->getBlock())
      llvm::append_range(sources, positions.lookup(definition));
  }
  llvm::sort(sources);
  sources.erase(std::unique(sources.begin(), sources.end()), sources.end());
  return sources;
}

/// The value of all elements of a constant.
static std::optional<double> constantOf(Value value) {
  Attribute attribute;
  if (!matchPattern(value, m_Constant(&attribute)))
    return std::nullopt;
  if (auto splat = dyn_cast<SplatElementsAttr>(attribute))
    attribute = splat.getSplatValue<Attribute>();
  auto number = dyn_cast<FloatAttr>(attribute);
  return number ? std::optional(number.getValueAsDouble()) : std::nullopt;
}

/// Loops from `inside` out to `block`, or nothing where it is not around.
static std::optional<int> loopsOutTo(Block *block, Block *inside) {
  int loops = 0;
  for (; inside != block; ++loops) {
    auto loop = dyn_cast_or_null<scf::ForOp>(inside->getParentOp());
    if (!loop)
      return std::nullopt;
    inside = loop->getBlock();
  }
  return loops;
}

/// A value of one dimension as a column that is repeated.
static Value repeatedColumn(Operation *op) {
  auto broadcast = dyn_cast<tt::BroadcastOp>(op);
  auto column = broadcast ? broadcast.getSrc().getDefiningOp<tt::ExpandDimsOp>() : tt::ExpandDimsOp();
  auto source = column ? dyn_cast<RankedTensorType>(column.getSrc().getType()) : RankedTensorType();
  return source && source.getRank() == 1 && column.getAxis() == 1 ? column.getSrc() : Value();
}

/// Through what only turns or repeats elements, and through what accesses convert; null for a shape of another kind.
Value StepBuilder::sourceOf(Value value, mesh::TileOperand &operand) {
  for (Operation *op = value.getDefiningOp(); op; op = value.getDefiningOp()) {
    if (isa<tt::TransOp>(op) && cast<RankedTensorType>(op->getResult(0).getType()).getRank() == 2) {
      operand.isTransposed = !operand.isTransposed;
    } else if (isa<tt::SplatOp>(op)) {
      operand.spread = mesh::TileOperand::Spread::All;
    } else if (Value column = repeatedColumn(op)) {
      operand.spread = mesh::TileOperand::Spread::Columns;
      value = column;
      continue;
    } else if (!isConvertedByAccess(op)) {
      break;
    }
    value = op->getOperand(0);
  }
  return operand.isTransposed && operand.spread != mesh::TileOperand::Spread::None ? Value() : value;
}

/// What is read in `block`. Repeated and reshaped values of other kinds than TileOperand's are Kind::Other.
mesh::TileOperand StepBuilder::exactOperand(Value value, Block *block) {
  mesh::TileOperand operand;
  Value source = sourceOf(value, operand);
  if (!source)
    return {};
  if (std::optional<double> constant = constantOf(source)) {
    operand.kind = mesh::TileOperand::Kind::Constant;
    operand.value = *constant;
  } else if (auto argument = dyn_cast<BlockArgument>(source)) {
    readArgument(argument, block, operand);
  } else if (std::optional<int> outer = loopsOutTo(source.getParentBlock(), block)) {
    Operation *definition = source.getDefiningOp();
    if (!isFree(definition) && positions.lookup(definition).size() == 1) {
      operand.kind = mesh::TileOperand::Kind::Step;
      operand.step = positions.lookup(definition).front();
      operand.result = static_cast<int>(cast<OpResult>(source).getResultNumber());
      operand.outer = *outer;
      if (isLoad(definition))
        turn(operand, definition);
    }
  }
  return operand;
}

mesh::TileOperand StepBuilder::conditionOperand(Value condition) {
  mesh::TileOperand operand;
  if (std::optional<LinearMask> mask = maskReader.read(condition)) {
    operand.kind = mesh::TileOperand::Kind::Mask;
    operand.step = static_cast<int>(masks.size());
    masks.push_back(std::move(*mask));
  }
  return operand;
}

void StepBuilder::readArgument(BlockArgument argument, Block *block, mesh::TileOperand &operand) {
  if (argument.getOwner() == &func.getBody().front()) {
    if (!isa<FloatType>(argument.getType()))
      return;
    auto found = llvm::find(scalars, argument);
    operand.step = static_cast<int>(found - scalars.begin());
    if (found == scalars.end())
      scalars.push_back(argument);
    operand.kind = mesh::TileOperand::Kind::Argument;
  } else if (std::optional<int> outer = loopsOutTo(argument.getOwner(), block); outer && argument.getArgNumber() > 0) {
    operand.kind = mesh::TileOperand::Kind::Carried;
    operand.result = static_cast<int>(argument.getArgNumber()) - 1;
    operand.outer = *outer;
  }
}

/// Notes what the load or store does to the order of dimensions.
void StepBuilder::turn(mesh::TileOperand &operand, Operation *access) const {
  const std::vector<int> &dims = llvm::find_if(accesses, [&](const auto &a) { return a.op == access; })->block.dims;
  if (dims.size() == 2 && dims[0] == dims[1] + 1)
    operand.isTransposed = !operand.isTransposed;
  else if (llvm::is_contained(dims, -1) || !llvm::is_sorted(dims))
    operand.kind = mesh::TileOperand::Kind::Other;
}

void StepBuilder::buildOperator(Operation *op, Steps &into) {
  Positions sources = sourcesOf(op);
  if (isFree(op) || isConvertedByAccess(op)) {
    positions[op] = std::move(sources);
    return;
  }
  TileStep step;
  step.op = operatorOf(op);
  step.op.operands.assign(sources.begin(), sources.end());
  for (OpOperand &operand : op->getOpOperands()) {
    bool isCondition = isa<arith::SelectOp>(op) && operand.getOperandNumber() == 0;
    step.op.reads.push_back(isCondition ? conditionOperand(operand.get())
                                        : exactOperand(operand.get(), op->getBlock()));
  }
  positions[op] = {static_cast<int>(into.size())};
  into.push_back(std::move(step));
}

//===--- Accesses and loops ---------------------------------------------------------------------------------------===//

LogicalResult StepBuilder::buildAccess(Operation *op, Steps &into) {
  FailureOr<LinearBlock> block = blocks.read(op);
  if (failed(block))
    return failure();
  TileStep step;
  step.kind = isLoad(op) ? TileStep::Kind::Load : TileStep::Kind::Store;
  step.access.tensor = block->tensor;
  step.access.block = block->block;
  step.access.isMasked = block->isMasked;
  step.access.operation = isLoad(op) ? numberOfLoads++ : numberOfStores++;
  accesses.push_back({op, std::move(*block)});
  if (isLoad(op)) {
    positions[op] = {static_cast<int>(into.size())};
  } else {
    step.stored = exactOperand(storedValue(op), op->getBlock());
    turn(step.stored, op);
  }
  into.push_back(std::move(step));
  return success();
}

FailureOr<CountedLoop> StepBuilder::countIterations(scf::ForOp loop) {
  std::optional<Linear> first = linear.read(loop.getLowerBound()), end = linear.read(loop.getUpperBound());
  std::optional<Linear> step = linear.read(loop.getStep());
  std::optional<int64_t> stride = step ? step->asConstant() : std::nullopt;
  if (!first || !end || !stride) {
    auto isData = [](Value bound) { return dependsOnData(bound); };
    bool fromData = llvm::any_of(ValueRange{loop.getLowerBound(), loop.getUpperBound(), loop.getStep()}, isData);
    return refuse(loop, fromData ? AffinizeReason::TripCountDependsOnData : AffinizeReason::TripCountDependsOnLoop);
  }
  end->add(*first, -1);
  if (!end->loops.empty())
    return refuse(loop, AffinizeReason::TripCountDependsOnLoop);
  auto iterations = [&](int64_t distance) { return std::max<int64_t>(0, (distance + *stride - 1) / *stride); };
  CountedLoop counted{loop, iterations(std::ranges::max(end->programs)), *stride};
  if (iterations(std::ranges::min(end->programs)) != counted.extent)
    counted.distances = std::move(end->programs);
  return counted;
}

int64_t StepBuilder::bytesCarriedBy(scf::ForOp loop) const {
  int64_t bytes = 0;
  for (BlockArgument argument : loop.getRegionIterArgs())
    if (values.contains(argument) && isWork(argument.getType()))
      bytes += elementsOf(argument.getType()) *
               std::max<int64_t>(1, tt::elementTypeOf(argument.getType()).getIntOrFloatBitWidth() / 8);
  return bytes;
}

LogicalResult StepBuilder::buildLoop(scf::ForOp loop, Steps &into, int64_t &carried) {
  FailureOr<CountedLoop> counted = countIterations(loop);
  if (failed(counted))
    return failure();
  if (counted->extent == 0)
    return success();
  int number = static_cast<int>(loops.size());
  linear.enter(loop, number, counted->extent);
  loops.push_back(std::move(*counted));
  TileStep step;
  step.kind = TileStep::Kind::Loop;
  step.index = number;
  int64_t inside = 0;
  if (failed(buildBlock(*loop.getBody(), step.body, inside)))
    return failure();
  if (step.body.empty()) { // it computes scalars only, and so do loops in it
    loops.resize(number);
    return success();
  }
  for (auto [first, next] : llvm::zip(loop.getInitArgs(), loop.getYieldedValues()))
    step.carries.push_back({exactOperand(first, loop->getBlock()), exactOperand(next, loop.getBody())});
  carried = std::max(carried, inside + bytesCarriedBy(loop));
  positions[loop] = {static_cast<int>(into.size())};
  into.push_back(std::move(step));
  return success();
}

LogicalResult StepBuilder::buildOperation(Operation *op, Steps &into, int64_t &carried) {
  if (failed(checkOperation(op)))
    return failure();
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return buildLoop(loop, into, carried);
  if (isStore(op) || (isLoad(op) && isComputed(op)))
    return buildAccess(op, into);
  if (isComputed(op))
    buildOperator(op, into);
  return success();
}

LogicalResult StepBuilder::buildBlock(Block &block, Steps &into, int64_t &carried) {
  for (Operation &op : block)
    if (failed(buildOperation(&op, into, carried)))
      return failure();
  return success();
}

LogicalResult StepBuilder::build() {
  findComputed();
  return buildBlock(func.getBody().front(), steps, carriedBytes);
}

} // namespace tawa
