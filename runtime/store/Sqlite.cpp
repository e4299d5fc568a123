// The one file that includes sqlite3.h.
#include "runtime/store/Sqlite.h"

#include <sqlite3.h>
#include <unistd.h>

namespace tawa::store {

Status unfinishedChange(const std::string &file) {
  return {StatusCode::CacheIO, file + ": a process was killed while it changed this file, and to undo that change (" +
                                   file + "-journal) both must be writable: chmod u+w, then `tawa cache verify " +
                                   "--cache " + file.substr(0, file.rfind('/')) + "`"};
}

static Status failure(sqlite3 *database, int result, std::string_view what) {
  if (result == SQLITE_READONLY_ROLLBACK)
    return unfinishedChange(sqlite3_db_filename(database, "main"));
  std::string message = "SQLite: " + std::string(what) + ": " + sqlite3_errstr(result);
  if (database && (sqlite3_extended_errcode(database) & 0xff) == (result & 0xff))
    message += std::string(" (") + sqlite3_errmsg(database) + ")";
  switch (result & 0xff) { // the upper bits tell kinds of one failure apart
  case SQLITE_BUSY:
  case SQLITE_LOCKED:
    return {StatusCode::Busy, message};
  case SQLITE_CORRUPT:
  case SQLITE_NOTADB:
  case SQLITE_MISMATCH:
    return {StatusCode::CacheCorrupt, message};
  case SQLITE_NOMEM:
    return {StatusCode::OutOfMemory, message};
  default:
    return {StatusCode::CacheIO, message};
  }
}

void Statement::Finalize::operator()(sqlite3_stmt *statement) const { sqlite3_finalize(statement); }

Statement &Statement::bind(int index, int64_t value) {
  sqlite3_bind_int64(handle.get(), index, value);
  return *this;
}

Statement &Statement::bindText(int index, std::string_view text) {
  sqlite3_bind_text64(handle.get(), index, text.data(), text.size(), SQLITE_STATIC, SQLITE_UTF8);
  return *this;
}

Statement &Statement::bindBlob(int index, std::string_view bytes) {
  sqlite3_bind_blob64(handle.get(), index, bytes.data(), bytes.size(), SQLITE_STATIC);
  return *this;
}

Result<bool> Statement::step() {
  int result = sqlite3_step(handle.get());
  if (result == SQLITE_ROW)
    return true;
  if (result == SQLITE_DONE)
    return false;
  return failure(sqlite3_db_handle(handle.get()), result, "step");
}

Status Statement::run() {
  Result<bool> stepped = step();
  return stepped ? Status::ok() : stepped.status();
}

int64_t Statement::integer(int column) const {
  bool isInteger = sqlite3_column_type(handle.get(), column) == SQLITE_INTEGER;
  return isInteger ? sqlite3_column_int64(handle.get(), column) : 0;
}

static std::string bytesOf(sqlite3_stmt *statement, int column, int type) {
  if (sqlite3_column_type(statement, column) != type)
    return {};
  const auto *bytes = static_cast<const char *>(sqlite3_column_blob(statement, column));
  int size = sqlite3_column_bytes(statement, column);
  return bytes ? std::string(bytes, static_cast<size_t>(size)) : std::string();
}

std::string Statement::text(int column) const { return bytesOf(handle.get(), column, SQLITE_TEXT); }
std::string Statement::blob(int column) const { return bytesOf(handle.get(), column, SQLITE_BLOB); }

Database::Database(sqlite3 *handle) : handle(handle, Close{getpid()}) {}

void Database::Close::operator()(sqlite3 *database) const {
  if (owner == getpid()) // closing would act on the parent's transaction
    sqlite3_close_v2(database);
}

/// Any user who can write our folder may have written the file: treat it as hostile data (sqlite.org, "Defense Against
/// The Dark Arts").
static void harden(sqlite3 *database) {
  constexpr int kLongestValue = 64 << 20;
  sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_limit(database, SQLITE_LIMIT_LENGTH, kLongestValue);
  sqlite3_limit(database, SQLITE_LIMIT_ATTACHED, 1); // VACUUM needs one
  sqlite3_exec(database, "PRAGMA cell_size_check=ON", nullptr, nullptr, nullptr);
}

/// A path as SQLite's URI wants it.
static std::string uriOf(const std::string &path, const char *parameters) {
  static constexpr char digits[] = "0123456789ABCDEF";
  std::string uri = path.starts_with("/") ? "file://" : "file:"; // else two slashes ahead would name a host
  for (char c : path) {
    if (c != '%' && c != '?' && c != '#') {
      uri += c;
      continue;
    }
    auto byte = static_cast<unsigned char>(c);
    uri.append("%").append(1, digits[byte >> 4]).append(1, digits[byte & 15]);
  }
  return uri + parameters;
}

Result<Database> Database::open(const std::string &path, Mode mode, int busyMilliseconds) {
  int flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_NOFOLLOW | SQLITE_OPEN_URI | SQLITE_OPEN_EXRESCODE;
  // SQLite itself falls back to reading where it may not write.
  flags |= mode == Mode::Immutable ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE;
  flags |= mode == Mode::Write ? SQLITE_OPEN_CREATE : 0;
  std::string uri = uriOf(path, mode == Mode::Immutable ? "?immutable=1" : "");
  sqlite3 *opened = nullptr;
  int result = sqlite3_open_v2(uri.c_str(), &opened, flags, nullptr);
  Database database(opened); // closed also where opening failed
  if (result != SQLITE_OK)
    return failure(opened, result, "open " + path);
  database.waitFor(busyMilliseconds);
  harden(opened);
  if (mode == Mode::Read)
    if (Status status = database.execute("PRAGMA query_only=ON"); !status)
      return status;
  return database;
}

Result<Statement> Database::prepare(std::string_view sql) {
  sqlite3_stmt *statement = nullptr;
  int result = sqlite3_prepare_v2(handle.get(), sql.data(), static_cast<int>(sql.size()), &statement, nullptr);
  if (result != SQLITE_OK)
    return failure(handle.get(), result, sql);
  return Statement(statement);
}

Status Database::execute(const char *sql) {
  int result = sqlite3_exec(handle.get(), sql, nullptr, nullptr, nullptr);
  return result == SQLITE_OK ? Status::ok() : failure(handle.get(), result, sql);
}

Result<int64_t> Database::number(const char *sql) {
  Result<Statement> statement = prepare(sql);
  if (!statement)
    return statement.status();
  Result<bool> row = statement->step();
  if (!row)
    return row.status();
  return *row ? statement->integer(0) : 0;
}

std::string Database::file() const { return sqlite3_db_filename(handle.get(), "main"); }

void Database::rollBack() { sqlite3_exec(handle.get(), "ROLLBACK", nullptr, nullptr, nullptr); }

int64_t Database::changes() const { return sqlite3_changes64(handle.get()); }

bool Database::isInTransaction() const { return !sqlite3_get_autocommit(handle.get()); }

bool Database::isOurs() const { return handle.get_deleter().owner == getpid(); }

void Database::waitFor(int milliseconds) { sqlite3_busy_timeout(handle.get(), milliseconds); }

Status Database::reset() {
  sqlite3_db_config(handle.get(), SQLITE_DBCONFIG_RESET_DATABASE, 1, nullptr);
  Status status = execute("VACUUM");
  sqlite3_db_config(handle.get(), SQLITE_DBCONFIG_RESET_DATABASE, 0, nullptr);
  return status;
}

Result<Transaction> Transaction::start(Database &database, const char *sql) {
  if (database.isInTransaction()) // memory was out when the last one was to be rolled back
    database.rollBack();
  if (Status status = database.execute(sql); !status)
    return status;
  return Transaction(&database);
}

Result<Transaction> Transaction::begin(Database &database) { return start(database, "BEGIN IMMEDIATE"); }
Result<Transaction> Transaction::beginRead(Database &database) { return start(database, "BEGIN"); }

Transaction::~Transaction() {
  if (database)
    database->rollBack();
}

Status Transaction::commit() {
  Status status = database->execute("COMMIT");
  if (status)
    database = nullptr;
  return status;
}

} // namespace tawa::store
