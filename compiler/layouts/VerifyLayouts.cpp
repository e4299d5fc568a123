// VerifyLayouts: checks, operation by operation, the layout rules that the lowering relies on. Written from the rules
// (compiler/roles/Tawa/README.md) and not from AssignLayouts, so that the two are independent.
#include "compiler/analysis/DotKind.h"
#include "compiler/analysis/GlobalAccess.h"
#include "compiler/frontend/TT/TT.h"
#include "compiler/layouts/Passes.h"
#include "compiler/layouts/algebra/HopperLayouts.h"
#include "compiler/layouts/algebra/KPermutation.h"
#include "compiler/roles/Tawa/Tawa.h"
#include "compiler/support/Debug.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/TypeSwitch.h"

#include <bit>

#define DEBUG_TYPE "tawa-verify-layouts"

using namespace mlir;

namespace tawa {
#define GEN_PASS_DEF_VERIFYLAYOUTS
#include "compiler/layouts/Passes.h.inc"

namespace {

using ws::LinearAttr;

bool isTensor(Value value) { return isa<RankedTensorType>(value.getType()); }
LinearAttr layoutOf(Value value) { return ws::layoutOf(value.getType()); }
LinearLayout mapOf(Value value) { return layoutOf(value).getLayout(); }

std::vector<uint32_t> shapeOf(Value value) {
  auto shape = cast<RankedTensorType>(value.getType()).getShape();
  return {shape.begin(), shape.end()};
}

/// The operation's tensors, operands and results.
SmallVector<Value> tensorsOf(Operation *op) {
  SmallVector<Value> tensors;
  llvm::copy_if(op->getOperands(), std::back_inserter(tensors), isTensor);
  llvm::copy_if(op->getResults(), std::back_inserter(tensors), isTensor);
  return tensors;
}

class Verifier {
public:
  explicit Verifier(Operation *op) : op(op) {}

  LogicalResult verify();

private:
  LogicalResult fail(const Twine &what) { return op->emitOpError() << "layout rule broken: " << what; }
  LogicalResult expect(bool holds, const Twine &what) { return holds ? success() : fail(what); }
  LogicalResult wellFormed(Value value);
  LogicalResult allEqual();
  LogicalResult viewIs(const LinearLayout &wanted);
  LogicalResult broadcast();
  LogicalResult vector();
  LogicalResult reduce(tt::ReduceOp reduce);
  LogicalResult oneDimensionPerBit(Value source);
  LogicalResult pair(Value paired, ValueRange halves);
  LogicalResult dot(tt::DotOp dot);
  LogicalResult carried();

