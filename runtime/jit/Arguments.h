// Do the values of a launch fit the kernel? Two things must hold: what the kernel's text asks for (LogicalArgument) and
// what the caller promised when it was compiled, because the code may rely on either.
#pragma once

#include "runtime/artifact/ArgumentValue.h"

#include <span>

namespace tawa {

/// `given` completed and checked. A tensor of rank 0 takes the promised shape if all of that is known. Breaches are
/// InvalidArgument (kind, value, alignment) or ShapeMismatch (type, rank, dimension, stride) and name the argument.
Result<ArgumentValue> resolveArgument(const LogicalArgument &logical, const ArgumentValue &promised,
                                      const ArgumentValue &given);

/// Do as many promises come as the kernel has arguments, and of the same kinds, types and ranks?
Status checkPromises(const KernelArtifact &artifact, std::span<const ArgumentValue> promised);

} // namespace tawa
