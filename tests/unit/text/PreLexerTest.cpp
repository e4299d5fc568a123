// The pre-lexer: every rewrite, text that it must leave alone, and positions of refusals.
#include "compiler/frontend/text/PreLexer.h"

#include "gtest/gtest.h"

#include <algorithm>

using namespace tawa;

namespace {

std::string rewritten(std::string_view text, PrelexOptions options = {}) {
  Result<std::string> result = prelex(text, "k.mlir", options);
  return result ? *result : result.status().message();
}

constexpr PrelexOptions kStrip{.stripLocations = true};

} // namespace

TEST(PreLexer, LeavesOtherTextAlone) {
  for (std::string text :
       {"", "module {\n} loc(#loc)\n#loc = loc(unknown)\n", "%0 = arith.addi %a, %b overflow<nsw> : i32",
        "// llvm.intr.assume %c : i1\n", "\"llvm.intr.assume %c : i1\"", "\"llvm.intr.assume\"(%c) : (i1) -> ()",
        "%nneg = arith.extui %x : i8 to i32", "%0 = arith.trunci %x : i64 to i32", "@\"arith.trunci %x overflow<nsw>\"",
        "scf.for %unsigned = %a to %b step %c {}", "cf.cond_br %c, ^bb1, ^bb2", "a -> b >= c <= d > e",
        "unfinished \"string\nnext", "tt.func @f() attributes {f8E8M0FNUx = 1}"})
    EXPECT_EQ(rewritten(text), text);
}

TEST(PreLexer, AssumeBecomesGeneric) {
  EXPECT_EQ(rewritten("  llvm.intr.assume %c : i1 loc(#loc1)\n"),
            "  \"llvm.intr.assume\"(%c) : (i1) -> () loc(#loc1)\n");
  EXPECT_EQ(rewritten("llvm.intr.assume %c#1 {x = 1 : i32} : i1"),
            "\"llvm.intr.assume\"(%c#1) {x = 1 : i32} : (i1) -> ()");
  EXPECT_EQ(rewritten("llvm.intr.assume %a : i1 llvm.intr.assume %b : i1"),
            "\"llvm.intr.assume\"(%a) : (i1) -> () \"llvm.intr.assume\"(%b) : (i1) -> ()");
  EXPECT_EQ(rewritten("llvm.intr.assume %c [\"align\"(%p, %i : !tt.ptr<f32>, i64)] : i1"),
            "\"llvm.intr.assume\"(%c)                                       : (i1) -> ()");
  EXPECT_EQ(rewritten("\n x llvm.intr.assume %c : i8"),
            "k.mlir:2:4: error: llvm.intr.assume is read as `llvm.intr.assume %condition : i1`");
}

// Flags become spaces, so that columns to their right stay too.
TEST(PreLexer, FlagsAreBlanked) {
  EXPECT_EQ(rewritten("%0 = arith.trunci %x overflow<nsw, nuw> : i64 to i32"),
            "%0 = arith.trunci %x                    : i64 to i32");
  EXPECT_EQ(rewritten("arith.extui %x#2 nneg : i8 to i32"), "arith.extui %x#2      : i8 to i32");
  EXPECT_EQ(rewritten("arith.uitofp %x nneg : i8 to f32"), "arith.uitofp %x      : i8 to f32");
  EXPECT_EQ(rewritten("cf.cond_br %c weights([1, 2]), ^a, ^b"), "cf.cond_br %c                , ^a, ^b");
  EXPECT_EQ(rewritten("arith.trunci %x overflow<nsw"), "arith.trunci %x overflow<nsw");
  EXPECT_EQ(rewritten("arith.shrui %x, %y#1 exact : i32"), "arith.shrui %x, %y#1       : i32");
  EXPECT_EQ(rewritten("arith.ori %x, %y disjoint : i32"), "arith.ori %x, %y          : i32");
  EXPECT_EQ(rewritten("arith.extf %x fastmath<fast> : f16 to f32"), "arith.extf %x                : f16 to f32");
  for (std::string kept : {"arith.addi %x, %y overflow<nsw, nuw> : i32", "arith.addf %x, %y fastmath<fast> : f32",
                           "arith.select %c, %x, %y : i32", "arith.cmpi slt, %x, %y : i32", "arith.constant true"})
    EXPECT_EQ(rewritten(kept), kept);
}

