// LaunchExpression: a scalar that depends only on the kernel's parameters, as an expression (the grammar of
// runtime/support/Expression.h) over values known at launch. Tensor maps of descriptors that the kernel makes are built
// from these.
//
//   %ld = arith.extsi %k : i32 to i64               ->  "a5"             logical argument 5, a scalar
//   %p  = arith.muli %ld, %c4 : i64                 ->  "(a5 * 4)"
//   second shape parameter of a host descriptor     ->  "a0_shape1"      and "a0_stride1"
#pragma once

#include "compiler/frontend/TT/TT.h"

#include <string>

namespace tawa {

/// None where the value depends on the program, on memory or on a loop, or where the expression would be long. The
/// expression is exact: where the kernel's own arithmetic would wrap, the launch gets an error or a larger number.
std::optional<std::string> launchExpression(mlir::Value value);

/// The launch's description of a descriptor that the kernel makes.
struct LaunchDescriptor {
  unsigned argument = 0; ///< Logical argument the base belongs to.
  std::string offset;    ///< Elements between that argument's address and the base; empty: none.
  llvm::SmallVector<std::string> shape, strides; ///< Outermost first.
  bool padsWithNaN = false;
};
std::optional<LaunchDescriptor> launchDescriptor(tt::MakeTensorDescOp make);

/// Whether a launch can make the tensor map of this descriptor: it is a parameter, or made from parameters at a place
/// that every program executes.
bool isKnownAtLaunch(mlir::Value descriptor);

/// Whether TMA can use this descriptor: its tensor map is made by the launch, or by the role that uses it, at the
/// operation that makes the descriptor. One carried by a loop or selected by a condition has none.
bool hasTensorMap(mlir::Value descriptor);

} // namespace tawa
