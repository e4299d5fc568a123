// Checks of the file system, and the schema.
#include "runtime/store/Schema.h"

#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tawa::store {

namespace {

constexpr int64_t kApplicationId = 0x74617761; // "tawa"

// `used` stands before the long columns, so that bringing it up to date touches one page.
constexpr const char *kCreate = R"(
CREATE TABLE row (
  kind INTEGER NOT NULL,  -- 1 compile, 2 tune, 3 load
  hash TEXT NOT NULL,     -- XXH3-128 of key, hexadecimal
  config TEXT NOT NULL,   -- of tune rows; '' for the others
  used INTEGER NOT NULL,  -- seconds since 1970
  made INTEGER NOT NULL,
  checksum TEXT NOT NULL, -- XXH3-128 over all but `used`
  key BLOB NOT NULL,
  payload BLOB NOT NULL,
  UNIQUE (kind, hash, config));
CREATE INDEX row_used ON row (used);
PRAGMA application_id = 0x74617761;
PRAGMA user_version = 1;
)";
static_assert(kSchemaVersion == 1, "user_version and kFileName name the version too");

Status fault(const std::string &path, const std::string &what) { return {StatusCode::CacheIO, path + ": " + what}; }
Status systemFault(const std::string &path, const char *call, int error = errno) {
  return fault(path, std::string(call) + ": " + std::strerror(error));
}

/// Whoever can write here decides which code we run.
Status checkTrusted(const std::string &path, const struct stat &facts, bool rootToo) {
  bool isOurs = facts.st_uid == geteuid() || (rootToo && facts.st_uid == 0);
  if (!isOurs)
    return fault(path, "belongs to user " + std::to_string(facts.st_uid) + ", not to us");
  if (facts.st_mode & (S_IWGRP | S_IWOTH))
    return fault(path, "others may write to it (chmod go-w)");
  return Status::ok();
}

Result<std::string> resolve(const std::string &path) {
  char resolved[PATH_MAX];
  if (!realpath(path.c_str(), resolved))
    return systemFault(path, "resolve");
  return std::string(resolved);
}

/// mkdir -p with folders that only we enter.
Status makeFolders(const std::string &path) {
  for (size_t end = path.find('/', 1);; end = path.find('/', end + 1)) {
    std::string part = path.substr(0, end);
    if (mkdir(part.c_str(), S_IRWXU) != 0 && errno != EEXIST)
      return systemFault(part, "make folder");
    if (end == std::string::npos)
      return Status::ok();
  }
}

/// 0 or an errno. SQLite would make the file with the permissions of the umask. Closing the descriptor drops no lock of
/// ours, as nobody had opened a file that did not exist.
int createFile(const std::string &file) {
  int descriptor = ::open(file.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC | O_NOFOLLOW, S_IRUSR | S_IWUSR);
  if (descriptor < 0)
    return errno;
  ::close(descriptor);
  return 0;
}

Result<struct stat> regularFile(const std::string &file) {
  struct stat facts{};
  if (lstat(file.c_str(), &facts) != 0)
    return systemFault(file, "stat");
  if (!S_ISREG(facts.st_mode))
    return fault(file, "is no plain file");
  return facts;
}

/// Ok for our schema; CacheIO for another's file or version; `isNew` is set where there is nothing yet.
Status checkIdentity(Database &database, bool &isNew) {
  Result<int64_t> application = database.number("PRAGMA application_id");
  if (!application)
    return application.status();
  Result<int64_t> version = database.number("PRAGMA user_version");
  if (!version)
    return version.status();
  if (*application == kApplicationId && *version == kSchemaVersion)
    return Status::ok();
  Result<int64_t> objects = database.number("SELECT count(*) FROM sqlite_schema");
  if (!objects)
    return objects.status();
  isNew = *application == 0 && *version == 0 && *objects == 0;
  if (isNew)
    return Status::ok();
  if (*application != kApplicationId)
    return {StatusCode::CacheIO, "the file is some other program's database"};
  return {StatusCode::CacheIO, "the file has schema version " + std::to_string(*version) + ", this library knows " +
                                   std::to_string(kSchemaVersion)};
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
  if (Status status = database.execute(kCreate); !status)
    return status;
  return transaction->commit();
}

/// Of one state: another process may be creating the schema meanwhile.
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

Result<std::string> findFile(const std::string &path) {
  Result<std::string> resolved = resolve(path);
  if (!resolved)
    return resolved;
  struct stat facts{};
  if (stat(resolved->c_str(), &facts) != 0)
    return systemFault(path, "stat");
  return S_ISDIR(facts.st_mode) ? *resolved + "/" + kFileName : *resolved;
}

Result<std::string> makeFile(const std::string &folder) {
  if (folder.empty() || folder.front() != '/')
    return fault(folder, "the cache's folder needs an absolute path");
  if (Status status = makeFolders(folder); !status)
    return status;
  Result<std::string> resolved = resolve(folder);
  if (!resolved)
    return resolved;
  struct stat facts{};
  if (stat(resolved->c_str(), &facts) != 0)
    return systemFault(folder, "stat");
  if (!S_ISDIR(facts.st_mode))
    return fault(folder, "is no folder");
  if (Status status = checkTrusted(folder, facts, false); !status)
    return status;
  std::string file = *resolved + "/" + kFileName;
  if (int failure = createFile(file); failure != 0 && failure != EEXIST)
    return systemFault(file, "create", failure);
  return file;
}

Status makeNewFile(const std::string &file) {
  int failure = createFile(file);
  return failure == 0 ? Status::ok() : systemFault(file, "create", failure);
}

Result<Database> openToRead(const std::string &file, int busyMilliseconds) {
  Result<struct stat> facts = regularFile(file);
  if (!facts)
    return facts.status();
  if (Status status = checkTrusted(file, *facts, true); !status)
    return status;
  bool isSealed = (facts->st_mode & (S_IWUSR | S_IWGRP | S_IWOTH)) == 0;
  if (struct stat journal{}; isSealed && lstat((file + "-journal").c_str(), &journal) == 0 && journal.st_size > 0)
    return unfinishedChange(file); // without locks SQLite would not look at it
  Result<Database> database =
      Database::open(file, isSealed ? Database::Mode::Immutable : Database::Mode::Read, busyMilliseconds);
  if (!database)
    return database;
  bool isNew = false;
  if (Status status = checkIdentityAtOnce(*database, isNew); !status)
    return status;
  if (isNew)
    return fault(file, "is empty");
  return database;
}

Result<Database> openToWrite(const std::string &file, int busyMilliseconds, bool &wasBroken) {
  Result<struct stat> facts = regularFile(file);
  if (!facts)
    return facts.status();
  if (Status status = checkTrusted(file, *facts, false); !status)
    return status;
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
