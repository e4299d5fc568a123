// Predicated instructions that LLVM's passes have shown never to be executed.
#pragma once

namespace llvm {
class Module;
} // namespace llvm

namespace tawa {

/// Erases inline assembly of one instruction whose predicate is false, and the shuffles of the constants that it
/// leaves: its outputs are the inputs tied to them. What is left to ptxas is not safe with it: ptxas 13.0 folds bytes
/// of such loads, packed into words and converted from FP8, to something else than zero.
void eraseNeverExecuted(llvm::Module &module);

} // namespace tawa
