// From each word that is put together of two halves, the operations that made both are followed upwards as long as they
// are equal and nothing else reads their results:
//
//   %p = fmul half %a, %s      %q = fmul half %b, %t        %w = fmul <2 x half> (%a, %b), (%s, %t)
//   %w = bits of %p | bits of %q << 16                  ->
//
// What halves are put together instead, %a with %b, often is a word already: it was loaded so, or is a constant.
#include "compiler/target/hopper/ptx/PairHalves.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/IR/ValueHandle.h"
#include "llvm/Transforms/Utils/Local.h"

#include <optional>

using namespace llvm::PatternMatch;

namespace tawa {
namespace {

constexpr unsigned kHalfBits = 16, kByteBits = 8;
constexpr uint64_t kHalfMask = 0xffff, kByteMask = 0xff;

llvm::Value *withoutCasts(llvm::Value *value) {
  while (auto *cast = llvm::dyn_cast<llvm::BitCastInst>(value))
    value = cast->getOperand(0);
  return value;
}

/// The word whose halves these are, in this order.
llvm::Value *wordOf(llvm::Value *low, llvm::Value *high) {
  llvm::Value *word = nullptr;
  bool isWord = match(low, m_Trunc(m_Value(word))) && word->getType()->isIntegerTy(2 * kHalfBits) &&
                match(high, m_Trunc(m_LShr(m_Specific(word), m_SpecificInt(kHalfBits))));
  return isWord ? word : nullptr;
}

/// The bits of a constant of 16 bits.
std::optional<uint64_t> constantOf(llvm::Value *value) {
  if (auto *number = llvm::dyn_cast<llvm::ConstantInt>(value))
    return number->getZExtValue();
  if (auto *number = llvm::dyn_cast<llvm::ConstantFP>(value))
    return number->getValueAPF().bitcastToAPInt().getZExtValue();
  return std::nullopt;
}

llvm::APFloat halfOf(uint64_t bits) { return llvm::APFloat(llvm::APFloat::IEEEhalf(), llvm::APInt(kHalfBits, bits)); }
llvm::APFloat halfOf(double value) {
  llvm::APFloat half(value);
  bool losesDigits = false;
  half.convert(llvm::APFloat::IEEEhalf(), llvm::APFloat::rmNearestTiesToEven, &losesDigits);
  return half;
}

/// Bits of one byte that a half shows at other places: `byte << shift & mask`.
struct Field {
  llvm::Value *half = nullptr; ///< Of 16 bits; the byte is its lower one, or the upper one.
  bool isUpper = false;
  int shift = 0;
  uint64_t mask = kHalfMask;
};

uint64_t moved(uint64_t bits, int distance) { return distance < 0 ? bits >> -distance : bits << distance; }

/// Looks through masks and shifts by constants.
std::optional<Field> fieldOf(llvm::Value *value) {
  Field field;
  llvm::ConstantInt *number = nullptr;
  auto through = [&](uint64_t kept, int distance) {
    field.mask &= moved(kept, field.shift);
    field.shift += distance;
  };
  for (llvm::Value *inner = nullptr;; value = inner) {
    if (match(value, m_And(m_Value(inner), m_ConstantInt(number))))
      through(number->getZExtValue(), 0);
    else if (match(value, m_Shl(m_Value(inner), m_ConstantInt(number))))
      through(kHalfMask << number->getZExtValue() & kHalfMask, static_cast<int>(number->getZExtValue()));
    else if (match(value, m_LShr(m_Value(inner), m_ConstantInt(number))))
      through(kHalfMask >> number->getZExtValue(), -static_cast<int>(number->getZExtValue()));
    else
      break;
  }
  auto *from = llvm::dyn_cast<llvm::Instruction>(value);
  if (!from || !from->getType()->isIntegerTy(kHalfBits))
    return std::nullopt;
  uint64_t zeros = llvm::computeKnownBits(from, from->getDataLayout()).Zero.getZExtValue();
  uint64_t shown = moved(field.mask, -field.shift) & kHalfMask & ~zeros;
  field.half = value;
  field.isUpper = (shown & kByteMask) == 0;
  field.shift += field.isUpper ? kByteBits : 0;
  bool isOneByte = field.isUpper || (shown & ~kByteMask) == 0;
  return shown != 0 && isOneByte ? std::optional(field) : std::nullopt;
}

/// Two fields of one byte as a word: a product of the byte, if its copies do not meet.
struct Fields {
  Field byte;
  uint32_t factor = 0, mask = 0;
};

std::optional<Fields> fieldsOf(llvm::Value *low, llvm::Value *high) {
  std::optional<Field> first = fieldOf(low), second = fieldOf(high);
  if (!first || !second || first->half != second->half || first->isUpper != second->isUpper || first->half == low ||
      first->half == high || first->shift < 0 || second->shift < 0)
    return std::nullopt;
  uint64_t left = kByteMask << first->shift, right = kByteMask << (kHalfBits + second->shift);
  uint64_t mask = first->mask | second->mask << kHalfBits;
  if ((left & right) != 0 || (left & second->mask << kHalfBits) != 0)
    return std::nullopt;
  uint64_t factor = uint64_t(1) << first->shift | uint64_t(1) << (kHalfBits + second->shift);
  return Fields{*first, static_cast<uint32_t>(factor), static_cast<uint32_t>(mask)};
}

/// Some bits of one byte of a word, with which a half begins: `word >> first & mask`. (HalfWords.h has whole bytes.)
struct WordField {
  llvm::Value *word = nullptr;
  unsigned first = 0;
  uint64_t mask = kHalfMask;

