// Traces stored tiles to their accumulators, and checks that TMA can store them in program order.
#include "compiler/analysis/TileStores.h"

#include "compiler/analysis/DotKind.h"
#include "compiler/analysis/LaunchExpression.h"
#include "compiler/analysis/PointerTiles.h"
#include "compiler/layouts/algebra/StorePanels.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;

namespace tawa {

namespace {

std::vector<uint32_t> shapeOf(Value tile) {
  auto shape = cast<RankedTensorType>(tile.getType()).getShape();
  return {shape.begin(), shape.end()};
}

/// Follows a value back to the dot it comes from, and the accumulator's layout on its way from there.
class AccumulatorTrace {
public:
  explicit AccumulatorTrace(uint32_t warps) : warps(warps) {}

  /// The layout in which wgmma's registers hold the value, without any movement; none where it comes from no wgmma.
  std::optional<LinearLayout> layoutOf(Value value) {
    if (!seen.insert(value).second)
      return std::nullopt;
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
      bool carried = loop && argument != loop.getInductionVar();
      return carried ? layoutOf(loop.getTiedLoopInit(argument)->get()) : std::nullopt;
    }
    return ofResult(cast<OpResult>(value));
  }

private:
  std::optional<LinearLayout> ofResult(OpResult result) {
    Operation *op = result.getOwner();
    if (auto dot = dyn_cast<tt::DotOp>(op)) {
      auto type = cast<RankedTensorType>(dot.getType());
      bool isWgmma = planDot(dot, warps).unit == DotUnit::Wgmma;
      return isWgmma ? planWgmmaAccumulator(type.getDimSize(0), type.getDimSize(1), warps).layout : std::nullopt;
    }
    if (auto loop = dyn_cast<scf::ForOp>(op))
      return ofAny({loop.getYieldedValues()[result.getResultNumber()], loop.getInitArgs()[result.getResultNumber()]});
    if (isa<tt::TransOp, tt::ReshapeOp, tt::SplitOp>(op))
      return ofView(op);
    return OpTrait::hasElementwiseMappableTraits(op) ? ofAny(llvm::to_vector(op->getOperands())) : std::nullopt;
  }

  std::optional<LinearLayout> ofAny(ArrayRef<Value> values) {
    for (Value value : values)
      if (auto layout = layoutOf(value))
        return layout;
    return std::nullopt;
  }

  std::optional<LinearLayout> ofView(Operation *view) {
    auto layout = layoutOf(view->getOperand(0));
    if (!layout)
      return std::nullopt;
    if (auto trans = dyn_cast<tt::TransOp>(view))
      return permuteAxes(*layout, {trans.getOrder().begin(), trans.getOrder().end()});
    if (isa<tt::ReshapeOp>(view))
      return reshapeTensor(*layout, shapeOf(view->getResult(0)));
    return sliceAxis(*layout, tensorRank(*layout) - 1).removeZeroBases("register"); // tt.split
  }

  uint32_t warps;
  llvm::DenseSet<Value> seen;
};

/// Whether the same threads hold the same elements, in any registers.
bool sameThreads(const LinearLayout &a, const LinearLayout &b) {
  auto bases = [](const LinearLayout &layout, const char *in, bool inOrder) {
    std::vector<LinearLayout::Basis> list;
    list.reserve(layout.inBits(in));
    for (unsigned bit = 0; bit < layout.inBits(in); ++bit)
      list.push_back(layout.basis(in, bit));
    if (!inOrder)
      llvm::sort(list);
    return list;
  };
  return a.outs() == b.outs() && bases(a, "register", false) == bases(b, "register", false) &&
         bases(a, "lane", true) == bases(b, "lane", true) && bases(a, "warp", true) == bases(b, "warp", true);
}

} // namespace

AccumulatorPlan planStoredAccumulator(int64_t rows, int64_t cols, uint32_t warps) {
  constexpr int64_t kInstrM = 64; // rows of one wgmma (PTX ISA, wgmma.mma_async shapes)
  if (rows >= kInstrM)
    return planWgmmaAccumulator(rows, cols, warps);
  AccumulatorPlan plan = planWgmmaAccumulator(cols, rows, warps);
  if (plan.layout)
    plan.layout = permuteAxes(*plan.layout, {1, 0});
  return plan;
}

