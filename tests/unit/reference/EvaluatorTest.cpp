// Operations one by one: a small kernel stores their results, which are compared with values computed by hand.
#include "tests/unit/reference/ReferenceTestSupport.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

namespace tawa::reference {
namespace {

/// `%r = <name> %x, %c : tile` with a constant tile.
Ints withConstant(const std::string &name, int32_t constant, const Ints &input, std::string *error = nullptr) {
  std::string tile = "tensor<" + std::to_string(input.size()) + "xi32>";
  return run<int32_t>("i32",
                      "%c = arith.constant dense<" + std::to_string(constant) + "> : " + tile + "\n%r = " + name +
                          " %x, %c : " + tile,
                      input, error);
}

TEST(EvaluatorTest, IntegerArithmetic) {
  EXPECT_EQ(withConstant("arith.addi", 5, {1, INT32_MAX}), (Ints{6, INT32_MIN + 4}));
  EXPECT_EQ(withConstant("arith.subi", 5, {1, INT32_MIN}), (Ints{-4, INT32_MAX - 4}));
  EXPECT_EQ(withConstant("arith.muli", 65537, {65535, -3}), (Ints{-1, -196611}));
  EXPECT_EQ(withConstant("arith.divsi", 4, {7, -7}), (Ints{1, -1}));
  EXPECT_EQ(withConstant("arith.remsi", 4, {7, -7}), (Ints{3, -3}));
  EXPECT_EQ(withConstant("arith.divui", 4, {7, -4}), (Ints{1, 0x3fffffff}));
  EXPECT_EQ(withConstant("arith.remui", 10, {17, -1}), (Ints{7, 5}));
  EXPECT_EQ(withConstant("arith.divsi", -1, {7, INT32_MIN}), (Ints{-7, INT32_MIN}));
  EXPECT_EQ(withConstant("arith.remsi", -1, {7, INT32_MIN}), (Ints{0, 0}));
  EXPECT_EQ(withConstant("arith.minsi", 3, {7, -7}), (Ints{3, -7}));
  EXPECT_EQ(withConstant("arith.maxsi", 3, {7, -7}), (Ints{7, 3}));
  EXPECT_EQ(withConstant("arith.minui", 3, {7, -7}), (Ints{3, 3}));
  EXPECT_EQ(withConstant("arith.maxui", 3, {1, -7}), (Ints{3, -7}));
  EXPECT_EQ(withConstant("arith.andi", 6, {3, -1}), (Ints{2, 6}));
  EXPECT_EQ(withConstant("arith.ori", 6, {3, 8}), (Ints{7, 14}));
  EXPECT_EQ(withConstant("arith.xori", 6, {3, -1}), (Ints{5, -7}));
  EXPECT_EQ(withConstant("arith.shli", 31, {1, 2}), (Ints{INT32_MIN, 0}));
  EXPECT_EQ(withConstant("arith.shrsi", 2, {8, -8}), (Ints{2, -2}));
  EXPECT_EQ(withConstant("arith.shrui", 30, {8, -8}), (Ints{0, 3}));
}

TEST(EvaluatorTest, WhatIsUndefinedIsAnError) {
  std::string error;
  withConstant("arith.divsi", 0, {1, 2}, &error);
  EXPECT_EQ(error, "'arith.divsi' of 1 by 0 is undefined");
  withConstant("arith.remui", 0, {1, 2}, &error);
  EXPECT_EQ(error, "'arith.remui' of 1 by 0 is undefined");
  withConstant("arith.shli", 32, {1, 2}, &error);
  EXPECT_EQ(error, "'arith.shli' of 1 by 32 is undefined");
}

TEST(EvaluatorTest, ComparingAndConverting) {
  std::string select = "%m = arith.constant dense<-1> : tensor<4xi32>\n%z = arith.constant dense<0> : tensor<4xi32>\n";
  Ints input{-5, 0, 5, INT32_MIN};
  EXPECT_EQ(run<int32_t>("i32",
                         select + "%c = arith.cmpi slt, %x, %z : tensor<4xi32>\n"
                                  "%r = arith.select %c, %m, %x : tensor<4xi1>, tensor<4xi32>",
                         input),
            (Ints{-1, 0, 5, -1}));
  EXPECT_EQ(run<int32_t>("i32",
                         select + "%c = arith.cmpi ugt, %x, %z : tensor<4xi32>\n"
                                  "%r = arith.extsi %c : tensor<4xi1> to tensor<4xi32>",
                         input),
            (Ints{-1, 0, -1, -1}));
  EXPECT_EQ(run<int32_t>("i32",
                         "%s = arith.trunci %x : tensor<4xi32> to tensor<4xi8>\n"
                         "%r = arith.extui %s : tensor<4xi8> to tensor<4xi32>",
                         input),
            (Ints{251, 0, 5, 0}));
  EXPECT_EQ(run<int32_t>("i32",
                         "%f = arith.uitofp %x : tensor<4xi32> to tensor<4xf32>\n"
                         "%r = arith.fptosi %f : tensor<4xf32> to tensor<4xi32>",
                         input),
            (Ints{INT32_MAX, 0, 5, INT32_MAX}));
  EXPECT_EQ(run<int32_t>("i32",
                         "%f = arith.sitofp %x : tensor<4xi32> to tensor<4xf32>\n"
                         "%r = tt.bitcast %f : tensor<4xf32> -> tensor<4xi32>",
                         {0, 1, -2, 16777217}),
            (Ints{0, 0x3f800000, static_cast<int32_t>(0xc0000000), 0x4b800000}));
}

TEST(EvaluatorTest, FloatArithmeticRoundsToItsType) {
  // 1 + 2^-24 is 1 in f32; in f16, 2048 + 1 is 2048 and 65504 + 32 overflows.
  EXPECT_EQ(run<float>("f32",
                       "%c = arith.constant dense<5.9604644775390625e-8> : tensor<2xf32>\n"
                       "%r = arith.addf %x, %c : tensor<2xf32>",
                       {1, -1}),
            (Floats{1, -1 + 0x1p-24f}));
  Floats halves = run<float>("f32",
                             "%h = arith.truncf %x : tensor<4xf32> to tensor<4xf16>\n"
                             "%r = arith.extf %h : tensor<4xf16> to tensor<4xf32>",
                             {2049, 65519, 65520, 1e-8f});
  EXPECT_EQ(halves, (Floats{2048, 65504, INFINITY, 0}));
  Floats brains = run<float>("f32",
                             "%h = arith.truncf %x : tensor<4xf32> to tensor<4xbf16>\n"
                             "%r = arith.extf %h : tensor<4xbf16> to tensor<4xf32>",
                             {257, 259, -3, 3.4e38f});
  EXPECT_EQ(brains, (Floats{256, 260, -3, INFINITY}));
}

TEST(EvaluatorTest, NarrowingToFp8Saturates) {
  auto through = [](const std::string &type, const std::string &rounding) {
    return run<float>("f32",
                      "%h = tt.fp_to_fp %x, rounding = " + rounding + " : tensor<4xf32> -> tensor<4x" + type +
                          ">\n%r = tt.fp_to_fp %h : tensor<4x" + type + "> -> tensor<4xf32>",
                      {17, 19.5f, -1000, INFINITY});
  };
  EXPECT_EQ(through("f8E4M3FN", "rtne"), (Floats{16, 20, -448, 448}));
  EXPECT_EQ(through("f8E5M2", "rtne"), (Floats{16, 20, -1024, 57344}));
  EXPECT_EQ(through("f8E4M3FN", "rtz"), (Floats{16, 18, -448, 448}));
  EXPECT_EQ(through("f8E5M2", "rtz"), (Floats{16, 16, -896, 57344}));
}

TEST(EvaluatorTest, MathAndNaN) {
  EXPECT_EQ(run<float>("f32", "%r = math.exp2 %x : tensor<2xf32>", {3, -1}), (Floats{8, 0.5f}));
  EXPECT_EQ(run<float>("f32", "%r = math.rsqrt %x : tensor<2xf32>", {4, 0.25f}), (Floats{0.5f, 2}));
  EXPECT_EQ(run<float>("f32", "%r = math.fma %x, %x, %x : tensor<2xf32>", {4, -3}), (Floats{20, 6}));
  EXPECT_EQ(run<float>("f32",
                       "%z = arith.constant dense<0.0> : tensor<2xf32>\n%n = arith.divf %z, %z : tensor<2xf32>\n"
                       "%r = arith.maxnumf %x, %n : tensor<2xf32>",
                       {4, -3}),
            (Floats{4, -3}));
  Floats nan = run<float>("f32",
                          "%z = arith.constant dense<0.0> : tensor<2xf32>\n%n = arith.divf %z, %z : tensor<2xf32>\n"
                          "%r = arith.maximumf %x, %n : tensor<2xf32>",
                          {4, -3});
  EXPECT_TRUE(std::isnan(nan[0]) && std::isnan(nan[1]));
}

TEST(EvaluatorTest, ShapesMoveElements) {
  Ints count(8);
  std::iota(count.begin(), count.end(), 0);
  auto moved = [&](const std::string &body) { return run<int32_t>("i32", body, count); };
  EXPECT_EQ(moved("%t = tt.reshape %x : tensor<8xi32> -> tensor<2x4xi32>\n"
                  "%u = tt.trans %t {order = array<i32: 1, 0>} : tensor<2x4xi32> -> tensor<4x2xi32>\n"
                  "%r = tt.reshape %u : tensor<4x2xi32> -> tensor<8xi32>"),
            (Ints{0, 4, 1, 5, 2, 6, 3, 7}));
  EXPECT_EQ(moved("%t = tt.reshape %x : tensor<8xi32> -> tensor<2x2x2xi32>\n"
                  "%u = tt.trans %t {order = array<i32: 1, 2, 0>} : tensor<2x2x2xi32> -> tensor<2x2x2xi32>\n"
                  "%r = tt.reshape %u : tensor<2x2x2xi32> -> tensor<8xi32>"),
            (Ints{0, 4, 1, 5, 2, 6, 3, 7}));
  EXPECT_EQ(moved("%t = tt.reshape %x : tensor<8xi32> -> tensor<4x2xi32>\n"
                  "%a, %b = tt.split %t : tensor<4x2xi32> -> tensor<4xi32>\n"
                  "%j = tt.join %b, %a : tensor<4xi32> -> tensor<4x2xi32>\n"
                  "%r = tt.reshape %j : tensor<4x2xi32> -> tensor<8xi32>"),
            (Ints{1, 0, 3, 2, 5, 4, 7, 6}));
  EXPECT_EQ(moved("%h = tt.make_range {end = 7 : i32, start = 5 : i32} : tensor<2xi32>\n"
                  "%e = tt.expand_dims %h {axis = 1 : i32} : tensor<2xi32> -> tensor<2x1xi32>\n"
                  "%b = tt.broadcast %e : tensor<2x1xi32> -> tensor<2x4xi32>\n"
                  "%r = tt.reshape %b : tensor<2x4xi32> -> tensor<8xi32>"),
            (Ints{5, 5, 5, 5, 6, 6, 6, 6}));
}

TEST(EvaluatorTest, ReducesAlongAnAxis) {
  Ints count{1, 2, 3, 4, 5, 6, 7, 8};
  std::string region = " ({\n^bb0(%a: i32, %b: i32):\n%s = arith.addi %a, %b : i32\ntt.reduce.return %s : i32\n})";
  auto sum = [&](int axis, const std::string &rest) {
    return run<int32_t>("i32",
                        "%t = tt.reshape %x : tensor<8xi32> -> tensor<2x4xi32>\n%s2 = \"tt.reduce\"(%t) <{axis = " +
                            std::to_string(axis) + " : i32}>" + region + rest,
                        count);
  };
  EXPECT_EQ(sum(0, " : (tensor<2x4xi32>) -> tensor<4xi32>\n%j = tt.join %s2, %s2 : tensor<4xi32> -> tensor<4x2xi32>\n"
                   "%r = tt.reshape %j : tensor<4x2xi32> -> tensor<8xi32>"),
            (Ints{6, 6, 8, 8, 10, 10, 12, 12}));
  EXPECT_EQ(sum(1, " : (tensor<2x4xi32>) -> tensor<2xi32>\n%e = tt.expand_dims %s2 {axis = 1 : i32} : tensor<2xi32> -> "
                   "tensor<2x1xi32>\n%b = tt.broadcast %e : tensor<2x1xi32> -> tensor<2x4xi32>\n"
                   "%r = tt.reshape %b : tensor<2x4xi32> -> tensor<8xi32>"),
            (Ints{10, 10, 10, 10, 26, 26, 26, 26}));
  // Down to a scalar.
  EXPECT_EQ(run<int32_t>("i32",
                         "%s2 = \"tt.reduce\"(%x) <{axis = 0 : i32}>" + region +
                             " : (tensor<8xi32>) -> i32\n%r = tt.splat %s2 : i32 -> tensor<8xi32>",
                         count),
            Ints(8, 36));
}

TEST(EvaluatorTest, DotsRoundOnce) {
  // One row of a is 4 * 4 ones and then small values that f16 sums would lose one by one.
  std::string body =
      "%t = tt.reshape %x : tensor<256xf32> -> tensor<16x16xf32>\n"
      "%h = arith.truncf %t : tensor<16x16xf32> to tensor<16x16xf16>\n"
      "%z = arith.constant dense<2048.0> : tensor<16x16xTYPE>\n"
      "%d = tt.dot %h, %h, %z, inputPrecision = tf32 : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xTYPE>\n";
  auto with = [&](const std::string &type, const std::string &end) {
    std::string text = body + end;
    for (size_t at; (at = text.find("TYPE")) != std::string::npos;)
      text.replace(at, 4, type);
    return run<float>("f32", text + "\n%r = tt.reshape %w : tensor<16x16xf32> -> tensor<256xf32>", Floats(256, 0.25f));
  };
  EXPECT_EQ(with("f32", "%w = arith.negf %d : tensor<16x16xf32>"), Floats(256, -2049));
  EXPECT_EQ(with("f16", "%w = arith.extf %d : tensor<16x16xf16> to tensor<16x16xf32>"),
            Floats(256, 2048)); // tie to even
}

TEST(EvaluatorTest, Tf32DropsBitsOnlyWhereTheTextSaysSo) {
  auto product = [](const std::string &precision) {
    return run<float>("f32",
                      "%t = tt.reshape %x : tensor<256xf32> -> tensor<16x16xf32>\n"
                      "%z = arith.constant dense<0.0> : tensor<16x16xf32>\n%d = tt.dot %t, %t, %z" +
                          precision +
                          " : tensor<16x16xf32> * tensor<16x16xf32> -> tensor<16x16xf32>\n"
                          "%r = tt.reshape %d : tensor<16x16xf32> -> tensor<256xf32>",
                      Floats(256, 1 + 0x1p-12f))[0];
  };
  EXPECT_EQ(product(", inputPrecision = tf32"), 16);
  EXPECT_GT(product(""), 16);
}

TEST(EvaluatorTest, ControlFlow) {
  EXPECT_EQ(run<int32_t>("i32",
                         "%c0 = arith.constant 0 : i32\n%c3 = arith.constant 3 : i32\n%c7 = arith.constant 7 : i32\n"
                         "%r = scf.for %k = %c0 to %c7 step %c3 iter_args(%s = %x) -> (tensor<2xi32>) : i32 {\n"
                         "%t = tt.splat %k : i32 -> tensor<2xi32>\n%n = arith.addi %s, %t : tensor<2xi32>\n"
                         "scf.yield %n : tensor<2xi32>\n}",
                         {100, 200}),
            (Ints{109, 209}));
  EXPECT_EQ(run<int32_t>("i32",
                         "%p = tt.get_num_programs x : i32\n%c0 = arith.constant 0 : i32\n"
                         "%c = arith.cmpi sgt, %p, %c0 : i32\n%r = scf.if %c -> (tensor<2xi32>) {\n"
                         "%t = tt.splat %p : i32 -> tensor<2xi32>\nscf.yield %t : tensor<2xi32>\n} else {\n"
                         "scf.yield %x : tensor<2xi32>\n}",
                         {100, 200}),
            (Ints{1, 1}));
  EXPECT_EQ(run<int32_t>("i32",
                         "%c1 = arith.constant 1 : i32\n%c100 = arith.constant 100 : i32\n"
                         "%w = scf.while (%a = %c1) : (i32) -> i32 {\n%go = arith.cmpi slt, %a, %c100 : i32\n"
                         "scf.condition(%go) %a : i32\n} do {\n^bb0(%b: i32):\n%d = arith.addi %b, %b : i32\n"
                         "scf.yield %d : i32\n}\n%r = tt.splat %w : i32 -> tensor<2xi32>",
                         {0, 0}),
            (Ints{128, 128}));
}

TEST(EvaluatorTest, LoopsThatCannotEndAreErrors) {
  std::string error;
  run<int32_t>("i32",
               "%c0 = arith.constant 0 : i32\n%c7 = arith.constant 7 : i32\n"
               "%r = scf.for %k = %c0 to %c7 step %c0 iter_args(%s = %x) -> (tensor<2xi32>) : i32 {\n"
               "scf.yield %s : tensor<2xi32>\n}",
               {0, 0}, &error);
  EXPECT_EQ(error, "'scf.for' has step 0");
  run<int32_t>("i32",
               "%t = arith.constant true\n%w = scf.while (%a = %t) : (i1) -> i1 {\nscf.condition(%a) %a : i1\n} do {\n"
               "^bb0(%b: i1):\nscf.yield %b : i1\n}\n%r = arith.addi %x, %x : tensor<2xi32>",
               {0, 0}, &error);
  EXPECT_EQ(error, "the kernel takes more steps than it was given");
}

TEST(EvaluatorTest, MaskedAccesses) {
  Ints values{1, 2, 3, 4};
  Ints output(4, -9);
  std::string text = R"(tt.func public @k(%in: !tt.ptr<i32>, %out: !tt.ptr<i32>, %n: i32) {
    %i = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
    %limit = tt.splat %n : i32 -> tensor<8xi32>
    %m = arith.cmpi slt, %i, %limit : tensor<8xi32>
    %other = arith.constant dense<50> : tensor<8xi32>
    %a = tt.splat %in : !tt.ptr<i32> -> tensor<8x!tt.ptr<i32>>
    %b = tt.splat %out : !tt.ptr<i32> -> tensor<8x!tt.ptr<i32>>
    %from = tt.addptr %a, %i : tensor<8x!tt.ptr<i32>>, tensor<8xi32>
    %to = tt.addptr %b, %i : tensor<8x!tt.ptr<i32>>, tensor<8xi32>
    %x = tt.load %from, %m, %other : tensor<8x!tt.ptr<i32>>
    %s = "tt.reduce"(%x) <{axis = 0 : i32}> ({
    ^bb0(%p: i32, %q: i32):
      %t = arith.maxsi %p, %q : i32
      tt.reduce.return %t : i32
    }) : (tensor<8xi32>) -> i32
    %v = tt.splat %s : i32 -> tensor<8xi32>
    tt.store %to, %v, %m : tensor<8x!tt.ptr<i32>>
    tt.return
  })";
  EXPECT_TRUE(evaluateText(text, {tensorOf(values), tensorOf(output), ReferenceArgument::scalar(int64_t(3))}).isOk());
  EXPECT_EQ(output, (Ints{50, 50, 50, -9}));
  Status outside = evaluateText(text, {tensorOf(values), tensorOf(output), ReferenceArgument::scalar(int64_t(5))});
  EXPECT_EQ(outside.code(), StatusCode::Emulator);
  EXPECT_EQ(outside.message(), "'tt.load' accesses byte 16 of argument 0, which has 16");
}