  unsigned byte() const { return first / kByteBits; }
  unsigned inByte() const { return first % kByteBits; }
};

/// Looks through masks, shifts down by constants, and the half's own place in the word.
std::optional<WordField> wordFieldOf(llvm::Value *value) {
  WordField field;
  llvm::ConstantInt *number = nullptr;
  for (llvm::Value *inner = nullptr; field.first < 2 * kHalfBits; value = inner) { // further down there is nothing left
    if (match(value, m_And(m_Value(inner), m_ConstantInt(number)))) {
      field.mask &= number->getZExtValue() >> field.first;
    } else if (match(value, m_LShr(m_Value(inner), m_ConstantInt(number)))) {
      field.first += number->getZExtValue();
      if (field.first < 2 * kHalfBits)
        field.mask &= llvm::APInt::getAllOnes(value->getType()->getIntegerBitWidth()).getZExtValue() >> field.first;
    } else if (!match(value, m_Trunc(m_Value(inner)))) {
      break;
    }
  }
  field.word = value;
  bool isOfByte = field.first < 2 * kHalfBits && field.mask != 0 && field.mask < kByteMask &&
                  field.mask << field.inByte() <= kByteMask;
  bool isOfWord = value->getType()->isIntegerTy(2 * kHalfBits) && !llvm::isa<llvm::Constant>(value);
  return isOfByte && isOfWord ? std::optional(field) : std::nullopt;
}

/// Two such fields, of one word or of two.
using WordFields = std::pair<WordField, WordField>;

std::optional<WordFields> wordFieldsOf(llvm::Value *low, llvm::Value *high) {
  std::optional<WordField> first = wordFieldOf(low), second = wordFieldOf(high);
  return first && second ? std::optional(std::pair(*first, *second)) : std::nullopt;
}

class Pairing {
public:
  explicit Pairing(bool bf16) : bf16(bf16) {}

