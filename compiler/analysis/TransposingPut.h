// TransposingPut: a put whose tile comes from a slot of another ring, with another element order
// (tawa-distribute-roles).
#pragma once

#include "compiler/roles/Tawa/Tawa.h"

namespace tawa {

/// Whether threads move the tile from one ring to the next: the operand of the put is the result of a get.
inline bool isTransposed(ws::PutOp put) { return put.getValues().front().getDefiningOp<ws::GetOp>() != nullptr; }

} // namespace tawa
