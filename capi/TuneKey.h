// The tune key of a request, and the choice that it leads to: which configuration a kernel is compiled with when the
// caller leaves that open.
#pragma once

#include "compiler/pipeline/Compiler.h"
#include "runtime/device/Device.h"
#include "runtime/store/Store.h"

#include <span>

namespace tawa::capi {

/// The text as it was given, since tile parameters are part of what is tuned; sizes and integer values exact, or
/// rounded up to a power of two where the argument's bit in `buckets` says so (bit d: dimension d; a scalar's: bit 0);
/// the device's kind. Neither driver nor build: a row says in its provenance with which it was measured.
store::Key tuneKey(std::string_view text, const std::vector<ArgumentFacts> &facts, std::span<const uint32_t> buckets,
                   const DeviceInfo &device);

/// The configuration with the smallest median of those measured; nothing where none was.
std::optional<KernelConfig> fastest(const std::vector<store::TuneRow> &rows);

} // namespace tawa::capi