  void run(llvm::BasicBlock &within) {
    block = &within;
    known.clear();
    bytes.clear();
    shifts.clear();
    joined.clear();
    llvm::SmallVector<llvm::WeakTrackingVH> replaced;
    for (llvm::Instruction &op : within) {
      llvm::Value *low = nullptr, *high = nullptr;
      bool isWord = match(&op, m_c_Or(m_ZExt(m_Value(low)), m_Shl(m_ZExt(m_Value(high)), m_SpecificInt(kHalfBits))));
      if (!isWord || !op.getType()->isIntegerTy(2 * kHalfBits) || !low->getType()->isIntegerTy(kHalfBits) ||
          !high->getType()->isIntegerTy(kHalfBits) || !isPaired(withoutCasts(low), withoutCasts(high)) ||
          saved(low, high) < 0) // and the word itself is one instruction less
        continue;
      llvm::IRBuilder<> builder(&op);
      op.replaceAllUsesWith(pair(builder, low, high));
      replaced.push_back(&op);
    }
    for (llvm::WeakTrackingVH &op : replaced)
      llvm::RecursivelyDeleteTriviallyDeadInstructions(op);
  }

private:
  /// The operands of both, in the order in which they go together.
  using Operands = llvm::SmallVector<std::pair<llvm::Value *, llvm::Value *>, 2>;

  /// Text of an instruction with a form for words, as "sub.rn.f16 $0, $1, $2;".
  static llvm::StringRef packableText(llvm::Value *value) {
    auto *call = llvm::dyn_cast<llvm::CallInst>(value);
    auto *text = call ? llvm::dyn_cast<llvm::InlineAsm>(call->getCalledOperand()) : nullptr;
    if (!text || call->arg_size() != 2)
      return {};
    llvm::StringRef asmText = text->getAsmString();
    bool isArithmetic =
        asmText.starts_with("add.rn.") || asmText.starts_with("sub.rn.") || asmText.starts_with("mul.rn.");
    return isArithmetic && asmText.contains("f16 ") ? asmText : llvm::StringRef();
  }

  bool isPackable(llvm::Instruction *op) const {
    switch (op->getOpcode()) {
    case llvm::Instruction::And:
    case llvm::Instruction::Or:
    case llvm::Instruction::Xor:
      return true;
    case llvm::Instruction::FMul:
    case llvm::Instruction::FAdd:
    case llvm::Instruction::FSub:
      return op->getType()->isHalfTy() || bf16;
    case llvm::Instruction::Call:
      return !packableText(op).empty();
    default:
      return false;
    }
  }

  bool isPaired(llvm::Value *low, llvm::Value *high) const {
    auto *first = llvm::dyn_cast<llvm::Instruction>(low), *second = llvm::dyn_cast<llvm::Instruction>(high);
    return first && second && first != second && first->getParent() == block && first->hasOneUse() &&
           second->hasOneUse() && first->getOpcode() == second->getOpcode() && first->getType() == second->getType() &&
           first->getParent() == second->getParent() && isPackable(first) &&
           packableText(first) == packableText(second);
  }

  Operands operandsOf(llvm::Value *low, llvm::Value *high) const {
    auto *first = llvm::cast<llvm::Instruction>(low), *second = llvm::cast<llvm::Instruction>(high);
    auto goTogether = [&](unsigned one, unsigned other) {
      llvm::Value *left = withoutCasts(first->getOperand(one)), *right = withoutCasts(second->getOperand(other));
      return isPaired(left, right) || wordOf(left, right) || (constantOf(left) && constantOf(right));
    };
    bool swaps =
        first->isCommutative() && !goTogether(0, 0) && !goTogether(1, 1) && (goTogether(0, 1) || goTogether(1, 0));
    return {{first->getOperand(0), second->getOperand(swaps)}, {first->getOperand(1), second->getOperand(!swaps)}};
  }

  /// Instructions that pairing spares: one for each operation, less one for each word that is put together instead.
  int saved(llvm::Value *low, llvm::Value *high) const {
    low = withoutCasts(low), high = withoutCasts(high);
    if (low == high || known.count({low, high}) || wordOf(low, high) || (constantOf(low) && constantOf(high)))
      return 0;
    if (fieldsOf(low, high) || wordFieldsOf(low, high))
      return 1;
    if (!isPaired(low, high))
      return -1;
    int sum = 1;
    for (auto [left, right] : operandsOf(low, high))
      sum += saved(left, right);
    return sum;
  }

