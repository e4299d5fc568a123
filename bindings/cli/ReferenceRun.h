// ReferenceRun: runs a workload on the reference evaluator (compiler/reference) instead of a device, and compares a
// device's results with it. The only part of the program that includes more of Tawa than its C interface.
#pragma once

#include "bindings/cli/Json.h"
#include "bindings/cli/Workload.h"

#include <optional>
#include <string>

namespace tawa::cli {

/// Its name for `--device`.
constexpr const char *kReferenceDevice = "reference";

/// The comparison of all tensors of a workload with the evaluator's. A tolerance is what the text leaves open: rounding
/// of approximated functions and of sums in any order (compiler/reference/README.md).
struct ReferenceCheck {
  uint64_t equal = 0;     ///< Elements that are equal to the bit.
  uint64_t close = 0;     ///< Within their tolerance.
  uint64_t undefined = 0; ///< The text does not say what they are.
  std::string firstWrong; ///< Empty when nothing is.

  bool passed() const { return firstWrong.empty(); }
};

/// Evaluates the workload's text on what its tensors were filled with; their results are set. Gives the problem.
std::optional<std::string> runReference(Workload &workload, const std::string &config, const std::string &grid);

/// Downloads every tensor and compares it. Returns the problem where that is not possible.
std::optional<std::string> checkWithReference(Workload &workload, const std::string &config, const std::string &grid,
                                              ReferenceCheck &check);

std::string describeCheck(const ReferenceCheck &check);
void writeCheck(JsonWriter &writer, const ReferenceCheck &check);

} // namespace tawa::cli
