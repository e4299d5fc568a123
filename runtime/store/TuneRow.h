// The payload of a tune row: its text in the store.
#pragma once

#include "runtime/artifact/TuneRow.h"
#include "runtime/store/Key.h"
#include "runtime/support/Status.h"

#include <string>
#include <string_view>

namespace tawa::store {

std::string_view outcomeName(TuneRow::Outcome outcome);

/// The payload of a row of this key, without fields stored separately, and back. Parsing checks everything;
/// CacheCorrupt where the text is invalid.
std::string writeTuneRow(const Key &key, const TuneRow &row);
Result<TuneRow> readTuneRow(std::string_view payload);

} // namespace tawa::store
