// WrapOneRole: a kernel that is not split into roles is one role.
//
//   %x = tt.load %p                    tawa.warp_group main warps(4) registers(0) {
//   tt.store %q, %x            ->        %x = tt.load %p
//   tt.return                            tt.store %q, %x
//                                      }
//                                      tt.return
//
// How many warps it has is the caller's choice (KernelConfig::warps) or follows from its largest tensor.
#include "compiler/analysis/LiveTiles.h"
#include "compiler/analysis/LogicalArguments.h"
#include "compiler/analysis/RegisterPlan.h"
#include "compiler/analysis/RejectReason.h"
#include "compiler/roles/Passes.h"
#include "compiler/roles/Tawa/Tawa.h"
#include "compiler/support/Debug.h"

#include "mlir/IR/BuiltinOps.h"

#define DEBUG_TYPE "tawa-wrap-one-role"

using namespace mlir;

namespace tawa {
#define GEN_PASS_DEF_WRAPONEROLE
#include "compiler/roles/Passes.h.inc"

namespace {

constexpr unsigned kLanes = 32, kMostWarps = 16;
/// A kernel with a dot has whole warp groups: one, two or four of them by its largest tile.
constexpr unsigned kGroupWarps = 4;
constexpr int64_t kTwoGroupElements = 16384, kFourGroupElements = 65536;
/// Without a dot: whole accesses of 16 bytes from each thread where threads meet to reduce, because more of them would
/// only meet later; half of that elsewhere, because more threads have more loads under way.
constexpr int64_t kReducingBytes = 16, kFreeBytes = 8;
constexpr unsigned kManyWarps = 8;
/// Threads that share an SM at ease, and what each of them then has.
constexpr unsigned kThreadsAtEase = 1024, kRegistersAtEase = kRegistersPerSM / kThreadsAtEase;
/// Of a thread's registers, for addresses, indices and what a step computes with.
constexpr unsigned kScalarRegisters = 16;
/// Loads under way that hide the latency of memory. CTAs beyond those that it takes only crowd the caches.
constexpr int64_t kBytesUnderWay = 65536;

unsigned warpsForDot(tt::FuncOp func) {
  int64_t largest = 0;
  func.walk([&](Operation *op) {
    for (Type type : op->getResultTypes())
      if (auto tensor = dyn_cast<RankedTensorType>(type))
        largest = std::max(largest, tensor.getNumElements());
  });
  return largest >= kFourGroupElements ? 4 * kGroupWarps : largest >= kTwoGroupElements ? 2 * kGroupWarps : kGroupWarps;
}

/// Of the tiles that are live at once, 32-bit words of each thread.
unsigned wordsHeld(int64_t tileBytes, unsigned warps) { return llvm::divideCeil(tileBytes, 4 * kLanes * warps); }

/// The registers with which as many CTAs share an SM as have enough loads under way. Zero leaves the choice to the
/// assembler, where threads are many or would not get by with those.
unsigned chooseRegisters(int64_t live, int64_t accessed, unsigned warps) {
  unsigned threads = kLanes * warps;
  int64_t ctas = std::max<int64_t>(1, kBytesUnderWay / std::max<int64_t>(1, accessed));
  if (warps % kGroupWarps != 0 || ctas * threads > kThreadsAtEase)
    return 0;
  unsigned registers = std::min<unsigned>(kRegistersPerSM / (ctas * threads), kMaxRegistersPerThread) / 8 * 8;
  return wordsHeld(live, warps) + kScalarRegisters <= registers ? registers : 0;
}

/// Warps and registers of a lone role; Passes.td says it in words. Zero registers leave them to the assembler.
std::pair<unsigned, unsigned> chooseShape(tt::FuncOp func, unsigned warps) {
  if (func.walk([](tt::DotOp) { return WalkResult::interrupt(); }).wasInterrupted())
    return {warps ? warps : warpsForDot(func), 0};
  int64_t live = peakTileBytes(func), accessed = largestAccessBytes(func);
  if (warps == 0) {
    bool reduces = func.walk([](tt::ReduceOp) { return WalkResult::interrupt(); }).wasInterrupted();
    for (warps = kManyWarps; warps > 1 && accessed < (reduces ? kReducingBytes : kFreeBytes) * kLanes * warps;)
      warps /= 2;
    while (warps < kMostWarps && wordsHeld(live, warps) + kScalarRegisters > kRegistersAtEase)
      warps *= 2;
  }
  return {warps, chooseRegisters(live, accessed, warps)};
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
