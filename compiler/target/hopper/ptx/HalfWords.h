// Words that are put together of halves of two others, as one instruction.
#pragma once

namespace llvm {
class Module;
} // namespace llvm

namespace tawa {

/// Writes "a half of one word beside a half of another" as a byte permutation (prmt) instead of two masks or shifts
/// and an `or`: what remains of a tile of 16-bit elements that is transposed, or moved between layouts, in registers.
void combineHalfWords(llvm::Module &module);

} // namespace tawa
