// Progress: a bar on standard error while something takes long. Only on a terminal: in a log it would be noise.
#pragma once

#include <cstddef>
#include <mutex>
#include <string_view>

namespace tawa::cli {

/// Any thread.
class Progress {
public:
  /// Nothing is drawn where `isWanted` is false or standard error is no terminal.
  Progress(size_t total, bool isWanted);
  ~Progress(); ///< Wipes the bar.
  /// One more is done, or failed.
  void step(std::string_view what);

private:
  const size_t total;
  const bool isShown;
  std::mutex mutex;
  size_t done = 0;
};

} // namespace tawa::cli
