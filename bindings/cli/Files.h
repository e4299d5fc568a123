// Files: the one place in which commands read and write whole files.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tawa::cli {

/// Maximum size of a file: far more than a kernel's text, and a limit for endless ones (/dev/zero).
constexpr size_t kMaxFileBytes = 64 << 20;

/// Reads a file, or standard input where the path is "-", into `bytes`. Returns the problem if there is one: a folder,
/// absent, unreadable, empty, or larger than kMaxFileBytes.
std::optional<std::string> readFile(const std::string &path, std::string &bytes);

/// Writes a file, or standard output where the path is "-"; returns the problem if there is one.
std::optional<std::string> writeFile(const std::string &path, std::string_view bytes);

} // namespace tawa::cli
