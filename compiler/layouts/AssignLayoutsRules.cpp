// AssignLayouts, rules: the operand layouts that each operation requires and the result layouts that it produces, given
// the one layout chosen for it. The lowering relies on exactly this (compiler/roles/Tawa/README.md).
#include "compiler/analysis/ConvertingPut.h"
#include "compiler/analysis/DotKind.h"
#include "compiler/analysis/TileStores.h"
#include "compiler/layouts/AssignLayouts.h"
#include "compiler/layouts/algebra/BankConflicts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tawa::layouts {

namespace {

constexpr int64_t kInstrM = 64; // rows of one wgmma (PTX ISA, wgmma.mma_async shapes)
constexpr unsigned kThreadsPerWarp = 32;
constexpr uint32_t kBankBits = 32;
constexpr uint32_t kChunkBytes = 16; // what swizzles move as one

bool hasTensors(Operation *op) {
  auto isTensor = llvm::IsaPred<RankedTensorType>;
  return llvm::any_of(op->getOperandTypes(), isTensor) || llvm::any_of(op->getResultTypes(), isTensor);
}

/// Arithmetic that is cheaper to repeat than to move; all index computation is.
bool isCheapArithmetic(Operation *op) {
  if (isa<tt::AddPtrOp, tt::BitcastOp, tt::IntToPtrOp, tt::PtrToIntOp, tt::MulhiUIOp>(op))
    return true;
  return isa<arith::ArithDialect>(op->getDialect()) && !isa<arith::DivFOp, arith::RemFOp>(op);
}

uint32_t warpsOf(Operation *op) { return op->getParentOfType<ws::WarpGroupOp>().getWarps(); }

/// `atOnce`: registers of promoted sums that must fit beside the accumulator.
FailureOr<LinearLayout> accumulatorLayout(Operation *op, RankedTensorType type, int64_t atOnce = 0) {
  uint32_t warps = warpsOf(op);
  int64_t rows = type.getDimSize(0), cols = type.getDimSize(1);
  double groups = warps / 4.0;
  AccumulatorPlan plan = planWgmmaAccumulator(rows, cols, warps);
  if (plan.obstacle == DotObstacle::Rows)
    return op->emitOpError() << "a dot of " << rows << " rows cannot run on wgmma, which takes multiples of "
                             << kInstrM;
  if (plan.obstacle == DotObstacle::NotWholeWarpGroups)
    return op->emitOpError() << warps / 4 << " consumer groups cannot share a tile evenly; use 1, 2 or 4";
  if (plan.obstacle)
    return op->emitOpError() << "a dot of " << cols << " columns is too narrow for " << unsigned(groups)
                             << " consumer groups: wgmma takes 8 or more; use fewer groups";
  int64_t registers = rows * cols / (int64_t{warps} * kThreadsPerWarp);
  registers += std::min(registers, atOnce);
  if (registers > kMaxAccumulatorRegisters)
    return op->emitOpError() << "the accumulator " << rows << "x" << cols
                             << (atOnce == 0 ? "" : " and the sums that are added to it piece by piece") << " needs "
                             << registers << " registers of each thread of " << unsigned(groups)
                             << " consumer group(s), more than " << kMaxAccumulatorRegisters
                             << "; use a smaller tile or more consumer groups";
  return *plan.layout;
}

/// As TMA stores it: transposed where it has too few rows (analysis/TileStores.h).
FailureOr<LinearLayout> storedLayout(Operation *op, RankedTensorType type) {
  int64_t rows = type.getDimSize(0), cols = type.getDimSize(1);
  if (rows >= kInstrM)
    return accumulatorLayout(op, type);
  AccumulatorPlan plan = planStoredAccumulator(rows, cols, warpsOf(op));
  if (!plan.layout)
    return op->emitOpError() << "TMA cannot store a tile of " << rows << "x" << cols << ", as no wgmma computes it";
  return *plan.layout;
}

/// The accumulator's tensor type of the operations of an asynchronous dot; null for others.
RankedTensorType asynchronousTile(Operation *op) {
  if (auto begin = dyn_cast<ws::DotBeginOp>(op))
    return cast<RankedTensorType>(begin.getTensor().getType());
  if (auto issue = dyn_cast<ws::DotIssueOp>(op))
    return issue.getResult().getType().getTensor();
  if (auto wait = dyn_cast<ws::DotWaitOp>(op))
    return wait.getAccumulator().getType().getTensor();
  return {};
}

/// Rows (or columns) that one wgmma reads of an operand.
uint32_t operandInstr(OpOperand &operand) {
  Operation *op = operand.getOwner();
  if (operand.getOperandNumber() == 0)
    return kInstrM;
  RankedTensorType asynchronous = asynchronousTile(op);
  auto tile = asynchronous ? asynchronous : cast<RankedTensorType>(op->getResult(0).getType());
  uint32_t widest = planWgmmaAccumulator(tile.getDimSize(0), tile.getDimSize(1), warpsOf(op)).instrN;
  return asynchronous ? widest : std::min<uint32_t>(widest, kPromotedInstrN);
}

/// The class of a synchronous dot.
OpClass classOfDot(tt::DotOp dot) {
  DotPlan plan = planDot(dot, warpsOf(dot));
  if (plan.unit == DotUnit::Fma)
    return OpClass::Fma;
  return plan.promoteEvery != 0 ? OpClass::Promoted : OpClass::Mma;
}

} // namespace