TEST(EvaluatorTest, DescriptorsFillAndClip) {
  Floats input{1, 2, 3, 4, 5, 6}, output(6, -1);
  std::string text = R"(tt.func public @k(%in: !tt.tensordesc<tensor<2x4xf32>>, %out: !tt.ptr<f32>, %row: i32) {
    %c2 = arith.constant 2 : i32
    %c3 = arith.constant 3 : i32
    %c1 = arith.constant 1 : i64
    %c3l = arith.constant 3 : i64
    %m1 = arith.constant -1 : i32
    %d = tt.make_tensor_descriptor %out, [%c2, %c3], [%c3l, %c1] : <f32>, <tensor<2x4xf32>>
    %t = tt.descriptor_load %in[%row, %m1] : !tt.tensordesc<tensor<2x4xf32>> -> tensor<2x4xf32>
    tt.descriptor_store %d[%m1, %m1], %t : !tt.tensordesc<tensor<2x4xf32>>, tensor<2x4xf32>
    tt.return
  })";
  std::vector<ReferenceArgument> args{tensorOf(input, {2, 3}), tensorOf(output), ReferenceArgument::scalar(int64_t(0))};
  // Row 1 of the block, columns 1 to 3, are row 1 of the input; row 0 of the block lies above the output.
  EXPECT_TRUE(evaluateText(text, args).isOk());
  EXPECT_EQ(output, (Floats{4, 5, 6, -1, -1, -1}));
  args[2] = ReferenceArgument::scalar(int64_t(1));
  EXPECT_TRUE(evaluateText(text, args).isOk());
  EXPECT_EQ(output, (Floats{0, 0, 0, -1, -1, -1}));
}

