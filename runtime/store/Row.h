// Row: one stored item: its key, its payload, and a checksum over both. There is no second place that could disagree
// with it, so half a row is no row.
#pragma once

#include "runtime/store/Key.h"

#include <cstdint>
#include <string>

namespace tawa::store {

struct Row {
  KeyKind kind = KeyKind::Compile;
  std::string hash;   ///< Of keyText.
  std::string config; ///< Of a tune row: the configuration tried. Empty for the other kinds.
  std::string keyText;
  std::string payload; ///< A serialized artifact, a TuneRow, a cubin or plans, with its head (PayloadHead.h).
  int64_t made = 0;    ///< Seconds since 1970.
  int64_t used = 0;    ///< Likewise, of the last hit; may lag by LayerOptions::touchAfterSeconds.
  std::string checksum;
};

/// The owner in the head of a payload made for this key and configuration.
std::string payloadOwner(std::string_view hash, std::string_view config);

/// XXH3-128 over all of the row that determines its meaning; not over `used`, which changes independently.
std::string checksumOf(const Row &row);

/// What is wrong with the row, or empty. Of its payload only the head is checked.
std::string faultOf(const Row &row);

} // namespace tawa::store
