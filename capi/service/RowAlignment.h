// Which tensors of a request TMA cannot take: a fact about their rows that selects the code, unlike sizes and strides.
#pragma once

#include "capi/boundary/Arguments.h"

namespace tawa::capi {

/// Sets ArgumentFacts::rowAlignment from addresses and strides, where the kernel takes tensor descriptors. A text
/// without them is compiled once for all strides.
void noteRowAlignment(std::string_view text, std::span<const ArgumentValue> values, std::vector<ArgumentFacts> &facts);

} // namespace tawa::capi
