// Functions of real numbers, with the error permitted to devices. Internal to compiler/reference.
#pragma once

#include "compiler/reference/Program.h"

namespace tawa::reference {

/// A function of one to four numbers, computed in double precision and rounded to the type asked for.
struct RealFunction {
  unsigned operands = 0;
  double (*compute)(const double *) = nullptr;
  /// The error permitted to devices: units in the last place ...
  double ulps = 0;
  /// ... of the result, or of this number where the result is smaller: near their zeros functions are off by a fixed
  /// amount.
  double least = 0;
  /// ... plus this many for every 1 of the first operand's size.
  double ulpsPerOperand = 0;

  double apply(const double *x, mlir::Type type, Program &program) const;
};

/// result[i] = function(operands[i]...); operands may be scalars.
Status applyFunction(mlir::Operation *op, Program &program, const RealFunction &function);

/// The function with this name in libdevice or math: "exp2", "atan2"; null if there is none.
const RealFunction *findFunction(llvm::StringRef name);

} // namespace tawa::reference
