// Messages that are not errors: one Logger per runtime, writing to the caller's callback or to stderr.
//
// A message is only built when its level is wanted:  log.info([&] { return "loaded " + name; });
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace tawa {

/// The same numbers as tawa_log_level_t from 1 on.
enum class LogLevel : int { Error = 1, Warning, Info, Debug };

class Logger {
public:
  using Sink = std::function<void(LogLevel, const std::string &)>;

  /// No sink: stderr, one line per message. Messages above `threshold` are dropped.
  explicit Logger(LogLevel threshold = LogLevel::Warning, Sink sink = {})
      : threshold(threshold), sink(std::move(sink)) {}

  bool wants(LogLevel level) const { return level <= threshold; }
  void write(LogLevel level, const std::string &message) const;

  template <typename Make> void warning(Make &&make) const { emit(LogLevel::Warning, make); }
  template <typename Make> void info(Make &&make) const { emit(LogLevel::Info, make); }
  template <typename Make> void debug(Make &&make) const { emit(LogLevel::Debug, make); }

private:
  template <typename Make> void emit(LogLevel level, Make &make) const {
    if (wants(level))
      write(level, make());
  }

  LogLevel threshold;
  Sink sink;
};

/// The level that TAWA_LOG names; Warning where it is unset or names none.
LogLevel logLevelFromEnvironment();

} // namespace tawa
