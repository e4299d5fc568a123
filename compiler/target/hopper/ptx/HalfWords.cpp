// Matches shifts, masks and an `or` that combine two 16-bit halves, or two bytes as such, and replaces them by one byte
// permutation (prmt).

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

/// One byte of a word.
struct Byte {
  llvm::Value *word = nullptr;
  unsigned number = 0;
};
constexpr unsigned kByteBits = 8, kHalfBits = 16;
constexpr uint32_t kByteMask = 0xff, kUpperByte = 0xff0000;

/// The byte with which a value begins that is a word shifted down, or its lower part.
Byte firstByte(llvm::Value *value) {
  llvm::Value *word = value, *shifted = nullptr;
  uint64_t shift = 0;
  match(value, m_Trunc(m_Value(word)));
  bool isShifted = match(word, m_LShr(m_Value(shifted), m_ConstantInt(shift)));
  if (isShifted && shift % kByteBits == 0 && shifted->getType()->isIntegerTy(32))
    return {shifted, static_cast<unsigned>(shift / kByteBits)};
  return {word, 0};
}

/// Which byte of a word is the value, if all its other bits are zero.
Byte lowestByte(llvm::Value *value) {
  llvm::Value *inner = value, *from = nullptr;
  match(value, m_ZExt(m_Value(inner)));
  if (match(inner, m_And(m_Value(from), m_SpecificInt(kByteMask))))
    return firstByte(from);
  if (Byte first = firstByte(inner); first.number == 3)
    return first; // the last one
  unsigned bits = inner->getType()->getIntegerBitWidth();
  if (!match(inner, m_LShr(m_Value(from), m_SpecificInt(bits - kByteBits))))
    return {};
  Byte first = firstByte(from);
  first.number += bits / kByteBits - 1;
  return first.number <= 3 ? first : Byte();
}

/// Which one stands in bits 16 to 23, if all others are zero.
Byte upperByte(llvm::Value *value) {
  llvm::Value *word = nullptr, *shifted = nullptr;
  if (match(value, m_Shl(m_Value(word), m_SpecificInt(kHalfBits))))
    return lowestByte(word);
  if (!match(value, m_And(m_Value(word), m_SpecificInt(kUpperByte))))
    return {};
  if (match(word, m_LShr(m_Value(shifted), m_SpecificInt(kByteBits))))
    return {shifted, 3};
  if (match(word, m_Shl(m_Value(shifted), m_SpecificInt(kByteBits))))
    return {shifted, 1};
  return {word, 2};
}

/// Two bytes of a word, each as a half: prmt takes the zeros between them from its second operand.
llvm::Value *spreadBytes(llvm::BinaryOperator &sum) {
  for (auto [low, high] : {std::pair(0, 1), std::pair(1, 0)}) {
    Byte lower = lowestByte(sum.getOperand(low)), upper = upperByte(sum.getOperand(high));
    if (!lower.word || lower.word != upper.word || !lower.word->getType()->isIntegerTy(32))
      continue;
    llvm::IRBuilder<> builder(&sum);
    uint32_t selector = 0x4040 | lower.number | upper.number << kByteBits;
    return builder.CreateIntrinsic(llvm::Intrinsic::nvvm_prmt, {},
                                   {lower.word, builder.getInt32(0), builder.getInt32(selector)});
  }
  return nullptr;
}

/// A byte below three bytes of a constant, as the last digits of a float. What changes the byte itself, changes all
/// four of the word at once.
llvm::Value *byteBelow(llvm::BinaryOperator &sum) {
  llvm::ConstantInt *above = nullptr;
  llvm::Value *value = nullptr;
  if (!match(&sum, m_c_Xor(m_Value(value), m_ConstantInt(above))) &&
      !match(&sum, m_c_Or(m_Value(value), m_ConstantInt(above))))
    return nullptr;
  auto bits = static_cast<uint32_t>(above->getZExtValue()), own = bits & kByteMask;
  Byte byte = lowestByte(value);
  bool isOr = sum.getOpcode() == llvm::Instruction::Or;
  if (!byte.word || !byte.word->getType()->isIntegerTy(32) || bits == own || (isOr && own != 0))
    return nullptr;
  llvm::IRBuilder<> builder(&sum);
  llvm::Value *word = own == 0 ? byte.word : builder.CreateXor(byte.word, builder.getInt32(own * 0x01010101));
  return builder.CreateIntrinsic(llvm::Intrinsic::nvvm_prmt, {},
                                 {word, builder.getInt32(bits), builder.getInt32(0x7650 | byte.number)});
}

llvm::Value *asPermutation(llvm::BinaryOperator &operation) {
  bool isOr = operation.getOpcode() == llvm::Instruction::Or;
  if (llvm::Value *halves = isOr ? permutation(operation) : nullptr)
    return halves;
  if (llvm::Value *bytes = isOr ? spreadBytes(operation) : nullptr)
    return bytes;
  return byteBelow(operation);
}

} // namespace

void combineHalfWords(llvm::Module &module) {
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
      auto *operation = llvm::dyn_cast<llvm::BinaryOperator>(&instruction);
      bool isBitwise = operation && (operation->getOpcode() == llvm::Instruction::Or ||
                                     operation->getOpcode() == llvm::Instruction::Xor);
      if (!isBitwise || !operation->getType()->isIntegerTy(32))
        continue;
      if (llvm::Value *word = asPermutation(*operation)) {
        operation->replaceAllUsesWith(word);
        operation->eraseFromParent();
      }
    }
}

} // namespace tawa
