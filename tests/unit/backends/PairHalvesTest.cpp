// Arithmetic on pairs of halves: the same numbers with fewer instructions. The functions are evaluated by folding
// constants, before and after, for all bytes.
#include "compiler/target/hopper/ptx/PairHalves.h"

#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/ConstantFold.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

#include <gtest/gtest.h>

#include <string>

namespace tawa {
namespace {

/// What prmt.b32 computes (PTX ISA, prmt, without its modes).
uint32_t permuted(uint64_t low, uint64_t high, uint64_t selector) {
  uint64_t bytes = low | high << 32;
  uint32_t result = 0;
  for (unsigned byte = 0; byte < 4; ++byte)
    result |= (bytes >> (8 * (selector >> (4 * byte) & 7)) & 0xff) << (8 * byte);
  return result;
}

llvm::APFloat half(uint64_t bits) { return llvm::APFloat(llvm::APFloat::IEEEhalf(), llvm::APInt(16, bits & 0xffff)); }

/// One half of the result of an instruction for two.
uint64_t onHalves(llvm::StringRef text, llvm::ArrayRef<uint64_t> bits) {
  llvm::APFloat result = half(bits[0]);
  if (text.starts_with("fma"))
    result.fusedMultiplyAdd(half(bits[1]), half(bits[2]), llvm::APFloat::rmNearestTiesToEven);
  else
    result.subtract(half(bits[1]), llvm::APFloat::rmNearestTiesToEven);
  return result.bitcastToAPInt().getZExtValue();
}

/// What an instruction of PTX computes that LLVM has no name for.
llvm::Constant *assembled(llvm::StringRef text, llvm::ArrayRef<llvm::Constant *> operands) {
  llvm::SmallVector<uint64_t> bits, upper;
  for (llvm::Constant *operand : operands) {
    auto *number = llvm::dyn_cast<llvm::ConstantInt>(operand);
    bits.push_back(number ? number->getZExtValue()
                          : llvm::cast<llvm::ConstantFP>(operand)->getValueAPF().bitcastToAPInt().getZExtValue());
    upper.push_back(bits.back() >> 16);
  }
  llvm::LLVMContext &context = operands.front()->getContext();
  auto word = [&](uint64_t value) { return llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), value); };
  if (text == "lop3.b32 $0, $1, $2, $3, 0xEA;")
    return word((bits[0] & bits[1]) | bits[2]);
  if (text == "lop3.b32 $0, $1, $2, $3, 0x6A;")
    return word((bits[0] & bits[1]) ^ bits[2]);
  if (text == "sub.rn.f16 $0, $1, $2;")
    return llvm::ConstantFP::get(context, half(onHalves(text, bits)));
  EXPECT_TRUE(text == "sub.rn.f16x2 $0, $1, $2;" || text == "fma.rn.f16x2 $0, $1, $2, $3;") << text.str();
  return word(onHalves(text, bits) | onHalves(text, upper) << 16);
}

struct Program {
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module;

