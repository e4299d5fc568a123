// Resolves a path component by component, and checks owner and mode of each.
#include "runtime/store/Place.h"

#include "runtime/store/Schema.h"

#include <cerrno>
#include <cstring>
#include <deque>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

namespace tawa::store {

namespace {

Status fault(const std::string &path, const std::string &what) { return {StatusCode::CacheIO, path + ": " + what}; }
Status systemFault(const std::string &path, const char *call, int error = errno) {
  return fault(path, std::string(call) + ": " + std::strerror(error));
}

std::string ownerOf(const struct stat &facts) { return "belongs to user " + std::to_string(facts.st_uid); }

Status checkOwner(const std::string &path, const struct stat &facts, bool rootToo) {
  bool isOurs = facts.st_uid == geteuid() || (rootToo && facts.st_uid == 0);
  if (!isOurs)
    return fault(path, ownerOf(facts) + ", not to us");
  if (facts.st_mode & (S_IWGRP | S_IWOTH))
    return fault(path, "others may write to it (chmod go-w)");
  return Status::ok();
}

/// Whether anyone else could have put a thing into its directory, or could exchange it.
Status checkEntry(const std::string &folder, const std::string &path, const struct stat &facts) {
  struct stat around{};
  if (stat(folder.c_str(), &around) != 0)
    return systemFault(folder, "stat");
  bool mayOthersWrite = (around.st_mode & S_IWOTH) || ((around.st_mode & S_IWGRP) && around.st_gid != getegid());
  if (!mayOthersWrite)
    return Status::ok();
  if (!(around.st_mode & S_ISVTX))
    return fault(path, "others may write to " + folder + " and exchange it (chmod go-w or +t " + folder + ")");
  bool isTrusted = facts.st_uid == geteuid() || facts.st_uid == 0;
  return isTrusted ? Status::ok() : fault(path, ownerOf(facts) + ", in " + folder + ", to which others may write");
}

/// Resolves a path component by component, like the kernel.
class Way {
public:
  explicit Way(const std::string &path) { putAhead(path); }

  Result<std::string> follow() {
    while (!rest.empty()) {
      std::string name = std::move(rest.front());
      rest.pop_front();
      if (Status status = enter(name); !status)
        return status;
    }
    return at.empty() ? "/" : at;
  }

private:
  static constexpr int kMostLinks = 40;

  void putAhead(const std::string &path) {
    std::deque<std::string> names;
    for (const auto &name : std::filesystem::path(path))
      names.push_back(name.string());
    rest.insert(rest.begin(), names.begin(), names.end());
  }

  Status enter(const std::string &name) {
    if (name.empty() || name == "." || name == "..") {
      at.resize(name == ".." && !at.empty() ? at.rfind('/') : at.size());
      return Status::ok();
    }
    if (name.front() == '/') { // the beginning of a path
      at.clear();
      return Status::ok();
    }
    std::string path = at + "/" + name;
    struct stat facts{};
    if (lstat(path.c_str(), &facts) != 0)
      return systemFault(path, "resolve");
    if (Status status = checkEntry(at.empty() ? "/" : at, path, facts); !status)
      return status;
    if (S_ISLNK(facts.st_mode))
      return followLink(path);
    at = std::move(path);
    return Status::ok();
  }

  Status followLink(const std::string &path) {
    std::error_code error;
    std::filesystem::path target = std::filesystem::read_symlink(path, error);
    if (error || ++links > kMostLinks)
      return systemFault(path, "resolve", error ? error.value() : ELOOP);
    putAhead(target.string());
    return Status::ok();
  }

  std::string at; ///< Without links; "" for the root.
  std::deque<std::string> rest;
  int links = 0;
};

Result<std::string> resolve(const std::string &path) {
  std::error_code error;
  std::filesystem::path whole = std::filesystem::absolute(path, error);
  return error ? systemFault(path, "resolve", error.value()) : Way(whole.string()).follow();
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

/// 0 or an errno. SQLite would create the file with the permissions of the umask. Closing the descriptor drops no lock
/// of ours, as a file that did not exist was not open anywhere.
int createFile(const std::string &file) {
  int descriptor = ::open(file.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC | O_NOFOLLOW, S_IRUSR | S_IWUSR);
  if (descriptor < 0)
    return errno;
  ::close(descriptor);
  return 0;
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
  if (Status status = checkOwner(folder, facts, false); !status)
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

Result<bool> checkFile(const std::string &file, bool rootToo) {
  struct stat facts{};
  if (lstat(file.c_str(), &facts) != 0)
    return systemFault(file, "stat");
  if (!S_ISREG(facts.st_mode))
    return fault(file, "is no plain file");
  std::filesystem::path folder = std::filesystem::path(file).parent_path();
  if (Status status = checkEntry(folder.empty() ? "." : folder.string(), file, facts); !status)
    return status;
  if (Status status = checkOwner(file, facts, rootToo); !status)
    return status;
  bool isSealed = (facts.st_mode & (S_IWUSR | S_IWGRP | S_IWOTH)) == 0;
  if (facts.st_nlink > 1 && !(rootToo && isSealed))
    return fault(file, "has " + std::to_string(facts.st_nlink) +
                           " names (hard links), and SQLite would not find what was begun under another one; copy it");
  return isSealed;
}

bool hasJournal(const std::string &file) {
  struct stat journal{};
  return lstat((file + "-journal").c_str(), &journal) == 0 && journal.st_size > 0;
}

} // namespace tawa::store
