// The PTX form of every sm90 operation: one overload each, in Lower<Topic>.cpp as the dialect's .td files are split.
#pragma once

#include "compiler/target/hopper/MachineModule/MachineModule.h"
#include "compiler/target/hopper/SM90ToPTX/PtxAsm.h"

namespace tawa::sm90 {

/// Name of the external array that stands for dynamic shared memory.
inline constexpr llvm::StringLiteral kSharedSymbol = "tawa_dynamic_shared";

class PtxLowering {
public:
  using Values = llvm::SmallVector<mlir::Value>;
  PtxLowering(mlir::Operation *op, mlir::ConversionPatternRewriter &builder) : builder(builder), loc(op->getLoc()) {}

#define TAWA_LOWERED_OP(OP) Values lower(OP op, OP::Adaptor in);
#include "compiler/target/hopper/MachineModule/LoweredOps.def"
#undef TAWA_LOWERED_OP

private:
  mlir::Value takenAlong(WgmmaOp op);
  PtxAsm ptx() { return PtxAsm(builder, loc); }
  /// A statement without operands.
  Values plain(const llvm::Twine &text) { return ptx().emit(text.str()); }
  mlir::Value zero(mlir::Type type);
  mlir::Value word(int32_t value);
  /// `qualified`: the instruction up to its vector and type, "ld.global.cs".
  Values load(llvm::StringRef qualified, mlir::Value address, mlir::Value predicate, mlir::TypeRange types);
  Values store(llvm::StringRef qualified, mlir::Value address, mlir::Value predicate, mlir::ValueRange values);
  /// Converts a scalar to the register type that carries it through asm, and back.
  mlir::Value toCarrier(mlir::Value value);
  mlir::Value fromCarrier(mlir::Value value, mlir::Type type);
  /// Elements narrower than a register, several to a word, the first one lowest.
  Values packWords(mlir::ValueRange values, mlir::Type wordType);
  Values unpackWords(mlir::ValueRange words, mlir::TypeRange types);
  /// Two halves of eight-bit floats in a word, each as two f16 in a word.
  std::pair<mlir::Value, mlir::Value> widenFp8(mlir::Value word, mlir::Type type);
  Values mma(llvm::StringRef mnemonic, mlir::ValueRange a, mlir::ValueRange b, mlir::ValueRange c);
  /// The address of a string constant, as a generic pointer.
  mlir::Value stringConstant(llvm::StringRef text);
  /// Emits `text` with all registers of the fragments tied through; gives the fragments back.
  Values tieThrough(llvm::StringRef text, mlir::ValueRange fragments);

  mlir::ConversionPatternRewriter &builder;
  mlir::Location loc;
};

/// The register type that carries a scalar through asm: NVPTX has no 8-bit registers, and 16-bit floats go as bits.
mlir::Type carrierType(mlir::Type type);
/// The PTX name of an operand type of wgmma and mma.
llvm::StringRef matrixTypeName(mlir::Type type);

/// Marks the wgmmas that pass their accumulator directly to the next one: they are emitted as one statement. Each
/// statement has the accumulator's registers, up to 128, as outputs and inputs, which dominates its compile time.
void chainWgmmas(mlir::ModuleOp module);
/// The wgmmas that become one statement with the last one of a chain, in order.
llvm::SmallVector<WgmmaOp> chainEndingIn(WgmmaOp last);

/// Marks chains that become one statement with the one before them (JoinWgmmas.cpp).
void joinWgmmas(mlir::ModuleOp module);

/// Merges waits for the same groups (JoinWaits.cpp); returns how many there are fewer.
size_t joinWaits(mlir::ModuleOp module);
/// Whether a wait only hands on registers that no wgmma has written.
bool handsOnUnwritten(WgmmaWaitOp wait);
/// Whether a value that an operation of the same block, or of one around it, may use is there before `op`.
bool isDefinedBefore(mlir::Value value, mlir::Operation *op);

/// Turns every assert into a branch that prints and traps, and every predicated print into a branch: calls carry no
/// predicate.
void expandDiagnostics(mlir::ModuleOp module);

} // namespace tawa::sm90
