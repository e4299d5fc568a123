// Walks the roles and records loops, puts, dots and stores. Scalars are translated recursively, with memoization;
// operations become steps in program order.
#include "compiler/analysis/WorkSummary.h"

#include "compiler/analysis/AxisInfo.h"
#include "compiler/analysis/DotKind.h"
#include "compiler/analysis/LogicalArguments.h"
#include "compiler/analysis/PointerTiles.h"
#include "compiler/analysis/ProgramGrid.h"
#include "compiler/analysis/RegisterPlan.h"
#include "compiler/analysis/RejectReason.h"
#include "compiler/analysis/RingFacts.h"
#include "compiler/analysis/SharedBudget.h"
#include "compiler/analysis/SumSlices.h"
#include "compiler/analysis/TileLoop.h"
#include "compiler/analysis/TileStores.h"
#include "compiler/analysis/UniformTileWork.h"
#include "compiler/roles/Tawa/Target.h"
#include "runtime/artifact/ConfigKeys.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tawa {

namespace {

using Op = WorkValue::Op;

//===--- Scalars --------------------------------------------------------------------------------------------------===//

class Scalars {
public:
  explicit Scalars(std::vector<WorkValue> &values) : values(values) {}

  int32_t of(Value value) {
    auto [place, isNew] = known.try_emplace(value, -1);
    if (!isNew)
      return place->second >= 0 ? place->second : unknown(); // a value that depends on itself is carried by a loop
    int32_t index = translate(value);
    return known[value] = index;
  }
  void set(Value value, int32_t index) { known[value] = index; }
  int32_t add(Op op, int32_t a = -1, int32_t b = -1, int32_t c = -1, int64_t number = 0) {
    values.push_back({op, a, b, c, number});
    return static_cast<int32_t>(values.size()) - 1;
  }
  int32_t unknown() { return add(Op::Unknown); }

private:
  int32_t translate(Value value);
  int32_t parameter(BlockArgument argument);
  int32_t compare(arith::CmpIOp op);
  int32_t binary(Op kind, Operation *op) {
    int32_t a = of(op->getOperand(0)), b = of(op->getOperand(1));
    return add(kind, a, b);
  }

