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

bool readsSlot(ws::DotIssueOp dot, ws::ConsumedOp release) {
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

AsyncDotGroups::Flight *AsyncDotGroups::flightOf(tt::DotOp dot) {
  return llvm::find_if(flights, [&](const Flight &flight) { return dot && flight.dots.back() == dot; });
}

/// A dot that continues a sum in flight joins that flight, which ends later then.
void AsyncDotGroups::issue(tt::DotOp dot) {
  OpBuilder builder(dot);
  Flight flight;
  Value c = dot.getC();
  if (auto *before = flightOf(continuedDot(dot)); before != flights.end()) {
    flight = std::move(*before);
    flights.erase(before);
    c = flight.issued.back();
  }
  flight.dots.push_back(dot);
  flight.issued.push_back(startDot(builder, dot, dot.getA(), dot.getB(), c));
  flights.push_back(std::move(flight));
}

/// Assigns a release to the last dot in flight that reads the slot.
void AsyncDotGroups::hold(ws::ConsumedOp release) {
  for (Flight &flight : llvm::reverse(flights))
    if (llvm::any_of(flight.issued, [&](ws::DotIssueOp dot) { return readsSlot(dot, release); })) {
      flight.releases.push_back(release);
      return;
    }
}

/// How many of the flights, from the oldest on, an operation needs the results of.
size_t AsyncDotGroups::neededBy(Operation *op) const {
  auto dot = dots.contains(op) ? cast<tt::DotOp>(op) : tt::DotOp();
  tt::DotOp continued = dot ? continuedDot(dot) : tt::DotOp();
  for (size_t count = flights.size(); count > 0; --count)
    for (Operation *user : flights[count - 1].dots.back()->getUsers())
      if (op->isAncestor(user) && flights[count - 1].dots.back() != continued)
        return count;
  return 0;
}

/// Waits for the oldest flights at a place of the block.
void AsyncDotGroups::land(size_t count, Block::iterator place) {
  OpBuilder builder(&block, place);
  for (size_t index = 0; index < count; ++index) {
    auto &[chain, issued, releases] = flights[index];
    uint32_t behind = pendingsAfter(flights.size() - 1 - index);
    tt::DotOp last = chain.back();
    Value sum = builder.create<ws::DotWaitOp>(last.getLoc(), last.getType(), issued.back(), behind);
    last.replaceAllUsesWith(sum);
    for (tt::DotOp dot : llvm::reverse(chain))
      dot.erase();
    for (ws::ConsumedOp release : releases)
      release->moveBefore(&block, place);
  }
  flights.erase(flights.begin(), flights.begin() + count);
}

} // namespace tawa
