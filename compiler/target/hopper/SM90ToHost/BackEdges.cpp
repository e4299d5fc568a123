// Inserts a call at every back edge of a kernel's control flow, where the emulator can switch threads: they are fibers,
// and a loop without any other call would run without ever yielding.

#include "compiler/target/hopper/SM90ToHost/EmulatorCalls.h"
#include "compiler/target/hopper/SM90ToHost/Steps.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace tawa::sm90 {

/// Blocks with an edge to a block that is still open in a depth-first walk from the entry: every cycle has one.
static SetVector<Block *> blocksThatJumpBack(Block *entry) {
  enum class State { Open, Closed };
  llvm::DenseMap<Block *, State> states;
  SmallVector<std::pair<Block *, unsigned>> path{{entry, 0}};
  SetVector<Block *> found;
  states[entry] = State::Open;
  while (!path.empty()) {
    auto &[block, next] = path.back();
    if (next == block->getNumSuccessors()) {
      states[block] = State::Closed;
      path.pop_back();
      continue;
    }
    Block *from = block, *successor = block->getSuccessor(next++);
    auto [state, isNew] = states.try_emplace(successor, State::Open);
    if (isNew)
      path.push_back({successor, 0});
    else if (state->second == State::Open)
      found.insert(from);
  }
  return found;
}

void countBackEdges(LLVM::LLVMFuncOp kernel) {
  for (Block *block : blocksThatJumpBack(&kernel.getBody().front())) {
    OpBuilder builder(block->getTerminator());
    callEmulator(builder, block->getTerminator()->getLoc(), EmuFn::back_edge, {});
  }
}

} // namespace tawa::sm90
