// Line-by-line search for the messages of ptxas, which the driver contains.
#include "runtime/device/PtxLog.h"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace tawa {

/// Calls visit(line) for each line of text, without its end.
template <typename Visit> static void eachLine(std::string_view text, Visit visit) {
  while (!text.empty()) {
    size_t end = std::min(text.find('\n'), text.size());
    visit(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

static bool isNotice(std::string_view line) {
  size_t at = line.find("C75");
  return at != line.npos && line.size() >= at + 5 && std::isdigit(static_cast<unsigned char>(line[at + 3])) &&
         std::isdigit(static_cast<unsigned char>(line[at + 4]));
}

static bool isRejection(std::string_view line) {
  auto has = [&](std::string_view words) { return line.find(words) != line.npos; };
  return isNotice(line) && (has("serialized") || (has("setmaxnreg") && has("ignored")));
}

template <typename Wanted> static std::string linesWhere(std::string_view log, Wanted wanted) {
  std::string lines;
  eachLine(log, [&](std::string_view line) {
    if (wanted(line))
      lines.append(lines.empty() ? "" : "\n").append(line);
  });
  return lines;
}

std::string rejectedNotices(std::string_view log) { return linesWhere(log, isRejection); }

Status checkNotices(std::string_view log, const std::string &assembler, const std::string &kernel) {
  std::string notices = rejectedNotices(log);
  if (notices.empty())
    return Status::ok();
  return {StatusCode::PtxRejected,
          assembler + " took the PTX of " + kernel + " only with a notice that defeats its design:\n" + notices};
}

std::string otherNotices(std::string_view log) {
  return linesWhere(log, [](std::string_view line) { return isNotice(line) && !isRejection(line); });
}

/// The number directly before `words` in a line; 0 where the words do not occur.
static uint32_t numberBefore(std::string_view line, std::string_view words) {
  size_t end = line.find(words);
  if (end == line.npos)
    return 0;
  size_t begin = end;
  while (begin > 0 && std::isdigit(static_cast<unsigned char>(line[begin - 1])))
    --begin;
  uint32_t value = 0;
  std::from_chars(line.data() + begin, line.data() + end, value);
  return value;
}

uint32_t spillBytes(std::string_view log) {
  uint32_t most = 0;
  eachLine(log, [&](std::string_view line) { most = std::max(most, numberBefore(line, " bytes spill stores")); });
  return most;
}

uint32_t ptxVersion(std::string_view ptx) {
  uint32_t version = 0;
  eachLine(ptx, [&](std::string_view line) {
    constexpr std::string_view directive = ".version ";
    size_t dot = line.find('.', directive.size());
    if (version || !line.starts_with(directive) || dot == line.npos)
      return;
    uint32_t major = 0, minor = 0;
    std::from_chars(line.data() + directive.size(), line.data() + dot, major);
    std::from_chars(line.data() + dot + 1, line.data() + line.size(), minor);
    version = 10 * major + minor;
  });
  return version;
}

} // namespace tawa
