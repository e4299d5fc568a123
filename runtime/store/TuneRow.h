// The payload of a tune row: its text in the store.
#pragma once

#include "runtime/artifact/TuneRow.h"
#include "runtime/store/Key.h"
#include "runtime/support/Status.h"

#include <string>
#include <string_view>

namespace tawa::store {

std::string_view outcomeName(TuneRow::Outcome outcome);

/// The payload of a row of this key, without what stands beside it, and back. Reading checks everything; CacheCorrupt
/// where it is no such text.
std::string writeTuneRow(const Key &key, const TuneRow &row);
Result<TuneRow> readTuneRow(std::string_view payload);

} // namespace tawa::store
