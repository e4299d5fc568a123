// EmitCode: the steps in which both back ends go from the LLVM dialect to code: translation to LLVM IR, the analyses
// that LLVM's passes ask for, and the code generator.
#pragma once

#include "mlir/IR/BuiltinOps.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Target/TargetMachine.h"

#include <memory>

namespace tawa {

/// LLVM IR for this machine; null after a diagnostic. Dialects beside `llvm` are translated if the module's context has
/// their translations.
std::unique_ptr<llvm::Module> translateToLlvm(mlir::ModuleOp module, llvm::LLVMContext &context,
                                              llvm::TargetMachine &machine);

/// The managers of all analyses, known to each other, and the builder of pipelines for this machine.
struct LlvmAnalyses {
  explicit LlvmAnalyses(llvm::TargetMachine &machine);
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder;
};

/// Appends the module's code to `code`; false where the target cannot write this type of file.
bool emitCode(llvm::Module &module, llvm::TargetMachine &machine, llvm::CodeGenFileType type, bool verify,
              llvm::SmallVectorImpl<char> &code);

} // namespace tawa
