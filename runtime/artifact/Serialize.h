// Serializes an artifact for the store: versioned, checked, independent of the compiler. The input may be damaged or
// hostile: every count, enumerator and length is checked, and the artifact's own content hash must be reproduced.
#pragma once

#include "runtime/artifact/KernelArtifact.h"
#include "runtime/support/Status.h"

#include <string>
#include <string_view>
#include <vector>

namespace tawa {

/// The result of a compile: the artifact and its warnings and remarks.
struct CompiledKernel {
  KernelArtifact artifact;
  std::vector<Diagnostic> diagnostics;
  std::string madeFor; ///< Hash of the key that it was compiled for; empty where there is none.
};

std::string serialize(const CompiledKernel &kernel);

/// CacheCorrupt where the bytes are no such kernel, or one of another version of this format.
Result<CompiledKernel> deserialize(std::string_view bytes);

} // namespace tawa
