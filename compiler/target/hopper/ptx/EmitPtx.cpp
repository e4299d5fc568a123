// Translates to LLVM IR, marks what must not be duplicated, optimizes and prints PTX through LLVM's NVPTX back end.

#include "compiler/target/hopper/ptx/EmitPtx.h"
#include "compiler/roles/Tawa/Target.h"
#include "compiler/target/hopper/llvm/EmitCode.h"
#include "compiler/target/hopper/ptx/HalfWords.h"
#include "compiler/target/hopper/ptx/NeverExecuted.h"
#include "compiler/target/hopper/ptx/PairHalves.h"
#include "compiler/target/hopper/ptx/ParameterAddresses.h"
#include "compiler/target/hopper/ptx/ResidentCtas.h"
#include "compiler/target/hopper/ptx/SinkInvariants.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/AggressiveInstCombine/AggressiveInstCombine.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/ADCE.h"
#include "llvm/Transforms/Scalar/BDCE.h"
#include "llvm/Transforms/Scalar/CorrelatedValuePropagation.h"
#include "llvm/Transforms/Scalar/DivRemPairs.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/GVN.h"
#include "llvm/Transforms/Scalar/IndVarSimplify.h"
#include "llvm/Transforms/Scalar/InferAlignment.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopDeletion.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopRotation.h"
#include "llvm/Transforms/Scalar/Reassociate.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"

#include <chrono>
#include <memory>
#include <mutex>

namespace tawa {
namespace {

constexpr const char *kTriple = "nvptx64-nvidia-cuda";

Status failure(std::string message) { return Status(StatusCode::CompileFailed, "emitting PTX: " + std::move(message)); }

void initializeNvptx() {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
  });
}

/// The version that the module's instructions take, but no less than `least` (PTX ISA, release notes).
int isaVersionFor(mlir::ModuleOp module, int least) {
  constexpr std::pair<llvm::StringLiteral, int> introduced[] = {
      {"st.async", 81}, {".add.v", 81}, {".add.noftz.v", 81}, {"tensormap.replace", 83}};
  module.walk([&](mlir::LLVM::InlineAsmOp text) {
    for (auto [instruction, version] : introduced)
      if (text.getAsmString().contains(instruction))
        least = std::max(least, version);
  });
  return least;
}

std::unique_ptr<llvm::TargetMachine> makeTargetMachine(const std::string &processor, int isaVersion,
                                                       std::string &error) {
  initializeNvptx();
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(kTriple, error);
  if (!target)
    return nullptr;
  llvm::TargetOptions targetOptions;
  // What must stay two operations is spelt out (SM90ToPTX.cpp). Sums that are left open are also what ptxas follows
  // ranges through: it then knows that 1 + e^x needs no scaling as a divisor.
  targetOptions.AllowFPOpFusion = llvm::FPOpFusion::Fast;
  return std::unique_ptr<llvm::TargetMachine>(
      target->createTargetMachine(kTriple, processor, "+ptx" + std::to_string(isaVersion), targetOptions, std::nullopt,
                                  std::nullopt, llvm::CodeGenOptLevel::Default));
}

// MLIR 19's inline_asm cannot say `convergent`, and without it LLVM duplicates barriers while it unrolls loops and
// threads jumps.
void markConvergent(llvm::Module &module) {
  for (llvm::Function &function : module) {
    if (function.isDeclaration())
      continue;
    function.addFnAttr(llvm::Attribute::Convergent);
    for (llvm::Instruction &instruction : llvm::instructions(function)) {
      auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
      if (call && call->isInlineAsm())
        call->setConvergent();
    }
  }
}

