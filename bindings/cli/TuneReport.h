// TuneReport: what a search found, for people and as JSON.
#pragma once

#include "bindings/cli/Console.h"
#include "bindings/cli/Json.h"

#include <string>
#include <vector>

namespace tawa::cli {

using TuneResultHandle = std::unique_ptr<tawa_tune_result, Releaser<tawa_tune_result_release>>;

std::vector<tawa_tune_row_t> rowsOf(tawa_tune_result_t result);

/// The chosen configuration, a table of the first `legal` rows that were not refused, and how many were refused by
/// which rule; with `refused` each of those with its reason.
std::string describeTuneResult(tawa_tune_result_t result, size_t legal, bool refused);

/// Where `config` stands among all that the performance model ranks for arguments of these shapes, what it would choose
/// instead, and how many points are refused by which rule: the part of `tawa explain` that says why this one. Empty where
/// a shape is not known, or there is nothing to choose from.
std::string describeRank(tawa_runtime_t runtime, tawa_compile_request_t request, const char *config);

/// Members "best" and "rows".
void writeTuneResult(JsonWriter &writer, tawa_tune_result_t result);

} // namespace tawa::cli
