// Matches shifts, masks and an `or` that combine two 16-bit halves, and replaces them by one byte permutation (prmt).

#include "compiler/target/hopper/ptx/HalfWords.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm::PatternMatch;

namespace tawa {
namespace {

constexpr uint32_t kLowHalf = 0xffff, kHighHalf = 0xffff0000;

/// Half of a word: its upper 16 bits, or its lower ones.
struct Half {
  llvm::Value *word = nullptr;
  bool isUpper = false;
};

/// What stands in the lower 16 bits of `value`, if the upper ones are zero; no word where that is not known.
Half lowerOf(llvm::Value *value) {
  llvm::Value *word = nullptr;
  if (match(value, m_And(m_Value(word), m_SpecificInt(kLowHalf))))
    return {word, false};
  if (match(value, m_LShr(m_Value(word), m_SpecificInt(16))))
    return {word, true};
  return {};
}

/// The same for the upper bits.
Half upperOf(llvm::Value *value) {
  llvm::Value *word = nullptr;
  if (match(value, m_And(m_Value(word), m_SpecificInt(kHighHalf))))
    return {word, true};
  if (match(value, m_Shl(m_Value(word), m_SpecificInt(16))))
    return {word, false};
  return {};
}

/// The bytes that prmt takes: 0 to 3 of its first word, 4 to 7 of the second, from the lowest four bits on (PTX ISA,
/// prmt).
uint32_t selector(const Half &lower, const Half &upper) {
  return (lower.isUpper ? 0x32 : 0x10) | (upper.isUpper ? 0x7600 : 0x5400);
}

llvm::Value *permutation(llvm::BinaryOperator &sum) {
  for (auto [low, high] : {std::pair(0, 1), std::pair(1, 0)}) {
    Half lower = lowerOf(sum.getOperand(low)), upper = upperOf(sum.getOperand(high));
    if (!lower.word || !upper.word || lower.word == upper.word)
      continue;
    llvm::IRBuilder<> builder(&sum);
    return builder.CreateIntrinsic(llvm::Intrinsic::nvvm_prmt, {},
                                   {lower.word, upper.word, builder.getInt32(selector(lower, upper))});
  }
  return nullptr;
}

} // namespace

void combineHalfWords(llvm::Module &module) {
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
      if (instruction.getOpcode() != llvm::Instruction::Or || !instruction.getType()->isIntegerTy(32))
        continue;
      if (llvm::Value *word = permutation(llvm::cast<llvm::BinaryOperator>(instruction))) {
        instruction.replaceAllUsesWith(word);
        instruction.eraseFromParent();
      }
    }
}

} // namespace tawa
