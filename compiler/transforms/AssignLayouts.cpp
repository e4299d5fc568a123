// AssignLayouts: which registers or which bytes of shared memory hold every tensor.
//
// Layouts start where the hardware leaves no choice: a tile that arrives through an aref lies in shared memory as TMA
// writes it and wgmma reads it, an accumulator lies in registers as wgmma leaves it. From there they flow forward: an
// elementwise result lies as its operands do, a transposition of a shared tile is a view. Constants are remade in the
// layout of each user.
#include "compiler/dialect/TT/TT.h"
#include "compiler/dialect/Tawa/Tawa.h"
#include "compiler/layout/HopperLayouts.h"
#include "compiler/transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;

namespace tawa {
#define GEN_PASS_DEF_ASSIGNLAYOUTS
#include "compiler/transforms/Passes.h.inc"

namespace {

constexpr unsigned kWarpsPerGroup = 4;
constexpr int64_t kInstrM = 64; // rows of one wgmma (PTX ISA, wgmma.mma_async shapes)
constexpr int64_t kMaxInstrN = 256;
/// Accumulator registers a thread can hold beside addresses, descriptors and the epilogue's temporaries.
constexpr int64_t kMaxAccumulatorRegisters = 216;

RankedTensorType withLayout(RankedTensorType type, const LinearLayout &layout) {
  return RankedTensorType::get(type.getShape(), type.getElementType(), ws::LinearAttr::get(type.getContext(), layout));
}

RankedTensorType sharedTileType(RankedTensorType type) {
  unsigned bits = type.getElementTypeBitWidth();
  uint32_t rows = type.getDimSize(0), cols = type.getDimSize(1);
  Swizzle swizzle = chooseSwizzle(cols * bits / 8, rows);
  return withLayout(type, sharedSwizzled(rows, cols, bits, swizzle));
}

/// Gives the payload of a ring, and every value put into or got from it, its place in shared memory.
LogicalResult assignRing(ws::CreateArefOp create) {
  SmallVector<Type> payload;
  for (Type type : create.getAref().getType().getPayload()) {
    auto tensor = cast<RankedTensorType>(type);
    if (tensor.getRank() != 2)
      return create.emitOpError() << "a tile of rank " << tensor.getRank()
                                  << " cannot travel through an aref: rank 2 is needed";
    payload.push_back(sharedTileType(tensor));
  }
  create.getAref().setType(ws::ArefType::get(create.getContext(), create.getAref().getType().getDepth(), payload));
  for (Operation *user : create.getAref().getUsers()) {
    ValueRange values =
        isa<ws::PutOp>(user) ? ValueRange(cast<ws::PutOp>(user).getValues()) : ValueRange(user->getResults());
    for (auto [value, type] : llvm::zip(values, payload))
      value.setType(type);
  }
  return success();
}

class RoleLayouts {
public:
  explicit RoleLayouts(ws::WarpGroupOp role) : role(role) {}
  LogicalResult assign() { return assignBlock(&role.getBody().front()); }

private:
  LogicalResult assignBlock(Block *block);
  LogicalResult assignOperation(Operation *op);
  LogicalResult assignBegin(ws::DotBeginOp begin);
  FailureOr<LinearLayout> accumulatorLayout(Operation *op, RankedTensorType type);
  LogicalResult assignElementwise(Operation *op);
  LogicalResult assignLoop(scf::ForOp loop);
  LogicalResult giveConstantLayout(OpOperand &operand, ws::LinearAttr layout);

