// Words that are put together of halves of two others, or of two bytes of one, as one instruction.
#pragma once

namespace llvm {
class Module;
} // namespace llvm

namespace tawa {

/// Writes "a half of one word beside a half of another" as a byte permutation (prmt) instead of two masks or shifts
/// and an `or`: what remains of a tile of 16-bit elements that is transposed, or moved between layouts, in registers.
/// And so "one byte of a word beside another one, as halves", of bytes that become 16-bit floats.
void combineHalfWords(llvm::Module &module);

} // namespace tawa