  /// The word of both halves.
  llvm::Value *pair(llvm::IRBuilder<> &builder, llvm::Value *low, llvm::Value *high) {
    low = withoutCasts(low), high = withoutCasts(high);
    llvm::Value *&word = known[{low, high}];
    if (!word) {
      llvm::Value *made = make(builder, low, high);
      known[{low, high}] = made;
      return made;
    }
    return word;
  }

  llvm::Value *make(llvm::IRBuilder<> &builder, llvm::Value *low, llvm::Value *high) {
    if (llvm::Value *word = wordOf(low, high))
      return word;
    if (auto first = constantOf(low), second = constantOf(high); first && second)
      return builder.getInt32(static_cast<uint32_t>(*first | *second << kHalfBits));
    if (auto fields = fieldsOf(low, high)) {
      llvm::Value *copies = builder.CreateMul(byteOf(builder, fields->byte), builder.getInt32(fields->factor));
      return builder.CreateAnd(copies, builder.getInt32(fields->mask));
    }
    if (auto fields = wordFieldsOf(low, high))
      return makeWordFields(builder, inOneWord(builder, *fields));
    if (isPaired(low, high))
      return makeOperation(builder, low, high);
    if (low == high)
      return makeTwice(builder, low);
    auto bits = [&](llvm::Value *half) {
      return builder.CreateZExt(builder.CreateBitCast(half, builder.getInt16Ty()), builder.getInt32Ty());
    };
    return builder.CreateOr(builder.CreateShl(bits(high), kHalfBits), bits(low));
  }

  /// A word of one half twice, as of a scale that both numbers have: one permutation of bytes.
  static llvm::Value *makeTwice(llvm::IRBuilder<> &builder, llvm::Value *half) {
    constexpr uint64_t kLower = 0x1010, kUpper = 0x3232;
    llvm::Value *word = nullptr;
    uint64_t selector = kLower;
    if (match(half, m_Trunc(m_LShr(m_Value(word), m_SpecificInt(kHalfBits)))) &&
        word->getType()->isIntegerTy(2 * kHalfBits))
      selector = kUpper;
    else if (!match(half, m_Trunc(m_Value(word))) || !word->getType()->isIntegerTy(2 * kHalfBits))
      word = builder.CreateZExt(builder.CreateBitCast(half, builder.getInt16Ty()), builder.getInt32Ty());
    return builder.CreateIntrinsic(llvm::Intrinsic::nvvm_prmt, {}, {word, word, builder.getInt32(selector)});
  }

  llvm::Value *byteOf(llvm::IRBuilder<> &builder, const Field &field) {
    llvm::Value *&byte = bytes[{field.half, unsigned(field.isUpper)}];
    if (!byte) {
      llvm::Value *half = builder.CreateZExt(field.half, builder.getInt32Ty());
      byte = field.isUpper ? builder.CreateLShr(half, kByteBits) : builder.CreateAnd(half, kByteMask);
    }
    return byte;
  }

  static bool areHalves(const WordField &low, const WordField &high) {
    return low.word == high.word && high.first == low.first + kHalfBits;
  }

  /// Fields at the same place of two words, as of one word that has a half of each: its other fields need no
  /// permutation of their own.
  WordFields inOneWord(llvm::IRBuilder<> &builder, WordFields fields) {
    auto &[low, high] = fields;
    if (low.word == high.word || low.first != high.first)
      return fields;
    bool isUpper = low.first >= kHalfBits;
    llvm::Value *&halves = joined[{{low.word, high.word}, unsigned(isUpper)}];
    if (!halves)
      halves = builder.CreateIntrinsic(llvm::Intrinsic::nvvm_prmt, {},
                                       {low.word, high.word, builder.getInt32(isUpper ? 0x7632 : 0x5410)});
    low.word = high.word = halves;
    low.first %= kHalfBits;
    high.first = low.first + kHalfBits;
    return fields;
  }

