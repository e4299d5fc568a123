// Finds problems of other sizes in the store and orders them by how far these are.
#include "capi/service/SimilarProblems.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <sstream>

namespace tawa::capi {

namespace {

constexpr double kFar = 2;      // as a power of two
constexpr size_t kProblems = 3; // as many as a search has places to spare

std::optional<double> numberIn(const std::string &word) {
  int64_t number = 0;
  auto [end, fault] = std::from_chars(word.data(), word.data() + word.size(), number);
  bool isNumber = fault == std::errc() && end == word.data() + word.size() && number > 0;
  return isNumber ? std::optional(static_cast<double>(number)) : std::nullopt;
}

/// Of two descriptions of an argument (TuneKey.cpp): the largest ratio of two numbers, as a power of two; none where
/// anything else differs.
std::optional<double> distanceOf(const store::KeyDifference &difference) {
  std::istringstream here(difference.here), there(difference.there);
  double most = 0;
  for (std::string one, other; true;) {
    bool more = static_cast<bool>(here >> one);
    if (more != static_cast<bool>(there >> other))
      return std::nullopt;
    if (!more)
      return most;
    std::optional<double> a = numberIn(one), b = numberIn(other);
    if (one != other && !(a && b))
      return std::nullopt;
    if (one != other)
      most = std::max(most, std::abs(std::log2(*a / *b)));
  }
}

std::optional<double> distanceOf(const std::vector<store::KeyDifference> &differences) {
  double most = 0;
  for (const store::KeyDifference &difference : differences) {
    std::optional<double> distance = distanceOf(difference);
    if (!distance)
      return std::nullopt;
    most = std::max(most, *distance);
  }
  return most <= kFar ? std::optional(most) : std::nullopt;
}

} // namespace

std::vector<KernelConfig> fastestOfSimilar(store::Store &store, const store::Key &key) {
  std::vector<std::pair<double, KernelConfig>> found;
  for (const store::ProblemRows &problem : store.tuneRowsBeside(key, "argument.")) {
    int chosen = chooseRow(problem.rows);
    std::optional<double> distance = distanceOf(problem.differences);
    if (chosen < 0 || !distance || problem.rows[static_cast<size_t>(chosen)].outcome != TuneRow::Outcome::Measured)
      continue;
    if (Result<KernelConfig> config = KernelConfig::parse(problem.rows[static_cast<size_t>(chosen)].config))
      found.emplace_back(*distance, std::move(*config));
  }
  std::ranges::sort(found, {}, [](const auto &each) { return std::pair(each.first, each.second.str()); });
  std::vector<KernelConfig> fastest;
  for (auto &[distance, config] : found)
    if (fastest.size() < kProblems && std::ranges::find(fastest, config) == fastest.end())
      fastest.push_back(std::move(config));
  return fastest;
}

} // namespace tawa::capi
