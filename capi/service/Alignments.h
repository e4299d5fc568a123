// How tensors of a request are aligned: facts about their rows that select the code, unlike sizes and strides.
#pragma once

#include "capi/boundary/Arguments.h"

namespace tawa::capi {

/// Sets ArgumentFacts::rowAlignment and columnAlignment from addresses, strides and extents, where the kernel takes
/// tensor descriptors. A text without them is compiled once for all strides.
void noteAlignments(std::string_view text, std::span<const ArgumentValue> values, std::vector<ArgumentFacts> &facts);

} // namespace tawa::capi
