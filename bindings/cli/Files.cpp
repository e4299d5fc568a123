// Whole files and standard input as strings. Uses POSIX calls because they report why a file cannot be read, unlike
// streams of the standard library.
#include "bindings/cli/Files.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tawa::cli {
namespace {

/// Closes what it opened, and leaves standard input open.
class InputFile {
public:
  explicit InputFile(const std::string &path)
      : isOwned(path != "-"), descriptor(isOwned ? ::open(path.c_str(), O_RDONLY | O_CLOEXEC) : STDIN_FILENO) {}
  InputFile(const InputFile &) = delete;
  InputFile &operator=(const InputFile &) = delete;
  ~InputFile() {
    if (isOwned && descriptor >= 0)
      ::close(descriptor);
  }

  bool isOpen() const { return descriptor >= 0; }
  bool isFolder() const {
    struct stat facts{};
    return ::fstat(descriptor, &facts) == 0 && S_ISDIR(facts.st_mode);
  }
  /// Appends up to `count` bytes; 0: the file's end, negative: errno says why.
  ssize_t read(std::string &into, size_t count) const {
    size_t before = into.size();
    into.resize(before + count);
    ssize_t got = 0;
    do
      got = ::read(descriptor, into.data() + before, count);
    while (got < 0 && errno == EINTR);
    into.resize(before + static_cast<size_t>(got > 0 ? got : 0));
    return got;
  }

private:
  bool isOwned;
  int descriptor;
};

std::string because(const char *what, const std::string &path) {
  std::string reason = errno == ENOENT ? "there is no such file" : std::strerror(errno);
  return std::string("cannot ") + what + " " + path + ": " + reason;
}

} // namespace

std::optional<std::string> readFile(const std::string &path, std::string &bytes) {
  constexpr size_t kPiece = 1 << 16;
  bytes.clear();
  std::string name = path == "-" ? "standard input" : path;
  InputFile file(path);
  if (!file.isOpen())
    return because("read", name);
  if (file.isFolder())
    return "cannot read " + name + ": it is a folder, and a file is wanted";
  ssize_t got = 0;
  do
    got = file.read(bytes, kPiece);
  while (got > 0 && bytes.size() <= kMaxFileBytes);
  if (got < 0)
    return because("read", name);
  if (bytes.size() > kMaxFileBytes)
    return "cannot read " + name + ": it is larger than " + std::to_string(kMaxFileBytes >> 20) + " MiB";
  return bytes.empty() ? std::optional(name + " is empty") : std::nullopt;
}

std::optional<std::string> writeFile(const std::string &path, std::string_view bytes) {
  bool toStdout = path == "-";
  std::FILE *file = toStdout ? stdout : std::fopen(path.c_str(), "wb");
  if (!file)
    return because("write", path);
  bool isComplete = std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size();
  isComplete = (toStdout ? std::fflush(file) : std::fclose(file)) == 0 && isComplete;
  return isComplete ? std::nullopt : std::optional(because("write", toStdout ? "standard output" : path));
}

} // namespace tawa::cli