TEST(PreLexer, GridDependenciesAreBlanked) {
  for (std::string op :
       {"nvvm.griddepcontrol wait", "nvvm.griddepcontrol launch_dependents", "nvvm.griddepcontrol.wait",
        "nvvm.griddepcontrol.launch.dependents {x = 1 : i32} loc(#loc1)", "nvvm.griddepcontrol.wait loc(#loc)",
        "\"nvvm.griddepcontrol\"() <{kind = #nvvm.grid_dep_action<wait>}> : () -> ()",
        "\"nvvm.griddepcontrol.wait\"() : () -> () loc(\"a\"(#loc))"})
    EXPECT_EQ(rewritten("  " + op + "\n  tt.return"), "  " + std::string(op.size(), ' ') + "\n  tt.return");
  EXPECT_EQ(rewritten("@\"nvvm.griddepcontrol\""), "@\"nvvm.griddepcontrol\"");
  std::string tail = "{constraints = \"=r\", packed_element = 1 : i32, pure = false} -> i32 loc(#loc)";
  for (std::string statement : {"griddepcontrol.wait; // dummy $0", "griddepcontrol.launch_dependents; // dummy $0"})
    EXPECT_EQ(rewritten("%0 = tt.elementwise_inline_asm \"" + statement + "\" " + tail),
              "%0 = arith.constant 0 : i32 loc(#loc)");
  for (std::string statement : {"mov.u32 $0, 1;", "griddepcontrol.wait; mov.u32 $0, 1;"}) {
    std::string kept = "%0 = tt.elementwise_inline_asm \"" + statement + "\" " + tail;
    EXPECT_EQ(rewritten(kept), kept);
  }
}

TEST(PreLexer, ForeignOperationsAreNamed) {
  std::string reason =
      "is no operation of a tile kernel; what Triton prints is of tt, arith, math, scf, cf and ub, so print "
      "the kernel from there";
  EXPECT_EQ(rewritten("\n  %0 = \"xla.apply_indexing\"(%a) : (i32) -> i32"),
            "k.mlir:2:8: error: 'xla.apply_indexing' " + reason);
  EXPECT_EQ(rewritten("  \"a.b\"() : () -> ()"), "k.mlir:1:3: error: 'a.b' " + reason);
  for (std::string kept :
       {"%0 = \"arith.addi\"(%a, %a) : (i32, i32) -> i32", "x loc(\"a.b\"(\"f.py\":1:2))", "@\"a.b\"(%x)"})
    EXPECT_EQ(rewritten(kept), kept);
}

TEST(PreLexer, BarriersBecomeOne) {
  EXPECT_EQ(rewritten("gpu.barrier loc(#l)"), "tt.debug_barrier loc(#l)");
  EXPECT_EQ(rewritten("gpu.barrier memfence [#gpu.address_space<workgroup>]\nx"),
            "tt.debug_barrier                                         \nx");
  EXPECT_EQ(rewritten("ttg.barrier local|global_read\n%a = b"), "tt.debug_barrier                  \n%a = b");
  EXPECT_EQ(rewritten("ttg.barrier all loc(#l)"), "tt.debug_barrier     loc(#l)");
  EXPECT_EQ(rewritten("ttg.local_barrier"), "tt.debug_barrier");
  EXPECT_EQ(rewritten("\"gpu.barrier\"() : () -> ()"), "\"tt.debug_barrier\"() : () -> ()");
  EXPECT_EQ(rewritten("{x = \"gpu.barrier\"}"), "{x = \"gpu.barrier\"}");
}