  /// One permutation of bytes and a mask. The shifts that bring fields to the beginning of their bytes are the same for
  /// all pairs of a word, as for its eight numbers of 4 bits.
  llvm::Value *makeWordFields(llvm::IRBuilder<> &builder, const WordFields &fields) {
    const auto &[low, high] = fields;
    uint64_t mask = low.mask | high.mask << kHalfBits;
    if (areHalves(low, high))
      return builder.CreateAnd(shifted(builder, low.word, low.first), mask);
    constexpr uint32_t kOfSecond = 4; // its bytes are numbered from there on (PTX ISA, prmt)
    uint32_t selector = (low.byte() | (kOfSecond + high.byte()) << kByteBits) * 0x11;
    llvm::Value *bytes =
        builder.CreateIntrinsic(llvm::Intrinsic::nvvm_prmt, {},
                                {shifted(builder, low.word, low.inByte()), shifted(builder, high.word, high.inByte()),
                                 builder.getInt32(selector)});
    return builder.CreateAnd(bytes, mask);
  }

  llvm::Value *shifted(llvm::IRBuilder<> &builder, llvm::Value *word, unsigned bits) {
    if (bits == 0)
      return word;
    llvm::Value *&known = shifts[{word, bits}];
    return known ? known : known = builder.CreateLShr(word, bits);
  }

  /// A mask and digits beside it in one instruction: ptxas 13.0 takes two for two constants, as each is one's
  /// immediate.
  static llvm::Value *makeMasked(llvm::IRBuilder<> &builder, llvm::Instruction::BinaryOps opcode,
                                 llvm::ArrayRef<llvm::Value *> words) {
    llvm::Value *bits = nullptr;
    llvm::ConstantInt *mask = nullptr;
    auto *digits = llvm::dyn_cast<llvm::ConstantInt>(words[1]);
    bool isKnown = opcode == llvm::Instruction::Or || opcode == llvm::Instruction::Xor;
    if (!isKnown || !digits || !match(words[0], m_And(m_Value(bits), m_ConstantInt(mask))))
      return nullptr;
    // (a & b) | c, (a & b) ^ c (PTX ISA, lop3)
    llvm::StringRef text =
        opcode == llvm::Instruction::Or ? "lop3.b32 $0, $1, $2, $3, 0xEA;" : "lop3.b32 $0, $1, $2, $3, 0x6A;";
    return onWords(builder, text, {bits, mask, digits});
  }

  /// An instruction whose operands and result are words.
  static llvm::Value *onWords(llvm::IRBuilder<> &builder, llvm::StringRef text, llvm::ArrayRef<llvm::Value *> words) {
    llvm::SmallVector<llvm::Type *> types(words.size(), builder.getInt32Ty());
    std::string constraints = "=r";
    for (size_t i = 0; i < words.size(); ++i)
      constraints += ",r";
    auto *type = llvm::FunctionType::get(builder.getInt32Ty(), types, false);
    return builder.CreateCall(llvm::InlineAsm::get(type, text, constraints, false), words);
  }

