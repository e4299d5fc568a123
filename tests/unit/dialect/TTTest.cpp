// The tt dialect from C++: builders and derived types, the table of refused operations, every kernel that Triton
// printed and every one written as frameworks print them, whatever the folders hold.
#include "compiler/frontend/TT/TT.h"
#include "compiler/frontend/TT/UnsupportedOps.h"
#include "compiler/frontend/text/PreLexer.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"

#include "gtest/gtest.h"

#include <filesystem>
#include <fstream>
#include <sstream>

using namespace mlir;
using namespace tawa;

namespace {

class TTTest : public ::testing::Test {
protected:
  TTTest()
      : handler(&context, [this](mlir::Diagnostic &diagnostic) {
          llvm::raw_string_ostream(errors) << diagnostic.getLocation() << ": " << diagnostic.str() << "\n";
        }) {
    context.loadDialect<tt::TTDialect, arith::ArithDialect, cf::ControlFlowDialect, LLVM::LLVMDialect,
                        math::MathDialect, scf::SCFDialect, ub::UBDialect>();
  }

  OwningOpRef<ModuleOp> parse(const std::string &text) { return parseSourceString<ModuleOp>(text, &context, "k.mlir"); }

  // What verifySupported says about a function of this body.
  std::string refusals(const std::string &body) {
    OwningOpRef<ModuleOp> module = parse("tt.func @f(%i: i32, %x: f32, %c: i1) {\n" + body + "\ntt.return\n}");
    EXPECT_TRUE(module) << errors;
    errors.clear();
    if (module && succeeded(tt::verifySupported(*module)))
      return "supported";
    return errors;
  }