TEST(EvaluatorTest, ProgramsThatMeetAreAnError) {
  Ints output(4);
  std::string text = R"(tt.func public @k(%out: !tt.ptr<i32>, %spread: i32) {
    %id = tt.get_program_id y : i32
    %at = arith.muli %id, %spread : i32
    %to = tt.addptr %out, %at : !tt.ptr<i32>, i32
    tt.store %to, %id : !tt.ptr<i32>
    tt.return
  })";
  EXPECT_TRUE(evaluateText(text, {tensorOf(output), ReferenceArgument::scalar(int64_t(1))}, {1, 4, 1}).isOk());
  EXPECT_EQ(output, (Ints{0, 1, 2, 3}));
  Status met = evaluateText(text, {tensorOf(output), ReferenceArgument::scalar(int64_t(0))}, {1, 4, 1});
  EXPECT_EQ(met.message(), "'tt.store' meets another program at byte 0 of argument 0");
}

TEST(EvaluatorTest, WhatItDoesNotKnowIsNamed) {
  std::string error;
  run<float>("f32",
             "%r = tt.extern_elementwise %x {libname = \"\", libpath = \"\", pure = true, symbol = \"__nv_nothing\"} : "
             "(tensor<2xf32>) -> tensor<2xf32>",
             {0, 0}, &error);
  EXPECT_EQ(error, "the reference evaluator does not know 'tt.extern_elementwise' of '__nv_nothing'");
  run<float>("f32",
             "%r = tt.elementwise_inline_asm \"mov.b32 $0, $1;\" {constraints = \"=r,r\", packed_element = 1 : i32, "
             "pure = true} %x : tensor<2xf32> -> tensor<2xf32>",
             {0, 0}, &error);
  EXPECT_EQ(error, "the reference evaluator does not know 'tt.elementwise_inline_asm'");
  EXPECT_EQ(evaluateText("tt.func public @k(%n: i32) {\n%c = arith.constant 1 : i128\ntt.return\n}",
                         {ReferenceArgument::scalar(int64_t(1))})
                .message(),
            "the reference evaluator does not know 'arith.constant' with a result of such a type");
  EXPECT_EQ(evaluateText("tt.func public @k(%n: i32) {\ntt.return\n}", {}).code(), StatusCode::InvalidArgument);
}

} // namespace
} // namespace tawa::reference