  std::vector<WorkValue> &values;
  DenseMap<Value, int32_t> known;
};

std::optional<Op> arithmeticOf(Operation *op) {
  return llvm::TypeSwitch<Operation *, std::optional<Op>>(op)
      .Case<arith::AddIOp>([](auto) { return Op::Add; })
      .Case<arith::SubIOp>([](auto) { return Op::Sub; })
      .Case<arith::MulIOp>([](auto) { return Op::Mul; })
      .Case<arith::DivSIOp, arith::DivUIOp>([](auto) { return Op::Div; })
      .Case<arith::CeilDivSIOp, arith::CeilDivUIOp>([](auto) { return Op::CeilDiv; })
      .Case<arith::RemSIOp, arith::RemUIOp>([](auto) { return Op::Rem; })
      .Case<arith::MinSIOp, arith::MinUIOp>([](auto) { return Op::Min; })
      .Case<arith::MaxSIOp, arith::MaxUIOp>([](auto) { return Op::Max; })
      .Case<arith::AndIOp>([](auto) { return Op::And; })
      .Case<arith::OrIOp>([](auto) { return Op::Or; })
      .Case<arith::XOrIOp>([](auto) { return Op::Xor; })
      .Case<arith::ShLIOp>([](auto) { return Op::Shl; })
      .Case<arith::ShRSIOp, arith::ShRUIOp>([](auto) { return Op::Shr; })
      .Default([](auto) { return std::nullopt; });
}

int32_t Scalars::compare(arith::CmpIOp op) {
  int32_t a = of(op.getLhs()), b = of(op.getRhs());
  switch (op.getPredicate()) {
  case arith::CmpIPredicate::eq:
    return add(Op::Equal, a, b);
  case arith::CmpIPredicate::ne:
    return add(Op::NotEqual, a, b);
  case arith::CmpIPredicate::slt:
  case arith::CmpIPredicate::ult:
    return add(Op::Less, a, b);
  case arith::CmpIPredicate::sle:
  case arith::CmpIPredicate::ule:
    return add(Op::LessEqual, a, b);
  case arith::CmpIPredicate::sgt:
  case arith::CmpIPredicate::ugt:
    return add(Op::Less, b, a);
  case arith::CmpIPredicate::sge:
  case arith::CmpIPredicate::uge:
    return add(Op::LessEqual, b, a);
  }
  return unknown();
}

int32_t Scalars::parameter(BlockArgument argument) {
  auto func = dyn_cast<tt::FuncOp>(argument.getOwner()->getParentOp());
  auto role = func ? parameterRole(func, argument.getArgNumber()) : std::nullopt;
  if (!role || !argument.getType().isSignlessInteger())
    return unknown();
  auto of = static_cast<int32_t>(role->argument), dimension = static_cast<int32_t>(role->dimension);
  switch (role->part) {
  case ParameterRole::Part::Scalar:
    return add(Op::Scalar, of);
  case ParameterRole::Part::Shape:
    return add(Op::Shape, of, dimension);
  case ParameterRole::Part::Stride:
    return add(Op::Stride, of, dimension);
  case ParameterRole::Part::Grid:
  case ParameterRole::Part::Programs:
    return add(Op::Programs, dimension);
  case ParameterRole::Part::Descriptor:
  case ParameterRole::Part::Pointer:
  case ParameterRole::Part::Scratch:
  case ParameterRole::Part::Workspace:
    break;
  }
  return unknown();
}

int32_t Scalars::translate(Value value) {
  APInt number;
  if (matchPattern(value, m_ConstantInt(&number)) && number.getBitWidth() <= 64)
    return add(Op::Constant, -1, -1, -1, number.getBitWidth() == 1 ? number.getZExtValue() : number.getSExtValue());
  if (auto argument = dyn_cast<BlockArgument>(value))
    return parameter(argument);
  Operation *op = value.getDefiningOp();
  if (auto kind = arithmeticOf(op))
    return binary(*kind, op);
  if (isa<arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp, arith::IndexCastOp>(op))
    return of(op->getOperand(0));
  if (auto compared = dyn_cast<arith::CmpIOp>(op))
    return compare(compared);
  if (auto select = dyn_cast<arith::SelectOp>(op)) {
    int32_t condition = of(select.getCondition()), yes = of(select.getTrueValue()), no = of(select.getFalseValue());
    return add(Op::Select, condition, yes, no);
  }
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    unsigned index = cast<OpResult>(value).getResultNumber();
    int32_t condition = of(branch.getCondition()), yes = of(branch.thenYield().getOperand(index)),
            no = of(branch.elseYield().getOperand(index));
    return add(Op::Select, condition, yes, no);
  }
  if (auto id = dyn_cast<tt::GetProgramIdOp>(op))
    return add(Op::Program, static_cast<int32_t>(id.getAxis()));
  if (auto count = dyn_cast<tt::GetNumProgramsOp>(op))
    return add(Op::Programs, static_cast<int32_t>(count.getAxis()));
  return unknown();
}

//===--- Work of tensors ------------------------------------------------------------------------------------------===//

/// FMA-like operations of one element: special functions have a quarter of a scheduler's rate or less, divisions are
/// sequences.
double costPerElement(Operation *op) {
  return llvm::TypeSwitch<Operation *, double>(op)
      .Case<math::ExpOp, math::Exp2Op, math::LogOp, math::Log2Op, math::SqrtOp, math::RsqrtOp>([](auto) { return 8; })
      .Case<arith::DivFOp, arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp, arith::RemFOp>(
          [](auto) { return 10; })
      .Case<arith::TruncFOp, arith::ExtFOp, arith::SIToFPOp, arith::FPToSIOp, arith::UIToFPOp>([](auto) { return 1; })
      .Case<math::FmaOp>([](auto) { return 1; })
      .Default([](Operation *other) {
        if (isa<arith::ArithDialect>(other->getDialect()))
          return 1.0;
        return isa<math::MathDialect>(other->getDialect()) ? 20.0 : 0.0;
      });
}

