// Addresses that begin with a kernel parameter, in the form from which ptxas keeps the parameter uniform.
#pragma once

namespace llvm {
class Module;
} // namespace llvm

namespace tawa {

/// Writes "pointer parameter + 32-bit index * size" outside of loops as one multiply-add (mad.wide). LLVM's back end
/// has a multiplication and a sum, for which ptxas 13.0 loads the parameter into registers of every thread, a constant
/// load that the access waits for; the multiply-add takes it from uniform registers. In loops LLVM does better: it
/// steps.
void combineParameterAddresses(llvm::Module &module);

} // namespace tawa
