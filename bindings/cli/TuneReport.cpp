// See TuneReport.h.
#include "bindings/cli/TuneReport.h"

#include <map>

namespace tawa::cli {
namespace {

constexpr const char *outcomes[] = {"predicted", "measured", "verified", "failed", "refused"};

std::string microseconds(double value) { return value > 0 ? format("%.2f", value) : "-"; }

std::string lineOf(const tawa_tune_row_t &row) {
  std::string line = format("%11s %11s  %-9s %-9s %s\n", microseconds(row.predicted_us).c_str(),
                            microseconds(row.median_us).c_str(), outcomes[row.outcome], row.bound, row.config);
  return *row.reason ? line + format("%45s%s\n", "", row.reason) : line;
}

} // namespace

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

std::string describeRank(tawa_runtime_t runtime, tawa_compile_request_t request, const char *config) {
  tawa_tune_options_t options = TAWA_TUNE_OPTIONS_INIT;
  options.predict_only = 1;
  tawa_tune_result_t made = nullptr;
  if (tawa_tune(runtime, &request, &options, &made, nullptr))
    return {};
  TuneResultHandle result(made);
  std::map<std::string, size_t> rules;
  const tawa_tune_row_t *here = nullptr, *best = nullptr;
  size_t place = 0, legal = 0;
  std::vector<tawa_tune_row_t> rows = rowsOf(result.get());
  for (const tawa_tune_row_t &row : rows) {
    bool isRefused = row.outcome == TAWA_TUNE_REFUSED;
    isRefused ? ++rules[row.rule] : ++legal;
    if (!best && !isRefused)
      best = &row;
    if (std::string_view(row.config) == config) {
      here = &row;
      place = legal;
    }
  }
  if (!best)
    return {};
  std::string text;
  if (!here)
    text = "outside of what is searched";
  else if (here->outcome == TAWA_TUNE_REFUSED)
    text = format("refused by the rules (%s): %s", here->rule, here->reason);
  else
    text = format("%zu of %zu: %.2f us, bound by %s", place, legal, here->predicted_us, here->bound);
  if (here != best)
    text += format("\nfirst is %s: %.2f us", best->config, best->predicted_us);
  for (const auto &[rule, count] : rules)
    text += format("\n%zu refused: %s", count, rule.c_str());
  return text;
}

void writeTuneResult(JsonWriter &writer, tawa_tune_result_t result) {
  writer.text("best", tawa_tune_result_best(result)).beginArray("rows");
  for (const tawa_tune_row_t &row : rowsOf(result)) {
    writer.beginObject().text("config", row.config).text("outcome", outcomes[row.outcome]);
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
    writer.endObject();
  }
  writer.endArray();
}

} // namespace tawa::cli
