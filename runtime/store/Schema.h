// The schema of the store's file, which has one table.
//
//   row(kind, hash, config, used, made, checksum, key, payload), unique by (kind, hash, config)
//
// The file's name contains the version of the schema, as do its application_id and user_version: unknown versions use
// another file and are left alone, and so is a file whose schema differs from ours in any letter.
#pragma once

#include "runtime/store/Sqlite.h"
#include "runtime/support/Status.h"

#include <string>

namespace tawa::store {

inline constexpr int kSchemaVersion = 1;
inline constexpr const char *kFileName = "tawa-1.sqlite";

/// Opens a file to read: without locks where it is sealed. Both check the file as checkFile() does.
Result<Database> openToRead(const std::string &file, int busyMilliseconds);

/// Opens a file to write, and creates the table in a new file. A file that is no database is emptied, and `wasBroken`
/// says so.
Result<Database> openToWrite(const std::string &file, int busyMilliseconds, bool &wasBroken);

/// Empties a broken file and recreates the table.
Status recreate(Database &database);

} // namespace tawa::store
