// Sinks loop-invariant conditions into a loop, and computations of its blocks to their readers.
//
//   %in = icmp slt (%first | 4), %rows     loop:
//   loop:                                    %in = icmp slt (%first | 4), %rows
//     %a = gep ..; %b = gep ..      ->       %a = gep ..
//     copy %a if %in; copy %b                copy %a if %in
//                                            %b = gep ..
//                                            copy %b
//
// LLVM takes the conditions of all rows of a tile out of the loop, and computes the addresses of all copies before the
// first; ptxas keeps that order. So it does with the addresses of a large tile's stores and with the numbers that are
// stored.

#include "compiler/target/hopper/ptx/SinkToReaders.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"

namespace tawa {
namespace {

class ConditionSink {
public:
  ConditionSink(const llvm::Loop &loop, llvm::BasicBlock &before) : loop(loop), before(before) {}

  void run() {
    llvm::SetVector<llvm::Instruction *> conditions;
    for (llvm::BasicBlock *block : loop.blocks())
      for (llvm::Instruction &user : *block)
        for (llvm::Value *operand : user.operands())
          if (isStep(operand) && operand->getType()->isIntegerTy(1) && !llvm::isa<llvm::PHINode>(user))
            conditions.insert(llvm::cast<llvm::Instruction>(operand));
    for (llvm::Instruction *condition : conditions)
      sink(*condition);
  }

private:
  /// An instruction before the loop that is as cheap to repeat as its result is to hold.
  bool isStep(llvm::Value *value) const {
    auto *instruction = llvm::dyn_cast<llvm::Instruction>(value);
    if (!instruction || loop.contains(instruction->getParent()))
      return false;
    unsigned code = instruction->getOpcode();
    return llvm::isa<llvm::ICmpInst, llvm::ZExtInst, llvm::SExtInst>(instruction) || code == llvm::Instruction::And ||
           code == llvm::Instruction::Or || code == llvm::Instruction::Add;
  }

  void sink(llvm::Instruction &condition) {
    llvm::SetVector<llvm::Instruction *> readers;
    for (llvm::User *user : condition.users())
      if (auto *reader = llvm::cast<llvm::Instruction>(user);
          loop.contains(reader->getParent()) && !llvm::isa<llvm::PHINode>(reader))
        readers.insert(reader);
    for (llvm::Instruction *reader : readers)
      reader->replaceUsesOfWith(&condition, rebuild(&condition, reader));
  }

  /// A copy before the loop that LLVM does not see through: it would take the conditions out of the loop again.
  llvm::Value *hold(llvm::Value *leaf) {
    llvm::Type *type = leaf->getType();
    if (!type->isIntegerTy(32) && !type->isIntegerTy(64))
      return leaf;
    llvm::Value *&copy = held[leaf];
    if (copy)
      return copy;
    bool isWide = type->isIntegerTy(64);
    auto *move = llvm::InlineAsm::get(llvm::FunctionType::get(type, {type}, /*isVarArg=*/false),
                                      isWide ? "mov.b64 $0, $1;" : "mov.b32 $0, $1;", isWide ? "=l,l" : "=r,r",
                                      /*hasSideEffects=*/false);
    return copy = llvm::IRBuilder<>(before.getTerminator()).CreateCall(move, {leaf});
  }

  llvm::Value *rebuild(llvm::Value *value, llvm::Instruction *reader) {
    if (llvm::isa<llvm::Constant>(value))
      return value;
    if (!isStep(value))
      return hold(value);
    llvm::Instruction *step = llvm::cast<llvm::Instruction>(value)->clone();
    for (llvm::Use &operand : step->operands())
      operand.set(rebuild(operand.get(), reader));
    step->insertBefore(reader);
    return step;
  }

  const llvm::Loop &loop;
  llvm::BasicBlock &before;
  llvm::DenseMap<llvm::Value *, llvm::Value *> held;
};

/// The first of the users, where all of them are in the block.
llvm::Instruction *firstReader(llvm::Instruction &instruction) {
  llvm::Instruction *first = nullptr;
  for (llvm::User *user : instruction.users()) {
    auto *reader = llvm::cast<llvm::Instruction>(user);
    if (reader->getParent() != instruction.getParent() || llvm::isa<llvm::PHINode>(reader))
      return nullptr;
    if (!first || reader->comesBefore(first))
      first = reader;
  }
  return first;
}

/// Whether an instruction may be anywhere between its operands and its readers.
bool isFree(const llvm::Instruction &instruction) {
  return !instruction.mayHaveSideEffects() && !instruction.mayReadFromMemory() && !instruction.isTerminator() &&
         !llvm::isa<llvm::PHINode, llvm::CallInst>(instruction);
}

/// Arithmetic with a given rounding, and addresses of elements, are assembly without effects.
bool isArithmeticText(const llvm::Instruction &instruction) {
  auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  if (!call || !call->isInlineAsm())
    return false;
  auto *text = llvm::cast<llvm::InlineAsm>(call->getCalledOperand());
  auto isNumber = [](llvm::Type *type) { return type->isFloatingPointTy(); };
  bool isOfNumbers = isNumber(call->getType()) &&
                     llvm::all_of(call->args(), [&](const llvm::Use &use) { return isNumber(use->getType()); });
  return !text->hasSideEffects() && (isOfNumbers || llvm::StringRef(text->getAsmString()).starts_with("mad.wide"));
}

void sinkWithin(llvm::BasicBlock &block, bool withText) {
  for (llvm::Instruction &instruction : llvm::make_early_inc_range(llvm::reverse(block)))
    if (isFree(instruction) || (withText && isArithmeticText(instruction)))
      if (llvm::Instruction *reader = firstReader(instruction))
        instruction.moveBefore(reader);
}

bool isStepOfOneValue(const llvm::Instruction &instruction) {
  return isFree(instruction) && llvm::count_if(instruction.operands(), [](const llvm::Use &operand) {
                                  return !llvm::isa<llvm::Constant>(operand);
                                }) == 1;
}

/// Operands that other blocks compute for this one, which are as cheap to hold as their results.
void takeSteps(llvm::BasicBlock &block) {
  llvm::SetVector<llvm::Instruction *> steps;
  auto takeOperands = [&](llvm::Instruction &reader) {
    for (llvm::Value *operand : reader.operands())
      if (auto *step = llvm::dyn_cast<llvm::Instruction>(operand);
          step && step->getParent() != &block && isStepOfOneValue(*step))
        steps.insert(step);
  };
  for (llvm::Instruction &reader : block)
    if (!llvm::isa<llvm::PHINode>(reader))
      takeOperands(reader);
  for (size_t next = 0; next < steps.size(); ++next) {
    bool isReadHere = llvm::all_of(steps[next]->users(), [&](llvm::User *user) {
      auto *reader = llvm::cast<llvm::Instruction>(user);
      return reader->getParent() == &block && !llvm::isa<llvm::PHINode>(reader);
    });
    if (!isReadHere)
      continue;
    steps[next]->moveBefore(&*block.getFirstInsertionPt());
    takeOperands(*steps[next]);
  }
}

} // namespace

void sinkToReaders(const llvm::Loop &loop) {
  if (llvm::BasicBlock *before = loop.getLoopPredecessor())
    ConditionSink(loop, *before).run();
  for (llvm::BasicBlock *block : loop.blocks())
    sinkWithin(*block, /*withText=*/false);
}

void sinkToReaders(llvm::BasicBlock &block) {
  takeSteps(block);
  sinkWithin(block, /*withText=*/true);
}

} // namespace tawa
