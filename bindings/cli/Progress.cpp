// Prints and clears a progress line on a terminal.
#include "bindings/cli/Progress.h"

#include <algorithm>
#include <cstdio>
#include <sys/ioctl.h>
#include <unistd.h>

namespace tawa::cli {
namespace {

constexpr const char *kWipe = "\r\x1b[K"; // to the line's beginning, erase to its end

/// Of the terminal, asked for each line: windows change their size.
size_t terminalColumns() {
  constexpr size_t kUsual = 80;
  winsize size{};
  return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : kUsual;
}

/// The first `count` characters of UTF-8 text.
std::string_view firstCharacters(std::string_view text, size_t count) {
  size_t end = 0;
  auto continues = [&] { return end < text.size() && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80; };
  for (; end < text.size() && count > 0; --count) {
    ++end;
    while (continues())
      ++end;
  }
  return text.substr(0, end);
}

} // namespace

std::string progressLine(std::string_view stage, size_t done, size_t total, std::string_view what, size_t columns) {
  constexpr size_t kBar = 24;
  std::string bar(total ? std::min(kBar, kBar * done / total) : 0, '=');
  bar.resize(kBar, ' ');
  std::string line(stage);
  line += " [" + bar + "] " + std::to_string(done) + "/" + std::to_string(total) + " ";
  line += what;
  return std::string(firstCharacters(line, columns > 0 ? columns - 1 : 0));
}

Progress::Progress(bool isWanted) : isShown(isWanted && isatty(STDERR_FILENO)) {}

Progress::~Progress() {
  if (isShown)
    std::fputs(kWipe, stderr);
}

void Progress::show(std::string_view stage, size_t done, size_t total, std::string_view what) {
  if (!isShown)
    return;
  std::lock_guard lock(mutex);
  std::fprintf(stderr, "%s%s", kWipe, progressLine(stage, done, total, what, terminalColumns()).c_str());
  std::fflush(stderr);
}

} // namespace tawa::cli
