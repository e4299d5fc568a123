// Computes what a crowded loop reads next to where it reads it.
#pragma once

namespace llvm {
class Loop;
}

namespace tawa {

/// For a loop that holds more than it has registers for: conditions that it does not change, and in each block whatever
/// has no effect, are computed just before they are read first.
void sinkToReaders(const llvm::Loop &loop);

} // namespace tawa
