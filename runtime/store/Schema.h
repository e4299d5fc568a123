// The store's file: where it lies, who may have written it, and the one table in it.
//
//   row(kind, hash, config, used, made, checksum, key, payload), unique by (kind, hash, config)
//
// The file's name carries the version of the schema, as do its application_id and user_version: a version that we do
// not know is another file to us and is left alone.
#pragma once

#include "runtime/store/Sqlite.h"
#include "runtime/support/Status.h"

#include <string>

namespace tawa::store {

inline constexpr int kSchemaVersion = 1;
inline constexpr const char *kFileName = "tawa-1.sqlite";

/// The file of a layer that is given as a folder or as the file itself, with symbolic links resolved. CacheIO where
/// there is none.
Result<std::string> findFile(const std::string &path);

/// Makes what is missing of `folder` (0700) and of the file in it (0600) and returns the file's path. CacheIO where
/// someone else owns them or may write to them: what lies there is code that will be run.
Result<std::string> makeFile(const std::string &folder);

/// Makes an empty file (0600); CacheIO where there is something of that name.
Status makeNewFile(const std::string &file);

/// Opens a file to read: without locks where it is sealed (nobody may write it). Its owner must be us or root.
Result<Database> openToRead(const std::string &file, int busyMilliseconds);

/// Opens a file to write, with the table made where the file is new. Where it is no database it is emptied, and
/// `wasBroken` says so.
Result<Database> openToWrite(const std::string &file, int busyMilliseconds, bool &wasBroken);

/// Empties a broken file and makes the table anew.
Status recreate(Database &database);

} // namespace tawa::store
