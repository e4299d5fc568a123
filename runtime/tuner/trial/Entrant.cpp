// Identity of compiled code, and the number of settings in which two configurations differ.
#include "runtime/tuner/trial/Entrant.h"

#include "runtime/artifact/ParamLayout.h"

#include <sstream>
#include <utility>

namespace tawa {

std::string codeOf(KernelArtifact artifact) {
  KernelConfig tilesAlone;
  tilesAlone.tile = std::move(artifact.config.tile);
  artifact.config = std::move(tilesAlone);
  return contentHash(artifact);
}

int differences(const KernelConfig &one, const KernelConfig &other) {
  std::istringstream left(one.str()), right(other.str()); // all settings, in one order
  int count = 0;
  for (std::string a, b; left >> a && right >> b;)
    count += a != b;
  return count;
}

} // namespace tawa
