// SimilarProblems: what searches of the same kernel text found for other sizes. What the model is wrong about for one
// size it is wrong about for those near it, so that a search begins with what was the fastest there.
#pragma once

#include "runtime/artifact/KernelConfig.h"
#include "runtime/store/Store.h"

#include <vector>

namespace tawa::capi {

/// The fastest measured configurations of the most similar problems in the store, the most similar one first, each
/// once. `key` is a tune key. A problem is similar where no size, stride or integer is more than four times what it is
/// here.
std::vector<KernelConfig> fastestOfSimilar(store::Store &store, const store::Key &key);

} // namespace tawa::capi
