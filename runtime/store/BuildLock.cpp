// Open file description locks (fcntl(2), F_OFD_SETLK), which belong to the open file and not to the process: threads
// exclude each other as well.
#include "runtime/store/BuildLock.h"

#include <cerrno>
#include <charconv>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tawa::store {

BuildLock::BuildLock(const std::string &file, std::string_view keyHash)
    : descriptor(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, S_IRUSR | S_IWUSR)) {
  constexpr size_t kDigits = 15; // 60 bits: within the range of file offsets
  std::string_view digits = keyHash.substr(0, kDigits);
  std::from_chars(digits.data(), digits.data() + digits.size(), byte, 16);
}

BuildLock::~BuildLock() {
  if (descriptor >= 0)
    ::close(descriptor);
}

bool BuildLock::lock(short type) {
  struct flock range{};
  range.l_type = type;
  range.l_whence = SEEK_SET;
  range.l_start = byte;
  range.l_len = 1;
  return fcntl(descriptor, F_OFD_SETLK, &range) == 0;
}

static bool heldByAnother() { return errno == EAGAIN || errno == EACCES; }

BuildLock::Answer BuildLock::tryToBuild() {
  if (descriptor < 0)
    return Answer::Available;
  if (lock(F_WRLCK))
    return Answer::Taken;
  return heldByAnother() ? Answer::Held : Answer::Available;
}

BuildLock::Answer BuildLock::probe() {
  if (descriptor < 0)
    return Answer::Available;
  if (!lock(F_RDLCK))
    return heldByAnother() ? Answer::Held : Answer::Available;
  lock(F_UNLCK);
  return Answer::Available;
}

} // namespace tawa::store
