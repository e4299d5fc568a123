// Writes what was chosen, tried, predicted and refused.
#include "bindings/cli/ChoiceReport.h"

#include "bindings/cli/KernelReport.h"

#include <algorithm>

namespace tawa::cli {

/// Of one configuration, or of all that a search lists (null).
static TuneResultHandle predict(tawa_runtime_t runtime, const tawa_compile_request_t &request, const char *config) {
  tawa_tune_options_t options = TAWA_TUNE_OPTIONS_INIT;
  options.predict_only = 1;
  options.configs = config;
  tawa_tune_result_t made = nullptr;
  return TuneResultHandle(tawa_tune(runtime, &request, &options, &made, nullptr) ? nullptr : made);
}

ChoiceReport::ChoiceReport(tawa_runtime_t runtime, const tawa_compile_request_t &request, std::string_view config)
    : config(config), result(predict(runtime, request, nullptr)), rows(rowsOf(result.get())) {
  for (const tawa_tune_row_t &row : rows) {
    bool isHere = row.config == config, isRefused = row.outcome == TAWA_TUNE_REFUSED;
    if (isHere)
      here = &row;
    if (isRefused)
      refused[row.rule].push_back(&row);
    else if (row.outcome != TAWA_TUNE_PREDICTED && !isHere)
      tried.push_back(&row);
    if (!isRefused && row.predicted_us > 0)
      legal.push_back(&row);
  }
  // Rows that the model holds equal stay in its order.
  std::ranges::sort(legal, {}, [](const tawa_tune_row_t *row) { return std::pair(row->predicted_us, row); });
  isListed = here != nullptr;
  if (!here && result)
    judgeAlone(runtime, request);
}

void ChoiceReport::judgeAlone(tawa_runtime_t runtime, const tawa_compile_request_t &request) {
  alone = predict(runtime, request, config.c_str());
  ownRows = rowsOf(alone.get());
  if (auto found = std::ranges::find(ownRows, config, &tawa_tune_row_t::config); found != ownRows.end())
    here = &*found;
}

size_t ChoiceReport::placeToTheModel() const {
  auto found = std::ranges::find(legal, here);
  if (found == legal.end())
    found = std::ranges::lower_bound(legal, here->predicted_us, {}, &tawa_tune_row_t::predicted_us);
  return static_cast<size_t>(found - legal.begin()) + 1;
}

double ChoiceReport::lossOf(const tawa_tune_row_t &row) const {
  bool isCompared = row.median_us > 0 && here && here->median_us > 0;
  return isCompared ? row.median_us / here->median_us - 1 : 0;
}

std::string ChoiceReport::describeHere() const {
  if (!here)
    return "not known to the model";
  if (here->outcome == TAWA_TUNE_REFUSED)
    return format("refused by the rules (%s): %s", here->rule, here->reason);
  std::string text = here->median_us > 0 ? format("measured %.2f us; ", here->median_us) : std::string();
  if (here->outcome == TAWA_TUNE_FAILED)
    text = format("tried, and failed: %s\n", here->reason);
  if (here->predicted_us > 0)
    text += format("predicted %.2f us, bound by %s: number %zu of %zu to the model", here->predicted_us, here->bound,
                   placeToTheModel(), legal.size());
  if (!isListed)
    text += "; a search does not list it";
  return text;
}

std::string ChoiceReport::describeTried() const {
  std::string text;
  for (const tawa_tune_row_t *row : tried) {
    bool isCompared = row->median_us > 0 && here && here->median_us > 0;
    std::string fate = isCompared ? format("%+.1f %%", 100 * lossOf(*row)) : std::string(outcomeName(row->outcome));
    text += format("%s%-9s %s", text.empty() ? "" : "\n", fate.c_str(), difference(*row).c_str());
    if (*row->reason)
      text += format("\n%10s%s", "", row->reason);
  }
  return text;
}

std::string ChoiceReport::describeModel() const {
  std::string text;
  for (size_t i = 0; i < std::min(kShown, legal.size()); ++i)
    text += format("%s%8.2f us  %s", i ? "\n" : "", legal[i]->predicted_us, difference(*legal[i]).c_str());
  return text;
}

std::string ChoiceReport::describeRefused() const {
  std::string text;
  for (const auto &[rule, members] : refused)
    text += format("%s%zu by %s, e.g. %s:\n  %s", text.empty() ? "" : "\n", members.size(), rule.c_str(),
                   difference(*members.front()).c_str(), members.front()->reason);
  return text;
}

std::string ChoiceReport::describe() const {
  std::string text;
  if (!result)
    return text;
  for (const auto &[label, part] : {std::pair("why", describeHere()),
                                    {"others", std::string("are named by what differs from this one")},
                                    {"tried", describeTried()},
                                    {"model", describeModel()},
                                    {"refused", describeRefused()}})
    text += part.empty() ? "" : reportLine(label, part);
  return text;
}

void ChoiceReport::writeRows(JsonWriter &writer, std::string_view key, const Rows &rows) {
  writer.beginArray(key);
  for (const tawa_tune_row_t *row : rows) {
    writer.beginObject();
    writeTuneRow(writer, *row);
    writer.endObject();
  }
  writer.endArray();
}

void ChoiceReport::write(JsonWriter &writer) const {
  if (!result)
    return;
  writer.beginObject("choice").boolean("is_searched", isListed);
  if (here)
    writeTuneRow(writer, *here);
  if (here && here->predicted_us > 0)
    writer.integer("place_to_the_model", static_cast<int64_t>(placeToTheModel()));
  writer.integer("legal", static_cast<int64_t>(legal.size()));
  writeRows(writer, "tried", tried);
  writeRows(writer, "model",
            Rows(legal.begin(), legal.begin() + static_cast<ptrdiff_t>(std::min(kShown, legal.size()))));
  writer.beginArray("refused");
  for (const auto &[rule, members] : refused)
    writer.beginObject()
        .text("rule", rule)
        .integer("count", static_cast<int64_t>(members.size()))
        .text("config", members.front()->config)
        .text("reason", members.front()->reason)
        .endObject();
  writer.endArray().endObject();
}

} // namespace tawa::cli
