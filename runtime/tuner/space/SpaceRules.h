// SpaceRules: why a point of the search space is not worth compiling. Arithmetic on the compiler's answers for its tile
// parameters; nothing here queries the compiler.
#pragma once

#include "runtime/tuner/model/KernelNeeds.h"
#include "runtime/tuner/model/TileWork.h"
#include "runtime/tuner/space/SearchSpace.h"

#include <array>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <utility>

namespace tawa {

struct Verdict {
  Refusal refusal = Refusal::None;
  std::string reason; ///< In words and numbers; empty where there is no refusal.
};
inline Verdict refuse(Refusal refusal, std::string reason) { return {refusal, std::move(reason)}; }

/// One choice of tile parameters, with everything that depends on it alone.
struct TileChoice {
  bool isAnswered = false; ///< The compiler was asked; nothing below counts before.
  std::map<std::string, int64_t> tile;
  Verdict verdict; ///< Of the whole choice.
  Status failure;  ///< The error that caused a refusal.
  WorkSummary summary;
  std::optional<DotFacts> dots; ///< There where the verdict is none.
  std::array<uint32_t, 3> grid{};
  uint32_t walkers = 0; ///< Programs that walk the tiles in the text; 0: it walks none, or they are not known.
  /// By the number of CTAs that share a tile, of CTAs not started for the sake of the others, and of resident CTAs per
  /// multiprocessor; the first is a tile of one CTA, and all are started.
  std::map<std::tuple<int, uint32_t, uint32_t>, ProblemWork> works;
  KnownTiles tiles; ///< Of all of these.
  const ProblemWork &work() const { return works.begin()->second; }
  /// Whether every program does the same work with other scalars, as far as known (ProblemWork). Where not even scalars
  /// differ, the difference is invisible here.
  bool doesTheSameAs(const TileChoice &other) const {
    return grid == other.grid && work().doesTheSameAs(other.work()) && summary.hasFormOf(other.summary) &&
           summary.values != other.summary.values;
  }
};

/// `probe` is the summary of a kernel with all settings requested: its reasons for settings that do not apply hold for
/// all.
Verdict judgeByRules(const TileChoice &choice, const WorkSummary &probe, const HardwareDescription &hardware,
                     const KernelConfig &config);

/// How many of the axes, in their order, must have values before a rule can be asked, for each of the rules.
class RuleOrder {
public:
  explicit RuleOrder(std::span<const SpaceAxis> axes);
  /// Where the first `known` axes have values, and the rules for the first `judged` of them were asked before (-1: none
  /// was): judgeByRules() by the others.
  Verdict judge(const TileChoice &choice, const WorkSummary &probe, const HardwareDescription &hardware,
                const KernelConfig &config, int judged, int known) const;

private:
  std::vector<int> decided;
};

} // namespace tawa
