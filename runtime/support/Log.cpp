// Logger's default sink and the reading of TAWA_LOG.
#include "runtime/support/Log.h"

#include "runtime/support/Environment.h"

#include <cstdio>
#include <iterator>

namespace tawa {

static constexpr const char *levelNames[] = {"", "error", "warning", "info", "debug"};

void Logger::write(LogLevel level, const std::string &message) const {
  if (sink)
    return sink(level, message);
  // One call per line: stdio locks the stream, so lines of different threads do not mix.
  std::fprintf(stderr, "tawa %s: %s\n", levelNames[static_cast<int>(level)], message.c_str());
}

LogLevel logLevelFromEnvironment() {
  if (auto value = env::get(env::Variable::Log))
    for (size_t level = 1; level < std::size(levelNames); ++level)
      if (*value == levelNames[level])
        return static_cast<LogLevel>(level);
  return LogLevel::Warning;
}

} // namespace tawa
