// See ChoiceReport.h.
#include "bindings/cli/ChoiceReport.h"

#include "bindings/cli/KernelReport.h"
#include "bindings/cli/TuneReport.h"

#include <algorithm>
#include <map>

namespace tawa::cli {
namespace {

/// Rows as `tawa explain` needs them: that of one configuration, and all others.
struct Standing {
  const tawa_tune_row_t *here = nullptr;             ///< Null: outside of what is searched.
  std::vector<const tawa_tune_row_t *> tried, legal; ///< In the order of the rows; `legal`: as the model ranks them.
  std::map<std::string, std::vector<const tawa_tune_row_t *>> refused; ///< By rule.

  Standing(const std::vector<tawa_tune_row_t> &rows, std::string_view config) {
    for (const tawa_tune_row_t &row : rows) {
      if (row.config == config)
        here = &row;
      if (row.outcome == TAWA_TUNE_REFUSED)
        refused[row.rule].push_back(&row);
      else if (row.outcome != TAWA_TUNE_PREDICTED)
        tried.push_back(&row);
      if (row.outcome != TAWA_TUNE_REFUSED && row.predicted_us > 0)
        legal.push_back(&row);
    }
    // Rows that the model holds equal stay in its order.
    std::ranges::sort(legal, {}, [](const tawa_tune_row_t *row) { return std::pair(row->predicted_us, row); });
  }
};

std::string describeHere(const Standing &standing) {
  const tawa_tune_row_t *here = standing.here;
  if (!here)
    return "outside of what is searched";
  if (here->outcome == TAWA_TUNE_REFUSED)
    return format("refused by the rules (%s): %s", here->rule, here->reason);
  std::string text = here->median_us > 0 ? format("measured %.2f us; ", here->median_us) : std::string();
  if (here->outcome == TAWA_TUNE_FAILED)
    text = format("tried, and failed: %s\n", here->reason);
  auto place = std::ranges::find(standing.legal, here) - standing.legal.begin();
  if (here->predicted_us > 0)
    text += format("predicted %.2f us, bound by %s: number %td of %zu to the model", here->predicted_us, here->bound,
                   place + 1, standing.legal.size());
  return text;
}

/// What became of the others that were tried.
std::string describeTried(const Standing &standing) {
  std::string text;
  for (const tawa_tune_row_t *row : standing.tried) {
    if (row == standing.here)
      continue;
    bool isCompared = row->median_us > 0 && standing.here && standing.here->median_us > 0;
    std::string fate = isCompared ? format("%+.1f %%", 100 * (row->median_us / standing.here->median_us - 1))
                                  : std::string(outcomeName(row->outcome));
    text += format("%s%-9s %s", text.empty() ? "" : "\n", fate.c_str(), row->config);
    if (*row->reason)
      text += format("\n%10s%s", "", row->reason);
  }
  return text;
}

std::string describeModel(const Standing &standing) {
  constexpr size_t kShown = 3;
  std::string text;
  for (size_t i = 0; i < std::min(kShown, standing.legal.size()); ++i)
    text += format("%s%8.2f us  %s", i ? "\n" : "", standing.legal[i]->predicted_us, standing.legal[i]->config);
  return text;
}

std::string describeRefused(const Standing &standing) {
  std::string text;
  for (const auto &[rule, rows] : standing.refused)
    text += format("%s%zu by %s, e.g. %s:\n  %s", text.empty() ? "" : "\n", rows.size(), rule.c_str(),
                   rows.front()->config, rows.front()->reason);
  return text;
}

} // namespace

std::string describeChoice(tawa_runtime_t runtime, const tawa_compile_request_t &request, const char *config) {
  tawa_tune_options_t options = TAWA_TUNE_OPTIONS_INIT;
  options.predict_only = 1;
  tawa_tune_result_t made = nullptr;
  if (tawa_tune(runtime, &request, &options, &made, nullptr))
    return {};
  TuneResultHandle result(made);
  std::vector<tawa_tune_row_t> rows = rowsOf(result.get());
  Standing standing(rows, config);
  std::string text;
  for (const auto &[label, part] : {std::pair("why", describeHere(standing)),
                                    {"tried", describeTried(standing)},
                                    {"model", describeModel(standing)},
                                    {"refused", describeRefused(standing)}})
    text += part.empty() ? "" : reportLine(label, part);
  return text;
}

} // namespace tawa::cli
