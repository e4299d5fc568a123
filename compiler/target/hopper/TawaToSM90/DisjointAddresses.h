// DisjointAddresses: proves that two accesses of one kernel share no element, whatever its arguments are.
//
//   first half of each head    128 h + i1,        i1 < 64
//   second half                128 h + i1 + 64
//
// Both offsets are read as polynomials (AffineAddress.h). Where they differ by a constant, and have constant steps
// along every dimension, the elements are enumerated.
#pragma once

#include "compiler/analysis/AffineAddress.h"

namespace tawa {

class DisjointAddresses {
public:
  explicit DisjointAddresses(tt::FuncOp func) : axes(func), affine(axes) {}

  /// False if that cannot be shown. The scalars of both addresses are taken to have the values of one moment.
  bool areDisjoint(mlir::Value a, mlir::Value b);

private:
  AxisInfoAnalysis axes;
  raise::Affine affine;
};

} // namespace tawa
