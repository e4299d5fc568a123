// Identity of compiled code, and the number of settings in which two configurations differ.
#include "runtime/tuner/trial/Entrant.h"

#include "runtime/artifact/ParamLayout.h"

#include <algorithm>
#include <sstream>
#include <string_view>
#include <utility>

namespace tawa {

std::string codeOf(KernelArtifact artifact) {
  KernelConfig tilesAlone;
  tilesAlone.tile = std::move(artifact.config.tile);
  artifact.config = std::move(tilesAlone);
  return contentHash(artifact);
}

std::vector<std::string> differences(const KernelConfig &one, const KernelConfig &other) {
  constexpr std::string_view kDepths[] = {"D", "P", "epilogue"};
  std::vector<std::string> names;
  std::istringstream left(one.str()), right(other.str()); // all settings, in one order
  for (std::string a, b; left >> a && right >> b;)
    if (std::string name = a.substr(0, a.find('=')); a != b && std::ranges::count(kDepths, name) == 0)
      names.push_back(std::move(name));
  if (names.empty() && one != other)
    names.emplace_back("depth");
  return names;
}

} // namespace tawa
