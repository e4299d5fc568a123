// The TAWA_* environment variables: declared once in Environment.def, read here and nowhere else, and the few of others
// that say where things lie.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tawa::env {

enum class Variable {
#define TAWA_ENV(id, name, fallback, help) id,
#include "runtime/support/Environment.def"
#undef TAWA_ENV
};

struct Entry {
  const char *name;
  const char *fallback; ///< What holds when it is unset, in words.
  const char *help;
};

/// The table, in the order of Variable.
std::span<const Entry> table();

const char *name(Variable variable);

/// The value; nothing where the variable is unset or empty.
std::optional<std::string> get(Variable variable);

/// PATH, to find tools.
std::string searchPath();

/// Where this user's programs keep what they can do without (XDG Base Directory Specification), with "/tawa"; empty
/// where neither XDG_CACHE_HOME nor HOME is an absolute path.
std::string userCacheFolder();

/// A switch: 1, true, on and yes, or 0, false, off and no; `fallback` where unset or none of these.
bool flag(Variable variable, bool fallback);

/// Names in the environment that start with TAWA_ and stand in no line of the table: most likely typing errors.
std::vector<std::string> unknownNames();

} // namespace tawa::env