  Operation *op;
};

/// Registers, lanes and warps of the role, over the whole tile; or a bijection from offsets.
LogicalResult Verifier::wellFormed(Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  LinearAttr layout = layoutOf(value);
  if (!layout)
    return fail("a tensor has none");
  LinearLayout map = layout.getLayout();
  if (layout.getShape() != ArrayRef<int32_t>(SmallVector<int32_t>(type.getShape())))
    return fail("the layout has another shape than the tensor");
  if (layout.isShared())
    return expect(map.isInvertible(), "a shared layout is no bijection");
  if (map.inNames() != LinearLayout::Names{"register", "lane", "warp"})
    return fail("inputs are not register, lane, warp");
  uint32_t warps = op->getParentOfType<ws::WarpGroupOp>().getWarps();
  if (map.inSize("lane") != 32 || map.inSize("warp") != warps)
    return fail("not 32 lanes on the warps of the role");
  return expect(map.isSurjective(), "elements are missing");
}

LogicalResult Verifier::allEqual() {
  SmallVector<Value> tensors = tensorsOf(op);
  for (Value tensor : tensors)
    if (layoutOf(tensor) != layoutOf(tensors.front()))
      return fail("operands and results lie differently");
  return expect(tensors.empty() || !layoutOf(tensors.front()).isShared(), "arithmetic on a tile in shared memory");
}

LogicalResult Verifier::viewIs(const LinearLayout &wanted) {
  return expect(mapOf(op->getResult(0)) == wanted, "the result of a view is not its operand renamed");
}

LogicalResult Verifier::broadcast() {
  LinearLayout from = mapOf(op->getOperand(0)), to = mapOf(op->getResult(0));
  std::vector<uint32_t> shape = shapeOf(op->getOperand(0)), repeated = shapeOf(op->getResult(0));
  for (const LinearLayout::Dim &in : to.ins()) {
    if (from.inBits(in.name) != in.bits)
      return fail("registers of a broadcast do not pass one to one");
    for (unsigned bit = 0; bit < in.bits; ++bit)
      for (unsigned dim = 0; dim < shape.size(); ++dim) {
        uint32_t wanted = shape[dim] == repeated[dim] ? to.basis(in.name, bit)[dim] : 0;
        if (from.basis(in.name, bit)[dim] != wanted)
          return fail("the operand of a broadcast is not the result without the repeated dimensions");
      }
  }
  return success();
}

LogicalResult Verifier::vector() {
  if (failed(allEqual()))
    return failure();
  if (!isTensor(op->getOperand(0)) || !takesNeighbours(op))
    return success();
  auto width = ws::kVectorAttr.get(op);
  if (!width || !llvm::isPowerOf2_32(static_cast<uint32_t>(*width)))
    return fail("no tawa.vector, or no power of two");
  LinearLayout map = mapOf(op->getOperand(0));
  for (unsigned bit = 0; (1 << bit) < *width; ++bit) {
    if (bit >= map.inBits("register"))
      return fail("tawa.vector is larger than the number of registers");
    unsigned dims = 0;
    for (uint32_t step : map.basis("register", bit))
      dims += step == (1u << bit) ? 1 : step ? 2 : 0;
    if (dims != 1)
      return fail("the registers of a vector are no neighbours");
  }
  return success();
}

LogicalResult Verifier::oneDimensionPerBit(Value source) {
  LinearLayout map = mapOf(source);
  for (const char *in : {"lane", "warp"})
    for (unsigned bit = 0; bit < map.inBits(in); ++bit)
      if (llvm::count_if(map.basis(in, bit), [](uint32_t step) { return step != 0; }) > 1)
        return fail("a lane or warp bit touches several dimensions");
  return success();
}

LogicalResult Verifier::reduce(tt::ReduceOp reduce) {
  for (Value source : reduce.getSrcs())
    if (layoutOf(source) != layoutOf(reduce.getSrcs().front()) || failed(oneDimensionPerBit(source)))
      return fail("operands lie differently");
  LinearLayout wanted = sliceAxis(mapOf(reduce.getSrcs().front()), reduce.getAxis()).removeZeroBases("register");
  for (Value result : reduce.getResults())
    if (isTensor(result) && !(mapOf(result) == wanted))
      return fail("the result is not the slice of the operand");
  return success();
}

LogicalResult Verifier::pair(Value paired, ValueRange halves) {
  LinearLayout whole = mapOf(paired);
  unsigned last = tensorRank(whole) - 1;
  LinearLayout half = mapOf(halves.front());
  if (layoutOf(halves.front()) != layoutOf(halves.back()) || whole.inBits("register") != half.inBits("register") + 1)
    return fail("the halves lie differently");
  LinearLayout::Basis first(last + 1, 0);
  first[last] = 1;
  if (whole.basis("register", 0) != first)
    return fail("the last dimension is not register bit 0");
  for (const LinearLayout::Dim &in : half.ins())
    for (unsigned bit = 0; bit < in.bits; ++bit) {
      LinearLayout::Basis basis = half.basis(in.name, bit);
      basis.push_back(0);
      if (whole.basis(in.name, bit + (in.name == "register")) != basis)
        return fail("the halves are not the whole without its last dimension");
    }
  return success();
}

LogicalResult Verifier::dot(tt::DotOp dot) {
  uint32_t warps = op->getParentOfType<ws::WarpGroupOp>().getWarps();
  if (layoutOf(dot.getC()) != layoutOf(dot.getResult()))
    return fail("c and the result lie differently");
  LinearLayout sum = mapOf(dot.getC());
  if (planDot(dot, warps).promoteEvery != 0) {
    auto tile = cast<RankedTensorType>(dot.getType());
    return expect(sum == planWgmmaAccumulator(tile.getDimSize(0), tile.getDimSize(1), warps).layout &&
                      layoutOf(dot.getB()).isShared(),
                  "a dot on wgmma has its accumulator or operand B elsewhere");
  }
  if (layoutOf(dot.getA()).isShared()) {
    for (Value value : {dot.getA(), dot.getB()})
      if (!layoutOf(value).isShared() || !(mapOf(value) == sharedRowMajor(shapeOf(value))))
        return fail("operands of a plain product are not row major in shared memory");
    return expect(sum.zeroBasisMask("register") == 0, "a plain product computes an element twice in a thread");
  }
  MmaFragments natural = planMmaFragments(dot, warps);
  unsigned last = dot.getType().getRank() - 1;
  auto columns = orderOfFragment(sum, natural.sums, /*axis=*/last);
  if (!columns)
    return fail("the sums are not those of mma.sync, in an order of columns");
  auto orderA = orderOfFragment(mapOf(dot.getA()), natural.a, /*axis=*/last);
  auto orderB = orderOfFragment(withoutOrder(mapOf(dot.getB()), last, *columns), natural.b, /*axis=*/last - 1);
  return expect(orderA && orderA == orderB,
                "operands are not the fragments of mma.sync, in one order of K and that of the columns");
}

LogicalResult Verifier::carried() {
  auto same = [](auto &&...ranges) {
    return llvm::all_of(llvm::zip(ranges...), [](const auto &values) {
      return std::apply([](auto first, auto... others) { return ((first.getType() == others.getType()) && ...); },
                        values);
    });
  };
  bool holds = true;
  if (auto loop = dyn_cast<scf::ForOp>(op))
    holds = same(loop.getInitArgs(), loop.getRegionIterArgs(), loop.getYieldedValues(), loop.getResults());
  else if (auto loop = dyn_cast<scf::WhileOp>(op))
    holds = same(loop.getInits(), loop.getBeforeArguments(), loop.getYieldOp().getResults()) &&
            same(loop.getConditionOp().getArgs(), loop.getAfterArguments(), loop.getResults());
  else if (auto branch = dyn_cast<scf::IfOp>(op); branch && branch.getNumResults())
    holds = same(branch.getResults(), branch.thenYield().getResults(), branch.elseYield().getResults());
  return expect(holds, "a carried value changes its type");
}

LogicalResult Verifier::verify() {
  for (Value value : tensorsOf(op))
    if (failed(wellFormed(value)))
      return failure();
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case<scf::ForOp, scf::WhileOp, scf::IfOp>([&](auto) { return carried(); })
      .Case([&](tt::ExpandDimsOp view) { return viewIs(expandAxis(mapOf(view.getSrc()), view.getAxis())); })
      .Case([&](tt::TransOp view) {
        return viewIs(permuteAxes(mapOf(view.getSrc()), {view.getOrder().begin(), view.getOrder().end()}));
      })
      .Case([&](tt::ReshapeOp view) { return viewIs(reshapeTensor(mapOf(view.getSrc()), shapeOf(view.getResult()))); })
      .Case([&](tt::BroadcastOp) { return broadcast(); })
      .Case<tt::LoadOp, tt::StoreOp, tt::AtomicRMWOp, tt::AtomicCASOp>([&](auto) { return vector(); })
      .Case([&](tt::ReduceOp op) { return reduce(op); })
      .Case([&](tt::ScanOp scan) {
        return success(succeeded(allEqual()) && succeeded(oneDimensionPerBit(scan.getSrcs().front())));
      })
      .Case([&](tt::SplitOp op) { return pair(op.getSrc(), op->getResults()); })
      .Case([&](tt::JoinOp op) { return pair(op.getResult(), op->getOperands()); })
      .Case([&](tt::GatherOp op) {
        return expect(layoutOf(op.getIndices()) == layoutOf(op.getResult()), "indices and result lie differently");
      })
      .Case([&](tt::DotOp op) { return dot(op); })
      .Default([&](Operation *op) { return OpTrait::hasElementwiseMappableTraits(op) ? allEqual() : success(); });
}

struct VerifyLayoutsPass : impl::VerifyLayoutsBase<VerifyLayoutsPass> {
  void runOnOperation() override {
    WalkResult result = getOperation().walk([&](Operation *op) {
      bool inRole = op->getParentOfType<ws::WarpGroupOp>() != nullptr;
      bool inRegionOfOp = inRole && isa<tt::ReduceOp, tt::ScanOp, tt::MapElementwiseOp>(op->getParentOp());
      verified += inRole && !inRegionOfOp;
      return inRole && !inRegionOfOp && failed(Verifier(op).verify()) ? WalkResult::interrupt() : WalkResult::advance();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};

} // namespace
} // namespace tawa