  explicit Program(const std::string &body) {
    llvm::SMDiagnostic error;
    module = llvm::parseAssemblyString("define i32 @f(i32 %w, i32 %v) {\n" + body + "}\n", error, context);
    if (!module)
      ADD_FAILURE() << error.getMessage().str();
  }
  llvm::Function &function() { return *module->getFunction("f"); }
  size_t size() { return function().getInstructionCount(); }
  std::string text() {
    std::string result;
    llvm::raw_string_ostream(result) << *module;
    return result;
  }
  uint64_t run(uint32_t w, uint32_t v) {
    auto *word = llvm::Type::getInt32Ty(context);
    llvm::DenseMap<llvm::Value *, llvm::Constant *> known{{function().getArg(0), llvm::ConstantInt::get(word, w)},
                                                          {function().getArg(1), llvm::ConstantInt::get(word, v)}};
    auto constant = [&](llvm::Value *value) {
      return known.count(value)
                 ? known[value]
                 : llvm::ConstantFoldConstant(llvm::cast<llvm::Constant>(value), module->getDataLayout());
    };
    for (llvm::Instruction &op : llvm::instructions(function())) {
      if (auto *end = llvm::dyn_cast<llvm::ReturnInst>(&op))
        return llvm::cast<llvm::ConstantInt>(constant(end->getReturnValue()))->getZExtValue();
      llvm::SmallVector<llvm::Constant *> operands;
      auto *called = llvm::dyn_cast<llvm::CallInst>(&op);
      for (llvm::Value *operand : called ? llvm::make_range(called->arg_begin(), called->arg_end())
                                         : llvm::make_range(op.op_begin(), op.op_end()))
        operands.push_back(constant(operand));
      if (auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&op)) {
        EXPECT_EQ(call->getIntrinsicID(), llvm::Intrinsic::nvvm_prmt);
        auto number = [&](unsigned index) { return llvm::cast<llvm::ConstantInt>(operands[index])->getZExtValue(); };
        known[&op] = llvm::ConstantInt::get(word, permuted(number(0), number(1), number(2)));
        continue;
      }
      if (auto *call = llvm::dyn_cast<llvm::CallInst>(&op)) {
        known[&op] = assembled(llvm::cast<llvm::InlineAsm>(call->getCalledOperand())->getAsmString(), operands);
        continue;
      }
      known[&op] = llvm::isa<llvm::BinaryOperator>(op)
                       ? llvm::ConstantFoldBinaryInstruction(op.getOpcode(), operands[0], operands[1])
                       : llvm::ConstantFoldInstOperands(&op, operands, module->getDataLayout());
    }
    return 0;
  }
};

/// Pairs what `body` computes and compares; gives the instructions before and after.
std::pair<size_t, size_t> paired(const std::string &body) {
  Program before(body), after(body);
  pairHalves(*after.module, /*bf16=*/true);
  for (uint32_t byte = 0; byte < 256; ++byte) {
    uint32_t w = byte * 0x01010101u ^ 0xA35C0000u, v = 0x3C004200u + byte * 0x10001u;
    EXPECT_EQ(before.run(w, v), after.run(w, v)) << "byte " << byte << "\n" << after.text();
  }
  return {before.size(), after.size()};
}

constexpr const char *kJoin = R"(
  %lo = bitcast TYPE %p to i16
  %hi = bitcast TYPE %q to i16
  %l = zext i16 %lo to i32
  %h = zext i16 %hi to i32
  %s = shl i32 %h, 16
  %r = or disjoint i32 %s, %l
  ret i32 %r
)";

std::string joined(const std::string &body, const std::string &type) {
  std::string join = kJoin;
  for (size_t at; (at = join.find("TYPE")) != std::string::npos;)
    join.replace(at, 4, type);
  return body + join;
}

/// Bits `first` and on of a word, `width` of them, as LLVM writes the i16 `name`.
std::string bitsOf(const std::string &name, const std::string &word, unsigned first, unsigned width) {
  std::string half = "%h_" + name, shifted = "%u_" + name;
  return "  " + shifted + " = lshr i32 " + word + ", " + std::to_string(first) + "\n  " + half + " = trunc i32 " +
         shifted + " to i16\n  %" + name + " = and i16 " + half + ", " + std::to_string((1 << width) - 1) + "\n";
}

/// Both halves of a word as numbers: %NAME0 and %NAME1.
std::string halvesOf(const std::string &name, const std::string &word) {
  std::string n = "%" + name;
  return "  " + n + "l = trunc i32 " + word + " to i16\n  " + n + "u = lshr i32 " + word + ", 16\n  " + n +
         "h = trunc i32 " + n + "u to i16\n  " + n + "0 = bitcast i16 " + n + "l to half\n  " + n + "1 = bitcast i16 " +
         n + "h to half\n";
}

// Halves of loaded words are multiplied as words, whatever the order of the operands.
TEST(PairHalves, ProductsOfWordsAreOne) {
  auto [before, after] = paired(halvesOf("a", "%w") + halvesOf("c", "%v") +
                                joined("  %p = fmul half %a0, %c0\n  %q = fmul half %c1, %a1\n", "half"));
  EXPECT_EQ(before, 19u);
  EXPECT_EQ(after, 5u);
}

