// Checks of a plan of stages: slots of the producer's next iteration, the order of effects, registers.
#include "compiler/roles/StagePlan.h"

#include "compiler/analysis/PointerTiles.h"
#include "compiler/analysis/TileRegisters.h"
#include "runtime/artifact/PtxShapes.h"
#include "runtime/artifact/RegisterBudget.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace tawa {

/// Gets stand in the order in which the producer puts. While a slot is held into the next iteration, it can put what
/// comes before that ring's next tile.
std::optional<RejectReason> StagePlan::checkSlots() {
  bool isBlocked = false;
  for (auto get : loop.getBody()->getOps<ws::GetOp>())
    if (isDelayedStage(get))
      isBlocked |= get.getAref().getType().getDepth() == 1;
    else if (isBlocked)
      return RejectReason::LaterTileFirst;
  return std::nullopt;
}

/// Whether an operation may change its place among the others of its iteration, and be in another one's.
bool StagePlan::mayMove(Operation *op) { return isMemoryEffectFree(op) || readsUnwritten(loop, op); }

/// Whether an operation with an effect follows those of earlier iterations still: in the part that is not delayed, or
/// at the end of the delayed one.
bool StagePlan::keepsOrder(Operation *op) {
  return stages[op] == Stage::Compute || (stages[op] == Stage::Finish && stepOf(op) + 1 == second.size());
}

/// Effects keep their order: only gets and releases of slots change order.
std::optional<RejectReason> StagePlan::checkEffects() {
  std::optional<Stage> stage;
  for (Operation &op : loop.getBody()->without_terminator()) {
    if (isa<ws::PingPongWaitOp, ws::PingPongPassOp>(op))
      return RejectReason::EffectInStages;
    if (isa<ws::GetOp, ws::ConsumedOp, tt::DotOp>(op) || mayMove(&op))
      continue;
    if (!keepsOrder(&op) || stages[&op] != stage.value_or(stages[&op]))
      return RejectReason::EffectInStages;
    stage = stages[&op];
  }
  return std::nullopt;
}

/// Registers of each thread that a tensor of numbers takes.
int64_t StagePlan::tileRegistersOf(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.getElementType().isIntOrFloat())
    return 0;
  return tensor.getNumElements() * tensor.getElementTypeBitWidth() / 32 / (int64_t{role.getWarps()} * kLanes);
}

/// Of each thread, what it has of a row of numbers beside the sum of a product: four threads share a row of wgmma's
/// accumulator, and each has a quarter of its columns.
int64_t StagePlan::rowRegistersOf(Type type) {
  constexpr int64_t kThreadsOfRow = 4;
  auto tensor = dyn_cast<RankedTensorType>(type);
  bool isRow = tensor && tensor.getRank() == 2 && tensor.getDimSize(0) == 1 && tensor.getElementType().isIntOrFloat();
  return isRow ? tensor.getDimSize(1) * tensor.getElementTypeBitWidth() / 32 / kThreadsOfRow : 0;
}

/// Whether the sum of a second product begins with the value.
bool StagePlan::startsSecond(Value value) {
  return llvm::any_of(second, [&](ArrayRef<tt::DotOp> products) {
    return llvm::any_of(products, [&](tt::DotOp dot) { return dot.getC() == value; });
  });
}

/// All sums, carried values and tiles loaded early are in registers at once.
bool StagePlan::fitsWith(int64_t more) {
  int64_t tiles = readEarly + more;
  for (tt::DotOp dot : dots)
    if (!isContinued(dot))
      tiles += tileRegistersOf(dot.getType());
  for (Value value : handedOver)
    if (!startsSecond(value)) // in the registers of its sum
      tiles += tileRegistersOf(value.getType());
  return fitsRegisters(RegisterQuestion::RotatedLoop, tiles, ownedRegisters(role));
}

std::optional<RejectReason> StagePlan::checkRegisters() {
  return fitsWith(0) ? std::nullopt : std::optional(RejectReason::StagesTooLarge);
}

} // namespace tawa
