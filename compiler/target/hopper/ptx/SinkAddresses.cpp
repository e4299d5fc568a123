// Sinks loop-invariant address computations into the loop, next to the loads and stores that use them.
//
//   %a = add %lane, %tile                  loop:
//   %x = xor %lane, 32                       store .., %lane + %tile
//   %b = add %x, %tile             ->        store .., (%lane ^ 32) + %tile
//   loop: store .., %a; store .., %b
//
// Addresses with a leaf in common are one family, which is sunk as a whole or not at all.

#include "compiler/target/hopper/ptx/SinkAddresses.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"

#include <vector>

namespace tawa {
namespace {

using Values = llvm::SetVector<llvm::Value *>;

bool isStep(llvm::Value *value, const llvm::Loop &loop) {
  auto *instruction = llvm::dyn_cast<llvm::Instruction>(value);
  if (!instruction || !instruction->getType()->isIntegerTy(32) || loop.contains(instruction->getParent()))
    return false;
  unsigned code = instruction->getOpcode();
  return code == llvm::Instruction::Add || code == llvm::Instruction::Or || code == llvm::Instruction::Xor;
}

/// What an address follows from: the two parts of one sum, each with constants. More parts would be more to hold.
void collectLeaves(llvm::Value *value, bool maySplit, const llvm::Loop &loop, Values &leaves) {
  if (llvm::isa<llvm::Constant>(value))
    return;
  if (!isStep(value, loop)) {
    leaves.insert(value);
    return;
  }
  llvm::User::op_range parts = llvm::cast<llvm::Instruction>(value)->operands();
  bool isSplit = llvm::none_of(parts, llvm::IsaPred<llvm::Constant>);
  if (isSplit && !maySplit) {
    leaves.insert(value);
    return;
  }
  for (llvm::Value *part : parts)
    collectLeaves(part, maySplit && !isSplit, loop, leaves);
}

struct Family {
  Values addresses, leaves;
};

/// All values that the loop reads and does not change; addresses among them by families.
struct Read {
  Values values;
  std::vector<Family> families;
};

void addAddress(llvm::Value *address, const llvm::Loop &loop, std::vector<Family> &families) {
  Family joined;
  joined.addresses.insert(address);
  collectLeaves(address, /*maySplit=*/true, loop, joined.leaves);
  auto isRelated = [&](const Family &other) {
    return llvm::any_of(other.leaves, [&](llvm::Value *leaf) { return joined.leaves.contains(leaf); });
  };
  auto others = llvm::partition(families, [&](const Family &other) { return !isRelated(other); });
  for (auto related = others; related != families.end(); ++related) {
    joined.addresses.insert(related->addresses.begin(), related->addresses.end());
    joined.leaves.insert(related->leaves.begin(), related->leaves.end());
  }
  families.erase(others, families.end());
  families.push_back(std::move(joined));
}

Read readBy(const llvm::Loop &loop) {
  Read read;
  for (llvm::BasicBlock *block : loop.blocks())
    for (llvm::Instruction &user : *block)
      if (!llvm::isa<llvm::PHINode>(user))
        for (llvm::Value *operand : user.operands())
          if (auto *instruction = llvm::dyn_cast<llvm::Instruction>(operand);
              instruction && !loop.contains(instruction->getParent()))
            read.values.insert(instruction);
  for (llvm::Value *value : read.values)
    if (isStep(value, loop))
      addAddress(value, loop, read.families);
  return read;
}

/// A copy before the loop that LLVM does not see through: it would take the addresses out of the loop again. All of the
/// loop reads the copy.
llvm::Value *hold(llvm::Value *leaf, const llvm::Loop &loop, llvm::BasicBlock &before) {
  llvm::IRBuilder<> builder(before.getTerminator());
  llvm::Type *type = builder.getInt32Ty();
  auto *move = llvm::InlineAsm::get(llvm::FunctionType::get(type, {type}, /*isVarArg=*/false), "mov.b32 $0, $1;",
                                    "=r,r", /*hasSideEffects=*/false);
  llvm::Value *copy = builder.CreateCall(move, {leaf});
  leaf->replaceUsesWithIf(
      copy, [&](llvm::Use &use) { return loop.contains(llvm::cast<llvm::Instruction>(use.getUser())->getParent()); });
  return copy;
}

llvm::Value *rebuild(llvm::Value *value, const llvm::DenseMap<llvm::Value *, llvm::Value *> &held,
                     llvm::Instruction *reader) {
  if (llvm::isa<llvm::Constant>(value))
    return value;
  if (llvm::Value *copy = held.lookup(value))
    return copy;
  llvm::Instruction *step = llvm::cast<llvm::Instruction>(value)->clone();
  for (llvm::Use &operand : step->operands())
    operand.set(rebuild(operand.get(), held, reader));
  step->insertBefore(reader);
  return step;
}

void sink(const Family &family, const llvm::Loop &loop, llvm::BasicBlock &before) {
  llvm::DenseMap<llvm::Value *, llvm::Value *> held;
  for (llvm::Value *leaf : family.leaves)
    held[leaf] = hold(leaf, loop, before);
  for (llvm::Value *address : family.addresses) {
    llvm::SetVector<llvm::Instruction *> readers;
    for (llvm::User *user : address->users())
      if (auto *reader = llvm::cast<llvm::Instruction>(user);
          loop.contains(reader->getParent()) && !llvm::isa<llvm::PHINode>(reader))
        readers.insert(reader);
    for (llvm::Instruction *reader : readers)
      reader->replaceUsesOfWith(address, rebuild(address, held, reader));
  }
}

} // namespace

void sinkAddresses(const llvm::Loop &loop) {
  llvm::BasicBlock *before = loop.getLoopPredecessor();
  if (!before)
    return;
  Read read = readBy(loop);
  for (const Family &family : read.families) {
    auto isNew = [&](llvm::Value *leaf) { return !read.values.contains(leaf); };
    auto added = static_cast<size_t>(llvm::count_if(family.leaves, isNew));
    if (added < family.addresses.size())
      sink(family, loop, *before);
  }
}

} // namespace tawa
