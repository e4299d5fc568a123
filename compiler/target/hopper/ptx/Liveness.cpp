// Live ranges of LLVM values, by a walk from each use backwards to the definition.
#include "compiler/target/hopper/ptx/Liveness.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

namespace tawa {
namespace {

/// Predicates have registers of their own.
unsigned registersOf(llvm::Type *type) {
  if (type->isPointerTy() || type->isIntegerTy(64) || type->isDoubleTy())
    return 2;
  bool isWord = type->isFloatingPointTy() || (type->isIntegerTy() && !type->isIntegerTy(1));
  return isWord ? 1 : 0;
}

unsigned registersOf(const std::pair<llvm::Value *, unsigned> &element) {
  llvm::Type *type = element.first->getType();
  return registersOf(type->isStructTy() ? type->getStructElementType(element.second) : type);
}

/// What an operand holds. An element that is taken out of a structure stays where it is.
void forElements(llvm::Value *value, llvm::function_ref<void(const std::pair<llvm::Value *, unsigned> &)> use) {
  if (!llvm::isa<llvm::Instruction>(value) && !llvm::isa<llvm::Argument>(value))
    return;
  if (auto *extract = llvm::dyn_cast<llvm::ExtractValueInst>(value); extract && extract->getNumIndices() == 1)
    return use({extract->getAggregateOperand(), extract->getIndices()[0]});
  unsigned count = value->getType()->isStructTy() ? value->getType()->getStructNumElements() : 1;
  for (unsigned index = 0; index < count; ++index)
    use({value, index});
}

/// A phi reads at the end of the block that the value comes from.
llvm::BasicBlock *blockOf(llvm::Instruction &user, llvm::Use &use) {
  auto *phi = llvm::dyn_cast<llvm::PHINode>(&user);
  return phi ? phi->getIncomingBlock(use) : user.getParent();
}

} // namespace

Liveness::Liveness(llvm::Function &function) {
  for (llvm::Instruction &user : llvm::instructions(function))
    if (!llvm::isa<llvm::ExtractValueInst>(user))
      for (llvm::Use &use : user.operands())
        forElements(use.get(), [&](const Element &element) {
          reach(element, blockOf(user, use), llvm::isa<llvm::PHINode>(user));
        });
}

unsigned Liveness::most(llvm::BasicBlock &block) const {
  Elements live;
  unsigned now = 0;
  auto begin = [&](const Element &element) { now += live.insert(element).second ? registersOf(element) : 0; };
  auto end = [&](const Element &element) { now -= live.erase(element) ? registersOf(element) : 0; };
  for (llvm::BasicBlock *next : llvm::successors(&block))
    if (auto found = liveIn.find(next); found != liveIn.end())
      llvm::for_each(found->second, begin);
  if (auto found = handedOn.find(&block); found != handedOn.end())
    llvm::for_each(found->second, begin);
  unsigned peak = now;
  for (llvm::Instruction &instruction : llvm::reverse(block)) {
    if (llvm::isa<llvm::ExtractValueInst>(instruction))
      continue;
    forElements(&instruction, end);
    if (!llvm::isa<llvm::PHINode>(instruction))
      for (llvm::Value *operand : instruction.operands())
        forElements(operand, begin);
    peak = std::max(peak, now);
  }
  return peak;
}

void Liveness::reach(const Element &element, llvm::BasicBlock *block, bool atEnd) {
  if (atEnd)
    handedOn[block].insert(element);
  auto *definition = llvm::dyn_cast<llvm::Instruction>(element.first);
  llvm::SmallVector<llvm::BasicBlock *> pending{block};
  while (!pending.empty()) {
    llvm::BasicBlock *at = pending.pop_back_val();
    if (definition && definition->getParent() == at)
      continue;
    if (liveIn[at].insert(element).second)
      llvm::append_range(pending, llvm::predecessors(at));
  }
}

} // namespace tawa
