// Prints the table of a search as text and as JSON.
#include "bindings/cli/TuneReport.h"

#include "bindings/cli/KernelReport.h"

#include <algorithm>
#include <map>

namespace tawa::cli {
namespace {

constexpr const char *kDefault = "(default)";

std::string microseconds(double value) { return value > 0 ? format("%.2f", value) : "-"; }

std::string lineOf(const tawa_tune_row_t &row, const std::string &base) {
  std::string line =
      format("%11s %11s  %-9s %-9s %s\n", microseconds(row.predicted_us).c_str(), microseconds(row.median_us).c_str(),
             outcomeName(row.outcome), row.bound, differenceTo(base, row.config, kDefault).c_str());
  return *row.reason ? line + format("%45s%s\n", "", row.reason) : line;
}

/// The rows, and which of them are shown.
struct Selection {
  std::vector<tawa_tune_row_t> rows, refused; ///< Shown.
  std::map<std::string, size_t> rules;        ///< Of refused rows, and how many each refused.
  size_t legal = 0;                           ///< Rows that were not refused.

  Selection(tawa_tune_result_t result, ShownRows shown) {
    for (const tawa_tune_row_t &row : rowsOf(result)) {
      if (row.outcome == TAWA_TUNE_REFUSED) {
        ++rules[row.rule];
        if (shown.refused)
          refused.push_back(row);
        continue;
      }
      ++legal;
      if (rows.size() < shown.legal || row.outcome != TAWA_TUNE_PREDICTED)
        rows.push_back(row);
    }
  }
};

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

std::string differenceTo(std::string_view base, std::string_view config, std::string_view same) {
  std::vector<std::string> settings = split(base, ' ');
  std::string text;
  for (const std::string &setting : split(config, ' '))
    if (std::ranges::find(settings, setting) == settings.end())
      text += (text.empty() ? "" : " ") + setting;
  return text.empty() ? std::string(same) : text;
}

std::string describeTuneResult(tawa_tune_result_t result, const std::string &base, ShownRows shown) {
  Selection selection(result, shown);
  std::string text = reportLine("best", tawa_tune_result_best(result));
  text += base.empty() ? "" : reportLine("default", base);
  text += format("\n%11s %11s  %-9s %-9s %s\n", "model us", "measured us", "outcome", "bound",
                 base.empty() ? "configuration" : "what differs from the default");
  for (const tawa_tune_row_t &row : selection.rows)
    text += lineOf(row, base);
  if (selection.rows.size() < selection.legal)
    text += format("... and %zu more\n", selection.legal - selection.rows.size());
  for (const auto &[rule, count] : selection.rules)
    text += format("%s%zu refused: %s\n", rule == selection.rules.begin()->first ? "\n" : "", count, rule.c_str());
  for (const tawa_tune_row_t &row : selection.refused)
    text += format("%s%s\n  %s: %s\n", &row == selection.refused.data() ? "\n" : "",
                   differenceTo(base, row.config, kDefault).c_str(), row.rule, row.reason);
  return text;
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

void writeTuneResult(JsonWriter &writer, tawa_tune_result_t result, ShownRows shown) {
  Selection selection(result, shown);
  writer.text("best", tawa_tune_result_best(result)).integer("legal", static_cast<int64_t>(selection.legal));
  writer.beginArray("refused");
  for (const auto &[rule, count] : selection.rules)
    writer.beginObject().text("rule", rule).integer("count", static_cast<int64_t>(count)).endObject();
  writer.endArray().beginArray("rows");
  for (const auto *rows : {&selection.rows, &selection.refused})
    for (const tawa_tune_row_t &row : *rows) {
      writer.beginObject();
      writeTuneRow(writer, row);
      writer.endObject();
    }
  writer.endArray();
}

} // namespace tawa::cli