// Triton 3.3 has other names for the same operations; before it, the same names worked on pointers.
TEST(PreLexer, ExperimentalDescriptors) {
  EXPECT_EQ(rewritten("%0 = tt.experimental_descriptor_load %d[%i, %j] : !tt.tensordesc<tensor<8x8xf16>> -> x"),
            "%0 = tt.descriptor_load %d[%i, %j] : !tt.tensordesc<tensor<8x8xf16>> -> x");
  EXPECT_EQ(rewritten("tt.experimental_descriptor_scatter %d[%i, %j], %v {a = 1 : i32} : !tt.tensordesc<8xf16>, y"),
            "tt.descriptor_scatter %d[%i, %j], %v {a = 1 : i32} : !tt.tensordesc<8xf16>, y");
  EXPECT_EQ(rewritten("\"tt.experimental_descriptor_store\"(%d)"), "\"tt.descriptor_store\"(%d)");
  for (std::string kept : {"tt.experimental_descriptor_load %d[%i] : !tt.ptr<i8> -> tensor<8xf16>",
                           "tt.experimental_descriptor_store %d[%i], %v : !tt.ptr<i8, 0>, tensor<8xf16>",
                           "tt.experimental_descriptor_fly %d : !tt.tensordesc<8xf16>"})
    EXPECT_EQ(rewritten(kept), kept);
}

TEST(PreLexer, LaterStages) {
  EXPECT_EQ(rewritten("#b = #ttg.blocked<{order = [0]}>"),
            "k.mlir:1:6: error: '#ttg.blocked' belongs to a later stage of Triton (.ttgir); Tawa reads .ttir or "
            ".source");
  EXPECT_EQ(rewritten("ttng.wait %x"), "k.mlir:1:1: error: 'ttng.wait' belongs to a later stage of Triton (.ttgir); "
                                       "Tawa reads .ttir or .source");
  for (std::string kept :
       {"module attributes {\"ttg.num-warps\" = 4 : i32, ttg.target = \"cuda:90\"} {}", "{ttg.unit}"})
    EXPECT_EQ(rewritten(kept), kept);
}

TEST(PreLexer, ForwardNestedLocationsAreStripped) {
  std::string text = "#loc = loc(unknown)\n"
                     "a %x loc(\"n\"(#later))\n"
                     "b loc(#loc)\n"
                     "#later = loc(\"f.py\":1:2)\n";
  std::string stripped = "                   \n"
                         "a %x                 \n"
                         "b          \n"
                         "                        \n";
  EXPECT_EQ(rewritten(text), stripped);
  // A range is no location of MLIR 19.
  EXPECT_EQ(rewritten("a loc(\"f.py\":1:2 to 3:4)\nb loc(unknown)\n"), "a                       \nb             \n");
  // An alias that names a later one is nested as well.
  EXPECT_EQ(rewritten("#a = loc(callsite(#b at #b))\n#b = loc(unknown)\n"),
            "                            \n                 \n");
}

TEST(PreLexer, OtherLocationsAreKept) {
  for (std::string text : {"a loc(#later)\n#later = loc(unknown)\n", "#a = loc(unknown)\nx loc(\"n\"(#a))\n",
                           "#a = loc(unknown)\n#b = loc(callsite(#a at #a))\nx loc(fused[#a, #b])\n",
                           "#f = #llvm.loop_annotation<licm = <disable = true>>\nx loc(fused<#f>[\"a\"])\n"})
    EXPECT_EQ(rewritten(text), text);
}

TEST(PreLexer, LocationsAreStrippedOnDemand) {
  EXPECT_EQ(rewritten("#l = loc(\"a)\":1:2)\nop %x : i32 loc(#l)\n%y: i32 loc(\"y\"(#l)), z\n", kStrip),
            "                  \nop %x : i32        \n%y: i32             , z\n");
  EXPECT_EQ(rewritten("{place = loc(\"a\")} \"loc(#l)\" // loc(#l)\n", kStrip),
            "{place = loc(unknown)        } \"loc(#l)\" // loc(#l)\n");
  EXPECT_EQ(rewritten("{place = loc(\n\"a\")}", kStrip), "{place = loc(unknown)    \n    }");
  EXPECT_EQ(rewritten("loc loc( x", kStrip), "loc loc( x");
}

