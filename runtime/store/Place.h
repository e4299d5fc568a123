// Checks the location of a layer's file: the file contains code that will be run, so any user who can write it, or
// exchange it for another, decides what we run. The rule:
//
//   The file, and the folder of a layer that is written to, belong to us, and no other user may write to them; a file
//   that is only read may also be root's. On the path to it, including links, nothing is in a directory to which
//   others may write, unless that has the sticky bit and the entry is ours or root's. Others are all but its owner, and
//   the members of its group where that is our own. So a link to a folder is fine where we, root or the directory's
//   owner made it. The file in a folder is no link, and has one name: SQLite finds a file's journal by its name. A
//   sealed one, which is never written, has no journal and may have several, as with some package managers.
#pragma once

#include "runtime/support/Status.h"

#include <string>

namespace tawa::store {

/// The file of a layer that is given as a folder or as the file itself, with symbolic links resolved. CacheIO where
/// there is none.
Result<std::string> findFile(const std::string &path);

/// Creates `folder` (0700) and the file in it (0600) if missing and returns the file's path. CacheIO where the rule is
/// violated.
Result<std::string> makeFile(const std::string &folder);

/// Creates an empty file (0600); CacheIO where the name exists.
Status makeNewFile(const std::string &file);

/// Checks a file by the rule; `rootToo`: it is only read. True: it is sealed.
Result<bool> checkFile(const std::string &file, bool rootToo);

/// Whether a change of the file was begun and not ended.
bool hasJournal(const std::string &file);

} // namespace tawa::store
