// Chooses the candidates of a search among the ranked ones.
#include "runtime/tuner/space/SearchSpace.h"

#include <bit>
#include <limits>
#include <map>
#include <set>
#include <span>

namespace tawa {

namespace {

/// What the model is wrong about in one candidate, it is wrong about in those like it. Its mean error is 8 %; by as
/// much each candidate with the sums and the schedule of one that was chosen counts as slower, and by half of it one
/// that differs from that in depths only, or not at all to the model.
constexpr double kAlikePenalty = 0.08, kTwinPenalty = 0.04;

/// Chooses candidates one after the other, and keeps count of what they have in common.
class Selection {
public:
  Selection(std::span<const Candidate> ranked, size_t alike) : ranked(ranked), alike(alike) {
    for (const Candidate &candidate : ranked)
      kinOf.push_back(kin(candidate));
  }

  /// The position of the next one; none is left: the number of all.
  size_t next() {
    size_t best = ranked.size();
    double least = std::numeric_limits<double>::infinity();
    for (size_t i = 0; i < ranked.size() && ranked[i].prediction.seconds < least; ++i) {
      bool isSpent = isChosen.contains(i) || counts[kinOf[i].family] >= alike || counts[kinOf[i].equal] >= alike;
      if (double cost = costOf(i); !isSpent && cost < (1 - kModelResolution) * least) {
        least = cost;
        best = i;
      }
    }
    if (best < ranked.size())
      choose(best);
    return best;
  }

private:
  /// Numbers of the groups of candidates that one belongs to.
  struct Kin {
    size_t sums, family, equal;
  };

  size_t numberOf(std::string group) {
    auto [found, isNew] = numbers.try_emplace(std::move(group), counts.size());
    if (isNew)
      counts.push_back(0);
    return found->second;
  }

  Kin kin(const Candidate &candidate) {
    KernelConfig family = candidate.config;
    family.ringDepth = family.mmaDepth = family.epilogueStages = 1;
    auto text = [](auto... values) { return ((std::to_string(values) + " ") + ...); };
    std::string shape = candidate.shape ? std::to_string(candidate.shape) : family.str();
    return {numberOf(text(candidate.config.split, int(candidate.config.schedule), candidate.config.stream) + shape),
            numberOf(family.str()),
            numberOf("equal " + text(std::bit_cast<uint64_t>(candidate.prediction.seconds), candidate.handovers))};
  }

  double costOf(size_t i) const {
    double twins = static_cast<double>(counts[kinOf[i].family] + counts[kinOf[i].equal]);
    return ranked[i].prediction.seconds *
           (1 + kAlikePenalty * static_cast<double>(counts[kinOf[i].sums]) + kTwinPenalty * twins);
  }

  void choose(size_t i) {
    isChosen.insert(i);
    for (size_t group : {kinOf[i].sums, kinOf[i].family, kinOf[i].equal})
      ++counts[group];
  }

  std::span<const Candidate> ranked;
  size_t alike;
  std::vector<Kin> kinOf;
  std::map<std::string, size_t> numbers;
  std::vector<size_t> counts; ///< Of chosen ones, by group.
  std::set<size_t> isChosen;
};

} // namespace

std::vector<Candidate> selectTop(const SearchSpace &space, size_t count, size_t alike) {
  Selection selection(std::span(space.candidates).first(space.legal), alike);
  std::vector<Candidate> chosen;
  for (size_t next = 0; chosen.size() < count && (next = selection.next()) < space.legal;)
    chosen.push_back(space.candidates[next]);
  return chosen;
}

} // namespace tawa
