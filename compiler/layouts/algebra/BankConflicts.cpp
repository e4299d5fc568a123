// Counts distinct words per bank in each phase of an access.
#include "compiler/layouts/algebra/BankConflicts.h"

#include <algorithm>
#include <set>
#include <span>

namespace tawa {
namespace {

constexpr uint32_t banks = 32, bankBytes = 4, phaseBytes = banks * bankBytes, warpSize = 32;

/// Cycles beyond the first that the lanes of one phase need: words of one bank are served one after the other, lanes
/// that share a word are served together.
unsigned phaseConflicts(std::span<const uint32_t> offsets, uint32_t bytes) {
  std::array<std::set<uint32_t>, banks> words;
  for (uint32_t offset : offsets)
    for (uint32_t word = offset / bankBytes; word <= (offset + bytes - 1) / bankBytes; ++word)
      words[word % banks].insert(word);
  size_t cycles = 1;
  for (const std::set<uint32_t> &bank : words)
    cycles = std::max(cycles, bank.size());
  return cycles - 1;
}

/// Sums what `conflicts` counts for each access of a plan in each warp.
template <typename Plan, typename Accesses, typename Count>
unsigned sumOverWarps(const Plan &plan, const Accesses &accesses, Count conflicts) {
  unsigned sum = 0;
  for (uint32_t warp = 0; warp < 1u << plan.warpBases.size(); ++warp)
    for (const auto &access : accesses) {
      LaneOffsets offsets;
      for (uint32_t lane = 0; lane < warpSize; ++lane)
        offsets[lane] = plan.address(lane, warp, access);
      sum += conflicts(offsets);
    }
  return sum;
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
    sum += phaseConflicts(std::span(rowOffsets).subspan(matrix * 8, 8), 16);
  return sum;
}

unsigned countBankConflicts(const StmatrixPlan &plan) {
  return sumOverWarps(plan, plan.stores,
                      [&](const LaneOffsets &offsets) { return countMatrixBankConflicts(offsets, plan.matrices); });
}

unsigned countBankConflicts(const VectorPlan &plan, uint32_t elementBytes) {
  return sumOverWarps(plan, plan.accesses, [&](const LaneOffsets &offsets) {
    return countBankConflicts(offsets, plan.vector * elementBytes);
  });
}

} // namespace tawa
