// Checks the values of a launch against the kernel: against the requirements of its text (LogicalArgument) and the
// caller's promises at compile time, because the code may rely on either.
#pragma once

#include "runtime/artifact/ArgumentValue.h"

#include <span>

namespace tawa {

/// `given` completed and checked. A tensor of rank 0 takes the promised shape if all of that is known. Violations are
/// InvalidArgument (kind, value, alignment) or ShapeMismatch (type, rank, dimension, stride) and name the argument.
Result<ArgumentValue> resolveArgument(const LogicalArgument &logical, const ArgumentValue &promised,
                                      const ArgumentValue &given);

/// Ok where an address or integer is the multiple that the code relies on.
Status checkAlignment(const LogicalArgument &logical, const ArgumentValue &value);

/// Do as many promises come as the kernel has arguments, and of the same kinds, types and ranks?
Status checkPromises(const KernelArtifact &artifact, std::span<const ArgumentValue> promised);

} // namespace tawa
