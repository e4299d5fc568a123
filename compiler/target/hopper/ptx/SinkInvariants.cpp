// Recomputes loop-invariant 64-bit sums (descriptors) inside the loop, from one base each, where registers are short.

#include "compiler/target/hopper/ptx/SinkInvariants.h"
#include "compiler/target/hopper/ptx/Liveness.h"
#include "compiler/target/hopper/ptx/SinkAddresses.h"
#include "compiler/target/hopper/ptx/SinkProducts.h"
#include "compiler/target/hopper/ptx/SinkToReaders.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

#include <limits>

namespace tawa {
namespace {

/// The number of `setmaxnreg.inc.sync.aligned.u32 N;`, where `change` is "inc"; 0 for other instructions.
unsigned registersAfter(llvm::Instruction &instruction, llvm::StringRef change) {
  auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  if (!call || !call->isInlineAsm())
    return 0;
  llvm::StringRef text = llvm::cast<llvm::InlineAsm>(call->getCalledOperand())->getAsmString();
  unsigned count = 0;
  bool isIt = text.consume_front("setmaxnreg.") && text.consume_front(change) &&
              text.consume_front(".sync.aligned.u32 ") && !text.consumeInteger(10, count);
  return isIt ? count : 0;
}

/// What the threads that take the most registers take, or all that one can name.
unsigned registersOfRoles(llvm::Function &function, unsigned registersPerThread) {
  unsigned most = 0;
  for (llvm::Instruction &instruction : llvm::instructions(function))
    most = std::max(most, registersAfter(instruction, "inc"));
  return most ? most : registersPerThread;
}

/// What the threads of a role that has given registers away keep; no limit in other places.
unsigned registersOfProducer(const llvm::Loop &loop, const llvm::DominatorTree &dominators) {
  for (auto *node = dominators.getNode(loop.getHeader()); node; node = node->getIDom())
    for (llvm::Instruction &instruction : *node->getBlock())
      if (unsigned count = registersAfter(instruction, "dec"))
        return count;
  return std::numeric_limits<unsigned>::max();
}

/// Whether threads of a role that has taken registers store a tile to global memory: so many elements that each thread
/// has, and addresses of them, that these do not fit beside each other.
bool storesTile(llvm::BasicBlock &block, const llvm::DominatorTree &dominators) {
  constexpr int64_t kStoresOfTile = 32;
  bool isOfConsumer = false;
  for (auto *node = dominators.getNode(&block); node && !isOfConsumer; node = node->getIDom())
    isOfConsumer = llvm::any_of(*node->getBlock(), [](auto &each) { return registersAfter(each, "inc") != 0; });
  return isOfConsumer &&
         llvm::count_if(block, [](llvm::Instruction &instruction) {
           auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
           return call && call->isInlineAsm() &&
                  llvm::cast<llvm::InlineAsm>(call->getCalledOperand())->getAsmString().find("st.global") !=
                      std::string::npos;
         }) >= kStoresOfTile;
}

/// An integer of 64 bits as a value and a constant.
struct Sum {
  llvm::Instruction *result = nullptr;
  llvm::Value *base = nullptr;
  int64_t constant = 0;
};

Sum sumOf(llvm::Instruction &instruction) {
  auto *disjoint = llvm::dyn_cast<llvm::PossiblyDisjointInst>(&instruction);
  bool adds = instruction.getOpcode() == llvm::Instruction::Add || (disjoint && disjoint->isDisjoint());
  if (!adds || !instruction.getType()->isIntegerTy(64))
    return {};
  auto *constant = llvm::dyn_cast<llvm::ConstantInt>(instruction.getOperand(1));
  return constant ? Sum{&instruction, instruction.getOperand(0), constant->getSExtValue()} : Sum();
}

using Sums = llvm::MapVector<llvm::Value *, llvm::SmallVector<Sum>>;

/// What a loop reads and does not change, by base.
Sums invariantSums(const llvm::Loop &loop) {
  llvm::SetVector<llvm::Instruction *> read;
  for (llvm::BasicBlock *block : loop.blocks())
    for (llvm::Instruction &user : *block)
      for (llvm::Value *operand : user.operands())
        if (auto *invariant = llvm::dyn_cast<llvm::Instruction>(operand);
            invariant && !llvm::isa<llvm::PHINode>(user) && !loop.contains(invariant->getParent()))
          read.insert(invariant);
  Sums sums;
  for (llvm::Instruction *invariant : read)
    if (Sum sum = sumOf(*invariant); sum.result)
      sums[sum.base].push_back(sum);
  return sums;
}

/// A sum that LLVM does not see through: it would take the base up again, and the constants with their high bits.
llvm::Value *opaque(const Sum &sum, llvm::BasicBlock &block) {
  llvm::IRBuilder<> builder(block.getTerminator());
  llvm::Type *type = builder.getInt64Ty();
  auto *move =
      llvm::InlineAsm::get(llvm::FunctionType::get(type, {type}, /*isVarArg=*/false), "mov.b64 $0, $1;", "=l,l",
                           /*hasSideEffects=*/false);
  return builder.CreateCall(move, {builder.CreateAdd(sum.base, builder.getInt64(sum.constant))});
}

/// Gives each reader in the loop its own sum.
void sink(const Sum &sum, const Sum &first, llvm::Value *held, const llvm::Loop &loop) {
  llvm::SetVector<llvm::Instruction *> readers;
  for (llvm::User *user : sum.result->users())
    if (auto *reader = llvm::cast<llvm::Instruction>(user); loop.contains(reader->getParent()))
      readers.insert(reader);
  for (llvm::Instruction *reader : readers) {
    llvm::IRBuilder<> builder(reader);
    reader->replaceUsesOfWith(sum.result, builder.CreateAdd(held, builder.getInt64(sum.constant - first.constant)));
  }
  if (sum.result->use_empty())
    sum.result->eraseFromParent();
}

void sinkInto(const llvm::Loop &loop) {
  llvm::BasicBlock *before = loop.getLoopPredecessor();
  if (!before)
    return;
  for (auto &[base, sums] : invariantSums(loop)) {
    if (sums.size() < 2)
      continue;
    const Sum first = *llvm::min_element(sums, [](const Sum &a, const Sum &b) { return a.constant < b.constant; });
    llvm::Value *held = opaque(first, *before);
    for (const Sum &sum : sums)
      sink(sum, first, held, loop);
  }
}

} // namespace

void sinkLoopInvariants(llvm::Module &module, unsigned registersPerThread) {
  for (llvm::Function &function : module) {
    if (function.isDeclaration())
      continue;
    llvm::DominatorTree dominators(function);
    llvm::LoopInfo loops(dominators);
    if (loops.empty())
      continue;
    Liveness liveness(function);
    unsigned registers = registersOfRoles(function, registersPerThread);
    // All of them are found before any is changed: liveness knows the instructions as they are now.
    auto crowdedBeyond = [&](auto registersOf) {
      llvm::SmallVector<llvm::Loop *> crowded;
      llvm::copy_if(loops.getLoopsInPreorder(), std::back_inserter(crowded), [&](llvm::Loop *loop) {
        return loop->isInnermost() &&
               llvm::any_of(loop->blocks(), [&](auto *block) { return liveness.most(*block) > registersOf(*loop); });
      });
      return crowded;
    };
    auto crowded = crowdedBeyond([&](const llvm::Loop &) { return registers; });
    auto crowdedProducers =
        crowdedBeyond([&](const llvm::Loop &loop) { return registersOfProducer(loop, dominators); });
    llvm::SmallVector<llvm::BasicBlock *> crowdedBlocks;
    for (llvm::BasicBlock &block : function)
      if (!loops.getLoopFor(&block) && storesTile(block, dominators) && liveness.most(block) > registers)
        crowdedBlocks.push_back(&block);
    for (llvm::BasicBlock *block : crowdedBlocks)
      sinkToReaders(*block);
    for (llvm::Loop *loop : crowded) {
      sinkInto(*loop);
      sinkAddresses(*loop);
    }
    for (llvm::Loop *loop : crowdedProducers)
      if (sinkProducts(*loop))
        sinkToReaders(*loop);
  }
}

} // namespace tawa
