// The workspaces of a kernel in one context: memory that its launches hand on (LaunchMetadata::workspaceBytes), one for
// each stream, since only launches on one stream follow each other. Launches that are captured have one for each graph
// and stream, because a graph may run beside anything. All of them are kept until the kernel goes.
#pragma once

#include "runtime/device/cuda/Driver.h"

#include <atomic>
#include <mutex>

namespace tawa::cuda {

class Workspaces {
public:
  Workspaces() = default;
  Workspaces(const Workspaces &) = delete;
  ~Workspaces();

  /// At least `bytes` for a launch on `stream`; zero at first. Where memory has to be allocated, `most` bytes are, so
  /// that it is enough for larger launches too; otherwise no lock is taken. Its context is current.
  Result<CUdeviceptr> find(const Driver &driver, CUstream stream, uint64_t bytes, uint64_t most);
  /// Gives the memory back, once no launch uses it. Its context is current.
  void free(const Driver &driver) const;

private:
  /// Launches that follow each other.
  struct User {
    unsigned long long stream = 0;  ///< No other stream of the process has its number; of a capture, its handle.
    unsigned long long capture = 0; ///< Nor does another capture; 0: none.
    bool operator==(const User &) const = default;
  };
  struct Workspace {
    User user;
    CUdeviceptr address = 0;
    uint64_t bytes = 0;
    Workspace *next = nullptr;
  };
  static Result<User> userOf(const Driver &driver, CUstream stream);
  /// 0: none that is large enough.
  CUdeviceptr known(const User &user, uint64_t bytes) const;

  std::mutex adding;
  std::atomic<Workspace *> list{nullptr}; ///< Only ever prepended to, so that a launch reads it without a lock.
};

} // namespace tawa::cuda
