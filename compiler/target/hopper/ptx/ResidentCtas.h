// How many CTAs a multiprocessor is to hold at once.
#pragma once

namespace llvm {
class Module;
} // namespace llvm

namespace tawa {

struct Target;

/// ptxas spends registers freely while half of a multiprocessor's threads have room, and so halves the threads that
/// hide each other's waits for memory. A kernel whose values all fit while the multiprocessor holds as many threads as
/// it can is told to leave room for them (PTX ISA, .minnctapersm). Kernels of roles have their registers planned
/// (RegisterPlan.h) and are left alone.
void askForResidentCtas(llvm::Module &module, const Target &target);

} // namespace tawa
