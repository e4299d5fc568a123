// Replaces the tt.dot operations of a block by issue and wait, each wait before the first use of the result.
#include "compiler/roles/AsyncDotGroups.h"

#include "compiler/roles/StartDot.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tawa {

namespace {

/// The slot of an operand, seen through transpositions.
ws::GetOp slotOf(Value operand) {
  while (auto view = operand.getDefiningOp<tt::TransOp>())
    operand = view.getSrc();
  return operand.getDefiningOp<ws::GetOp>();
}

bool reads(ws::DotIssueOp dot, ws::ConsumedOp release) {
  return llvm::any_of(ValueRange{dot.getA(), dot.getB()}, [&](Value operand) {
    ws::GetOp get = slotOf(operand);
    return get && get.getAref() == release.getAref() && get.getIndex() == release.getIndex();
  });
}

/// Operations inside which dots may be issued or waited for, or at which another role may multiply.
bool endsFlights(Operation *op) {
  return op->hasTrait<OpTrait::IsTerminator>() || isa<scf::ForOp, scf::IfOp, scf::WhileOp, tt::DotOp, ws::DotIssueOp,
                                                      ws::DotWaitOp, ws::PingPongWaitOp, ws::PingPongPassOp>(op);
}

} // namespace

AsyncDotGroups::AsyncDotGroups(Block &block, ArrayRef<tt::DotOp> list) : block(block), dots(list.begin(), list.end()) {}

void AsyncDotGroups::apply() {
  for (Operation &op : llvm::make_early_inc_range(block)) {
    bool isOurs = dots.contains(&op);
    land(!isOurs && endsFlights(&op) ? flights.size() : neededBy(&op), op.getIterator());
    if (isOurs)
      issue(cast<tt::DotOp>(op));
    else if (auto release = dyn_cast<ws::ConsumedOp>(op))
      hold(release);
  }
  land(flights.size(), block.end()); // of a block without a terminator
}

void AsyncDotGroups::issue(tt::DotOp dot) {
  OpBuilder builder(dot);
  flights.push_back({dot, startDot(builder, dot, dot.getA(), dot.getB(), dot.getC()), {}});
}

/// Assigns a release to the last dot in flight that reads the slot.
void AsyncDotGroups::hold(ws::ConsumedOp release) {
  for (Flight &flight : llvm::reverse(flights))
    if (reads(flight.issued, release)) {
      flight.releases.push_back(release);
      return;
    }
}

/// How many of the flights, from the oldest on, an operation needs the results of.
size_t AsyncDotGroups::neededBy(Operation *op) const {
  for (size_t count = flights.size(); count > 0; --count)
    for (Operation *user : flights[count - 1].dot->getUsers())
      if (op->isAncestor(user))
        return count;
  return 0;
}

/// Waits for the oldest flights at a place of the block.
void AsyncDotGroups::land(size_t count, Block::iterator place) {
  OpBuilder builder(&block, place);
  for (size_t index = 0; index < count; ++index) {
    auto &[dot, issued, releases] = flights[index];
    uint32_t behind = flights.size() - 1 - index;
    Value sum = builder.create<ws::DotWaitOp>(dot.getLoc(), dot.getType(), issued, behind);
    dot.replaceAllUsesWith(sum);
    dot.erase();
    for (ws::ConsumedOp release : releases)
      release->moveBefore(&block, place);
  }
  flights.erase(flights.begin(), flights.begin() + count);
}

} // namespace tawa
