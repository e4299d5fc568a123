// StartDot: a tt.dot as the operations of an asynchronous one (roles/Tawa), for the passes that decide when it is
// waited for.
#pragma once

#include "compiler/frontend/TT/TT.h"
#include "compiler/roles/Tawa/Tawa.h"
#include "runtime/artifact/PtxShapes.h"

#include <algorithm>

namespace tawa {

/// Of a wait for a product after which so many were issued: one that leaves fewer in flight covers that product, too.
inline uint32_t pendingsAfter(size_t issued) { return std::min<size_t>(issued, kMostPendings); }

/// Whether all elements are the constant 0.
bool isZeroTensor(mlir::Value tensor);

/// The product whose sum this one continues, if nothing else reads that sum: both are one chain, and only its last sum
/// is waited for. Null where there is none, or the instructions have another shape: only those of one shape are ordered
/// on their accumulator (PTX ISA, wgmma.fence).
tt::DotOp continuedDot(tt::DotOp dot);
/// The product that continues the sum of this one, in this sense.
tt::DotOp continuingDot(tt::DotOp dot);
/// The first and the last product of a chain.
tt::DotOp firstOfChain(tt::DotOp dot);
tt::DotOp lastOfChain(tt::DotOp dot);

/// Issues a * b at the insertion point of `builder`. `adds` as in tawa.dot_issue: if given and false, the product
/// replaces the accumulator.
ws::DotIssueOp issueDot(mlir::OpBuilder &builder, tt::DotOp dot, mlir::Value a, mlir::Value b, mlir::Value accumulator,
                        mlir::Value adds);

/// Issues a * b + c, for a tensor or the sum of a product in flight. Registers are not set to a c of zeros: the product
/// replaces them.
ws::DotIssueOp startDot(mlir::OpBuilder &builder, tt::DotOp dot, mlir::Value a, mlir::Value b, mlir::Value c);

} // namespace tawa
