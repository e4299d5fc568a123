// Annotates kernels without wgmma whose values fit beside the most resident CTAs (`minctasm`). Where they do not fit,
// and the GPU has no wgmma, one CTA is asked for: told nothing, ptxas 13.0 gives threads whose values spill an eighth
// to a half of the registers that they may have.

#include "compiler/target/hopper/ptx/ResidentCtas.h"
#include "compiler/target/hopper/ptx/Liveness.h"
#include "runtime/artifact/RegisterBudget.h"
#include "runtime/artifact/Target.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Module.h"

#include <algorithm>

namespace tawa {
namespace {

struct Kernel {
  llvm::Function *function = nullptr;
  int64_t threads = 0;
  bool planned = false; ///< Its registers are.
};

/// What `nvvm.annotations` says of each kernel: triples of a function, a name and a number.
llvm::SmallVector<Kernel> kernelsOf(llvm::NamedMDNode &annotations) {
  llvm::MapVector<llvm::Function *, Kernel> kernels;
  for (llvm::MDNode *node : annotations.operands()) {
    auto *function = llvm::mdconst::dyn_extract_or_null<llvm::Function>(node->getOperand(0));
    for (unsigned index = 1; function && index + 1 < node->getNumOperands(); index += 2) {
      auto *name = llvm::dyn_cast<llvm::MDString>(node->getOperand(index));
      auto *number = llvm::mdconst::dyn_extract<llvm::ConstantInt>(node->getOperand(index + 1));
      if (!name || !number)
        continue;
      Kernel &kernel = kernels[function];
      kernel.function = function;
      if (name->getString() == "maxntidx")
        kernel.threads = number->getSExtValue();
      kernel.planned |= name->getString() == "maxnreg";
    }
  }
  return llvm::to_vector(llvm::make_second_range(kernels));
}

/// A wgmma takes more registers than its operands (ptxas 13.0: C7602 at 32).
bool usesWgmma(llvm::Function &function) {
  return llvm::any_of(llvm::instructions(function), [](llvm::Instruction &instruction) {
    auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    return call && call->isInlineAsm() &&
           llvm::cast<llvm::InlineAsm>(call->getCalledOperand())->getAsmString().find("wgmma.") != std::string::npos;
  });
}

int64_t mostRegisters(llvm::Function &function) {
  Liveness liveness(function);
  int64_t most = 0;
  for (llvm::BasicBlock &block : function)
    most = std::max<int64_t>(most, liveness.most(block));
  return most;
}

} // namespace

void askForResidentCtas(llvm::Module &module, const Target &target) {
  llvm::NamedMDNode *annotations = module.getNamedMetadata("nvvm.annotations");
  if (!annotations)
    return;
  for (const Kernel &kernel : kernelsOf(*annotations)) {
    if (!kernel.threads || kernel.planned || usesWgmma(*kernel.function))
      continue;
    int64_t ctas = std::min(target.threadsPerMultiprocessor / kernel.threads, target.ctasPerMultiprocessor);
    int64_t registers = target.registersPerMultiprocessor / std::max<int64_t>(1, ctas * kernel.threads);
    bool fits = ctas != 0 && fitsRegisters(RegisterQuestion::ResidentCtas, mostRegisters(*kernel.function), registers);
    if (!fits && target.has(Feature::Wgmma))
      continue;
    ctas = fits ? ctas : 1;
    llvm::LLVMContext &context = module.getContext();
    auto *count = llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), ctas);
    annotations->addOperand(
        llvm::MDNode::get(context, {llvm::ConstantAsMetadata::get(kernel.function),
                                    llvm::MDString::get(context, "minctasm"), llvm::ConstantAsMetadata::get(count)}));
  }
}

} // namespace tawa
