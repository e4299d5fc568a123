// The schema, and opening of files by it.
#include "runtime/store/Schema.h"

#include "runtime/store/Place.h"

#include <string_view>
#include <vector>

namespace tawa::store {

namespace {

constexpr int64_t kApplicationId = 0x74617761; // "tawa"

// Files contain these texts and are compared with them: changing a letter requires a new schema version. `used`
// precedes the long columns, so that updating it touches one page.
constexpr std::string_view kTable = R"(CREATE TABLE row (
  kind INTEGER NOT NULL,  -- 1 compile, 2 tune, 3 load
  hash TEXT NOT NULL,     -- XXH3-128 of key, hexadecimal
  config TEXT NOT NULL,   -- of tune rows; '' for the others
  used INTEGER NOT NULL,  -- seconds since 1970
  made INTEGER NOT NULL,
  checksum TEXT NOT NULL, -- XXH3-128 over all but `used`
  key BLOB NOT NULL,
  payload BLOB NOT NULL,
  UNIQUE (kind, hash, config)))";
constexpr std::string_view kIndex = "CREATE INDEX row_used ON row (used)";
constexpr std::string_view kMarks = "PRAGMA application_id = 0x74617761; PRAGMA user_version = 1";
static_assert(kSchemaVersion == 1, "user_version and kFileName name the version too");

struct Object {
  std::string name, sql;
  bool operator==(const Object &) const = default;
};

/// In the order of their names; the last one is SQLite's own, of the table's UNIQUE.
const std::vector<Object> &ourObjects() {
  static const std::vector<Object> objects = {
      {"row", std::string(kTable)}, {"row_used", std::string(kIndex)}, {"sqlite_autoindex_row_1", ""}};
  return objects;
}

Status notOurs(const Database &database, const std::string &what) {
  return {StatusCode::CacheIO, database.file() + ": " + what + "; nothing is read from it or written to it"};
}

/// Exactly ours: a trigger or a view is foreign code that would run on each of our statements, and our rows' checksums
/// would not cover an extra column.
Status checkObjects(Database &database) {
  Result<Statement> statement = database.prepare("SELECT name, sql FROM sqlite_schema ORDER BY name");
  if (!statement)
    return statement.status();
  std::vector<Object> missing = ourObjects();
  while (true) {
    Result<bool> there = statement->step();
    if (!there)
      return there.status();
    if (!*there)
      break;
    Object found{statement->text(0), statement->text(1)};
    if (std::erase(missing, found) == 0)
      return notOurs(database, "its schema is not Tawa's: " + found.name + " is not, or not as Tawa makes it");
  }
  return missing.empty() ? Status::ok()
                         : notOurs(database, "its schema is not Tawa's: it has no " + missing.front().name);
}

/// Ok for our schema; CacheIO for another's file, schema or version; `isNew` is set where there is nothing yet.
Status checkIdentity(Database &database, bool &isNew) {
  Result<int64_t> application = database.number("PRAGMA application_id");
  if (!application)
    return application.status();
  Result<int64_t> version = database.number("PRAGMA user_version");
  if (!version)
    return version.status();
  if (*application == kApplicationId && *version == kSchemaVersion)
    return checkObjects(database);
  Result<int64_t> objects = database.number("SELECT count(*) FROM sqlite_schema");
  if (!objects)
    return objects.status();
  isNew = *application == 0 && *version == 0 && *objects == 0;
  if (isNew)
    return Status::ok();
  if (*application != kApplicationId)
    return notOurs(database, "is some other program's database");
  return notOurs(database, "has schema version " + std::to_string(*version) + ", this library knows " +
                               std::to_string(kSchemaVersion));
}

Status createSchema(Database &database) {
  // Both count only while the file is empty, and not within a transaction.
  if (Status status = database.execute("PRAGMA page_size = 8192; PRAGMA auto_vacuum = INCREMENTAL"); !status)
    return status;
  Result<Transaction> transaction = Transaction::begin(database);
  if (!transaction)
    return transaction.status();
  bool isNew = false;
  if (Status status = checkIdentity(database, isNew); !status || !isNew) // another process may have been first
    return status;
  for (std::string_view sql : {kTable, kIndex, kMarks})
    if (Status status = database.execute(sql.data()); !status) // each ends with its literal
      return status;
  return transaction->commit();
}

/// From one snapshot: another process may be creating the schema meanwhile.
Status checkIdentityAtOnce(Database &database, bool &isNew) {
  Result<Transaction> reading = Transaction::beginRead(database);
  return reading ? checkIdentity(database, isNew) : reading.status();
}

Status prepareSchema(Database &database) {
  bool isNew = false;
  if (Status status = checkIdentityAtOnce(database, isNew); !status)
    return status;
  return isNew ? createSchema(database) : Status::ok();
}

} // namespace

Result<Database> openToRead(const std::string &file, int busyMilliseconds) {
  Result<bool> isSealed = checkFile(file, true);
  if (!isSealed)
    return isSealed.status();
  if (*isSealed && hasJournal(file))
    return unfinishedChange(file); // without locks SQLite would not look at it
  Result<Database> database =
      Database::open(file, *isSealed ? Database::Mode::Immutable : Database::Mode::Read, busyMilliseconds);
  if (!database)
    return database;
  bool isNew = false;
  if (Status status = checkIdentityAtOnce(*database, isNew); !status)
    return status;
  if (isNew)
    return Status(StatusCode::CacheIO, file + ": is empty");
  return database;
}

Result<Database> openToWrite(const std::string &file, int busyMilliseconds, bool &wasBroken) {
  if (Result<bool> isSealed = checkFile(file, false); !isSealed)
    return isSealed.status();
  Result<Database> database = Database::open(file, Database::Mode::Write, busyMilliseconds);
  if (!database)
    return database;
  Status status = prepareSchema(*database);
  wasBroken = status.code() == StatusCode::CacheCorrupt;
  if (wasBroken)
    status = recreate(*database);
  if (status)
    status = database->execute("PRAGMA synchronous = NORMAL; PRAGMA secure_delete = OFF");
  if (!status)
    return status;
  return database;
}

Status recreate(Database &database) {
  if (Status status = database.reset(); !status)
    return status;
  return prepareSchema(database);
}

} // namespace tawa::store
