#include "compiler/layouts/algebra/SharedAccessPlan.h"

#include "compiler/layouts/algebra/BankConflicts.h"

#include <algorithm>

namespace tawa {

namespace {

constexpr unsigned kPhaseBytes = 128; ///< Shared memory gives or takes so many in a cycle.

SharedAccessPlan costOf(VectorPlan plan, unsigned elementBytes) {
  SharedAccessPlan result;
  unsigned cycles = std::max(1u, 32 * plan.vector * elementBytes / kPhaseBytes);
  result.conflicts = countBankConflicts(plan, elementBytes);
  result.cycles = result.conflicts + (cycles + 1) * plan.accesses.size(); // one more for issuing it
  result.vector = std::move(plan);
  return result;
}

std::optional<SharedAccessPlan> planAccess(const LinearLayout &registers, const LinearLayout &shared,
                                           unsigned elementBits, bool hasMatrices) {
  auto vector = deriveVectorAccess(registers, shared, elementBits);
  if (!vector)
    return std::nullopt;
  SharedAccessPlan best = costOf(std::move(*vector), elementBits / 8);
  auto matrix = hasMatrices ? deriveStmatrix(registers, shared, elementBits) : std::nullopt;
  if (!matrix)
    return best;
  unsigned conflicts = countBankConflicts(*matrix);
  unsigned cycles = conflicts + (matrix->matrices + 1) * matrix->stores.size();
  if (cycles < best.cycles) {
    best.matrix = std::move(matrix);
    best.conflicts = conflicts;
    best.cycles = cycles;
  }
  return best;
}

} // namespace

std::optional<SharedAccessPlan> planSharedRead(const LinearLayout &registers, const LinearLayout &shared,
                                               unsigned elementBits) {
  return planAccess(registers, shared, elementBits, /*hasMatrices=*/true);
}

std::optional<SharedAccessPlan> planSharedWrite(const LinearLayout &registers, const LinearLayout &shared,
                                                unsigned elementBits, bool hasStmatrix) {
  return planAccess(registers, shared, elementBits, hasStmatrix);
}

} // namespace tawa
