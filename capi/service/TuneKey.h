// The tune key of a request, and what its rows say: which configuration a kernel is compiled with when the caller
// leaves that open.
#pragma once

#include "compiler/pipeline/Compiler.h"
#include "runtime/artifact/TuneRow.h"
#include "runtime/hardware/Catalogue.h"
#include "runtime/store/Store.h"

#include <span>

namespace tawa::capi {

/// What rows are about: devices of one kind, present or not.
struct TuneDevice {
  std::string name; ///< Of its hardware description; of a device without one, what its driver calls it.
  int64_t multiprocessors = 0;
  bool operator==(const TuneDevice &) const = default;
};
TuneDevice tuneDevice(const HardwareCatalogue &catalogue, const DeviceInfo &device);
TuneDevice tuneDevice(const HardwareDescription &hardware);

/// The text as it was given, since tile parameters are part of what is tuned; sizes and integer values exact, or
/// rounded up to a power of two where the argument's bit in `buckets` says so (bit d: dimension d; a scalar's: bit 0);
/// the kind of device; whether launches find their data in L2 (`isWarm`). Neither driver nor build: a row says with
/// which it was measured.
store::Key tuneKey(std::string_view text, const std::vector<ArgumentFacts> &facts, std::span<const uint32_t> buckets,
                   const TuneDevice &device, bool isWarm = false);

/// Who measures, or measured.
struct Provenance {
  std::string build;
  uint32_t driver = 0;
  bool isOf(const TuneRow &row) const { return row.build == build && row.driver == driver; }
};

struct TunedChoice {
  KernelConfig config;
  std::string by;       ///< "measured", "verified" or "predicted".
  bool isFinal = false; ///< A search of the whole space came to this, with this build and driver.
};
/// By the rows that were made as ours would be, if any of them was tried, else by all; nothing where there is none.
std::optional<TunedChoice> choiceOf(std::span<const TuneRow> rows, const Provenance &ours);

} // namespace tawa::capi
