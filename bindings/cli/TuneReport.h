// TuneReport: what a search found, for people and as JSON.
#pragma once

#include "bindings/cli/Console.h"
#include "bindings/cli/Json.h"

#include <string>
#include <vector>

namespace tawa::cli {

using TuneResultHandle = std::unique_ptr<tawa_tune_result, Releaser<tawa_tune_result_release>>;

const char *outcomeName(tawa_tune_outcome_t outcome);

std::vector<tawa_tune_row_t> rowsOf(tawa_tune_result_t result);

/// The chosen configuration, a table of the first `legal` rows that were not refused, and how many were refused by
/// which rule; with `refused` each of those with its reason.
std::string describeTuneResult(tawa_tune_result_t result, size_t legal, bool refused);

/// What is known of one configuration, as members of the open object.
void writeTuneRow(JsonWriter &writer, const tawa_tune_row_t &row);

/// Members "best" and "rows".
void writeTuneResult(JsonWriter &writer, tawa_tune_result_t result);

} // namespace tawa::cli
