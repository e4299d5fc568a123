// TuneRow: what is known about one configuration of a kernel on one device. Rows of one tune key stand side by side,
// one per configuration, failures included: adding a configuration to a search measures only that one, and what failed
// once is not tried again.
#pragma once

#include "runtime/support/Status.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace tawa::store {

struct TuneRow {
  enum class Outcome : uint8_t {
    Measured, ///< `time` holds.
    Failed,   ///< Compiled or run, and went wrong: `reason`.
    Refused,  ///< Never run: illegal, or spilled, or declined by a rule: `reason`.
  };
  /// Of single launches, in nanoseconds.
  struct Time {
    double median = 0;
    double best = 0;
    double spread = 0;    ///< Difference of the third and the first quartile.
    uint64_t samples = 0; ///< Launches measured.
    bool operator==(const Time &) const = default;
  };

  std::string config; ///< Complete, as KernelConfig::str() prints it.
  Outcome outcome = Outcome::Measured;
  Time time;
  std::string reason;     ///< Of a failure or refusal, for people; else empty.
  std::string provenance; ///< How it was found: method, driver, build; for people.
  int64_t made = 0;       ///< Seconds since 1970; set by the store.

  bool operator==(const TuneRow &) const = default;
};

std::string_view outcomeName(TuneRow::Outcome outcome);

/// The payload of the row and back. Reading checks everything; CacheCorrupt where it is no such text.
std::string writeTuneRow(const TuneRow &row);
Result<TuneRow> readTuneRow(std::string_view config, std::string_view payload);

} // namespace tawa::store