//===--- Classes --------------------------------------------------------------------------------------------------===//

static OpClass classOf(Operation *op) {
  if (isa<scf::ForOp, scf::WhileOp, scf::IfOp, scf::YieldOp, scf::ConditionOp>(op))
    return OpClass::Control;
  if (isa<ws::DotIssueOp, ws::DotWaitOp, ws::DotBeginOp>(op))
    return isa<ws::DotIssueOp>(op) ? OpClass::DotIssue : isa<ws::DotWaitOp>(op) ? OpClass::DotWait : OpClass::DotBegin;
  auto put = dyn_cast<ws::PutOp>(op);
  if (put && isComputed(put))
    return OpClass::Free;
  if (!hasTensors(op) || put || isa<tt::DescriptorLoadOp>(op)) // a load into a ring takes the ring's layout
    return OpClass::NoTensors;
  if (isView(op))
    return OpClass::View;
  return llvm::TypeSwitch<Operation *, OpClass>(op)
      .Case<arith::ConstantOp, tt::MakeRangeOp, tt::SplatOp>([](auto) { return OpClass::Source; })
      .Case<tt::LoadOp, tt::StoreOp, tt::AtomicRMWOp, tt::AtomicCASOp>([](auto) { return OpClass::Access; })
      .Case<ws::CopyTileOp>([](auto) { return OpClass::Copy; })
      .Case<tt::ReduceOp>([](auto) { return OpClass::Reduce; })
      .Case<tt::ScanOp>([](auto) { return OpClass::Scan; })
      .Case<tt::SplitOp>([](auto) { return OpClass::Split; })
      .Case<tt::JoinOp>([](auto) { return OpClass::Join; })
      .Case<tt::GatherOp>([](auto) { return OpClass::Gather; })
      .Case<tt::HistogramOp>([](auto) { return OpClass::Histogram; })
      .Case<tt::PrintOp, tt::AssertOp, tt::UnsplatOp>([](auto) { return OpClass::Free; })
      .Case<tt::MapElementwiseOp>([](auto) { return OpClass::Elementwise; })
      .Case<ws::GetOp>([](auto) { return OpClass::Get; })
      .Case<tt::DescriptorStoreOp>([](auto) { return OpClass::TileStore; })
      .Case([](tt::DotOp dot) { return classOfDot(dot); })
      .Default([](Operation *op) {
        return OpTrait::hasElementwiseMappableTraits(op) ? OpClass::Elementwise : OpClass::Unknown;
      });
}

OpClass Rules::classify(Operation *op) {
  auto [entry, isNew] = classes.try_emplace(op, OpClass::Unknown);
  if (isNew)
    entry->second = classOf(op);
  return entry->second;
}

bool Rules::addsSlices(Operation *op) {
  auto reduce = dyn_cast_or_null<tt::ReduceOp>(op);
  return reduce && reduce.getAxis() == 0 && cast<RankedTensorType>(reduce.getSrcs().front().getType()).getRank() == 3;
}

bool Rules::isCheap(Value value) {
  if (auto known = cheap.find(value); known != cheap.end())
    return known->second;
  Operation *op = value.getDefiningOp();
  bool result = false;
  if (op) {
    OpClass kind = classify(op);
    bool repeats =
        kind == OpClass::Source || kind == OpClass::View || (kind == OpClass::Elementwise && isCheapArithmetic(op));
    result = repeats && llvm::all_of(op->getOperands(), [&](Value operand) {
               return !isa<RankedTensorType>(operand.getType()) || isCheap(operand);
             });
  }
  return cheap[value] = result;
}

//===--- Operands and results -------------------------------------------------------------------------------------===//