int64_t elementsOf(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? tensor.getNumElements() : 0;
}

double vectorOperations(Operation *op) {
  if (op->hasTrait<OpTrait::ConstantLike>())
    return 0;
  if (isa<tt::ReduceOp, tt::ScanOp>(op)) // one combination per element, and shuffles at the end
    return 1.5 * static_cast<double>(elementsOf(op->getOperand(0).getType()));
  return op->getNumResults() == 1 ? costPerElement(op) * static_cast<double>(elementsOf(op->getResult(0).getType()))
                                  : 0;
}

/// Of tensors of numbers.
int64_t bytesCarriedBy(scf::ForOp loop) {
  int64_t bytes = 0;
  for (Type type : loop.getResultTypes())
    if (auto tensor = dyn_cast<RankedTensorType>(type); tensor && tensor.getElementType().isIntOrFloat())
      bytes += tensor.getNumElements() * tensor.getElementTypeBitWidth() / 8;
  return bytes;
}

/// For each number of consumer groups up to this one, what depends on it is part of the summary.
constexpr uint32_t kMostGroups = 4;

class Summarizer {
public:
  Summarizer(WorkSummary &summary) : summary(summary), scalars(summary.values) {}

  void summarize(ModuleOp module);

private:
  void addRegisters(ModuleOp module, const Target &target);
  using Steps = std::vector<WorkStep>;

  void addRole(ws::WarpGroupOp role);
  void addBlock(Block &block, Steps &steps);
  void addOperation(Operation &op, Steps &steps);
  void addLoop(scf::ForOp loop, Steps &steps);
  void addBranch(scf::IfOp branch, Steps &steps);
  void addDot(tt::DotOp dot, Steps &steps);
  void addAccess(WorkStep::Kind kind, Operation *op, Value address, Type tile, Steps &steps);
  static void addVector(double operations, Steps &steps);

  int32_t ringOf(Operation *load);
  static int32_t argumentOf(Value address);

  WorkSummary &summary;
  Scalars scalars;
  DenseMap<Value, int32_t> rings;
  uint32_t warps = 0;                   ///< Of the role at hand.
  std::optional<AxisInfoAnalysis> axes; ///< Of a kernel with one role and a dot.
  TmaStores stores;
  SmallVector<tt::DotOp> lastDots; ///< The first product of each of the last steps, as far as these are products.
};

static bool isAnyByElement(const std::vector<WorkStep> &steps) {
  return llvm::any_of(steps, [](const WorkStep &step) {
    return (step.access.isByElement && step.access.ring >= 0) || isAnyByElement(step.body) ||
           isAnyByElement(step.otherwise);
  });
}
static bool isAnyByElement(const WorkSummary &summary) {
  return llvm::any_of(summary.roles, [](const RoleWork &role) { return isAnyByElement(role.steps); });
}

/// Of a producer, in one round of the loop where they are most.
static uint32_t copiesPerThread(ModuleOp module, uint32_t producerGroups) {
  llvm::DenseMap<Block *, uint32_t> copies;
  uint32_t most = 0;
  module.walk([&](ws::CopyTileOp copy) {
    uint32_t &here = copies[copy->getBlock()];
    int64_t elements = cast<RankedTensorType>(copy.getType()).getNumElements();
    here += copiesOfTile(elements / copy.getVector(), producerGroups);
    most = std::max(most, here);
  });
  return most;
}

