// The tt dialect from C++: builders and derived types, the table of refused operations, and every kernel that Triton
// printed, whatever the folder holds.
#include "compiler/dialect/TT/TT.h"
#include "compiler/dialect/TT/UnsupportedOps.h"
#include "compiler/text/PreLexer.h"

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

std::vector<std::filesystem::path> printedKernels() {
  std::vector<std::filesystem::path> paths;
  for (const auto &entry : std::filesystem::directory_iterator(std::string(TAWA_SOURCE_DIR) + "/tests/kernels"))
    if (entry.path().extension() == ".mlir" && entry.path().filename() != "gemm_param.mlir")
      paths.push_back(entry.path());
  return paths;
}

} // namespace

TEST_F(TTTest, EveryKernelReadsRoundTripsAndIsSupported) {
  std::vector<std::filesystem::path> paths = printedKernels();
  EXPECT_GE(paths.size(), 17u);
  for (const std::filesystem::path &path : paths) {
    SCOPED_TRACE(path.filename().string());
    std::ifstream file(path);
    std::stringstream text;
    text << file.rdbuf();
    Result<std::string> ready = prelex(text.str(), path.filename().string());
    ASSERT_TRUE(ready.isOk()) << ready.status().message();
    EXPECT_EQ(*ready, text.str()) << "Triton 3.6 prints nothing that needs the pre-lexer here";
    OwningOpRef<ModuleOp> module = parse(*ready);
    ASSERT_TRUE(module) << errors;
    EXPECT_TRUE(succeeded(tt::verifySupported(*module))) << errors;
    std::string once = print(*module);
    OwningOpRef<ModuleOp> again = parse(once);
    ASSERT_TRUE(again) << errors;
    EXPECT_EQ(print(*again), once);
  }
}

TEST_F(TTTest, RefusedOpsOfOtherDialects) {
  EXPECT_EQ(refusals("%0 = arith.addi %i, %i : i32\n%1 = math.exp2 %x : f32"), "supported");
  EXPECT_EQ(refusals("%0 = arith.shli %i, %i : i32\n%1 = math.sin %x : f32"),
            "loc(\"k.mlir\":2:6): 'arith.shli' (tier 2) is not supported by this version of Tawa\n"
            "loc(\"k.mlir\":3:6): 'math.sin' (tier 2) is not supported by this version of Tawa\n");
  EXPECT_EQ(refusals("%0 = math.tanh %x : f32"),
            "loc(\"k.mlir\":2:6): 'math.tanh' is not an operation that Tawa knows\n");
}

TEST_F(TTTest, RefusedFormsOfOwnOps) {
  EXPECT_EQ(refusals("%t = tt.splat %x : f32 -> tensor<2x16x16xf32>\n"
                     "%0 = tt.dot %t, %t, %t, inputPrecision = tf32 : tensor<2x16x16xf32> * tensor<2x16x16xf32> -> "
                     "tensor<2x16x16xf32>"),
            "loc(\"k.mlir\":3:6): 'tt.dot' of rank 3 (tier 2) is not supported by this version of Tawa\n");
  EXPECT_EQ(refusals("%t = tt.splat %x : f32 -> tensor<16x16xf32>\n"
                     "%0 = tt.dot %t, %t, %t, inputPrecision = tf32x3 : tensor<16x16xf32> * tensor<16x16xf32> -> "
                     "tensor<16x16xf32>"),
            "loc(\"k.mlir\":3:6): 'tt.dot' with inputPrecision = tf32x3 (tier 3) is not supported by this version of "
            "Tawa\n");
  EXPECT_EQ(refusals("%t = tt.splat %x : f32 -> tensor<16xf32>\n%0:2 = \"tt.reduce\"(%t, %t) <{axis = 0 : i32}> ({\n"
                     "^bb0(%a: f32, %b: f32, %c0: f32, %d: f32):\n tt.reduce.return %a, %b : f32, f32\n"
                     "}) : (tensor<16xf32>, tensor<16xf32>) -> (f32, f32)"),
            "loc(\"k.mlir\":3:8): 'tt.reduce' of several operands (tier 2) is not supported by this version of Tawa\n");
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
  Value turned = builder.create<tt::TransOp>(loc, tile, ArrayRef<int32_t>{1, 0});
  EXPECT_EQ(turned.getType(), RankedTensorType::get({32, 16}, f32));
  Value wide = builder.create<tt::ExpandDimsOp>(loc, tile, 1);
  EXPECT_EQ(wide.getType(), RankedTensorType::get({16, 1, 32}, f32));
  Value zero = builder.create<tt::SplatOp>(loc, RankedTensorType::get({16, 16}, f32), loaded);
  auto dot = builder.create<tt::DotOp>(loc, tile, turned, zero, tt::InputPrecision::TF32);
  EXPECT_EQ(dot.getType(), zero.getType());
  auto reduce = builder.create<tt::ReduceOp>(loc, ValueRange{dot}, 1);
  EXPECT_EQ(reduce.getResults()[0].getType(), RankedTensorType::get({16}, f32));
  {
    OpBuilder::InsertionGuard guard(builder);
    Block *combine = builder.createBlock(&reduce.getCombineOp(), {}, {f32, f32}, {loc, loc});
    Value sum = builder.create<arith::AddFOp>(loc, combine->getArgument(0), combine->getArgument(1));
    builder.create<tt::ReduceReturnOp>(loc, sum);
  }
  builder.create<tt::StoreOp>(loc, ptr, loaded);
  builder.create<tt::ReturnOp>(loc);
  EXPECT_TRUE(succeeded(verify(*module))) << errors;
}
