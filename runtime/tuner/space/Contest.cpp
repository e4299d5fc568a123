// Predicts what enters a contest, and ranks it.
#include "runtime/tuner/space/Contest.h"

#include <algorithm>
#include <iterator>
#include <string>

namespace tawa {

namespace {

/// A configuration has to be predicted this much faster than the usual one to replace it, and one in the other form
/// (one role or several) with the usual tile this much faster than those in the usual form. Of one role the model knows
/// less: FP8 by blocks took 1.4 times as long so, and was expected to take 0.93 of the time of several.
constexpr double kClearly = 0.95, kClearlyAsOneRole = 0.9;
/// How many are named at most, and of those that differ in depth alone; what the model counts of a kernel's resources
/// is an estimate.
constexpr size_t kRanked = 6, kOfDepths = 2;

} // namespace

int64_t programsOf(const TileChoice &choice) { return int64_t{choice.grid[0]} * choice.grid[1] * choice.grid[2]; }

void Contest::enter(TileChoice &choice, const WorkSummary &probe, std::span<const KernelConfig> configs,
                    double ofTile) {
  for (const KernelConfig &config : configs) {
    if (judgeByRules(choice, probe, input.hardware, config).refusal != Refusal::None)
      continue;
    const ProblemWork &work = workOf(input, choice, config);
    Prediction prediction = predict({choice.summary, work, config, input.hardware, input.isWarm});
    bool isUsualTile = config.tile == usual.tile;
    bool isUsualForm = (config.consumerGroups == 0) == (usual.consumerGroups == 0);
    double inOtherForm = 1 / (config.consumerGroups == 0 ? kClearlyAsOneRole : kClearly);
    double handicap = config == usual ? kClearly : !isUsualTile ? ofTile : isUsualForm ? 1 : inOtherForm;
    Candidate candidate;
    candidate.config = config;
    candidate.prediction = prediction;
    entries.emplace(prediction.seconds * handicap, std::move(candidate));
  }
}

void Contest::enterRoles(TileChoice &choice, std::span<const KernelConfig> configs, double ofTile) {
  WorkSummary probe;
  auto ask = [&](bool isWanted, bool &isAsked, auto question) {
    if (!isWanted || isAsked)
      return false;
    WorkSummary answer = question(input, choice.tile);
    std::ranges::move(answer.notApplied, std::back_inserter(probe.notApplied));
    return isAsked = true;
  };
  for (bool walks = false, shares = false;;) {
    Contest hopeful = *this;
    hopeful.enter(choice, probe, configs, ofTile);
    const KernelConfig &best = hopeful.winner();
    if (!ask(best.persistent != 0, walks, askForTileLoop) && !ask(best.split > 1, shares, askForSharedSum))
      break;
  }
  enter(choice, probe, configs, ofTile);
}

const KernelConfig &Contest::winner() const { return entries.empty() ? usual : entries.begin()->second.config; }

double Contest::seconds() const { return entries.empty() ? 0 : entries.begin()->second.prediction.seconds; }

std::vector<Candidate> Contest::ranking() const {
  std::vector<Candidate> ranked;
  std::map<std::string, size_t> alike;
  for (const auto &[seconds, candidate] : entries) {
    KernelConfig ofAnyDepth = candidate.config;
    ofAnyDepth.ringDepth = 0;
    bool isNew = std::ranges::find(ranked, candidate.config, &Candidate::config) == ranked.end();
    if (isNew && ranked.size() < kRanked && alike[ofAnyDepth.str()]++ < kOfDepths)
      ranked.push_back(candidate);
  }
  if (ranked.empty())
    ranked.emplace_back().config = usual;
  return ranked;
}

} // namespace tawa