void Summarizer::summarize(ModuleOp module) {
  if (auto declined = ws::kDeclinedAttr.get(module))
    summary.declined = declined.str();
  if (auto notApplied = ws::kNotAppliedAttr.get(module))
    for (NamedAttribute setting : notApplied)
      summary.notApplied.emplace_back(setting.getName().str(), cast<StringAttr>(setting.getValue()).str());
  module.walk([&](tt::FuncOp func) {
    summary.uniformTileWork |= ws::kUniformTileWorkAttr.on(func);
    summary.paddedGrid |= ws::kPaddedGridAttr.on(func);
    summary.maskedPrograms = std::max(summary.maskedPrograms, programsWithinMasks(func));
    llvm::append_range(summary.rings, readRings(func));
  });
  for (auto func : module.getOps<tt::FuncOp>())
    if (!summary.declined.empty() && func.walk([](tt::DotOp) { return WalkResult::interrupt(); }).wasInterrupted())
      axes.emplace(func);
  module.walk([&](ws::CreateArefOp create) { // by channel, then the channel that carries its transposed tiles
    rings.try_emplace(create.getAref(), static_cast<int32_t>(rings.size()));
  });
  module.walk([&](ws::WarpGroupOp role) { addRole(role); });
  for (int ctas = 1; ctas <= findConfigKey("ctas")->most; ++ctas)
    addRegisters(module, moduleTarget(module).shareFor(ctas));
}

/// What plans leave to consumers, for each number of their groups.
void Summarizer::addRegisters(ModuleOp module, const Target &target) {
  std::vector<uint32_t> alone, beside;
  for (uint32_t groups = 1; groups <= kMostGroups; ++groups) {
    uint32_t producers = producerGroups(isAnyByElement(summary), groups);
    uint32_t copies = copiesPerThread(module, producers);
    alone.push_back(planRegisters(target, groups, copies, /*converter=*/{}, producers).consumer);
    copies = copiesPerThread(module, 1);
    beside.push_back(planRegisters(target, groups, copies, {1, /*computes=*/true}).consumer);
  }
  summary.consumerRegisters.push_back(std::move(alone));
  summary.registersBesideConverter.push_back(std::move(beside));
}

void Summarizer::addRole(ws::WarpGroupOp role) {
  RoleWork work;
  work.kind = ws::plainKind(role.getKind());
  work.warps = warps = role.getWarps();
  addBlock(role.getBody().front(), work.steps);
  if (work.kind == RoleKind::Consumer) {
    summary.panelBytes = panelBytes(role, warps, stores);
    summary.scratchBytes = epilogueBytes(role, warps, stores, [](Operation *) { return false; });
    summary.operandBytes = computedOperandBytes(role);
    summary.convertedBytes = convertedOperandBytes(role);
    summary.exchangedBytes = exchangedOperandBytes(role, warps);
    for (uint32_t groups = 1; groups <= kMostGroups; ++groups) {
      summary.movedBytes.push_back(movedOperandBytes(role, groups * kWarpsPerGroup));
      summary.slicedBytes.push_back(slicedSumBytes(role, groups * kWarpsPerGroup));
    }
  }
  summary.roles.push_back(std::move(work));
}

void Summarizer::addBlock(Block &block, Steps &steps) {
  for (Operation &op : block)
    addOperation(op, steps);
}

void Summarizer::addOperation(Operation &op, Steps &steps) {
  llvm::TypeSwitch<Operation *>(&op)
      .Case<scf::ForOp>([&](auto loop) { addLoop(loop, steps); })
      .Case<scf::IfOp>([&](auto branch) { addBranch(branch, steps); })
      .Case<tt::DotOp>([&](auto dot) { addDot(dot, steps); })
      .Case<tt::LoadOp, tt::DescriptorLoadOp, ws::CopyTileOp>([&](auto load) {
        addAccess(WorkStep::Kind::Load, load, load->getOperand(0), load->getResult(0).getType(), steps);
      })
      .Case<tt::StoreOp>([&](auto store) {
        addAccess(WorkStep::Kind::Store, store, store.getPtr(), store.getValue().getType(), steps);
      })
      .Case<tt::AtomicRMWOp>([&](auto atomic) { // also reads memory
        addAccess(WorkStep::Kind::Load, atomic, atomic.getPtr(), atomic.getVal().getType(), steps);
        addAccess(WorkStep::Kind::Store, atomic, atomic.getPtr(), atomic.getVal().getType(), steps);
      })
      .Case<tt::DescriptorStoreOp>([&](auto store) {
        addAccess(WorkStep::Kind::Store, store, store.getDesc(), store.getSrc().getType(), steps);
      })
      .Default([&](Operation *other) { addVector(vectorOperations(other), steps); });
}

