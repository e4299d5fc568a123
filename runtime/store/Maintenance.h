// What people do with caches: look, check, copy, seal. Unlike the store's own use, a fault is an error here.
#pragma once

#include "runtime/store/Layer.h"

#include <functional>

namespace tawa::store {

/// Whether a row is wanted.
using RowFilter = std::function<bool(const Row &row)>;

/// Copies the good rows of `from` that `wanted` takes. Of what is there already only
/// tuning rows are replaced, by newer ones: artifacts of one key are the same.
Result<uint64_t> copyRows(Layer &from, Layer &to, const RowFilter &wanted);

/// The same into a new file; `isSealed`: nobody may write to it any more, so that it needs no locks and serves from any
/// file system. On failure no file is left.
Result<uint64_t> exportRows(Layer &from, const std::string &file, bool isSealed, const RowFilter &wanted);

/// Removes the rows for which `faultOf` gives a reason.
Result<uint64_t> removeBadRows(Layer &layer, const std::function<std::string(const Row &)> &fault);

} // namespace tawa::store
