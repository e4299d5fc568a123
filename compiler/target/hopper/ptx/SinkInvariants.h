// What a loop does not change, computed where it is needed while the loop holds many registers.
#pragma once

namespace llvm {
class Module;
} // namespace llvm

namespace tawa {

/// LLVM takes everything that a loop does not change out of it: two registers, for as long as the loop runs, for each
/// descriptor of a product, which is some base with a constant. ptxas does not undo that; it spills them. So in loops
/// that need more registers than their role has, such sums of 64 bits are made where they are read: from the first of
/// their base, since a small difference is one instruction of the uniform datapath, a constant of 64 bits is several.
/// Crowded loops of producers, and crowded blocks outside of loops, compute what they read next to its readers.
void sinkLoopInvariants(llvm::Module &module, unsigned registersPerThread);

} // namespace tawa
