// Store: what is cached between processes, for the rest of the runtime: layers of rows, the writable one queried first,
// then the read-only ones in their order. A fault of any of them is a miss and one line in the log, never an error of
// the caller: without its store Tawa is only slower.
#pragma once

#include "runtime/store/BuildLock.h"
#include "runtime/store/Layer.h"
#include "runtime/store/TuneRow.h"
#include "runtime/support/Log.h"

#include <chrono>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace tawa::store {

struct StoreOptions {
  std::string folder;                ///< Of the writable layer, an absolute path; empty: none.
  std::vector<std::string> readOnly; ///< Folders or files of the layers below, first asked first.
  uint64_t maxBytes = LayerOptions().maxBytes;
  int busyMilliseconds = LayerOptions().busyMilliseconds;
  int64_t touchAfterSeconds = LayerOptions().touchAfterSeconds;
  int buildWaitMilliseconds = 10000; ///< How long another builder of the same key is waited for.
  int restMilliseconds = 10000;      ///< How long the writable layer is left alone after its lock could not be had.
};

/// Options from the environment: TAWA_CACHE, TAWA_CACHE_DIR, TAWA_CACHE_READONLY, TAWA_CACHE_MAX_SIZE. The first
/// applies to the writable layer alone.
StoreOptions storeOptionsFromEnvironment();

struct StoreCounters {
  uint64_t hits = 0;
  uint64_t misses = 0;
  uint64_t writes = 0;
  uint64_t faults = 0;
};

/// What was tried for a problem like another one: the same fields of the key, some of them with other values.
struct ProblemRows {
  std::vector<KeyDifference> differences; ///< `here`: of the key that was asked about.
  std::vector<TuneRow> rows;
};

/// Any thread. Files are opened by the first call that needs them. `log` must outlive the store.
class Store {
public:
  Store(StoreOptions options, const Logger &log);
  Store(const Store &) = delete;

  const StoreOptions &options() const { return given; }
  bool canWrite() const { return !given.folder.empty(); }

  /// The payload under a compile, load or plan key.
  std::optional<std::string> find(const Key &key);

  /// Either a payload, or permission to build: then the lock is held while the claim lives, and other requests for the
  /// same key wait for it, within options().buildWaitMilliseconds.
  struct Claim {
    std::optional<std::string> payload;
    BuildLock lock;
  };
  Claim findOrClaim(const Key &key);

  /// Ok where the row is in the writable layer now; the fault has been logged. Callers that use the store only to save
  /// work ignore it. The payload's head must name this key (PayloadHead.h).
  Status put(const Key &key, std::string payload);
  /// Removes a row whose payload could not be read although its checksum was right.
  void reject(const Key &key, const std::string &why);

  /// All rows of a tune key, one per configuration; where layers have rows for the same one, the upper layer's.
  std::vector<TuneRow> tuneRows(const Key &key);
  /// Of all problems whose keys differ from this one, and only in fields whose names begin with `fields`.
  std::vector<ProblemRows> tuneRowsBeside(const Key &key, std::string_view fields);
  /// Replaces the row of the same configuration; sets `made`.
  Status putTuneRow(const Key &key, const TuneRow &row);

  /// The file that whoever has a device to itself holds a lock of; "" without a writable layer.
  std::string turnFile(std::string_view device) const;
  /// A lock that excludes other builders of the same key; not acquired yet, and never without a writable layer.
  BuildLock lockFor(const Key &key) const;

  /// Why there is no row for this key, field by field against the row that has most in common.
  std::string explainMiss(const Key &key);

  StoreCounters counters() const;

private:
  void openLayers();
  Status write(const Key &key, std::string config, std::string payload);
  bool isResting(const Layer &layer) const;
  std::optional<std::string> findIn(Layer &layer, const Key &key);
  /// Adds to `all` the configurations that are not among them yet.
  void collectTuneRows(Layer &layer, const Key &key, std::vector<TuneRow> &all);
  void fault(Layer *layer, const Status &status);

  StoreOptions given;
  const Logger &log;
  mutable std::mutex mutex;
  bool isOpen = false;
  std::vector<std::unique_ptr<Layer>> layers; ///< The writable one first.
  std::set<std::string> logged;               ///< Faults that were said once.
  /// Of the writable layer: a process that stopped with the lock costs others one wait, not one per call.
  std::chrono::steady_clock::time_point restsUntil;
  StoreCounters counts;
};

} // namespace tawa::store
