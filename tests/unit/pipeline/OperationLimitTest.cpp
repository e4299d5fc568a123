// The limit on operations: no phase passes on more of them, whatever expands code.
#include "compiler/analysis/OperationLimit.h"
#include "compiler/pipeline/Compiler.h"
#include "compiler/pipeline/Phases.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include <gtest/gtest.h>

#include <string>

using namespace tawa;

static constexpr const char *kStore = R"(
tt.func public @one(%y: !tt.ptr<f32>, %a: f32) {
  tt.store %y, %a : !tt.ptr<f32>
  tt.return
})";

/// As a phase would that multiplies what it finds.
static void repeatStores(mlir::ModuleOp module, uint64_t count) {
  mlir::Operation *store = nullptr;
  module.walk([&](mlir::Operation *op) {
    if (op->getName().getStringRef() == "tt.store")
      store = op;
  });
  mlir::OpBuilder builder(store);
  for (uint64_t i = 0; i < count; ++i)
    builder.clone(*store);
}

TEST(OperationLimit, HoldsAfterEveryPhaseOfTileOperations) {
  CompileInput input;
  input.text = kStore;
  input.name = "one.mlir";
  input.afterPhase = [](Phase phase, mlir::ModuleOp module) {
    if (phase == Phase::Normalized)
      repeatStores(module, kMaxOperations);
  };
  Result<CompileOutput> output = compileKernel(input);
  ASSERT_FALSE(output);
  EXPECT_EQ(output.status().code(), StatusCode::Unsupported);
  EXPECT_NE(output.status().message().find("@one has 100002 operations after the phase specialized"), std::string::npos)
      << output.status().message();
}

/// A kernel that calls functions of which each calls the next twice; the last one computes `leaf` of %a, as %r.
static std::string doublingCalls(int levels, const std::string &leaf) {
  std::string text = "tt.func public @k(%y: !tt.ptr<f32>, %a: f32) {\n"
                     "  %o = tt.call @e0(%a) : (f32) -> f32\n  tt.store %y, %o : !tt.ptr<f32>\n  tt.return\n}\n";
  for (int level = 0; level < levels; ++level) {
    std::string callee = "@e" + std::to_string(level + 1);
    text += "tt.func private @e" + std::to_string(level) + "(%a: f32) -> f32 {\n  %p = tt.call " + callee +
            "(%a) : (f32) -> f32\n  %q = tt.call " + callee + "(%p) : (f32) -> f32\n  tt.return %q : f32\n}\n";
  }
  return text + "tt.func private @e" + std::to_string(levels) + "(%a: f32) -> f32 {\n  %r = " + leaf +
         " : f32\n  tt.return %r : f32\n}\n";
}

static std::string errorOf(const std::string &text) {
  CompileInput input;
  input.text = text;
  input.name = "calls.mlir";
  Result<CompileOutput> output = compileKernel(input);
  return output ? "no error" : output.status().message();
}

TEST(OperationLimit, CallsThatDoubleEndWithAnError) {
  std::string error = errorOf(doublingCalls(/*levels=*/60, "arith.mulf %a, %a"));
  EXPECT_NE(error.find("operations with the functions that it calls inlined, and at most 100000"), std::string::npos)
      << error;
}

TEST(OperationLimit, CountsWhatFunctionsComeTo) {
  std::string error = errorOf(doublingCalls(/*levels=*/12, "math.sin %a"));
  EXPECT_NE(error.find("operations with its functions written out up to here, and at most 100000"), std::string::npos)
      << error;
}

/// A kernel that takes a value times one table, plus the next and so on: each is looked up by the number of the thread.
static std::string polynomialOfTables(int tables) {
  constexpr uint32_t kEntries = 4096;
  constexpr char kDigits[] = "0123456789ABCDEF";
  const std::string type = " : tensor<4096xi8>\n";
  std::string text = "tt.func public @k(%y: !tt.ptr<i8>, %x: i8) {\n  %s0 = tt.splat %x : i8 -> tensor<4096xi8>\n";
  for (int table = 0; table < tables; ++table) {
    std::string bytes, number = std::to_string(table);
    for (uint32_t entry = 0; entry < kEntries; ++entry) {
      uint32_t scattered = (entry + table + 1) * 2654435761u >> 24; // so that no two halves are alike
      bytes += kDigits[scattered >> 4];
      bytes += kDigits[scattered & 15];
    }
    text += "  %t" + number + " = arith.constant dense<\"0x" + bytes + "\">" + type;
    text += "  %s" + std::to_string(table + 1) + (table % 2 ? " = arith.addi %s" : " = arith.muli %s") + number +
            ", %t" + number + type;
  }
  return text + R"(  %r = tt.make_range {end = 4096 : i32, start = 0 : i32} : tensor<4096xi32>
  %b = tt.splat %y : !tt.ptr<i8> -> tensor<4096x!tt.ptr<i8>>
  %p = tt.addptr %b, %r : tensor<4096x!tt.ptr<i8>>, tensor<4096xi32>
  tt.store %p, %s)" +
         std::to_string(tables) + " : tensor<4096x!tt.ptr<i8>>\n  tt.return\n}\n";
}

// A table is few elements for a thread, and many instructions.
TEST(OperationLimit, CountsWhatTheMachineMakesOfATile) {
  std::string error = errorOf(polynomialOfTables(60));
  EXPECT_NE(error.find("operations of one thread up to here, and at most 100000"), std::string::npos) << error;
  EXPECT_EQ(errorOf(polynomialOfTables(1)), "no error");
}
