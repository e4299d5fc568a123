// Progress: a line on standard error that is overwritten during long operations. Only on a terminal: in a log it would
// be noise.
#pragma once

#include <cstddef>
#include <mutex>
#include <string>
#include <string_view>

namespace tawa::cli {

/// "measure [======      ] 3/12 BLOCK_M=128 D=4", cut so that it does not reach the last of `columns`: beyond that a
/// terminal would begin a new line, which the next one cannot write over.
std::string progressLine(std::string_view stage, size_t done, size_t total, std::string_view what, size_t columns);

class Progress {
public:
  /// Nothing is drawn where `isWanted` is false or standard error is no terminal.
  explicit Progress(bool isWanted);
  Progress(const Progress &) = delete;
  Progress &operator=(const Progress &) = delete;
  ~Progress(); ///< Wipes the line.

  /// Any thread.
  void show(std::string_view stage, size_t done, size_t total, std::string_view what);

private:
  const bool isShown;
  std::mutex mutex;
};

} // namespace tawa::cli
