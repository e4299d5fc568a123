// See TuneReport.h.
#include "bindings/cli/TuneReport.h"

#include <map>

namespace tawa::cli {
namespace {

std::string microseconds(double value) { return value > 0 ? format("%.2f", value) : "-"; }

std::string lineOf(const tawa_tune_row_t &row) {
  std::string line = format("%11s %11s  %-9s %-9s %s\n", microseconds(row.predicted_us).c_str(),
                            microseconds(row.median_us).c_str(), outcomeName(row.outcome), row.bound, row.config);
  return *row.reason ? line + format("%45s%s\n", "", row.reason) : line;
}

} // namespace

const char *outcomeName(tawa_tune_outcome_t outcome) {
  constexpr const char *names[] = {"predicted", "measured", "verified", "failed", "refused"};
  return names[outcome];
}

std::vector<tawa_tune_row_t> rowsOf(tawa_tune_result_t result) {
  std::vector<tawa_tune_row_t> rows(tawa_tune_result_count(result), tawa_tune_row_t TAWA_TUNE_ROW_INIT);
  for (uint32_t i = 0; i < rows.size(); ++i)
    tawa_tune_result_row(result, i, &rows[i]);
  return rows;
}

std::string describeTuneResult(tawa_tune_result_t result, size_t legal, bool refused) {
  std::map<std::string, size_t> rules;
  std::string table, reasons;
  size_t shown = 0, fitting = 0;
  for (const tawa_tune_row_t &row : rowsOf(result)) {
    if (row.outcome == TAWA_TUNE_REFUSED) {
      ++rules[row.rule];
      if (refused)
        reasons += format("%s\n  %s: %s\n", row.config, row.rule, row.reason);
      continue;
    }
    ++fitting;
    if (shown < legal || row.outcome != TAWA_TUNE_PREDICTED) {
      table += lineOf(row);
      ++shown;
    }
  }
  std::string text =
      format("best  %s\n\n%11s %11s\n", tawa_tune_result_best(result), "model us", "measured us") + table;
  if (shown < fitting)
    text += format("... and %zu more\n", fitting - shown);
  for (const auto &[rule, count] : rules)
    text += format("%s%zu refused: %s\n", rule == rules.begin()->first ? "\n" : "", count, rule.c_str());
  return reasons.empty() ? text : text + "\n" + reasons;
}

void writeTuneRow(JsonWriter &writer, const tawa_tune_row_t &row) {
  writer.text("config", row.config).text("outcome", outcomeName(row.outcome));
  if (*row.rule)
    writer.text("rule", row.rule);
  if (*row.reason)
    writer.text("reason", row.reason);
  if (row.predicted_us > 0)
    writer.number("predicted_us", row.predicted_us).text("bound", row.bound);
  if (row.samples > 0) {
    writer.number("median_us", row.median_us).number("best_us", row.best_us).number("spread_us", row.spread_us);
    writer.integer("samples", row.samples);
  }
  if (row.from_cache)
    writer.boolean("from_cache", true);
}

void writeTuneResult(JsonWriter &writer, tawa_tune_result_t result) {
  writer.text("best", tawa_tune_result_best(result)).beginArray("rows");
  for (const tawa_tune_row_t &row : rowsOf(result)) {
    writer.beginObject();
    writeTuneRow(writer, row);
    writer.endObject();
  }
  writer.endArray();
}

} // namespace tawa::cli
