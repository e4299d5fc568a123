// TuneRow: what is known of one configuration of a kernel for one problem; TuneLog: where rows are kept between
// searches.
#pragma once

#include "runtime/artifact/KernelConfig.h"
#include "runtime/support/Status.h"

#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace tawa {

struct TuneRow {
  enum class Outcome : uint8_t {
    Predicted, ///< Legal, and not tried.
    Measured,
    Verified, ///< Right, on a device that gives no times.
    Failed,   ///< Tried, and went wrong: `reason`.
    Refused,  ///< Not tried: `reason`.
  };
  std::string config; ///< Complete, as KernelConfig::str() prints it.
  Outcome outcome = Outcome::Predicted;
  std::string rule;                        ///< Of a refusal: which rule (SearchSpace.h, Refusal).
  std::string reason;                      ///< Of a refusal or failure, for people.
  std::string bound;                       ///< What the model holds to set the pace.
  double predicted = 0;                    ///< Seconds, by the model.
  double median = 0, best = 0, spread = 0; ///< Seconds of single launches; spread: between the quartiles.
  uint32_t samples = 0;

  bool wasTried() const { return outcome != Outcome::Predicted && outcome != Outcome::Refused; }
};

/// Rows by tune key, which says kernel, problem, device and manner of measuring. Any thread.
class TuneLog {
public:
  virtual ~TuneLog() = default;
  /// Rows of a key, one per configuration.
  virtual std::vector<TuneRow> rows(const std::string &key) = 0;
  /// Replaces the row of the same configuration. That it could not be kept is no reason to stop a search.
  virtual void put(const std::string &key, const TuneRow &row) = 0;
};

class MemoryTuneLog final : public TuneLog {
public:
  std::vector<TuneRow> rows(const std::string &key) override {
    std::lock_guard lock(mutex);
    std::vector<TuneRow> found;
    for (const auto &[config, row] : kept[key])
      found.push_back(row);
    return found;
  }
  void put(const std::string &key, const TuneRow &row) override {
    std::lock_guard lock(mutex);
    kept[key][row.config] = row;
  }

private:
  std::mutex mutex;
  std::map<std::string, std::map<std::string, TuneRow>> kept;
};

} // namespace tawa
