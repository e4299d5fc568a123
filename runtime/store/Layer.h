// Layer: one file of rows. The store stacks read-only layers, supplied by an image or a site, under a writable one.
// Every failure is a Status here; that a failure is a miss is the store's rule (Store.h).
#pragma once

#include "runtime/store/Row.h"
#include "runtime/store/Sqlite.h"
#include "runtime/support/Status.h"

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace tawa::store {

struct LayerOptions {
  std::string path; ///< Folder of a writable layer; of a read-only one also the file itself.
  bool isReadOnly = false;
  uint64_t maxBytes = uint64_t{4} << 30; ///< The least recently used rows go where the file's pages exceed this.
  int busyMilliseconds = 2000;           ///< How long a lock of another process is waited for.
  int64_t touchAfterSeconds = 3600;      ///< A hit is written down where the last one known is older.
};

/// One thread at a time.
class Layer {
public:
  /// A writable layer is made where it is missing.
  static Result<std::unique_ptr<Layer>> open(const LayerOptions &options);
  /// A layer in a file of any name, which must not exist yet.
  static Result<std::unique_ptr<Layer>> create(const std::string &file);
  ~Layer(); ///< Writes the hits down.

  const std::string &file() const { return itsFile; }
  bool isReadOnly() const { return options.isReadOnly; }
  /// Whether the file was no database when it was opened, and was emptied.
  bool wasBroken() const { return isNewForOld; }

  /// The row of a compile, load or plan key; none where there is none. A row that fails its check is removed and
  /// reported as CacheCorrupt.
  Result<std::optional<Row>> find(const Key &key);
  /// The rows of a tune key, in the order of their configurations; `bad` receives a CacheCorrupt for each that was
  /// removed.
  Result<std::vector<Row>> findAll(const Key &key, std::vector<Status> &bad);

  /// Writes a row in place of one of the same key and configuration; keeps `made` unless it is 0, sets the rest.
  Status put(Row row);
  /// Hands every row, bad ones included, to `visit`; a false of it ends the walk. No statement of the layer may be
  /// called by it. `withPayload` false leaves payloads empty.
  Status forEach(bool withPayload, const std::function<bool(Row &&row)> &visit);
  /// The same for rows of one kind, with their payloads.
  Status forEachOf(KeyKind kind, const std::function<bool(Row &&row)> &visit);
  /// True where there was such a row.
  Result<bool> remove(KeyKind kind, std::string_view hash, std::string_view config);

  /// Bytes of the pages in use.
  Result<uint64_t> usedBytes();
  /// Removes the least recently used rows until the rest takes at most `bytes`; returns the number removed.
  Result<uint64_t> shrink(uint64_t bytes);
  /// Removes rows that were last used before this time.
  Result<uint64_t> removeOlderThan(int64_t seconds);
  /// Gives the space of removed rows back to the file system.
  Status compact();
  /// Empties a file that SQLite finds broken.
  Status recreate();
  Status flushTouches();
  /// For many puts in one.
  Result<Transaction> transaction() { return Transaction::begin(database); }
  /// What SQLite's own check of the whole file finds; empty: nothing.
  Result<std::string> integrity();

private:
  Layer(LayerOptions options, std::string file, Database database);
  Status check(const Row &row);
  Result<uint64_t> removeWhere(std::string_view condition, int64_t parameter);
  void touch(const Row &row);

  LayerOptions options;
  std::string itsFile;
  bool isNewForOld = false;
  Database database;
  std::set<std::tuple<KeyKind, std::string, std::string>> touched; ///< Hits to be written down.
};

int64_t secondsNow();

} // namespace tawa::store
