// Fields of an operation in braces, `{scaleout = (%x, %y), size = 1024}`: read in any order, printed in a fixed one.
// Internal to compiler/planner/DF.
#pragma once

#include "mlir/IR/OpImplementation.h"

namespace tawa::df {

struct Field {
  enum class Kind : uint8_t {
    Integer,
    Number,   ///< Integer or decimal; kept as f64.
    Flag,     ///< true or false
    Integers, ///< [1, 2]
    Map,      ///< affine_map<...>
    Dims,     ///< (%x, %y): the first segment of operands.
    Units,    ///< (%a, %b, [8, 1]): the second segment of operands, and the attribute `counts`.
  };
  llvm::StringLiteral name;
  Kind kind;
  bool required = true;
};

/// Adds the attributes, and the operands of Dims and Units, to `result`; names what is unknown, repeated or missing.
mlir::ParseResult parseFields(mlir::OpAsmParser &parser, mlir::OperationState &result, llvm::ArrayRef<Field> fields);
void printFields(mlir::OpAsmPrinter &printer, mlir::Operation *op, llvm::ArrayRef<Field> fields);

/// As short as it reads back: "28", "0.1".
std::string numberText(double number);

} // namespace tawa::df
