// CodeSize.cpp: refuses kernels whose code would be too large to assemble. Every tile operation is expanded for each
// register of its tile, so one line of text on a tile of a million elements in four warps becomes 8,192 instructions,
// and assembly time grows quadratically with them.
#include "compiler/target/hopper/TawaToSM90/CodeSize.h"
#include "compiler/roles/Tawa/Tawa.h"

using namespace mlir;

namespace tawa {

/// Elements computed by the kernel's operations in one thread, copies included. Typical kernels have hundreds to a few
/// thousands; ptxas takes about a minute for this many.
static constexpr uint64_t kMaxElements = 100'000;

static uint64_t registersOf(Type type) {
  ws::LinearAttr layout = ws::layoutOf(type);
  return layout ? uint64_t(1) << layout.getLayout().inBits("register") : 0;
}

/// The operand or result of the most registers.
static Type largestTile(Operation *op) {
  Type largest;
  for (TypeRange types : {TypeRange(op->getResultTypes()), TypeRange(op->getOperandTypes())})
    for (Type type : types)
      if (!largest || registersOf(type) > registersOf(largest))
        largest = type;
  return largest;
}

/// The operation whose tile determines how often `op` is expanded: for a scalar one, that of the enclosing region.
static Operation *writtenOutBy(Operation *op) {
  for (Operation *parent = op->getParentOp(); parent; parent = parent->getParentOp())
    if (isa<tt::ReduceOp, tt::ScanOp, tt::MapElementwiseOp>(parent))
      return parent;
  return op;
}

LogicalResult checkCodeSize(tt::FuncOp kernel) {
  uint64_t sum = 0, most = 0;
  Operation *largest = nullptr;
  kernel.walk([&](Operation *op) {
    Operation *user = writtenOutBy(op);
    Type tile = largestTile(user);
    uint64_t registers = tile ? registersOf(tile) : 0;
    sum += registers;
    if (registers > most) {
      most = registers;
      largest = user;
    }
  });
  if (sum <= kMaxElements)
    return success();
  auto tile = cast<RankedTensorType>(largestTile(largest));
  return largest->emitError() << "this kernel makes " << sum << " elements in each thread, and more than "
                              << kMaxElements << " are not assembled in reasonable time; its largest tile, "
                              << RankedTensorType::get(tile.getShape(), tile.getElementType()) << ", has " << most
                              << " elements in a thread: take smaller tiles or more warps (config \"warps=8\")";
}

} // namespace tawa
