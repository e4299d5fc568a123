// Rows in and out of one file.
#include "runtime/store/Layer.h"

#include "runtime/store/Place.h"
#include "runtime/store/Schema.h"

#include <chrono>
#include <unistd.h>

namespace tawa::store {

int64_t secondsNow() {
  using namespace std::chrono;
  return duration_cast<seconds>(system_clock::now().time_since_epoch()).count();
}

static int64_t number(KeyKind kind) { return static_cast<int64_t>(kind); }

static constexpr std::string_view kColumns = "SELECT kind, hash, config, used, made, checksum, key, payload FROM row ";
static constexpr std::string_view kColumnsWithoutPayload =
    "SELECT kind, hash, config, used, made, checksum, key, x'' FROM row ";

static Row readRow(const Statement &statement) {
  Row row;
  row.kind = static_cast<KeyKind>(statement.integer(0));
  row.hash = statement.text(1);
  row.config = statement.text(2);
  row.used = statement.integer(3);
  row.made = statement.integer(4);
  row.checksum = statement.text(5);
  row.keyText = statement.blob(6);
  row.payload = statement.blob(7);
  return row;
}

Layer::Layer(LayerOptions options, std::string file, Database database)
    : options(std::move(options)), itsFile(std::move(file)), database(std::move(database)) {}

Layer::~Layer() {
  if (database.isOurs())
    static_cast<void>(flushTouches());
}

Result<std::unique_ptr<Layer>> Layer::open(const LayerOptions &options) {
  Result<std::string> file = options.isReadOnly ? findFile(options.path) : makeFile(options.path);
  if (!file)
    return file.status();
  bool wasBroken = false;
  Result<Database> database = options.isReadOnly ? openToRead(*file, options.busyMilliseconds)
                                                 : openToWrite(*file, options.busyMilliseconds, wasBroken);
  if (!database)
    return database.status();
  std::unique_ptr<Layer> layer(new Layer(options, *file, std::move(*database)));
  layer->isNewForOld = wasBroken;
  return layer;
}

Result<std::unique_ptr<Layer>> Layer::create(const std::string &file) {
  if (Status status = makeNewFile(file); !status)
    return status;
  LayerOptions options;
  options.path = file;
  options.maxBytes = UINT64_MAX;
  bool wasBroken = false;
  Result<Database> database = openToWrite(file, options.busyMilliseconds, wasBroken);
  if (!database) {
    unlink(file.c_str());
    return database.status();
  }
  return std::unique_ptr<Layer>(new Layer(options, file, std::move(*database)));
}

/// A bad row goes.
Status Layer::check(const Row &row) {
  std::string fault = faultOf(row);
  if (fault.empty())
    return Status::ok();
  if (!options.isReadOnly)
    static_cast<void>(remove(row.kind, row.hash, row.config));
  return {StatusCode::CacheCorrupt, itsFile + ": " + std::string(kindName(row.kind)) + " row " + row.hash + ": " +
                                        fault + (options.isReadOnly ? "" : "; it was removed")};
}

void Layer::touch(const Row &row) {
  if (!options.isReadOnly && secondsNow() - row.used > options.touchAfterSeconds)
    touched.emplace(row.kind, row.hash, row.config);
}

/// Rows unchecked; the statement ends here, so that a bad row can be removed afterwards.
static Result<std::vector<Row>> readAll(Result<Statement> statement) {
  if (!statement)
    return statement.status();
  std::vector<Row> rows;
  while (true) {
    Result<bool> there = statement->step();
    if (!there)
      return there.status();
    if (!*there)
      return rows;
    rows.push_back(readRow(*statement));
  }
}

/// Unequal texts of equal hashes were never seen; they are no hit either.
static bool isOf(const Row &row, const Key &key) { return row.keyText == key.text(); }

Result<std::optional<Row>> Layer::find(const Key &key) {
  std::string hash = key.hash();
  Result<Statement> statement =
      database.prepare(std::string(kColumns) + "WHERE kind = ?1 AND hash = ?2 AND config = ''");
  if (statement)
    statement->bind(1, number(key.kind())).bindText(2, hash);
  Result<std::vector<Row>> rows = readAll(std::move(statement));
  if (!rows)
    return rows.status();
  if (rows->empty())
    return std::optional<Row>();
  Row &row = rows->front();
  if (Status status = check(row); !status)
    return status;
  if (!isOf(row, key))
    return std::optional<Row>();
  touch(row);
  return std::optional<Row>(std::move(row));
}

Result<std::vector<Row>> Layer::findAll(const Key &key, std::vector<Status> &bad) {
  std::string hash = key.hash();
  Result<Statement> statement =
      database.prepare(std::string(kColumns) + "WHERE kind = ?1 AND hash = ?2 ORDER BY config");
  if (statement)
    statement->bind(1, number(key.kind())).bindText(2, hash);
  Result<std::vector<Row>> rows = readAll(std::move(statement));
  if (!rows)
    return rows;
  std::erase_if(*rows, [&](const Row &row) {
    Status status = check(row); // which reads all of it
    if (!status)
      bad.push_back(std::move(status));
    else if (isOf(row, key)) {
      touch(row);
      return false;
    }
    return true;
  });
  return rows;
}

Status Layer::put(Row row) {
  if (options.isReadOnly)
    return {StatusCode::CacheIO, itsFile + " is a read-only layer"};
  row.made = row.made ? row.made : secondsNow();
  row.checksum = checksumOf(row);
  if (row.payload.size() > options.maxBytes / 2)
    return {StatusCode::CacheIO, itsFile + ": a row of " + std::to_string(row.payload.size()) +
                                     " bytes is too large for a cache of " + std::to_string(options.maxBytes)};
  Result<Statement> statement =
      database.prepare("INSERT OR REPLACE INTO row (kind, hash, config, used, made, checksum, key, payload) "
                       "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)");
  if (!statement)
    return statement.status();
  statement->bind(1, number(row.kind)).bindText(2, row.hash).bindText(3, row.config).bind(4, secondsNow());
  statement->bind(5, row.made).bindText(6, row.checksum).bindBlob(7, row.keyText).bindBlob(8, row.payload);
  if (Status status = statement->run(); !status)
    return status;
  return shrink(options.maxBytes).status();
}

static Status walk(Statement &statement, const std::function<bool(Row &&row)> &visit) {
  while (true) {
    Result<bool> there = statement.step();
    if (!there)
      return there.status();
    if (!*there || !visit(readRow(statement)))
      return Status::ok();
  }
}

Status Layer::forEach(bool withPayload, const std::function<bool(Row &&row)> &visit) {
  Result<Statement> statement =
      database.prepare(std::string(withPayload ? kColumns : kColumnsWithoutPayload) + "ORDER BY kind, hash, config");
  return statement ? walk(*statement, visit) : statement.status();
}

Status Layer::forEachOf(KeyKind kind, const std::function<bool(Row &&row)> &visit) {
  Result<Statement> statement = database.prepare(std::string(kColumns) + "WHERE kind = ?1 ORDER BY hash, config");
  if (!statement)
    return statement.status();
  statement->bind(1, number(kind));
  return walk(*statement, visit);
}

Result<bool> Layer::remove(KeyKind kind, std::string_view hash, std::string_view config) {
  Result<Statement> statement = database.prepare("DELETE FROM row WHERE kind = ?1 AND hash = ?2 AND config = ?3");
  if (!statement)
    return statement.status();
  statement->bind(1, number(kind)).bindText(2, hash).bindText(3, config);
  if (Status status = statement->run(); !status)
    return status;
  return database.changes() > 0;
}

Result<uint64_t> Layer::usedBytes() {
  int64_t pages = 0, unused = 0, size = 0;
  const std::pair<const char *, int64_t *> wanted[] = {
      {"PRAGMA page_count", &pages}, {"PRAGMA freelist_count", &unused}, {"PRAGMA page_size", &size}};
  for (auto [sql, into] : wanted) {
    Result<int64_t> value = database.number(sql);
    if (!value)
      return value.status();
    *into = *value;
  }
  return static_cast<uint64_t>((pages - unused) * size);
}

Result<uint64_t> Layer::removeWhere(std::string_view condition, int64_t parameter) {
  Result<Statement> statement = database.prepare("DELETE FROM row WHERE " + std::string(condition));
  if (!statement)
    return statement.status();
  statement->bind(1, parameter);
  if (Status status = statement->run(); !status)
    return status;
  return static_cast<uint64_t>(database.changes());
}

Result<uint64_t> Layer::shrink(uint64_t bytes) {
  Result<uint64_t> used = usedBytes();
  if (!used || *used <= bytes)
    return used ? Result<uint64_t>(uint64_t{0}) : used;
  // A fifth more than needed, so that not every new row evicts another one.
  uint64_t excess = *used - bytes + bytes / 5;
  Result<uint64_t> removed = removeWhere(
      "rowid IN (SELECT rowid FROM (SELECT rowid, sum(length(key) + length(payload)) OVER (ORDER BY used, rowid) "
      "- length(key) - length(payload) AS ahead FROM row) WHERE ahead < ?1)",
      static_cast<int64_t>(excess));
  if (Status status = compact(); removed && !status)
    return status;
  return removed;
}

Result<uint64_t> Layer::removeOlderThan(int64_t seconds) {
  if (Status status = flushTouches(); !status)
    return status;
  Result<uint64_t> removed = removeWhere("used < ?1", seconds);
  if (Status status = compact(); removed && !status)
    return status;
  return removed;
}

Status Layer::compact() { return database.execute("PRAGMA incremental_vacuum"); }

Result<std::string> Layer::integrity() {
  Result<Statement> statement = database.prepare("PRAGMA integrity_check(1)");
  if (!statement)
    return statement.status();
  Result<bool> there = statement->step();
  if (!there)
    return there.status();
  std::string answer = *there ? statement->text(0) : "no answer";
  return answer == "ok" ? std::string() : answer;
}

Status Layer::recreate() {
  touched.clear();
  return store::recreate(database);
}

Status Layer::flushTouches() {
  if (touched.empty())
    return Status::ok();
  auto hits = std::move(touched);
  touched.clear();
  database.waitFor(0); // a date is not worth waiting for
  Result<Transaction> transaction = Transaction::begin(database);
  database.waitFor(options.busyMilliseconds);
  if (!transaction)
    return transaction.status();
  for (const auto &[kind, hash, config] : hits) {
    Result<Statement> statement =
        database.prepare("UPDATE row SET used = ?4 WHERE kind = ?1 AND hash = ?2 AND config = ?3");
    if (!statement)
      return statement.status();
    statement->bind(1, number(kind)).bindText(2, hash).bindText(3, config).bind(4, secondsNow());
    if (Status status = statement->run(); !status)
      return status;
  }
  return transaction->commit();
}

} // namespace tawa::store