  /// Numbers of f16 whose last digits are fields that begin in the middle of their bytes, less a constant: the fields
  /// stay where they are, as multiples of 2^shift, and one fma divides. Both results are exact before they are rounded.
  ///
  ///   (1024 + q) - c   =   (1024 + 2^shift q) / 2^shift - (c - 1024 + 1024 / 2^shift)
  llvm::Value *makeUnshiftedDifference(llvm::IRBuilder<> &builder, const Operands &operands) {
    constexpr uint64_t kUnits = 0x6400, kDigits = 1 << 10; // 1024, and what fits below its leading digit
    auto [bits, subtrahends] = std::pair(operands[0], operands[1]);
    auto less = constantOf(withoutCasts(subtrahends.first)), lessHigh = constantOf(withoutCasts(subtrahends.second));
    llvm::Value *low = nullptr, *high = nullptr;
    if (!less || less != lessHigh || !match(withoutCasts(bits.first), m_c_Or(m_Value(low), m_SpecificInt(kUnits))) ||
        !match(withoutCasts(bits.second), m_c_Or(m_Value(high), m_SpecificInt(kUnits))))
      return nullptr;
    std::optional<WordFields> found = wordFieldsOf(low, high);
    if (!found)
      return nullptr;
    const auto [first, second] = inOneWord(builder, *found);
    unsigned shift = first.inByte();
    bool isOneWord = areHalves(first, second);
    auto rest = halfOf(*less).convertToDouble() - kDigits + static_cast<double>(kDigits >> shift);
    if (!isOneWord || shift == 0 || first.mask << shift >= kDigits || second.mask << shift >= kDigits ||
        halfOf(-rest).convertToDouble() != -rest)
      return nullptr;
    auto both = [&](const llvm::APFloat &half) {
      return builder.getInt32(static_cast<uint32_t>(half.bitcastToAPInt().getZExtValue() * 0x10001));
    };
    uint64_t mask = first.mask << shift | second.mask << (shift + kHalfBits);
    llvm::Value *numbers = onWords(builder, "lop3.b32 $0, $1, $2, $3, 0xEA;",
                                   {shifted(builder, first.word, first.first - shift), builder.getInt32(mask),
                                    builder.getInt32(kUnits * 0x10001)});
    return onWords(builder, "fma.rn.f16x2 $0, $1, $2, $3;",
                   {numbers, both(halfOf(1.0 / (1 << shift))), both(halfOf(-rest))});
  }

  llvm::Value *makeOperation(llvm::IRBuilder<> &builder, llvm::Value *low, llvm::Value *high) {
    auto *op = llvm::cast<llvm::Instruction>(low);
    Operands pairs = operandsOf(low, high);
    if (packableText(op).starts_with("sub.rn.f16 "))
      if (llvm::Value *difference = makeUnshiftedDifference(builder, pairs))
        return difference;
    llvm::SmallVector<llvm::Value *, 2> words;
    for (auto [left, right] : pairs)
      words.push_back(pair(builder, left, right));
    if (llvm::StringRef text = packableText(op); !text.empty()) {
      auto [name, operands] = text.split(' ');
      return onWords(builder, (name + "x2 " + operands).str(), words);
    }
    auto opcode = static_cast<llvm::Instruction::BinaryOps>(op->getOpcode());
    if (llvm::Value *masked = makeMasked(builder, opcode, words))
      return masked;
    if (op->getType()->isIntegerTy())
      return builder.CreateBinOp(opcode, words[0], words[1]);
    auto *type = llvm::FixedVectorType::get(op->getType(), 2);
    llvm::Value *result =
        builder.CreateBinOp(opcode, builder.CreateBitCast(words[0], type), builder.CreateBitCast(words[1], type));
    if (auto *made = llvm::dyn_cast<llvm::Instruction>(result))
      made->copyIRFlags(op);
    return builder.CreateBitCast(result, builder.getInt32Ty());
  }

  bool bf16;
  llvm::BasicBlock *block = nullptr;
  llvm::DenseMap<std::pair<llvm::Value *, llvm::Value *>, llvm::Value *> known; ///< In this block.
  llvm::DenseMap<std::pair<llvm::Value *, unsigned>, llvm::Value *> bytes;      ///< Lower and upper ones.
  llvm::DenseMap<std::pair<llvm::Value *, unsigned>, llvm::Value *> shifts;     ///< Of words, by so many bits.
  using TwoWords = std::pair<llvm::Value *, llvm::Value *>;
  llvm::DenseMap<std::pair<TwoWords, unsigned>, llvm::Value *> joined; ///< Lower and upper halves of two words.
};

} // namespace

void pairHalves(llvm::Module &module, bool bf16) {
  for (llvm::Function &function : module)
    for (llvm::BasicBlock &block : function)
      Pairing(bf16).run(block);
}

} // namespace tawa