  MLIRContext context;
  std::string errors;
  ScopedDiagnosticHandler handler;
};

std::string print(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module->print(stream, OpPrintingFlags().enableDebugInfo());
  return text;
}

std::string contentOf(const std::filesystem::path &path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

/// Without templates, which are no IR before they are expanded.
std::vector<std::filesystem::path> kernelsIn(const std::string &folder) {
  std::vector<std::filesystem::path> paths;
  for (const auto &entry : std::filesystem::directory_iterator(std::string(TAWA_SOURCE_DIR) + "/tests/" + folder))
    if (entry.path().extension() == ".mlir" && contentOf(entry.path()).find("${") == std::string::npos)
      paths.push_back(entry.path());
  return paths;
}

} // namespace

TEST_F(TTTest, EveryKernelReadsRoundTripsAndIsSupported) {
  std::vector<std::filesystem::path> paths = kernelsIn("kernels");
  EXPECT_GE(paths.size(), 17u);
  for (const std::filesystem::path &path : paths) {
    SCOPED_TRACE(path.filename().string());
    std::string text = contentOf(path);
    Result<std::string> ready = prelex(text, path.filename().string());
    ASSERT_TRUE(ready.isOk()) << ready.status().message();
    EXPECT_EQ(*ready, text) << "Triton 3.6 prints nothing that needs the pre-lexer here";
    OwningOpRef<ModuleOp> module = parse(*ready);
    ASSERT_TRUE(module) << errors;
    EXPECT_TRUE(succeeded(tt::verifySupported(*module))) << errors;
    std::string once = print(*module);
    OwningOpRef<ModuleOp> again = parse(once);
    ASSERT_TRUE(again) << errors;
    EXPECT_EQ(print(*again), once);
  }
}

// Some of these need the pre-lexer; what it makes of them is printed back.
TEST_F(TTTest, EveryFrameworkKernelReadsRoundTripsAndIsSupported) {
  std::vector<std::filesystem::path> paths = kernelsIn("kernels/framework");
  EXPECT_GE(paths.size(), 60u);
  for (const std::filesystem::path &path : paths) {
    SCOPED_TRACE(path.filename().string());
    std::string text = contentOf(path);
    EXPECT_NE(text.find("\n// run: grid="), std::string::npos);
    Result<std::string> ready = prelex(text, path.filename().string());
    ASSERT_TRUE(ready.isOk()) << ready.status().message();
    OwningOpRef<ModuleOp> module = parse(*ready);
    ASSERT_TRUE(module) << errors;
    EXPECT_TRUE(succeeded(tt::verifySupported(*module))) << errors;
    std::string once = print(*module);
    OwningOpRef<ModuleOp> again = parse(once);
    ASSERT_TRUE(again) << errors;
    EXPECT_EQ(print(*again), once);
  }
}

TEST_F(TTTest, OpsOfOtherDialects) {
  EXPECT_EQ(refusals("%0 = arith.shli %i, %i : i32\n%1 = math.sin %x : f32\n%2 = ub.poison : f32\n"
                     "%3 = scf.while (%a = %i) : (i32) -> i32 {\nscf.condition(%c) %a : i32\n} do {\n"
                     "^bb0(%a: i32):\nscf.yield %a : i32\n}\n\"llvm.intr.assume\"(%c) : (i1) -> ()\n"
                     "cf.br ^end\n^end:"),
            "supported");
  EXPECT_EQ(refusals("%0 = math.tanh %x : f32"),
            "loc(\"k.mlir\":2:6): 'math.tanh' is not an operation that Tawa knows\n");
  EXPECT_EQ(refusals("cf.assert %c, \"no\""), "loc(\"k.mlir\":2:1): 'cf.assert' is not supported: write tt.assert\n");
}

TEST_F(TTTest, FormsOfOwnOps) {
  EXPECT_EQ(refusals("%t = tt.splat %x : f32 -> tensor<2x16x16xf32>\n"
                     "%0 = tt.dot %t, %t, %t, inputPrecision = tf32x3 : tensor<2x16x16xf32> * tensor<2x16x16xf32> -> "
                     "tensor<2x16x16xf32>\n"
                     "%1 = tt.join %t, %t : tensor<2x16x16xf32> -> tensor<2x16x16x2xf32>\n"
                     "%2:2 = \"tt.reduce\"(%t, %t) <{axis = 0 : i32}> ({\n"
                     "^bb0(%a: f32, %b: f32, %c0: f32, %d: f32):\n tt.reduce.return %a, %b : f32, f32\n"
                     "}) : (tensor<2x16x16xf32>, tensor<2x16x16xf32>) -> (tensor<16x16xf32>, tensor<16x16xf32>)"),
            "supported");
}

TEST_F(TTTest, DerivedTypes) {
  Type f16 = Float16Type::get(&context);
  Attribute layout = StringAttr::get(&context, "layout");
  Type ptr = tt::PointerType::get(f16);
  auto ptrs = RankedTensorType::get({4, 8}, ptr, layout);
  EXPECT_EQ(tt::pointeeTypeOf(ptr), f16);
  EXPECT_EQ(tt::pointeeTypeOf(ptrs), RankedTensorType::get({4, 8}, f16, layout));
  EXPECT_FALSE(tt::pointeeTypeOf(f16));
  EXPECT_EQ(cast<tt::PointerType>(ptr).getAddressSpace(), 1);
  auto tile = RankedTensorType::get({16}, f16);
  Type blockPtr = tt::PointerType::get(tile);
  EXPECT_TRUE(tt::isBlockPointer(blockPtr));
  EXPECT_FALSE(tt::isBlockPointer(ptr));
  EXPECT_EQ(tt::pointeeTypeOf(blockPtr), tile);
  EXPECT_FALSE(tt::pointeeTypeOf(RankedTensorType::get({2}, blockPtr)));
  auto block = RankedTensorType::get({8}, IntegerType::get(&context, 8, IntegerType::Unsigned));
  EXPECT_EQ(tt::TensorDescType::get(block).getSignlessBlockType(),
            RankedTensorType::get({8}, IntegerType::get(&context, 8)));
}

TEST_F(TTTest, BuildersInferTypes) {
  OpBuilder builder(&context);
  Location loc = builder.getUnknownLoc();
  OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
  builder.setInsertionPointToStart(module->getBody());
  Type f32 = builder.getF32Type();
  auto function = builder.create<tt::FuncOp>(
      loc, "f", builder.getFunctionType({tt::PointerType::get(f32), builder.getI32Type()}, {}));
  Block *body = builder.createBlock(&function.getBody(), {}, function.getArgumentTypes(), {loc, loc});
  Value ptr = builder.create<tt::AddPtrOp>(loc, body->getArgument(0), body->getArgument(1));
  Value loaded = builder.create<tt::LoadOp>(loc, ptr);
  Value tile = builder.create<tt::SplatOp>(loc, RankedTensorType::get({16, 32}, f32), loaded);
  Value transposed = builder.create<tt::TransOp>(loc, tile, ArrayRef<int32_t>{1, 0});
  EXPECT_EQ(transposed.getType(), RankedTensorType::get({32, 16}, f32));
  Value wide = builder.create<tt::ExpandDimsOp>(loc, tile, 1);
  EXPECT_EQ(wide.getType(), RankedTensorType::get({16, 1, 32}, f32));
  Value zero = builder.create<tt::SplatOp>(loc, RankedTensorType::get({16, 16}, f32), loaded);
  auto dot = builder.create<tt::DotOp>(loc, tile, transposed, zero, tt::InputPrecision::TF32);
  EXPECT_EQ(dot.getType(), zero.getType());
  auto reduce = builder.create<tt::ReduceOp>(loc, ValueRange{dot}, 1);
  EXPECT_EQ(reduce.getResults()[0].getType(), RankedTensorType::get({16}, f32));
  {
    OpBuilder::InsertionGuard guard(builder);
    Block *combine = builder.createBlock(&reduce.getCombineOp(), {}, {f32, f32}, {loc, loc});
    Value sum = builder.create<arith::AddFOp>(loc, combine->getArgument(0), combine->getArgument(1));
    builder.create<tt::ReduceReturnOp>(loc, sum);
  }
  auto scan = builder.create<tt::ScanOp>(loc, ValueRange{tile, tile}, 0, /*reverse=*/true);
  EXPECT_EQ(scan.getResults()[1].getType(), tile.getType());
  {
    OpBuilder::InsertionGuard guard(builder);
    Block *combine = builder.createBlock(&scan.getCombineOp(), {}, {f32, f32, f32, f32}, {loc, loc, loc, loc});
    builder.create<tt::ScanReturnOp>(loc, combine->getArguments().take_front(2));
  }
  builder.create<tt::StoreOp>(loc, ptr, loaded);
  builder.create<tt::ReturnOp>(loc);
  EXPECT_TRUE(succeeded(verify(*module))) << errors;
}

// What lies outside of the text, or is left out, no phase would read.
TEST_F(TTTest, TablesAreDense) {
  EXPECT_EQ(refusals("%t = arith.constant dense<[1, 2]> : tensor<2xi32>"), "supported");
  for (const char *table : {"sparse<[[1]], [2]>", "dense_resource<elsewhere>"})
    EXPECT_NE(refusals("%t = arith.constant " + std::string(table) + " : tensor<2xi32>").find("from dense<...> alone"),
              std::string::npos)
        << errors;
}

// Already where a kernel is read, whatever becomes of it.
TEST_F(TTTest, InlinePtxOnlyComputes) {
  auto assembly = [](const std::string &text) {
    return "%0 = tt.elementwise_inline_asm \"" + text +
           "\" {constraints = \"=r,r\", packed_element = 1 : i32, pure = true} %i : i32 -> i32";
  };
  EXPECT_EQ(refusals(assembly("brev.b32 $0, $1;")), "supported");
  EXPECT_NE(refusals(assembly("trap;")).find("inline PTX: 'trap': it moves the flow of control"), std::string::npos)
      << errors;
}
