// Inline PTX: pure instructions are accepted unchanged, everything else is refused with its reason.
#include "compiler/frontend/text/InlinePtx.h"

#include "gtest/gtest.h"

using namespace tawa;

namespace {

std::string read(std::string_view text, std::string_view constraints = "=r,r,r") {
  Result<std::string> plain = readInlinePtx(text, constraints);
  return plain ? *plain : plain.status().message();
}

void expectRefused(std::string_view text, const std::string &reason, std::string_view constraints = "=r,r,r") {
  std::string message = read(text, constraints);
  EXPECT_TRUE(message.starts_with("inline PTX: " + reason)) << text << "\n" << message;
}

} // namespace

// Conversions of small numbers as kernels have them: FP8 and INT4 to halves, rounding, approximations.
TEST(InlinePtx, ComputingIsLeftAsItIs) {
  for (std::string text :
       {"", "cvt.rn.f16x2.e4m3x2 $0, $1;", "tanh.approx.f32 $0, $1;",
        "ex2.approx.ftz.f32 $0, $1; rcp.approx.ftz.f32 $0, $0;", "prmt.b32 $0, $1, $2, 0x5410;",
        "shf.r.wrap.b32 $0, $1, $2, 17;",
        "{\n  .reg .b32 t;\n  lop3.b32 t, $1, 0x000f000f, 0x64006400, 0xea;\n  mul.bf16x2 $0, t, $2;\n}",
        "{ .reg .b32 a<4>; mov.b32 a0, $1; and.b32 a3, a0, 0x80808080; sub.f16x2 $0, a3, a0; }",
        "{ .reg .pred p, q; setp.lt.s32 p|q, $1, -1; @!p mov.b32 $0, $2; @p selp.b32 $0, $1, $2, q; }",
        "{ .reg .b16 lo, hi; mov.b32 {lo, hi}, $1; mov.b32 $0, {hi, lo}; mov.b32 {_, hi}, $1; }",
        "fma.rn.f32 $0, $1, 0f3F800000, 1.5e-3;", "add.f32 $0, $1, 2e+5; ; add.f32 $0, $0, 1.;",
        "{ { .reg .f32 t; mul.f32 t, $1, $2; neg.f32 $0, t; } }"})
    EXPECT_EQ(read(text), text);
  EXPECT_EQ(read("mov.b32 {$0, $1}, $2;", "=h,=&h,r,~{memory}"), "mov.b32 {$0, $1}, $2;");
  EXPECT_EQ(read("add.s32 $0, $0, $1;", "=r,0"), "add.s32 $0, $0, $1;");
}

TEST(InlinePtx, CommentsAreTakenOut) {
  EXPECT_EQ(read("mov.b32 $0, $1; // the price is $5\nneg.s32 $0, $0; // }"), "mov.b32 $0, $1;  \nneg.s32 $0, $0;  ");
  expectRefused("mov/* trap; // */.b32 $0, $1;", "unexpected '.b32'");
  expectRefused("mov.b32 $0, $1; // \n trap;", "'trap'");
  expectRefused("mov.b32 $0, $1; /* // */ trap;", "'trap'");
  expectRefused("mov.b32 $0, $1; /* trap;", "a comment is not closed");
}

TEST(InlinePtx, WhatDoesMoreIsRefused) {
  for (const char *opcode : {"trap", "ret", "exit", "bra", "call", "brkpt"})
    expectRefused(std::string(opcode) + ";", "'" + std::string(opcode) + "': it moves the flow of control");
  for (const char *opcode :
       {"bar.sync", "barrier.cta.sync", "mbarrier.arrive.b64", "shfl.sync.bfly.b32", "vote.sync.any"})
    expectRefused(std::string(opcode) + " $0;", "'" + std::string(opcode) + "': threads wait or signal");
  for (const char *opcode :
       {"ld.global.b32", "st.shared::cta.b32", "atom.add.u32", "cp.async.bulk", "createpolicy.fractional"})
    expectRefused(std::string(opcode) + " $0;", "'" + std::string(opcode) + "': it accesses memory");
  expectRefused("setmaxnreg.inc.sync.aligned.u32 240;", "'setmaxnreg.inc.sync.aligned.u32': it changes how many");
  expectRefused("frob $0, $1;", "'frob' is none of the instructions");
  expectRefused("add.cc.u32 $0, $1, $2;", "'add.cc.u32' is none of the instructions");
  expectRefused("here: mov.b32 $0, $1;", "'here' is a label");
  expectRefused("mov.u32 $0, %laneid;", "'%laneid': special registers");
  expectRefused("mov.u64 $0, some_symbol;", "'some_symbol' is no register");
}

TEST(InlinePtx, TheTextStaysWithinItself) {
  expectRefused("ret; } .visible .entry evil() { trap; //", "'ret'");
  expectRefused("} .visible .entry evil() {", "unexpected '}'");
  expectRefused("{ mov.b32 $0, $1;", "it ends within a statement");
  expectRefused("mov.b32 $0, $1", "it ends within a statement");
  expectRefused("@", "it ends within a statement");
  expectRefused("mov.b32 $0, [$1];", "'[' is an address");
  expectRefused(".visible .entry evil() {}", "'.visible': of all declarations");
  expectRefused(".reg .b32 t;", "'.reg' outside of braces");
  expectRefused("{ .reg .b32 t; } mov.b32 $0, t;", "'t' is no register");
  expectRefused("{ .reg .b128 t; }", "'.b128' is no type");
  expectRefused("{ .reg .b32 t<100000>; }", "'t' is declared as '100000'");
  expectRefused("mov.b32 $$0, $1;", "'$' is none of the 3");
  expectRefused("mov.b32 $0, ${1:uid};", "'$' is none of the 3");
  expectRefused("mov.b32 $0, $3;", "'$3' is none of the 3");
  expectRefused("mov.b32 $0, $99999999999999999999;", "'$99999999999999999999' is none of the 3");
  expectRefused("mov.b32 $2, $0;", "'$2' is an operand, and an instruction writes to it");
  expectRefused("mov.b32 5, $0;", "'5' is a number, and an instruction writes to it");
  expectRefused("add.s32 $0, $1, " + std::string(65, '1') + ";", "a number of more than 64 digits");
  expectRefused("#define x\n", "unexpected '#define'");
  expectRefused("mov.b32 $0, \\\n$1;", "unexpected '\\'");
  expectRefused(std::string("mov\0.b32", 8), "");
  expectRefused(std::string(9, '{') + std::string(9, '}'), "scopes are nested deeper than 8");
}

TEST(InlinePtx, Constraints) {
  expectRefused("", "the constraint 'i' may name a symbol", "=r,i");
  expectRefused("", "the constraint '=n' names no register", "=n");
  expectRefused("", "the constraint '=m' names no register", "=m,r");
  expectRefused("", "the constraint '+r' names no register", "+r");
  expectRefused("", "the constraint '=' names no register", "=");
  expectRefused("", "the constraint '' names no register", "=r, ,r");
  expectRefused("", "the constraint '~{a;b}' cannot be read", "=r,~{a;b}");
  expectRefused("", "constraints of results stand before", "=r,r,=r");
}
