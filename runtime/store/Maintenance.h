// Cache maintenance by users: list, check, copy, seal. Unlike in the store's own use, a fault is an error here.
#pragma once

#include "runtime/store/Layer.h"

#include <functional>

namespace tawa::store {

/// Whether a row is wanted.
using RowFilter = std::function<bool(const Row &row)>;

/// Copies the good rows of `from` that `wanted` selects. Of existing rows only tuning rows are replaced, by newer ones:
/// artifacts of one key are the same.
Result<uint64_t> copyRows(Layer &from, Layer &to, const RowFilter &wanted);

/// The same into a new file; `isSealed`: it is never written again, so that it needs no locks and works on any file
/// system. On failure no file is left.
Result<uint64_t> exportRows(Layer &from, const std::string &file, bool isSealed, const RowFilter &wanted);

/// Removes the rows for which `faultOf` gives a reason.
Result<uint64_t> removeBadRows(Layer &layer, const std::function<std::string(const Row &)> &fault);

} // namespace tawa::store
