// Builder of one inline assembly statement. Operands are numbered as LLVM counts them: outputs, then inputs; a tied
// input has a number of its own although it shares the register of its output.
#pragma once

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

#include <string>

namespace tawa::sm90 {

class PtxAsm {
public:
  PtxAsm(mlir::OpBuilder &builder, mlir::Location loc) : builder(builder), loc(loc) {}

  /// Adds an output register and gives its place in the text ("$0"). All outputs come before the first input.
  std::string output(mlir::Type type);
  /// Adds `value` as input in the register of output number `index`.
  void tie(unsigned index, mlir::Value value);
  /// Adds an input and gives its place in the text.
  std::string input(mlir::Value value);
  /// "@$3 " for a predicate, the empty string for none.
  std::string predicate(mlir::Value value);

  /// Emits the statement: one value per output. A `pure` statement reads no state and may be moved, merged and removed;
  /// others count as accessing memory and stay in place.
  llvm::SmallVector<mlir::Value> emit(llvm::StringRef text, bool pure = false);
  /// The same, giving the outputs as one struct. There are at least two.
  mlir::Value emitStruct(llvm::StringRef text);

private:
  mlir::Value create(llvm::StringRef text, bool pure);

  mlir::OpBuilder &builder;
  mlir::Location loc;
  llvm::SmallVector<mlir::Type> outputs;
  llvm::SmallVector<mlir::Value> inputs;
  llvm::SmallVector<std::string> inputConstraints;
};

/// "{$0, $1, $2}" of numbered places first .. first + count - 1.
std::string placeList(unsigned first, unsigned count);
/// "{a, b, c}".
std::string braced(llvm::ArrayRef<std::string> places);
/// "a" of one, "{a, b}" of several: the operand of an access that may be of a vector.
std::string vectorOf(llvm::ArrayRef<std::string> places);
/// "", ".v2", ".v4".
std::string vectorSuffix(size_t count);

} // namespace tawa::sm90
