// BuildLock: one builder per key, among all threads and processes that share a folder. A lock on one byte of a file,
// the byte chosen by the key's hash: the kernel releases it when its holder dies, so that no stale lock and no file per
// key is left. It only saves work. Where it is unavailable, both build, and both results are right.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace tawa::store {

class BuildLock {
public:
  BuildLock() = default; ///< Holds nothing.
  /// Holds nothing either where the file cannot be opened.
  BuildLock(const std::string &file, std::string_view keyHash);
  BuildLock(BuildLock &&other) noexcept : descriptor(std::exchange(other.descriptor, -1)), byte(other.byte) {}
  BuildLock &operator=(BuildLock &&other) noexcept {
    std::swap(descriptor, other.descriptor);
    std::swap(byte, other.byte);
    return *this;
  }
  ~BuildLock();

  enum class Answer : uint8_t {
    Taken,     ///< We are the builder until the lock is destroyed.
    Held,      ///< Another one builds.
    Available, ///< No build is in progress, or this cannot be determined.
  };
  Answer tryToBuild();
  /// Held while another one builds, else Available. Many may ask at the same time.
  Answer probe();

private:
  bool lock(short type);

  int descriptor = -1;
  int64_t byte = 0;
};

} // namespace tawa::store