  ws::WarpGroupOp role;
};

FailureOr<LinearLayout> RoleLayouts::accumulatorLayout(Operation *op, RankedTensorType type) {
  int64_t rows = type.getDimSize(0), cols = type.getDimSize(1);
  int64_t groups = role.getWarps() / kWarpsPerGroup;
  if (rows % kInstrM != 0)
    return op->emitOpError() << "a dot of " << rows << " rows cannot run on wgmma, which takes multiples of "
                             << kInstrM;
  if (!llvm::isPowerOf2_64(groups))
    return op->emitOpError() << groups << " consumer groups cannot share a tile evenly; use 1, 2 or 4";
  int64_t groupsAlongN = std::max<int64_t>(1, groups / (rows / kInstrM));
  int64_t instrN = std::min(kMaxInstrN, cols / groupsAlongN);
  if (instrN < 8)
    return op->emitOpError() << "a dot of " << cols << " columns is too narrow for " << groups
                             << " consumer groups: wgmma takes 8 or more; use fewer groups";
  int64_t registers = rows * cols / (role.getWarps() * 32);
  if (registers > kMaxAccumulatorRegisters)
    return op->emitOpError() << "the accumulator " << rows << "x" << cols << " needs " << registers
                             << " registers of each thread of " << groups << " consumer group(s), more than "
                             << kMaxAccumulatorRegisters << "; use a smaller tile or more consumer groups";
  return wgmmaAccumulator(rows, cols, instrN, role.getWarps());
}

LogicalResult RoleLayouts::giveConstantLayout(OpOperand &operand, ws::LinearAttr layout) {
  auto constant = operand.get().getDefiningOp<arith::ConstantOp>();
  auto splat = constant ? dyn_cast<SplatElementsAttr>(constant.getValue()) : nullptr;
  if (!splat)
    return operand.getOwner()->emitOpError() << "no layout is known for operand " << operand.getOperandNumber()
                                             << " of " << operand.getOwner()->getName();
  auto type = cast<RankedTensorType>(constant.getType());
  auto laidOut = RankedTensorType::get(type.getShape(), type.getElementType(), layout);
  OpBuilder builder(operand.getOwner());
  auto value = DenseElementsAttr::get(laidOut, splat.getSplatValue<Attribute>());
  operand.set(builder.create<arith::ConstantOp>(constant.getLoc(), value));
  return success();
}

LogicalResult RoleLayouts::assignBegin(ws::DotBeginOp begin) {
  auto type = cast<RankedTensorType>(begin.getTensor().getType());
  if (!ws::layoutOf(type)) {
    FailureOr<LinearLayout> layout = accumulatorLayout(begin, type);
    if (failed(layout) ||
        failed(giveConstantLayout(begin.getTensorMutable(), ws::LinearAttr::get(begin.getContext(), *layout))))
      return failure();
  }
  begin.getResult().setType(
      ws::InflightType::get(begin.getContext(), cast<RankedTensorType>(begin.getTensor().getType())));
  return success();
}

LogicalResult RoleLayouts::assignElementwise(Operation *op) {
  ws::LinearAttr layout;
  for (Value operand : op->getOperands())
    if (!layout)
      layout = ws::layoutOf(operand.getType());
  if (!layout)
    return op->emitOpError() << "no layout is known for the operands of " << op->getName();
  for (OpOperand &operand : op->getOpOperands())
    if (isa<RankedTensorType>(operand.get().getType()) && !ws::layoutOf(operand.get().getType()) &&
        failed(giveConstantLayout(operand, layout)))
      return failure();
  for (Value operand : op->getOperands())
    if (isa<RankedTensorType>(operand.getType()) && ws::layoutOf(operand.getType()) != layout)
      return op->emitOpError() << "operands of " << op->getName() << " lie in different layouts";
  for (OpResult result : op->getResults())
    if (auto type = dyn_cast<RankedTensorType>(result.getType()))
      result.setType(RankedTensorType::get(type.getShape(), type.getElementType(), layout));
  return success();
}

LogicalResult RoleLayouts::assignLoop(scf::ForOp loop) {
  for (auto [init, argument, result] : llvm::zip(loop.getInitArgs(), loop.getRegionIterArgs(), loop.getResults())) {
    argument.setType(init.getType());
    result.setType(init.getType());
  }
  return assignBlock(loop.getBody());
}

LogicalResult RoleLayouts::assignOperation(Operation *op) {
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return assignLoop(loop);
  if (auto begin = dyn_cast<ws::DotBeginOp>(op))
    return assignBegin(begin);
  if (auto issue = dyn_cast<ws::DotIssueOp>(op))
    return issue.getResult().setType(issue.getAccumulator().getType()), success();
  if (auto wait = dyn_cast<ws::DotWaitOp>(op)) {
    ws::InflightType inflight = wait.getAccumulator().getType();
    bool readable = isa<RankedTensorType>(wait.getResult().getType());
    wait.getResult().setType(readable ? Type(inflight.getTensor()) : Type(inflight));
    return success();
  }
  if (auto trans = dyn_cast<tt::TransOp>(op)) {
    auto source = cast<RankedTensorType>(trans.getOperand().getType());
    ws::LinearAttr layout = ws::layoutOf(source);
    if (!layout)
      return op->emitOpError() << "no layout is known for the operand of tt.trans";
    std::vector<unsigned> order(trans.getOrder().begin(), trans.getOrder().end());
    Value result = trans->getResult(0);
    result.setType(withLayout(cast<RankedTensorType>(result.getType()), permuteAxes(layout.getLayout(), order)));
    return success();
  }
  bool hasTensors = llvm::any_of(op->getOperandTypes(), llvm::IsaPred<RankedTensorType>) ||
                    llvm::any_of(op->getResultTypes(), llvm::IsaPred<RankedTensorType>);
  if (!hasTensors || isa<ws::PutOp, ws::GetOp, tt::DescriptorLoadOp, arith::ConstantOp>(op))
    return success();
  if (isa<tt::DescriptorStoreOp>(op) || OpTrait::hasElementwiseMappableTraits(op))
    return assignElementwise(op);
  return op->emitOpError() << "on tensors is not supported by this version of Tawa";
}

LogicalResult RoleLayouts::assignBlock(Block *block) {
  for (Operation &op : llvm::make_early_inc_range(*block))
    if (failed(assignOperation(&op)))
      return failure();
  return success();
}

struct AssignLayoutsPass : impl::AssignLayoutsBase<AssignLayoutsPass> {
  void runOnOperation() override {
    WalkResult rings = getOperation().walk([](ws::CreateArefOp create) {
      return failed(assignRing(create)) ? WalkResult::interrupt() : WalkResult::advance();
    });
    if (rings.wasInterrupted())
      return signalPassFailure();
    WalkResult roles = getOperation().walk([](ws::WarpGroupOp role) {
      return failed(RoleLayouts(role).assign()) ? WalkResult::interrupt() : WalkResult::advance();
    });
    if (roles.wasInterrupted())
      return signalPassFailure();
  }
};

} // namespace
} // namespace tawa
