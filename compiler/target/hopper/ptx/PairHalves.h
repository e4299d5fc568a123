// Arithmetic on two 16-bit elements of one word, as one instruction.
#pragma once

namespace llvm {
class Module;
} // namespace llvm

namespace tawa {

/// Where the results of two equal operations on 16-bit elements become one word (an operand of a product, two elements
/// of a store), the operation is done on words instead: `mul.f16x2`, a mask of 32 bits. `bf16`: the GPU multiplies and
/// adds words of bf16, too.
void pairHalves(llvm::Module &module, bool bf16);

} // namespace tawa
