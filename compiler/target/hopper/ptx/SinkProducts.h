// Recomputes loop-invariant offsets of rows inside the loop, from the first of them.
#pragma once

namespace llvm {
class Loop;
}

namespace tawa {

/// For a loop that holds more than it has registers for: products of one stride with numbers that differ by constants.
/// Whether there were any.
bool sinkProducts(const llvm::Loop &loop);

} // namespace tawa