// A half that both are multiplied by, as a scale: one permutation of bytes makes a word of it, whichever half of a word
// it is.
TEST(PairHalves, AScaleOfBothIsOnePermutation) {
  for (const char *scale :
       {"  %s16 = trunc i32 %v to i16\n", "  %vu = lshr i32 %v, 16\n  %s16 = trunc i32 %vu to i16\n"}) {
    std::string products = "  %f = bitcast i16 %s16 to half\n  %p = fmul half %a0, %f\n  %q = fmul half %a1, %f\n";
    std::string body = scale + halvesOf("a", "%w") + joined(products, "half");
    EXPECT_EQ(paired(body).second, 6u) << body;
    Program program(body);
    pairHalves(*program.module, /*bf16=*/true);
    EXPECT_NE(program.text().find("nvvm.prmt"), std::string::npos) << program.text();
  }
}

// Fields at the same places of two words: their halves are put together once, for all fields.
TEST(PairHalves, FieldsAtOnePlaceOfTwoWordsShareAPermutation) {
  std::string body;
  for (unsigned first : {0u, 4u, 8u, 12u}) {
    std::string n = std::to_string(first);
    for (auto [name, word] : {std::pair("l" + n, "%w"), std::pair("h" + n, "%v")})
      body += bitsOf(name, word, first, 4) + "  %o_" + name + " = or disjoint i16 %" + name + ", 25600\n  %z_" + name +
              " = zext i16 %o_" + name + " to i32\n";
    body +=
        "  %s_" + n + " = shl i32 %z_h" + n + ", 16\n  %r_" + n + " = or disjoint i32 %s_" + n + ", %z_l" + n + "\n";
  }
  body += "  %x = xor i32 %r_0, %r_4\n  %y = xor i32 %r_8, %r_12\n  %k = mul i32 %y, 7\n  %r = add i32 %x, %k\n  ret "
          "i32 %r\n";
  paired(body);
  Program program(body);
  pairHalves(*program.module, /*bf16=*/true);
  std::string text = program.text();
  size_t call = text.find("call i32 @llvm.nvvm.prmt");
  EXPECT_NE(call, std::string::npos) << text;
  EXPECT_EQ(text.find("call i32 @llvm.nvvm.prmt", call + 1), std::string::npos) << text;
}

// Both nibbles of a byte as the magnitudes and signs of two bf16 that are scaled: two products of the byte.
TEST(PairHalves, FieldsOfAByteAreOneProductEach) {
  for (const char *from : {"  %x = trunc i32 %w to i16\n", "  %u = lshr i32 %w, 24\n  %x = trunc i32 %u to i16\n"}) {
    auto [before, after] = paired(from + joined(R"(
  %m0 = shl i16 %x, 6
  %m1 = and i16 %m0, 448
  %n0 = shl i16 %x, 12
  %n1 = and i16 %n0, -32768
  %o = or disjoint i16 %m1, %n1
  %m2 = shl i16 %x, 2
  %m3 = and i16 %m2, 448
  %n2 = shl i16 %x, 8
  %n3 = and i16 %n2, -32768
  %t = or disjoint i16 %m3, %n3
  %f = bitcast i16 %o to bfloat
  %g = bitcast i16 %t to bfloat
  %p = fmul bfloat %f, 0xR7E80
  %q = fmul bfloat %g, 0xR7E80
)",
                                                "bfloat"));
    EXPECT_LT(after + 7, before) << from;
  }
}

// The upper byte of a half, from which bits move down.
TEST(PairHalves, FieldsMayLieInTheUpperByte) {
  auto [before, after] = paired(R"(
  %x = trunc i32 %w to i16
  %m0 = lshr i16 %x, 2
  %p = and i16 %m0, 448
  %m1 = lshr i16 %x, 6
  %q = and i16 %m1, 448
  %a = or i16 %p, 3
  %b = or i16 %q, 5
  %l = zext i16 %a to i32
  %h = zext i16 %b to i32
  %s = shl i32 %h, 16
  %r = or i32 %s, %l
  ret i32 %r
)");
  EXPECT_LT(after, before);
}

