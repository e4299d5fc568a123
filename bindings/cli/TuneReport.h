// TuneReport: what a search found, for people and as JSON.
#pragma once

#include "bindings/cli/Console.h"
#include "bindings/cli/Json.h"

#include <string>
#include <string_view>
#include <vector>

namespace tawa::cli {

using TuneResultHandle = std::unique_ptr<tawa_tune_result, Releaser<tawa_tune_result_release>>;

const char *outcomeName(tawa_tune_outcome_t outcome);

std::vector<tawa_tune_row_t> rowsOf(tawa_tune_result_t result);

/// Selection of rows to show: the maximum number of untried ones that were not refused, and whether refused ones are
/// shown.
struct ShownRows {
  size_t legal;
  bool refused;
};

/// The settings of `config` that differ from `base`; `same` where there is none.
std::string differenceTo(std::string_view base, std::string_view config, std::string_view same);

/// The chosen configuration, a table of rows, the number of rows not shown, and how many were refused by which rule.
/// Rows of the table show their difference from `base`, a complete configuration; where it is empty, all settings.
std::string describeTuneResult(tawa_tune_result_t result, const std::string &base, ShownRows shown);

/// The facts about one configuration, as members of the open object.
void writeTuneRow(JsonWriter &writer, const tawa_tune_row_t &row);

/// Members "best", "legal" (how many), "refused" (how many, by rule) and "rows".
void writeTuneResult(JsonWriter &writer, tawa_tune_result_t result, ShownRows shown);

} // namespace tawa::cli
