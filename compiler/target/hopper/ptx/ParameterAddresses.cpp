// Rewrites kernel parameter plus 32-bit index as one mad.wide, whose base ptxas keeps in a uniform register. A
// kernel of a few microseconds begins with these loads: at 1024 x 1024 a fused elementwise kernel is 5 % faster for it
// (perf/LOG.md, 2026-11-22).

#include "compiler/target/hopper/ptx/ParameterAddresses.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

namespace tawa {
namespace {

/// A 32-bit value that `index` extends to the width of an address.
struct NarrowIndex {
  llvm::Value *value = nullptr;
  bool isSigned = false;
};

NarrowIndex narrowIndex(llvm::Value *index) {
  auto *extended = llvm::dyn_cast<llvm::CastInst>(index);
  if (!extended || !llvm::isa<llvm::SExtInst, llvm::ZExtInst>(extended) || !extended->getSrcTy()->isIntegerTy(32))
    return {};
  return {extended->getOperand(0), llvm::isa<llvm::SExtInst>(extended)};
}

bool beginsWithParameter(const llvm::GetElementPtrInst &address) {
  return llvm::isa<llvm::Argument>(address.getPointerOperand()) && address.getNumIndices() == 1 &&
         address.getType()->isPointerTy();
}

void combine(llvm::GetElementPtrInst &address, const NarrowIndex &index, uint64_t size) {
  llvm::IRBuilder<> builder(&address);
  llvm::Type *wide = builder.getInt64Ty();
  auto *type = llvm::FunctionType::get(wide, {builder.getInt32Ty(), wide}, /*isVarArg=*/false);
  std::string text =
      std::string("mad.wide.") + (index.isSigned ? "s32" : "u32") + " $0, $1, " + std::to_string(size) + ", $2;";
  auto *assembly = llvm::InlineAsm::get(type, text, "=l,r,l", /*hasSideEffects=*/false);
  llvm::Value *base = builder.CreatePtrToInt(address.getPointerOperand(), wide);
  llvm::Value *sum = builder.CreateCall(assembly, {index.value, base});
  address.replaceAllUsesWith(builder.CreateIntToPtr(sum, address.getType()));
  address.eraseFromParent();
}

} // namespace

void combineParameterAddresses(llvm::Module &module) {
  constexpr uint64_t kMostSize = 1 << 30; // an immediate of 32 bits
  for (llvm::Function &function : module) {
    if (function.isDeclaration())
      continue;
    llvm::DominatorTree dominators(function);
    llvm::LoopInfo loops(dominators);
    for (llvm::Instruction &instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
      auto *address = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction);
      if (!address || !beginsWithParameter(*address) || loops.getLoopFor(address->getParent()))
        continue;
      NarrowIndex index = narrowIndex(address->getOperand(1));
      uint64_t size = module.getDataLayout().getTypeAllocSize(address->getSourceElementType());
      if (index.value && size <= kMostSize)
        combine(*address, index, size);
    }
  }
}

} // namespace tawa
