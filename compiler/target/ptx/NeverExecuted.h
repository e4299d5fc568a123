// Predicated instructions that LLVM's passes have shown never to be executed.
#pragma once

namespace llvm {
class Module;
} // namespace llvm

namespace tawa {

/// Erases inline assembly of one instruction whose predicate is false. What it would have left unchanged, it was given:
/// the inputs tied to its outputs. ptxas takes the result of such a load for undefined, the move before it or not.
void eraseNeverExecuted(llvm::Module &module);

} // namespace tawa