// Edits that meet each other leave no torn text.
TEST(PreLexer, NestedEdits) {
  EXPECT_EQ(rewritten("arith.trunci %x overflow< loc(\"a\") > : i64", kStrip),
            "arith.trunci %x                      : i64");
}

TEST(PreLexer, KeepsLines) {
  std::string text = "#a = loc(\n  callsite(#b\n at #b))\nllvm.intr.assume\n %c\n : i1\n#b = loc(unknown)\n";
  std::string result = rewritten(text);
  EXPECT_EQ(std::ranges::count(result, '\n'), std::ranges::count(text, '\n'));
  EXPECT_EQ(result.find("loc"), std::string::npos);
}

TEST(PreLexer, RefusesWhatMlirCannotMean) {
  EXPECT_EQ(rewritten("\n  scf.for unsigned %i = %a to %b step %c"),
            "k.mlir:2:11: error: scf.for with unsigned bounds is not supported by this version of Tawa");
  EXPECT_EQ(
      rewritten("x : tensor<16x16xf8E8M0FNU>"),
      "k.mlir:1:14: error: the type f8E8M0FNU is not supported by this version of Tawa: Triton holds such elements "
      "in i8");
  EXPECT_EQ(
      rewritten(" f8E4M3FNUZ"),
      "k.mlir:1:2: error: the type f8E4M3FNUZ is not supported by this version of Tawa: it is not a type of NVIDIA "
      "hardware");
  EXPECT_EQ(rewritten(" f8E4M3FN tensor<4xf8E5M2>"), " f8E4M3FN tensor<4xf8E5M2>");
  EXPECT_EQ(rewritten("a affine_map<(d0) -> (d0)>"), "k.mlir:1:3: error: affine_map is no part of a tile kernel");
}

TEST(PreLexer, RefusesBytecodeAndNul) {
  EXPECT_EQ(rewritten("ML\xefR\x06MLIR19"), "k.mlir:1:1: error: this is MLIR bytecode; Tawa reads the textual form");
  EXPECT_EQ(rewritten(std::string_view("a\nb\0c", 5)), "k.mlir:2:2: error: a NUL byte is no part of a text");
}

TEST(PreLexer, LimitsSize) {
  EXPECT_EQ(rewritten(std::string(1 << 20, ' ')).size(), size_t(1) << 20);
  EXPECT_EQ(rewritten(std::string((1 << 20) + 1, ' ')),
            "k.mlir:1:1: error: the text has 1048577 bytes; at most 1048576 are read");
}

// The word of a shape is read again for each dimension: without a limit, minutes for 200,000 of them.
TEST(PreLexer, LimitsWords) {
  std::string shape = "tensor<1";
  for (int i = 0; i < 2048; ++i)
    shape += "x1";
  EXPECT_EQ(rewritten(shape), shape);
  EXPECT_EQ(rewritten(shape + "xf32"), "k.mlir:1:9: error: a word of more than 4096 bytes");
}

// MLIR reads a decimal number in cubic time: seconds for 16,384 digits. Dimensions, attributes, either side of a point
// and the names of values are all digits outside of strings.
TEST(PreLexer, LimitsDigits) {
  std::string most(64, '7'), more(65, '7'), reason = ": error: a number of more than 64 digits";
  EXPECT_EQ(rewritten("a = " + most + "." + most + "e-10 : f64"), "a = " + most + "." + most + "e-10 : f64");
  for (const auto &[text, place] : std::vector<std::pair<std::string, std::string>>{
           {"\n  arith.constant " + more + " : i32", "2:18"},
           {"arith.constant 1." + more + "e+00 : f32", "1:18"},
           {"arith.constant dense<[1, -" + more + "]> : tensor<2xi32>", "1:27"},
           {"{a = " + more + "}", "1:6"},
           {"tensor<" + more + "xf32>", "1:8"},
           {"tensor<1x" + more + "xf32>", "1:10"},
           {"arith.constant 0." + std::string(65, '0') + "1 : f32", "1:18"},
           {"arith.constant 1.0e" + more + " : f32", "1:20"},
           {"op %" + more, "1:5"}})
    EXPECT_EQ(rewritten(text), "k.mlir:" + place + reason) << text;
  // Bytes in a string, and what a comment says.
  std::string blob = "dense<\"0x" + std::string(4000, '0') + "\"> // " + more + "\n";
  EXPECT_EQ(rewritten(blob), blob);
}

