// TransposingPut: a put whose tile comes from the slot of another ring, where it lies in another order
// (tawa-distribute-roles).
#pragma once

#include "compiler/roles/Tawa/Tawa.h"

namespace tawa {

/// Whether threads move the tile from one ring to the next: what is put was got.
inline bool isTransposed(ws::PutOp put) { return put.getValues().front().getDefiningOp<ws::GetOp>() != nullptr; }

} // namespace tawa
