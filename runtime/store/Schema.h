// The store's file: the one table in it.
//
//   row(kind, hash, config, used, made, checksum, key, payload), unique by (kind, hash, config)
//
// The file's name carries the version of the schema, as do its application_id and user_version: a version that we do
// not know is another file to us and is left alone, and so is one whose schema is not ours to the letter.
#pragma once

#include "runtime/store/Sqlite.h"
#include "runtime/support/Status.h"

#include <string>

namespace tawa::store {

inline constexpr int kSchemaVersion = 1;
inline constexpr const char *kFileName = "tawa-1.sqlite";

/// Opens a file to read: without locks where it is sealed. Both check the file as checkFile() does.
Result<Database> openToRead(const std::string &file, int busyMilliseconds);

/// Opens a file to write, with the table made where the file is new. Where it is no database it is emptied, and
/// `wasBroken` says so.
Result<Database> openToWrite(const std::string &file, int busyMilliseconds, bool &wasBroken);

/// Empties a broken file and makes the table anew.
Status recreate(Database &database);

} // namespace tawa::store