// Fields whose copies would run into each other are no product of the byte; what others read as well stays.
TEST(PairHalves, FieldsThatMeetAreNoProduct) {
  std::string body = R"(
  %x = trunc i32 %w to i16
  %m0 = shl i16 %x, 12
  %p = and i16 %m0, 12288
  %q = and i16 %x, 3
  %l = zext i16 %p to i32
  %h = zext i16 %q to i32
  %s = shl i32 %h, 16
  %r = or i32 %s, %l
  ret i32 %r
)";
  paired(body);
  Program program(body);
  pairHalves(*program.module, /*bf16=*/true);
  EXPECT_EQ(program.text().find(" mul "), std::string::npos) << program.text();
}

/// Two fields as the last digits of two floats.
std::string digits(const std::string &low, const std::string &high) {
  return joined(low + high + "  %p = or disjoint i16 %low, 25600\n  %q = or disjoint i16 %high, 25600\n", "i16");
}

// Any two fields that each lie in one byte: one permutation and one mask, whether neighbours in a word, at one place of
// two words, or anywhere. Two that lie as the halves need no permutation.
TEST(PairHalves, FieldsOfWordsAreOnePermutation) {
  for (auto [first, second, width] :
       {std::tuple(0u, 4u, 4u), {8u, 12u, 4u}, {24u, 28u, 4u}, {12u, 8u, 4u}, {2u, 22u, 2u}})
    for (const char *other : {"%w", "%v"}) {
      std::string body = digits(bitsOf("low", "%w", first, width), bitsOf("high", other, second, width));
      auto [before, after] = paired(body);
      EXPECT_LT(after, before) << body;
      Program program(body);
      pairHalves(*program.module, /*bf16=*/true);
      EXPECT_NE(program.text().find("nvvm.prmt"), std::string::npos) << program.text();
    }
  std::string body = digits(bitsOf("low", "%w", 4, 4), bitsOf("high", "%w", 20, 4));
  auto [before, after] = paired(body);
  EXPECT_EQ(after, 4u);
  EXPECT_LT(after, before);
}

/// Two fields of 1024 and more, less `less`, by the instruction that rounds to nearest.
std::string differences(const std::string &low, const std::string &high, const std::string &less) {
  std::string body = low + high;
  for (const char *name : {"low", "high"}) {
    std::string n = name;
    body += "  %o_" + n + " = or disjoint i16 %" + n + ", 25600\n  %f_" + n + " = bitcast i16 %o_" + n + " to half\n";
  }
  auto difference = [&](const char *of) {
    return " = call half asm \"sub.rn.f16 $0, $1, $2;\", \"=h,h,h\"(half " + std::string(of) + ", half " + less +
           ") nounwind willreturn memory(none)\n";
  };
  return joined(body + "  %p" + difference("%f_low") + "  %q" + difference("%f_high"), "half");
}

// Fields that begin in the middle of their bytes are not shifted: a mask, and a division with the subtraction.
TEST(PairHalves, FieldsInTheMiddleOfBytesAreDivided) {
  auto find = [](const std::string &body, const char *what) {
    Program program(body);
    pairHalves(*program.module, /*bf16=*/true);
    return program.text().find(what) != std::string::npos;
  };
  for (const char *less : {"0xH6408", "0xH6400"}) { // 1032, 1024
    std::string middle = differences(bitsOf("low", "%w", 4, 4), bitsOf("high", "%w", 20, 4), less);
    EXPECT_EQ(paired(middle).second, 3u) << middle;
    EXPECT_TRUE(find(middle, "fma.rn.f16x2"));
    std::string upper = differences(bitsOf("low", "%w", 12, 4), bitsOf("high", "%w", 28, 4), less);
    EXPECT_EQ(paired(upper).second, 4u) << upper; // one shift, which other pairs of the word share
    EXPECT_TRUE(find(upper, "fma.rn.f16x2"));
    std::string begin = differences(bitsOf("low", "%w", 8, 4), bitsOf("high", "%w", 24, 4), less);
    paired(begin);
    EXPECT_FALSE(find(begin, "fma.rn.f16x2"));
  }
  // 1.25 - 960 is no f16, and seven bits from bit 4 on do not fit below the digit of 1024.
  for (const std::string &body : {differences(bitsOf("low", "%w", 4, 4), bitsOf("high", "%w", 20, 4), "0xH3D00"),
                                  differences(bitsOf("low", "%w", 4, 7), bitsOf("high", "%w", 20, 7), "0xH6408")}) {
    paired(body);
    EXPECT_FALSE(find(body, "fma.rn.f16x2")) << body;
  }
}

