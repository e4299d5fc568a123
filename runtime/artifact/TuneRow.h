// TuneRow: the result of one configuration of a kernel for one problem on one device. Rows of one tune key are stored
// separately, one per configuration, failures included: adding a configuration to a search measures only that one, and
// what failed once is not tried again. Plain data; made by the tuner, kept by the store.
#pragma once

#include <cstdint>
#include <span>
#include <string>

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

  // How it was found; what another build or driver measured is no measurement of this one's code.
  bool isDefault = false; ///< The one that a search had to beat.
  bool isOfSpace = false; ///< By a search of the whole space, not of a list.
  std::string build;      ///< Of the library.
  uint32_t driver = 0;    ///< Of the device; 0 on the emulator.
  int64_t made = 0;       ///< Seconds since 1970; set by the store, 0 in a row that is not out of it.

  bool wasTried() const { return outcome != Outcome::Predicted && outcome != Outcome::Refused; }
  bool operator==(const TuneRow &) const = default;
};

/// The chosen row: the fastest, but the default unless another is clearly faster. Without measurements, the verified or
/// else the predicted row with the model's least time; the order of the rows does not matter. -1: there is none.
int chooseRow(std::span<const TuneRow> rows);

} // namespace tawa
