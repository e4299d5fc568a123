// The TAWA_* environment variables: declared once in Environment.def, read here and nowhere else, and the few of other
// programs that name locations.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tawa::env {

enum class Variable {
#define TAWA_ENV(id, ...) id,
#include "runtime/support/Environment.def"
#undef TAWA_ENV
};

/// The syntax of a variable's values.
enum class Form : uint8_t {
  Text,   ///< Anything.
  Switch, ///< See flag().
  Count,  ///< See count().
  Size,   ///< See bytes().
};

struct Entry {
  const char *name;
  const char *fallback; ///< What holds when it is unset, in words.
  const char *help;
  Form form = Form::Text;
};

/// The table, in the order of Variable.
std::span<const Entry> table();

const char *name(Variable variable);

/// The value; nothing where the variable is unset or empty.
std::optional<std::string> get(Variable variable);

/// PATH, to find tools.
std::string searchPath();

/// The user's cache folder (XDG Base Directory Specification), with "/tawa"; empty where neither XDG_CACHE_HOME nor
/// HOME is an absolute path.
std::string userCacheFolder();

/// A switch: 1, true, on and yes, or 0, false, off and no; `fallback` where unset or none of these.
bool flag(Variable variable, bool fallback);

/// A whole number from 1 on; nothing where unset or none such.
std::optional<uint32_t> count(Variable variable);

/// A number of bytes; nothing where unset or none such.
std::optional<uint64_t> bytes(Variable variable);

/// "64M", "4G", "1000000": bytes, with an optional K, M or G for powers of 1024.
std::optional<uint64_t> parseBytes(std::string_view text);

/// For each variable with a malformed value, which counts as unset: name, value, accepted values and the value used
/// instead.
std::vector<std::string> malformedValues();

/// Names in the environment that start with TAWA_ but are not in the table: most likely typing errors.
std::vector<std::string> unknownNames();

} // namespace tawa::env