// The digits and the signs of bytes, as bf16 (ExpandMath/IntToFloat): a mask each, and one subtraction for two.
TEST(PairHalves, DigitsAndSignsOfBytesAreMasked) {
  auto bitsAs = [](const char *name, unsigned first, unsigned mask, const char *how) {
    std::string n = name;
    return "  %u_" + n + " = lshr i32 %w, " + std::to_string(first) + "\n  %h_" + n + " = trunc i32 %u_" + n +
           " to i16\n  %m_" + n + " = and i16 %h_" + n + ", " + std::to_string(mask) + "\n  %o_" + n + " = " + how +
           " i16 %m_" + n + ", 17152\n  %f_" + n + " = bitcast i16 %o_" + n + " to bfloat\n";
  };
  for (const char *how : {"or disjoint", "xor"}) {
    std::string body = bitsAs("a", 0, 127, how) + bitsAs("b", 0, 128, how) + bitsAs("c", 16, 127, how) +
                       bitsAs("d", 16, 128, how) + "  %p = fsub bfloat %f_a, %f_b\n  %q = fsub bfloat %f_c, %f_d\n";
    body = joined(body, "bfloat");
    auto [before, after] = paired(body);
    EXPECT_LT(2 * after, before) << body;
    Program program(body);
    pairHalves(*program.module, /*bf16=*/true);
    EXPECT_NE(program.text().find("fsub <2 x bfloat>"), std::string::npos) << program.text();
  }
}

// A field across bytes is not looked for.
TEST(PairHalves, FieldsAcrossBytesStay) {
  std::string body = digits(bitsOf("low", "%w", 6, 4), bitsOf("high", "%w", 10, 4));
  paired(body);
  Program program(body);
  pairHalves(*program.module, /*bf16=*/true);
  EXPECT_EQ(program.text().find("nvvm.prmt"), std::string::npos) << program.text();
}

// What is shifted down twice, out of a word of 64 bits, is no field of one.
TEST(PairHalves, FieldsOfLongerWordsStay) {
  std::string far = "  %wide = zext i32 %w to i64\n  %up = lshr i64 %wide, 60\n  %half = trunc i64 %up to i16\n"
                    "  %low = lshr i16 %half, 12\n";
  std::string body = digits(far, bitsOf("high", "%v", 4, 4));
  Program program(body);
  pairHalves(*program.module, /*bf16=*/true);
  EXPECT_EQ(program.text().find("nvvm.prmt"), std::string::npos) << program.text();
}

TEST(PairHalves, WhatIsReadElsewhereStays) {
  auto [before, after] = paired(R"(
  %a = trunc i32 %w to i16
  %wu = lshr i32 %w, 16
  %b = trunc i32 %wu to i16
  %p = and i16 %a, 255
  %q = and i16 %b, 255
  %l = zext i16 %p to i32
  %h = zext i16 %q to i32
  %s = shl i32 %h, 16
  %r0 = or i32 %s, %l
  %r = add i32 %r0, %l
  %e = zext i16 %q to i32
  %f = add i32 %r, %e
  %g = add i32 %f, %h
  ret i32 %g
)");
  EXPECT_EQ(after, before);
}

} // namespace
} // namespace tawa