FailureOr<LinearAttr> Rules::fixedLayout(Operation *op) {
  if (RankedTensorType tile = asynchronousTile(op)) {
    FailureOr<LinearLayout> layout = accumulatorLayout(op, tile);
    return failed(layout) ? FailureOr<LinearAttr>(failure()) : FailureOr(table.get(*layout));
  }
  if (classify(op) == OpClass::Promoted) {
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    FailureOr<LinearLayout> layout = accumulatorLayout(op, type, kPromotedInstrN / 2);
    return failed(layout) ? FailureOr<LinearAttr>(failure()) : FailureOr(table.get(*layout));
  }
  if (auto dot = dyn_cast<tt::DotOp>(op); dot && classify(op) == OpClass::Mma)
    return mmaSums(dot);
  if (auto copy = dyn_cast<ws::CopyTileOp>(op))
    return copyingThreads(copy, table);
  if (auto store = dyn_cast<tt::DescriptorStoreOp>(op)) {
    auto type = cast<RankedTensorType>(store.getSrc().getType());
    FailureOr<LinearLayout> layout = failure();
    if (type.getRank() != 2)
      return op->emitOpError() << "a tile of rank " << type.getRank() << " cannot be stored from an accumulator";
    layout = storedLayout(op, type);
    return failed(layout) ? FailureOr<LinearAttr>(failure()) : FailureOr(table.get(*layout));
  }
  return LinearAttr();
}

Requirement Rules::requirement(OpOperand &operand, LinearAttr chosen) {
  Operation *op = operand.getOwner();
  auto registers = [](LinearAttr layout) { return Requirement{Requirement::Registers, layout}; };
  switch (classify(op)) {
  case OpClass::Gather: // the source is looked up by index
    return operand.getOperandNumber() == 0 ? Requirement() : registers(chosen);
  case OpClass::Split:
    return registers(table.withPair(chosen));
  case OpClass::DotIssue:
    return {operand.getOperandNumber() == 0 ? Requirement::WgmmaA : Requirement::WgmmaB, {}};
  case OpClass::Promoted:
    if (operand.getOperandNumber() == 2)
      return registers(chosen);
    return {operand.getOperandNumber() == 0 ? Requirement::WgmmaA : Requirement::WgmmaB, {}};
  case OpClass::Fma:
    return operand.getOperandNumber() < 2 ? Requirement{Requirement::SharedRowMajor, {}} : registers(chosen);
  case OpClass::Mma: {
    auto dot = cast<tt::DotOp>(op);
    if (operand.getOperandNumber() == 2)
      return registers(chosen);
    return registers(mmaOperand(dot, operand.getOperandNumber(), orderOf(dot)));
  }
  case OpClass::Free:
  case OpClass::DotWait:
    return {};
  default:
    return registers(chosen);
  }
}

LinearAttr Rules::result(OpResult result, LinearAttr chosen) {
  switch (classify(result.getOwner())) {
  case OpClass::Reduce:
    return table.reduced(chosen, cast<tt::ReduceOp>(result.getOwner()).getAxis());
  case OpClass::Join:
    return table.withPair(chosen);
  case OpClass::Histogram:
    return table.fallback(cast<RankedTensorType>(result.getType()).getShape());
  default:
    return chosen;
  }
}

LinearAttr Rules::chooseByOperand(OpOperand &operand, LinearAttr layout) {
  switch (classify(operand.getOwner())) {
  case OpClass::Split:
    return table.withoutPair(layout);
  case OpClass::Elementwise:
  case OpClass::Access:
  case OpClass::Reduce:
  case OpClass::Scan:
  case OpClass::Join:
  case OpClass::Histogram:
    return table.dense(layout);
  case OpClass::Gather:
    return operand.getOperandNumber() == 0 ? LinearAttr() : table.dense(layout);
  case OpClass::Fma:
    return operand.getOperandNumber() < 2 ? LinearAttr() : table.dense(layout);
  default:
    return {};
  }
}

LinearAttr Rules::chooseByResult(OpResult result, LinearAttr layout) {
  switch (classify(result.getOwner())) {
  case OpClass::Join:
    return table.withoutPair(layout);
  case OpClass::Reduce:
    return addsSlices(result.getOwner()) ? table.expanded(layout, cast<tt::ReduceOp>(result.getOwner())) : LinearAttr();
  case OpClass::Elementwise:
  case OpClass::Access:
  case OpClass::Scan:
  case OpClass::Split:
  case OpClass::Gather:
  case OpClass::Fma:
    return table.dense(layout);
  default:
    return {};
  }
}

//===--- Operands of wgmma ----------------------------------------------------------------------------------------===//

