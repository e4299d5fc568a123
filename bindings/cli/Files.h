// Files: the one place in which commands read and write whole files.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tawa::cli {

/// Largest file that is read: far more than a kernel's text, and an end to what has none (/dev/zero).
constexpr size_t kMaxFileBytes = 64 << 20;

/// Reads a file, or standard input where the path is "-", into `bytes`. Gives the problem where there is one: a folder,
/// absent, unreadable, empty, or larger than kMaxFileBytes.
std::optional<std::string> readFile(const std::string &path, std::string &bytes);

/// Writes a file, or standard output where the path is "-"; gives the problem where there is one.
std::optional<std::string> writeFile(const std::string &path, std::string_view bytes);

} // namespace tawa::cli
