// WrapOneRole: wraps a kernel that is not split into roles in a single role.
//
//   %x = tt.load %p                    tawa.warp_group main warps(4) registers(0) {
//   tt.store %q, %x            ->        %x = tt.load %p
//   tt.return                            tt.store %q, %x
//                                      }
//                                      tt.return
//
// The number of warps is the caller's choice (KernelConfig::warps) or follows from its largest tensor.
#include "compiler/analysis/DotKind.h"
#include "compiler/analysis/LiveTiles.h"
#include "compiler/analysis/LogicalArguments.h"
#include "compiler/analysis/RejectReason.h"
#include "compiler/roles/Passes.h"
#include "compiler/roles/Tawa/Target.h"
#include "compiler/support/Debug.h"
#include "runtime/artifact/OneRoleWarps.h"
#include "runtime/artifact/PtxShapes.h"
#include "runtime/artifact/RegisterBudget.h"

#include "mlir/IR/BuiltinOps.h"

#define DEBUG_TYPE "tawa-wrap-one-role"

using namespace mlir;

namespace tawa {
#define GEN_PASS_DEF_WRAPONEROLE
#include "compiler/roles/Passes.h.inc"

namespace {

constexpr unsigned kMostWarps = 16;
/// Where all products are small, each lane has at most so many elements of a result and of any other tensor, and at
/// most so many bytes of an operand, to load and perhaps unpack, if it keeps so many elements of a result.
constexpr int64_t kElementsOfWarp = int64_t{16} * kLanes, kTensorOfWarp = int64_t{64} * kLanes;
constexpr int64_t kOperandBytesOfWarp = int64_t{32} * kLanes, kFewElementsOfWarp = int64_t{8} * kLanes;
/// Without a dot: one access of the widest kind for each thread. With half of it, kernels of 16 bits and 1024 programs
/// took 4 to 11 % longer. Where a launch leaves threads idle, the preset asks for more.
constexpr int64_t kAccessBytes = 16;

int64_t bytesOf(Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  return type.getNumElements() * type.getElementTypeBitWidth() / 8;
}

/// Warps that small products keep busy: one for each so many elements of the largest result, or bytes of the largest
/// operand. A warp group where wgmma takes one of them, or threads would hold too much.
unsigned warpsForSmallDots(tt::FuncOp func, int64_t largestTensor) {
  int64_t result = 0, operand = 0;
  bool isSmall = true;
  func.walk([&](tt::DotOp dot) {
    auto shape = cast<RankedTensorType>(dot.getType()).getShape();
    result = std::max(result, shape[shape.size() - 2] * shape.back());
    operand = std::max({operand, bytesOf(dot.getA()), bytesOf(dot.getB())});
    isSmall &= planDot(dot, kWarpsPerGroup).unit == DotUnit::MmaSync && shape.size() == 2;
  });
  for (unsigned warps : {1u, 2u}) {
    bool holds = result <= kElementsOfWarp * warps && largestTensor <= kTensorOfWarp * warps;
    bool moreShare = operand > kOperandBytesOfWarp * warps && result >= kFewElementsOfWarp * 2 * warps;
    if (isSmall && holds && !moreShare)
      return warps;
  }
  return kWarpsPerGroup;
}

unsigned warpsForDot(tt::FuncOp func) {
  int64_t largest = 0;
  func.walk([&](Operation *op) {
    for (Type type : op->getResultTypes())
      if (auto tensor = dyn_cast<RankedTensorType>(type))
        largest = std::max(largest, tensor.getNumElements());
  });
  unsigned groups = oneRoleGroups(largest);
  return groups > 1 ? groups * kWarpsPerGroup : warpsForSmallDots(func, largest);
}

/// Whether the tiles that are live at once fit threads with so many registers.
bool fits(int64_t tileBytes, unsigned warps, int64_t registers) {
  int64_t words = llvm::divideCeil(tileBytes, 4 * kLanes * warps);
  return fitsRegisters(RegisterQuestion::OneRole, words, registers);
}

/// The registers with which as many CTAs share a multiprocessor as have enough loads under way to hide the latency of
/// memory; more of them only crowd the caches. Zero leaves the choice to the assembler, where threads are many or would
/// not get by with those.
unsigned chooseRegisters(const Target &target, int64_t live, int64_t accessed, unsigned warps) {
  unsigned threads = kLanes * warps;
  int64_t ctas = std::max<int64_t>(1, target.bytesUnderWay / std::max<int64_t>(1, accessed));
  if (warps % kWarpsPerGroup != 0 || ctas * threads > kThreadsAtEase)
    return 0;
  int64_t shared = target.registersPerMultiprocessor / (ctas * threads);
  int64_t registers = std::min(shared, target.registersPerThread) / 8 * 8;
  return fits(live, warps, registers) ? registers : 0;
}

/// Warps and registers of a lone role; Passes.td says it in words. Zero registers leave them to the assembler.
std::pair<unsigned, unsigned> chooseShape(tt::FuncOp func, unsigned warps) {
  Target target = moduleTarget(func);
  int64_t live = peakTileBytes(func), accessed = largestAccessBytes(func);
  if (hasDots(func)) {
    if (warps == 0)
      for (warps = warpsForDot(func); warps < kMostWarps && !fits(live, warps, target.registersPerThread);)
        warps *= 2;
    return {warps, 0};
  }
  if (warps == 0) {
    for (warps = kMostWarpsWithoutDot; warps > 1 && accessed < kAccessBytes * kLanes * warps;)
      warps /= 2;
    while (warps < kMostWarps && !fits(live, warps, target.registersPerMultiprocessor / kThreadsAtEase))
      warps *= 2;
  }
  return {warps, chooseRegisters(target, live, accessed, warps)};
}

struct WrapOneRolePass : impl::WrapOneRoleBase<WrapOneRolePass> {
  using WrapOneRoleBase::WrapOneRoleBase;

  void runOnOperation() override {
    tt::FuncOp func = findKernel(getOperation());
    if (!func)
      return signalPassFailure();
    if (!ws::kDeclinedAttr.on(getOperation()))
      return kept.at(func);
    wrapped.at(func);
    Block &body = func.getBody().front();
    Operation *terminator = body.getTerminator();
    OpBuilder builder(terminator);
    auto [roleWarps, registers] = chooseShape(func, warps);
    LLVM_DEBUG(llvm::dbgs() << roleWarps << " warps, " << registers << " registers (0: the assembler's choice)\n");
    auto role = builder.create<ws::WarpGroupOp>(func.getLoc(), ws::RoleKind::Main, roleWarps, registers);
    Block &inside = role.getBody().emplaceBlock();
    inside.getOperations().splice(inside.begin(), body.getOperations(), body.begin(), role->getIterator());
  }
};

} // namespace
} // namespace tawa