// The passes of LLVM's pipeline that change kernels, each once: most of its other passes look through the operands of
// wgmma, 128 a tile, and find nothing. No unrolling and no vectorizing: the order and the number of machine
// instructions were chosen before.
llvm::FunctionPassManager simplifications() {
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::SimplifyCFGPass());
  passes.addPass(llvm::EarlyCSEPass(/*UseMemorySSA=*/true));
  // What is never negative is divided and widened without signs.
  passes.addPass(llvm::CorrelatedValuePropagationPass());
  passes.addPass(llvm::AggressiveInstCombinePass());
  passes.addPass(llvm::InstCombinePass());
  passes.addPass(llvm::ReassociatePass());
  // Loops compare once an iteration, at their ends.
  llvm::LoopPassManager hoisting;
  hoisting.addPass(llvm::LoopRotatePass());
  hoisting.addPass(llvm::LICMPass(llvm::LICMOptions()));
  passes.addPass(llvm::createFunctionToLoopPassAdaptor(std::move(hoisting), /*UseMemorySSA=*/true));
  llvm::LoopPassManager counting;
  counting.addPass(llvm::IndVarSimplifyPass());
  counting.addPass(llvm::LoopDeletionPass());
  passes.addPass(llvm::createFunctionToLoopPassAdaptor(std::move(counting)));
  passes.addPass(llvm::GVNPass());
  passes.addPass(llvm::BDCEPass());
  passes.addPass(llvm::InstCombinePass());
  passes.addPass(llvm::SimplifyCFGPass(llvm::SimplifyCFGOptions().hoistCommonInsts(true).sinkCommonInsts(true)));
  passes.addPass(llvm::EarlyCSEPass());
  // MLIR's loads of 64 bits promise 4 bytes.
  passes.addPass(llvm::InferAlignmentPass());
  passes.addPass(llvm::createFunctionToLoopPassAdaptor(llvm::LICMPass(llvm::LICMOptions()), /*UseMemorySSA=*/true));
  passes.addPass(llvm::DivRemPairsPass());
  passes.addPass(llvm::ADCEPass());
  return passes;
}

void optimize(llvm::Module &module, llvm::TargetMachine &machine) {
  LlvmAnalyses analyses(machine);
  llvm::ModulePassManager passes;
  // Ranges of thread and program numbers.
  analyses.builder.invokePipelineStartEPCallbacks(passes, llvm::OptimizationLevel::O3);
  passes.addPass(llvm::createModuleToFunctionPassAdaptor(simplifications()));
  passes.run(module, analyses.modules);
}

std::unique_ptr<llvm::Module> translate(mlir::ModuleOp module, llvm::LLVMContext &context,
                                        llvm::TargetMachine &machine) {
  mlir::DialectRegistry registry;
  mlir::registerNVVMDialectTranslation(registry);
  module->getContext()->appendDialectRegistry(registry);
  return translateToLlvm(module, context, machine);
}

} // namespace

Result<std::string> emitPtx(mlir::ModuleOp llvmDialectModule, const PtxOptions &options) {
  std::string error;
  Target target = moduleTarget(llvmDialectModule);
  if (Status status = checkCodeFor(target); !status)
    return status;
  std::unique_ptr<llvm::TargetMachine> machine =
      makeTargetMachine(target.architecture, isaVersionFor(llvmDialectModule, options.isaVersion), error);
  if (!machine)
    return failure("this build of LLVM has no NVPTX back end (" + error + ")");
  auto time = [&, begin = std::chrono::steady_clock::now()](const char *step) mutable {
    auto end = std::chrono::steady_clock::now();
    if (options.times)
      options.times->push_back({step, std::chrono::duration<double, std::milli>(end - begin).count()});
    begin = end;
  };
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module = translate(llvmDialectModule, context, *machine);
  if (!module)
    return failure("the module does not translate to LLVM IR");
  markConvergent(*module);
  askForResidentCtas(*module, target); // before LLVM's passes, which read annotations once and for all
  time("llvm: translate");
  optimize(*module, *machine);
  eraseNeverExecuted(*module);
  combineParameterAddresses(*module);
  pairHalves(*module, target.has(Feature::Wgmma));
  combineHalfWords(*module);
  sinkLoopInvariants(*module, static_cast<unsigned>(target.registersPerThread));
  time("llvm: optimize");
  if (options.llvmIr) {
    llvm::raw_string_ostream stream(*options.llvmIr);
    module->print(stream, nullptr);
  }
  llvm::SmallString<0> text;
  if (!emitCode(*module, *machine, llvm::CodeGenFileType::AssemblyFile, /*verify=*/false, text))
    return failure("the NVPTX back end cannot print assembly");
  time("llvm: generate PTX");
  return std::string(text.str());
}

} // namespace tawa