/// Consecutive operations of the threads form one step.
void Summarizer::addVector(double operations, Steps &steps) {
  if (operations == 0)
    return;
  if (steps.empty() || steps.back().kind != WorkStep::Kind::Vector)
    steps.emplace_back();
  steps.back().operations += operations;
}

void Summarizer::addLoop(scf::ForOp loop, Steps &steps) {
  WorkStep step;
  step.kind = WorkStep::Kind::Loop;
  step.lower = scalars.of(loop.getLowerBound());
  step.upper = scalars.of(loop.getUpperBound());
  step.step = scalars.of(loop.getStep());
  step.walksGrid = ws::kTileLoopAttr.on(loop);
  step.induction = scalars.add(Op::Induction);
  scalars.set(loop.getInductionVar(), step.induction);
  for (Value carried : loop.getRegionIterArgs())
    scalars.set(carried, scalars.unknown());
  addBlock(*loop.getBody(), step.body);
  if (!loop.getBody()->getOps<tt::DotOp>().empty())
    summary.sumBytes += bytesCarriedBy(loop);
  if (!step.body.empty())
    steps.push_back(std::move(step));
}

void Summarizer::addBranch(scf::IfOp branch, Steps &steps) {
  WorkStep step;
  step.kind = WorkStep::Kind::Branch;
  step.condition = scalars.of(branch.getCondition());
  addBlock(*branch.thenBlock(), step.body);
  if (branch.elseBlock())
    addBlock(*branch.elseBlock(), step.otherwise);
  if (!step.body.empty() || !step.otherwise.empty())
    steps.push_back(std::move(step));
}

/// Where a product's columns lie side by side with those of the next: the slot that holds both.
static Operation *slotOfColumns(tt::DotOp dot) {
  auto columns = dot.getB().getDefiningOp<tt::TransOp>();
  return columns ? columns.getSrc().getDefiningOp<ws::GetOp>().getOperation() : nullptr;
}

/// Whether both are one instruction on PTX (target/hopper/SM90ToPTX/JoinWgmmas.cpp). Columns that are longer than a
/// swizzled row are in several panels in their part of the slot, so that those of the next part do not follow them.
static bool areJoined(tt::DotOp one, const WorkStep &first, tt::DotOp other, const WorkStep &next) {
  constexpr int64_t kMostColumns = 256, kPanelRowBits = int64_t{128} * 8;
  Operation *slot = slotOfColumns(one);
  return slot && slot == slotOfColumns(other) && one.getA() == other.getA() && one->getBlock() == other->getBlock() &&
         first.isWgmma && next.isWgmma && !first.isPromoted && !next.isPromoted &&
         first.isPipelined == next.isPipelined && first.n + next.n <= kMostColumns &&
         first.k * first.bits <= kPanelRowBits;
}