/// The order of K of a dot whose operand A is in registers already; the natural one otherwise.
static KPermutation orderOfA(Operation *dot) {
  LinearAttr a = ws::layoutOf(dot->getOperand(0).getType());
  if (!a || a.isShared())
    return {};
  unsigned bits = cast<RankedTensorType>(dot->getOperand(0).getType()).getElementTypeBitWidth();
  return orderOfOperandA(a.getLayout(), bits).value_or(KPermutation());
}

LinearAttr Rules::sharedLayoutOf(Value value) {
  LinearAttr layout = ws::layoutOf(value.getType());
  if (auto view = value.getDefiningOp<tt::TransOp>(); view && !layout)
    if (LinearAttr source = sharedLayoutOf(view.getSrc()))
      layout = table.forward(view, source);
  return layout && layout.isShared() ? layout : LinearAttr();
}

/// A tile that wgmma reads in place keeps its order; one that is rewritten, or transposed, can take any.
bool Rules::canHaveOrder(OpOperand &operandB, const KPermutation &order) {
  LinearAttr layout = sharedLayoutOf(operandB.get());
  return !layout || !readsInOrder(operandB, layout, {}) || readsInOrder(operandB, layout, order);
}

LinearAttr Rules::operandAInRegisters(OpOperand &operand, LinearAttr home) {
  auto type = cast<RankedTensorType>(operand.get().getType());
  unsigned bits = type.getElementTypeBitWidth();
  LinearLayout natural = wgmmaOperandA(type.getDimSize(0), type.getDimSize(1), bits, table.warpCount());
  LinearAttr wanted = table.get(natural);
  if (costs.movement(home, wanted) <= Movement::Registers)
    return wanted;
  std::optional<KPermutation> order = orderOfOperandA(table.map(home), bits);
  if (!order || order->empty() || !canHaveOrder(operand.getOwner()->getOpOperand(1), *order))
    return {};
  wanted = table.get(withOrder(natural, /*axis=*/1, *order));
  return costs.movement(home, wanted) <= Movement::Registers ? wanted : LinearAttr();
}

bool Rules::readsInOrder(OpOperand &operand, LinearAttr shared, const KPermutation &order) {
  unsigned bits = cast<RankedTensorType>(operand.get().getType()).getElementTypeBitWidth();
  unsigned number = operand.getOperandNumber();
  LinearLayout positions = order.empty() ? table.map(shared) : withoutOrder(table.map(shared), 1 - number, order);
  return deriveWgmmaOperand(positions, bits, number, operandInstr(operand)).has_value();
}

bool Rules::wgmmaReads(OpOperand &operand, LinearAttr shared) {
  return readsInOrder(operand, shared, operand.getOperandNumber() == 1 ? orderOfA(operand.getOwner()) : KPermutation());
}

LinearAttr Rules::wgmmaTile(OpOperand &operand, LinearAttr registers) {
  return wgmmaTile(operand, registers, operand.getOperandNumber() == 1 ? orderOfA(operand.getOwner()) : KPermutation());
}

LinearAttr Rules::wgmmaTile(OpOperand &operand, LinearAttr registers, const KPermutation &order) {
  auto type = cast<RankedTensorType>(operand.get().getType());
  unsigned bits = type.getElementTypeBitWidth();
  uint32_t rows = type.getDimSize(0), cols = type.getDimSize(1);
  auto tile = [&](bool rowMajor) {
    uint32_t contiguous = rowMajor ? cols : rows, other = rowMajor ? rows : cols;
    Swizzle swizzle = chooseSwizzle(contiguous * bits / 8, other);
    // Without a swizzle wgmma reads chunks of 16 bytes, the rows of each contiguous.
    uint32_t panelBytes = swizzle == Swizzle::None ? kChunkBytes : 0;
    LinearLayout positions = sharedSwizzled(rows, cols, bits, swizzle, rowMajor, panelBytes);
    return table.get(withOrder(positions, 1 - operand.getOperandNumber(), order));
  };
  // Of the orders that wgmma reads, the one to which registers are written fastest.
  LinearAttr best;
  uint64_t bestCycles = 0;
  for (bool rowMajor : {true, false}) {
    if (uint64_t(rowMajor ? cols : rows) * bits / 8 < kChunkBytes)
      continue;
    LinearAttr layout = tile(rowMajor);
    auto plan = deriveVectorAccess(table.map(registers), table.map(layout), bits);
    if (!plan || !readsInOrder(operand, layout, order))
      continue;
    uint64_t cycles = plan->accesses.size() * std::max<uint32_t>(1, plan->vector * bits / kBankBits) +
                      countBankConflicts(*plan, bits / 8);
    if (!best || cycles < bestCycles) {
      best = layout;
      bestCycles = cycles;
    }
  }
  return best;
}

} // namespace tawa::layouts