bool isStorableAccumulator(Value tile, uint32_t warps) {
  auto type = cast<RankedTensorType>(tile.getType());
  if (type.getRank() != 2 || !type.getElementType().isIntOrFloat())
    return false;
  auto staged = planStoredAccumulator(type.getDimSize(0), type.getDimSize(1), warps).layout;
  if (!staged || !planStorePanels(*staged, type.getElementTypeBitWidth()))
    return false;
  auto held = AccumulatorTrace(warps).layoutOf(tile);
  return held && sameThreads(held->transposeOuts(staged->outNames()), *staged);
}

/// Whether reordering an operation and a store of an accumulator is visible in the memory that `written` leads to.
static bool meets(Operation *op, Operation *store, const MemoryRoot &written, uint32_t warps) {
  bool accesses = op != store && op->getNumRegions() == 0 && !op->hasTrait<OpTrait::IsTerminator>() &&
                  !isMemoryEffectFree(op) && op->getName().getDialectNamespace() != "tawa" &&
                  !isa<tt::PrintOp, tt::AssertOp, tt::DebugBarrierOp>(op);
  if (!accesses)
    return false;
  MemoryRoot address;
  if (isa<tt::LoadOp, tt::DescriptorLoadOp, tt::DescriptorGatherOp>(op)) {
    if (!mayRunBefore(store, op))
      return false;
    address = memoryRoot(op->getOperand(0));
  } else if (auto other = dyn_cast<tt::StoreOp>(op)) { // of other tiles of the same tensor, if it is an accumulator too
    auto tile = dyn_cast<RankedTensorType>(other.getValue().getType());
    if (tile && isStorableAccumulator(other.getValue(), warps))
      return false;
    address = memoryRoot(other.getPtr());
  } else if (isa<tt::DescriptorStoreOp, tt::DescriptorReduceOp>(op)) {
    if (op->getName() == store->getName())
      return false;
    address = memoryRoot(op->getOperand(0));
  } else if (!mayRunBefore(store, op)) {
    return false;
  }
  return !address || !written || address == written;
}

bool needsTextOrder(tt::FuncOp func, Operation *store, uint32_t warps) {
  MemoryRoot written = memoryRoot(store->getOperand(0));
  return func
      .walk([&](Operation *op) {
        return meets(op, store, written, warps) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

template <typename Store> bool TmaStores::goesByTma(Store store, uint32_t warps) {
  auto [at, isNew] = known.try_emplace({store.getOperation(), warps}, false);
  if (isNew)
    at->second = findOut(store, warps);
  return at->second;
}

template <typename Store> bool TmaStores::findOut(Store store, uint32_t warps) {
  ArrayRef<int64_t> block = store.getDesc().getType().getBlockType().getShape();
  bool isMatrix = block.size() >= 2 && llvm::all_of(block.drop_back(2), [](int64_t size) { return size == 1; });
  auto func = store->template getParentOfType<tt::FuncOp>();
  if (!isMatrix || !hasTensorMap(store.getDesc()) || !isStorableAccumulator(store.getSrc(), warps) ||
      needsTextOrder(func, store, warps))
    return false;
  if (!coordinates)
    coordinates.emplace(func);
  return coordinates->canStore(store.getDesc(), store.getIndices());
}

bool TmaStores::has(tt::DescriptorStoreOp store, uint32_t warps) { return goesByTma(store, warps); }

bool TmaStores::has(tt::DescriptorReduceOp reduce, uint32_t warps) {
  bool isKnownKind =
      reduce.getKind() == tt::DescriptorReduceKind::Add && getElementTypeOrSelf(reduce.getSrc().getType()).isF32();
  return isKnownKind && isKnownAtLaunch(reduce.getDesc()) && goesByTma(reduce, warps);
}

} // namespace tawa
