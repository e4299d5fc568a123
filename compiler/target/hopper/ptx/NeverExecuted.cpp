// The text of a predicated instruction begins with "@$N": operand N of the assembly, outputs counted first. LLVM does
// not look into the text, so that the load of a register whose mask is false in every thread is still there after its
// passes.

#include "compiler/target/hopper/ptx/NeverExecuted.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"

namespace tawa {
namespace {

/// The argument that is the predicate; nothing for texts without one and for those of several instructions.
llvm::Value *predicateOf(const llvm::CallInst &call, llvm::StringRef text, unsigned outputs) {
  unsigned operand = 0;
  if (!text.consume_front("@$") || text.consumeInteger(10, operand) || text.count(';') != 1 || operand < outputs)
    return nullptr;
  return call.getArgOperand(operand - outputs);
}

/// What the outputs are where the instruction is not executed; false where some output starts from nothing.
bool initialValues(const llvm::CallInst &call, llvm::ArrayRef<llvm::InlineAsm::ConstraintInfo> outputs,
                   llvm::SmallVectorImpl<llvm::Value *> &values) {
  for (const llvm::InlineAsm::ConstraintInfo &output : outputs) {
    if (!output.hasMatchingInput())
      return false;
    values.push_back(call.getArgOperand(output.MatchingInput - outputs.size()));
  }
  return true;
}

/// One value as it is, several as the structure that assembly has as its result.
llvm::Value *resultOf(llvm::CallInst &call, llvm::ArrayRef<llvm::Value *> values) {
  if (values.size() == 1)
    return values[0];
  llvm::IRBuilder<> builder(&call);
  llvm::Value *result = llvm::PoisonValue::get(call.getType());
  for (auto [index, value] : llvm::enumerate(values))
    result = builder.CreateInsertValue(result, value, index);
  return result;
}

llvm::ArrayRef<llvm::InlineAsm::ConstraintInfo> outputsOf(llvm::ArrayRef<llvm::InlineAsm::ConstraintInfo> constraints) {
  return constraints.take_while(
      [](const llvm::InlineAsm::ConstraintInfo &constraint) { return constraint.Type == llvm::InlineAsm::isOutput; });
}

bool eraseIfNeverExecuted(llvm::CallInst &call) {
  auto *assembly = llvm::cast<llvm::InlineAsm>(call.getCalledOperand());
  llvm::InlineAsm::ConstraintInfoVector constraints = assembly->ParseConstraints();
  auto outputs = outputsOf(constraints);
  auto *predicate = llvm::dyn_cast_or_null<llvm::ConstantInt>(
      predicateOf(call, assembly->getAsmString(), static_cast<unsigned>(outputs.size())));
  llvm::SmallVector<llvm::Value *> values;
  if (!predicate || !predicate->isZero() || !initialValues(call, outputs, values))
    return false;
  if (!values.empty())
    call.replaceAllUsesWith(resultOf(call, values));
  call.eraseFromParent();
  return true;
}

/// A shuffle gives every lane some lane's value, and of a constant there is one.
bool eraseShuffleOfConstant(llvm::CallInst &call) {
  auto *assembly = llvm::cast<llvm::InlineAsm>(call.getCalledOperand());
  llvm::StringRef text = assembly->getAsmString();
  if (!text.starts_with("shfl.sync.") || text.count(';') != 1 ||
      !llvm::isa<llvm::ConstantData>(call.getArgOperand(0)) || call.getArgOperand(0)->getType() != call.getType())
    return false;
  call.replaceAllUsesWith(call.getArgOperand(0));
  call.eraseFromParent();
  return true;
}

/// Folds what the erased instructions leave: packed bytes of constants above all.
void foldConstants(llvm::Module &module) {
  llvm::legacy::PassManager passes;
  passes.add(llvm::createInstructionCombiningPass());
  passes.run(module);
}

template <typename Erase> bool eraseAssembly(llvm::Module &module, Erase erase) {
  bool erased = false;
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::make_early_inc_range(llvm::instructions(function)))
      if (auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction); call && call->isInlineAsm())
        erased |= erase(*call);
  return erased;
}

} // namespace

void eraseNeverExecuted(llvm::Module &module) {
  if (!eraseAssembly(module, eraseIfNeverExecuted))
    return;
  foldConstants(module);
  while (eraseAssembly(module, eraseShuffleOfConstant))
    foldConstants(module);
}

} // namespace tawa
