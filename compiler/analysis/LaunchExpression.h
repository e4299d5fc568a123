// LaunchExpression: a scalar that depends on nothing but the kernel's parameters, as an expression (the grammar of
// runtime/support/Expression.h) over what a launch knows. Tensor maps for descriptors that the kernel itself makes are
// built from these.
//
//   %ld = arith.extsi %k : i32 to i64               ->  "a5"             logical argument 5, a scalar
//   %p  = arith.muli %ld, %c4 : i64                 ->  "(a5 * 4)"
//   second shape parameter of a host descriptor     ->  "a0_shape1"      and "a0_stride1"
#pragma once

#include "compiler/frontend/TT/TT.h"

#include <string>

namespace tawa {

/// Nothing where the value depends on the program, on memory or on a loop, or where the expression would be long. The
/// expression is exact: where the kernel's own arithmetic would wrap, the launch gets an error or a larger number.
std::optional<std::string> launchExpression(mlir::Value value);

/// What a launch needs to know of a descriptor that the kernel makes.
struct LaunchDescriptor {
  unsigned argument = 0; ///< Logical argument the base belongs to.
  std::string offset;    ///< Elements between that argument's address and the base; empty: none.
  llvm::SmallVector<std::string> shape, strides; ///< Outermost first.
  bool padsWithNaN = false;
};
std::optional<LaunchDescriptor> launchDescriptor(tt::MakeTensorDescOp make);

/// Whether a launch can make the tensor map of this descriptor: it is a parameter, or made from parameters at a place
/// that every program passes.
bool isKnownAtLaunch(mlir::Value descriptor);

/// Whether TMA can go by this descriptor: the launch makes its tensor map, or the role that uses it does, where the
/// text makes the descriptor. One that a loop carries or a condition chooses has none.
bool hasTensorMap(mlir::Value descriptor);

} // namespace tawa
