// Predicates: with seven predicate registers per thread and dozens of mask predicates per tile, computes them at their
// uses.
//
//   %c1 = addi %row, 8; %p0 = cmpi %x, %c0         products
//   %p1 = cmpi %x, %c1; ..                         wait
//   products; wait                           ->    %p0 = cmpi %x, %c0; %a0 = select %p0, %s0, %m
//   %a0 = select %p0, %s0, %m                      %c1 = addi %row, 8; %p1 = cmpi %x, %c1
//   %a1 = select %p1, %s1, %m; ..                  %a1 = select %p1, %s1, %m; ..
//
// Computed early, they would be packed into words, kept live across the products, and unpacked again, and the numbers
// that only they compare would occupy registers meanwhile.
#pragma once

#include "mlir/IR/Block.h"
#include "llvm/ADT/ArrayRef.h"

namespace tawa::sm90 {

/// Moves the conditions of selects in a block to the first of these. Sums that nothing but conditions reads are
/// recomputed there.
void placePredicates(mlir::Block &block);

/// Whether the operation's only transitive use is the condition of a select.
bool leadsToPredicate(mlir::Operation *op);

} // namespace tawa::sm90
