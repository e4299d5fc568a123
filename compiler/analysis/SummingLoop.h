// SummingLoop: whether a loop adds up products along one dimension, so that its iterations may take more or fewer of
// the dimension's elements at a time.
//
//   scf.for .. iter_args(%acc = .., %p = ..) {
//     %a = tt.load %p                               along the dimension
//     %next = tt.dot %a, %b, %acc                   or %acc + tt.dot(%a, %b, 0) * %scale
//     yield %next, %p + step
#pragma once

#include "compiler/analysis/RetileReason.h"
#include "compiler/analysis/TileForms.h"

#include <optional>

namespace tawa {

/// The class over which a product sums.
int summedClass(tt::DotOp dot, const TileDims &dims);

/// Why not; nothing where the loop is one along `cls`.
std::optional<RetileReason> declineSum(mlir::scf::ForOp loop, int cls, const TileDims &dims, TileForms &forms);

} // namespace tawa