TEST(PreLexer, LimitsNesting) {
  for (char opener : {'(', '[', '{', '<'}) {
    EXPECT_EQ(rewritten(std::string(64, opener)), std::string(64, opener));
    EXPECT_EQ(rewritten("\n" + std::string(65, opener)), "k.mlir:2:65: error: nested deeper than 64 brackets");
  }
  // Closed ones make room, arrows and comparisons are none, and a wrong closer does not make room.
  std::string flat;
  for (int i = 0; i < 1000; ++i)
    flat += "(<>) -> <= ";
  EXPECT_EQ(rewritten(flat), flat);
  std::string wrong;
  for (int i = 0; i < 65; ++i)
    wrong += "<)";
  EXPECT_EQ(rewritten(wrong), "k.mlir:1:129: error: nested deeper than 64 brackets");
}

TEST(PreLexer, ErrorsNameTheOperation) {
  Result<std::string> result = prelex("scf.for unsigned %i = %a to %b", "k.mlir");
  ASSERT_FALSE(result.isOk());
  EXPECT_EQ(result.status().code(), StatusCode::Unsupported);
  EXPECT_EQ(result.status().diagnostics().at(0).op, "scf.for");
}

TEST(PreLexer, RefusesValuesOfALaterRegion) {
  std::string loop =
      "%r = scf.for %k = %a to %b step %c iter_args(%x = %i) -> (i32) : i32 {\n%n = f %x\nscf.yield %n : i32\n}\n";
  std::string function =
      "tt.func @f(%a: i32 {tt.divisibility = 16 : i32}, %b: i32, %c: i32, %i: i32) attributes {q = 1} {\n";
  auto later = [](const std::string &value, const std::string &line) {
    return "k.mlir:" + line + ": error: '" + value + "' is used here, but defined only later, inside of a region";
  };
  EXPECT_EQ(rewritten(function + "g %n\n" + loop + "}"), later("%n", "2:3"));
  EXPECT_EQ(rewritten(function + "g %k\n" + loop + "}"), later("%k", "2:3"));
  EXPECT_EQ(rewritten(function + "g %z, %x\n" + loop + "}"), later("%x", "2:7"));
  EXPECT_EQ(rewritten(function + loop + "g %n\n" + loop + "}"), later("%n", "6:3"));
  EXPECT_EQ(rewritten("g %a\n" + function + "}"), later("%a", "1:3"));
  // Out of a region's names, into a sibling's.
  EXPECT_EQ(rewritten(function + loop + "h ({\n^bb0(%p: i32):\n%q, %r2:2 = u %p\n}, {\n^bb0(%p: i32):\nu %q\n})\n" +
                      loop + "}"),
            function + loop + "h ({\n^bb0(%p: i32):\n%q, %r2:2 = u %p\n}, {\n^bb0(%p: i32):\nu %q\n})\n" + loop + "}");
  // Blocks may stand in any order, and names may be used again.
  for (std::string text :
       {function + loop + loop + "}\n" + function + loop + "}", function + "br ^a\n^b:\nu %v\n^a:\n%v = d\nbr ^b\n}",
        function + "%w = scf.while (%y = %a) : (i32) -> i32 {\nu %y\n} do {\n^bb0(%y: i32):\nu %y\n}\n}"})
    EXPECT_EQ(rewritten(text), text);
}
