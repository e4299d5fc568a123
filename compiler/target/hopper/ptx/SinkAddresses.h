// Addresses that a loop does not change, computed where it reads them.
#pragma once

namespace llvm {
class Loop;
} // namespace llvm

namespace tawa {

/// A swizzled tile takes an address for each of its rows of banks, and all of them follow from a lane's place and the
/// tile's base by one or two instructions. In a loop that holds too much, sums and exclusive ors of 32 bits are
/// computed where they are read, if what they follow from takes fewer registers than they do.
void sinkAddresses(const llvm::Loop &loop);

} // namespace tawa
