// Distributes tiles over CTAs as the launch does, and compares the longest sum with the average.
#include "runtime/tuner/model/Imbalance.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <queue>
#include <span>

namespace tawa {

/// Every other section begins with its shortest, but not the last (compiler/roles/ScheduleLongestFirst.cpp).
static void turnSections(std::vector<double> &lengths) {
  std::vector<std::span<double>> sections;
  for (auto begin = lengths.begin(); begin != lengths.end();) {
    auto end = std::is_sorted_until(begin, lengths.end(), std::greater<>());
    sections.emplace_back(begin, end);
    begin = end;
  }
  for (size_t i = 0; i < sections.size(); ++i)
    if ((sections.size() - 1 - i) % 2)
      std::ranges::reverse(sections[i]);
}

static double longestDealt(const std::vector<double> &lengths, uint32_t ctas) {
  std::vector<double> sums(ctas);
  for (size_t i = 0; i < lengths.size(); ++i)
    sums[i % ctas] += lengths[i];
  return std::ranges::max(sums);
}

static double longestTaken(const std::vector<double> &lengths, uint32_t ctas) {
  using Ends = std::vector<double>; // when each CTA is free
  std::priority_queue<double, Ends, std::greater<>> free{std::greater<>(), Ends(ctas)};
  double longest = 0;
  for (double length : lengths) {
    double end = free.top() + length;
    free.pop();
    free.push(end);
    longest = std::max(longest, end);
  }
  return longest;
}

Imbalance imbalanceOf(std::vector<double> lengths, uint32_t ctas) {
  double average = std::accumulate(lengths.begin(), lengths.end(), 0.0) / ctas;
  if (average <= 0)
    return {};
  Imbalance imbalance;
  imbalance.taken = longestTaken(lengths, ctas) / average;
  imbalance.least = std::max(1.0, std::ranges::max(lengths) / average);
  turnSections(lengths);
  imbalance.dealt = longestDealt(lengths, ctas) / average;
  return imbalance;
}

} // namespace tawa
