// Counts distinct words per bank in each phase of an access.
#include "compiler/layouts/algebra/BankConflicts.h"

#include <algorithm>
#include <span>

namespace tawa {
namespace {

constexpr uint32_t banks = 32, bankBytes = 4, phaseBytes = banks * bankBytes, warpSize = 32;

/// Cycles beyond the first that the lanes of one phase need: words of one bank are served one after the other, lanes
/// that share a word are served together.
unsigned phaseConflicts(std::span<const uint32_t> offsets, uint32_t bytes) {
  std::array<uint32_t, size_t{2} * banks> words{}; // a phase takes as many bytes as there are, or one element a lane
  size_t count = 0;
  for (uint32_t offset : offsets)
    for (uint32_t word = offset / bankBytes; word <= (offset + bytes - 1) / bankBytes; ++word)
      words[count++] = word;
  std::sort(words.begin(), words.begin() + count);
  auto end = std::unique(words.begin(), words.begin() + count);
  std::array<unsigned, banks> cycles{};
  std::for_each(words.begin(), end, [&](uint32_t word) { ++cycles[word % banks]; });
  return std::max(1u, *std::ranges::max_element(cycles)) - 1;
}

/// Each access is the first one with all of its addresses changed by one XOR, which permutes the banks.
template <typename Plan, typename Accesses, typename Count>
unsigned countLikeFirst(const Plan &plan, const Accesses &accesses, Count conflicts) {
  if (accesses.empty())
    return 0;
  LaneOffsets offsets;
  for (uint32_t lane = 0; lane < warpSize; ++lane)
    offsets[lane] = plan.address(lane, 0, accesses.front());
  return conflicts(offsets) * static_cast<unsigned>(accesses.size());
}

} // namespace

unsigned countBankConflicts(const LaneOffsets &offsets, uint32_t bytes) {
  const uint32_t lanes = std::min(warpSize, phaseBytes / bytes);
  unsigned sum = 0;
  for (uint32_t first = 0; first < warpSize; first += lanes)
    sum += phaseConflicts(std::span(offsets).subspan(first, lanes), bytes);
  return sum;
}

unsigned countMatrixBankConflicts(const LaneOffsets &rowOffsets, unsigned matrices) {
  unsigned sum = 0;
  for (unsigned matrix = 0; matrix < matrices; ++matrix)
    sum += phaseConflicts(std::span(rowOffsets).subspan(size_t{matrix} * 8, 8), 16);
  return sum;
}

unsigned countBankConflicts(const StmatrixPlan &plan) {
  return countLikeFirst(plan, plan.stores,
                        [&](const LaneOffsets &offsets) { return countMatrixBankConflicts(offsets, plan.matrices); });
}

unsigned countBankConflicts(const VectorPlan &plan, uint32_t elementBytes) {
  return countLikeFirst(plan, plan.accesses, [&](const LaneOffsets &offsets) {
    return countBankConflicts(offsets, plan.vector * elementBytes);
  });
}

} // namespace tawa
