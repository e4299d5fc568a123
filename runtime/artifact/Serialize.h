// An artifact as bytes and back, for the store: versioned, checked, and nothing of the compiler. What is read is data
// that may be damaged or hostile: every count, enumerator and length is checked, and the artifact's own content hash
// must come out again.
#pragma once

#include "runtime/artifact/KernelArtifact.h"
#include "runtime/support/Status.h"

#include <string>
#include <string_view>
#include <vector>

namespace tawa {

/// What one compile gives: the artifact and the warnings and remarks that went with it.
struct CompiledKernel {
  KernelArtifact artifact;
  std::vector<Diagnostic> diagnostics;
  std::string madeFor; ///< Hash of the key that it was compiled for; empty where there is none.
};

std::string serialize(const CompiledKernel &kernel);

/// CacheCorrupt where the bytes are no such kernel, or one of another version of this format.
Result<CompiledKernel> deserialize(std::string_view bytes);

} // namespace tawa
