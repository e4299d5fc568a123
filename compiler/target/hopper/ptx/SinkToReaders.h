// Computes what a crowded loop, or a crowded block after one, reads next to where it reads it.
#pragma once

namespace llvm {
class BasicBlock;
class Loop;
} // namespace llvm

namespace tawa {

/// For a loop that holds more than it has registers for: conditions that it does not change, and in each block whatever
/// has no effect, are computed just before they are read first.
void sinkToReaders(const llvm::Loop &loop);

/// For a block outside of loops that stores a tile larger than there are registers for its addresses: what has no
/// effect, and steps of one value in other blocks that only this one reads, are computed just before they are read
/// first.
void sinkToReaders(llvm::BasicBlock &block);

} // namespace tawa
