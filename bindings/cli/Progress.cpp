// "[######------------]  3/10 gemm.mlir", drawn over itself.
#include "bindings/cli/Progress.h"

#include <algorithm>
#include <cstdio>
#include <string>
#include <unistd.h>

namespace tawa::cli {

Progress::Progress(size_t total, bool isWanted)
    : total(std::max<size_t>(total, 1)), isShown(isWanted && isatty(STDERR_FILENO)) {}

Progress::~Progress() {
  if (isShown)
    std::fputs("\r\x1b[K", stderr); // to the line's beginning, erase to its end
}

void Progress::step(std::string_view what) {
  constexpr size_t kWidth = 30;
  std::lock_guard lock(mutex);
  ++done;
  if (!isShown)
    return;
  std::string bar(std::min(kWidth, kWidth * done / total), '#');
  bar.resize(kWidth, '-');
  std::fprintf(stderr, "\r\x1b[K[%s] %zu/%zu %.*s", bar.c_str(), done, total,
               static_cast<int>(std::min<size_t>(what.size(), 40)), what.data());
  std::fflush(stderr);
}

} // namespace tawa::cli
