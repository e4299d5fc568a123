// The tune key of a request, and the configuration that its stored rows choose where the caller leaves it open.
#pragma once

#include "compiler/pipeline/Compiler.h"
#include "runtime/artifact/TuneRow.h"
#include "runtime/hardware/Catalogue.h"
#include "runtime/store/Store.h"

#include <span>

namespace tawa::capi {

/// The kind of device that rows are valid for, present or not.
struct TuneDevice {
  std::string name; ///< Of its hardware description; of a device without one, what its driver calls it.
  int64_t multiprocessors = 0;
  bool operator==(const TuneDevice &) const = default;
};
TuneDevice tuneDevice(const HardwareCatalogue &catalogue, const DeviceInfo &device);
TuneDevice tuneDevice(const HardwareDescription &hardware);

/// Adds a line for each argument: its type, its sizes and integer value, exact or in buckets as below, strides,
/// alignment, and that of rows which TMA cannot take.
void addArguments(store::Key &key, const std::vector<ArgumentFacts> &facts, std::span<const uint32_t> buckets = {});

/// The text as it was given, since tile parameters are part of what is tuned; sizes and integer values exact, or
/// rounded up to a power of two where the argument's bit in `buckets` says so (bit d: dimension d; a scalar's: bit 0);
/// the kind of device; whether launches find their data in L2 (`isWarm`). Neither driver nor build: a row says with
/// which it was measured.
store::Key tuneKey(std::string_view text, const std::vector<ArgumentFacts> &facts, std::span<const uint32_t> buckets,
                   const TuneDevice &device, bool isWarm = false);

/// Under which the preset of a text is kept (runtime/tuner/space/Preset.h): for all sizes between two powers of two.
/// What another build's model found is not asked for.
store::Key presetKey(std::string_view text, const std::vector<ArgumentFacts> &facts, const TuneDevice &device,
                     std::string_view build);

/// Under which the model's choice from the whole search space is kept for sizes like these, rounded up to four binary
/// digits: at most an eighth apart. A launch whose sizes change from call to call asks the model once for each eighth.
store::Key nearKey(std::string_view text, const std::vector<ArgumentFacts> &facts, const TuneDevice &device,
                   std::string_view build, bool isWarm);

/// The build and the driver of a measurement.
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
/// From rows of this build and driver if any of them was tried, else from all; nothing where there is none.
std::optional<TunedChoice> choiceOf(std::span<const TuneRow> rows, const Provenance &ours);

} // namespace tawa::capi
