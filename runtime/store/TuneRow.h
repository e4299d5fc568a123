// The payload of a tune row: its text in the store.
#pragma once

#include "runtime/artifact/TuneRow.h"
#include "runtime/support/Status.h"

#include <string>
#include <string_view>

namespace tawa::store {

std::string_view outcomeName(TuneRow::Outcome outcome);

/// The payload of the row, which leaves out what stands beside it, and back. Reading checks everything; CacheCorrupt
/// where it is no such text.
std::string writeTuneRow(const TuneRow &row);
Result<TuneRow> readTuneRow(std::string_view config, std::string_view payload);

} // namespace tawa::store