void Summarizer::addDot(tt::DotOp dot, Steps &steps) {
  auto a = cast<RankedTensorType>(dot.getA().getType()), b = cast<RankedTensorType>(dot.getB().getType());
  WorkStep step;
  step.kind = WorkStep::Kind::Dot;
  step.m = a.getDimSize(a.getRank() - 2) * (a.getRank() > 2 ? a.getDimSize(0) : 1);
  step.k = a.getDimSize(a.getRank() - 1);
  step.n = b.getDimSize(b.getRank() - 1);
  step.bits = a.getElementTypeBitWidth();
  DotPlan plan = planDot(dot, warps);
  step.isWgmma = plan.unit == DotUnit::Wgmma;
  step.isPromoted = plan.promoteEvery != 0;
  step.isFresh = matchPattern(dot.getC(), m_AnyZeroFloat()) || matchPattern(dot.getC(), m_Zero());
  step.isContinued = isa_and_nonnull<tt::DotOp>(dot.getC().getDefiningOp());
  Operation *source = dot.getA().getDefiningOp();
  step.aInRegisters = source && !isa<ws::GetOp, tt::TransOp>(source);
  auto isMadeBeside = [&](Value operand) {
    while (auto view = operand.getDefiningOp<tt::TransOp>())
      operand = view.getSrc();
    Operation *maker = operand.getDefiningOp();
    return maker && maker->getBlock() == dot->getBlock() && !isa<ws::GetOp>(maker);
  };
  step.isComputed = isMadeBeside(dot.getA()) || isMadeBeside(dot.getB());
  auto loop = dyn_cast<scf::ForOp>(dot->getParentOp());
  auto carried = dyn_cast<BlockArgument>(dot.getC());
  step.isPipelined = step.isWgmma && loop && carried && carried.getOwner() == loop.getBody() &&
                     dot.getResult().hasOneUse() && isa<scf::YieldOp>(*dot.getResult().user_begin());
  bool follows = !steps.empty() && steps.back().kind == WorkStep::Kind::Dot && !lastDots.empty() &&
                 lastDots.back()->getBlock() == dot->getBlock();
  if (!follows)
    lastDots.clear();
  for (auto [i, one] : llvm::enumerate(lastDots))
    if (WorkStep &first = steps[steps.size() - lastDots.size() + i]; areJoined(one, first, dot, step)) {
      first.n += step.n;
      return;
    }
  steps.push_back(std::move(step));
  lastDots.push_back(dot);
}

int32_t Summarizer::ringOf(Operation *load) {
  if (load->getNumResults() == 1)
    for (Operation *user : load->getResult(0).getUsers())
      if (auto put = dyn_cast<ws::PutOp>(user))
        return rings.lookup(put.getAref());
  return -1;
}

int32_t Summarizer::argumentOf(Value address) {
  auto base = dyn_cast_or_null<BlockArgument>(baseParameter(address));
  auto func = base ? dyn_cast<tt::FuncOp>(base.getOwner()->getParentOp()) : nullptr;
  auto role = func ? parameterRole(func, base.getArgNumber()) : std::nullopt;
  return role ? static_cast<int32_t>(role->argument) : -1;
}

void Summarizer::addAccess(WorkStep::Kind kind, Operation *op, Value address, Type tile, Steps &steps) {
  WorkStep step;
  step.kind = kind;
  WorkAccess &access = step.access;
  access.argument = argumentOf(address);
  access.ring = kind == WorkStep::Kind::Load ? ringOf(op) : -1;
  if (auto tensor = dyn_cast<RankedTensorType>(tile))
    access.block.assign(tensor.getShape().begin(), tensor.getShape().end());
  Type element = getElementTypeOrSelf(tile);
  access.elementBytes = element.isIntOrFloat() ? std::max(1u, element.getIntOrFloatBitWidth() / 8) : 8;
  auto addPlaces = [&](OperandRange indices) {
    access.isDescribed = true;
    for (Value index : indices)
      access.places.push_back(scalars.of(index));
  };
  if (auto load = dyn_cast<tt::DescriptorLoadOp>(op)) {
    addPlaces(load.getIndices());
    access.byTma = access.ring >= 0;
  } else if (auto copy = dyn_cast<ws::CopyTileOp>(op)) {
    access.isByElement = copy.getVector() * access.elementBytes < kLeastCopyBytes;
  } else if (auto store = dyn_cast<tt::DescriptorStoreOp>(op)) {
    addPlaces(store.getIndices());
    access.byTma = stores.has(store, warps);
  } else if (auto pointers = dyn_cast<tt::LoadOp>(op); pointers && axes && access.block.size() == 2) {
    access.isCopyable = element.isIntOrFloat() && planCopies(pointers, *axes).has_value();
    AccessFacts facts = axes->access(pointers.getPtr(), pointers.getMask());
    access.isByElement = *llvm::max_element(facts.vector) * access.elementBytes < kLeastCopyBytes;
  }
  steps.push_back(std::move(step));
}

} // namespace

void summarizeWork(ModuleOp module, WorkSummary &summary) { Summarizer(summary).summarize(module); }

} // namespace tawa
