// Steps common to both lowerings of a machine-phase module: refuse foreign operations, flatten structured control flow,
// and convert arith and cf to the LLVM dialect. Patterns supply what differs (sm90 operations, kernel signature).
#pragma once

#include "compiler/target/hopper/SM90/SM90.h"

#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"

namespace tawa::sm90 {

/// Emits an error for each operation without a lowering, with its name; every function must be a kernel.
mlir::LogicalResult checkMachineModule(mlir::ModuleOp module, llvm::StringRef passName);

/// scf to cf, in place.
mlir::LogicalResult flattenControlFlow(mlir::ModuleOp module);

/// Converts all the rest to the LLVM dialect: `patterns` must hold those for func.func and the sm90 operations.
mlir::LogicalResult convertToLLVM(mlir::ModuleOp module, mlir::LLVMTypeConverter &types,
                                  mlir::RewritePatternSet &&patterns);

/// The LLVM struct of a fragment's registers, as both back ends hold a readable accumulator.
mlir::Type fragmentStruct(mlir::Type fragment);
/// A struct from its fields, and the fields of a struct.
mlir::Value packStruct(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type type, mlir::ValueRange fields);
llvm::SmallVector<mlir::Value> unpackStruct(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value);

/// Patterns for every sm90 operation at once, each calling the overload `lower(op, adaptor)` of a back end's
/// lowering class. An operation for which there is none does not compile.
template <typename Op, typename Lowering> struct LowerWith : mlir::ConvertOpToLLVMPattern<Op> {
  using mlir::ConvertOpToLLVMPattern<Op>::ConvertOpToLLVMPattern;
  mlir::LogicalResult matchAndRewrite(Op op, typename Op::Adaptor operands,
                                      mlir::ConversionPatternRewriter &rewriter) const final {
    rewriter.replaceOp(op, Lowering(op, rewriter).lower(op, operands));
    return mlir::success();
  }
};

template <typename Lowering, typename... Ops>
void addLowerings(OpList<Ops...>, mlir::LLVMTypeConverter &types, mlir::RewritePatternSet &patterns) {
  patterns.add<LowerWith<Ops, Lowering>...>(types);
}

} // namespace tawa::sm90
