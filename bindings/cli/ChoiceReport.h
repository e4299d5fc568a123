// ChoiceReport: why a kernel has its configuration and no other, as `tawa explain` prints it, as text and as JSON.
#pragma once

#include "bindings/cli/TuneReport.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace tawa::cli {

/// For arguments of the request's shapes: the measured and predicted time of `config` and its rank, the outcome of the
/// others that were tried, the performance model's favourite, and what is refused for which reason.
class ChoiceReport {
public:
  ChoiceReport(tawa_runtime_t runtime, const tawa_compile_request_t &request, std::string_view config);

  /// Lines of a report, in which other configurations are named by their difference from `config`; empty where the
  /// shape of a tensor is unknown.
  std::string describe() const;
  /// Member "choice", likewise.
  void write(JsonWriter &writer) const;

private:
  using Rows = std::vector<const tawa_tune_row_t *>;
  static constexpr size_t kShown = 3; ///< Of the model's favourites.

  /// Where a search does not list the configuration at hand: asks about it alone.
  void judgeAlone(tawa_runtime_t runtime, const tawa_compile_request_t &request);
  size_t placeToTheModel() const; ///< From 1 on; the one that it would have, where a search does not list it.
  /// How much longer a tried row takes than the configuration at hand; 0 where unknown.
  double lossOf(const tawa_tune_row_t &row) const;
  /// The difference of a row's configuration from that of the kernel at hand.
  std::string difference(const tawa_tune_row_t &row) const { return differenceTo(config, row.config, "(this one)"); }
  std::string describeHere() const;
  std::string describeTried() const;
  std::string describeModel() const;
  std::string describeRefused() const;
  static void writeRows(JsonWriter &writer, std::string_view key, const Rows &rows);

  const std::string config;
  TuneResultHandle result, alone;
  std::vector<tawa_tune_row_t> rows, ownRows;
  const tawa_tune_row_t *here = nullptr; ///< Null: the model cannot judge it.
  bool isListed = false;                 ///< By a search.
  Rows tried;                            ///< But for the one at hand.
  Rows legal;                            ///< As the model ranks them.
  std::map<std::string, Rows> refused;   ///< By rule.
};

} // namespace tawa::cli
