// Options: parses the command line of every `tawa` command. A command lists its options once, with a help line each;
// parsing, `--help` and the error for unknown options derive from that list.
//
// Long options only: `--name value`, `--name=value`, or a bare `--flag`. Everything else is a positional argument.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tawa::cli {

/// Exit codes of `tawa` (README.md, "The command line").
enum class ExitCode : int {
  Ok = 0,
  Usage = 1,
  InvalidInput = 2,
  CompileFailed = 3,
  NoDevice = 4,
  CacheMiss = 5,
  VerificationFailed = 6,
  CacheFault = 7
};

class Options {
public:
  /// A switch without a value.
  void flag(std::string name, bool &into, std::string help);
  /// An option with one value; a repeated option keeps the last.
  void value(std::string name, std::string placeholder, std::string &into, std::string help);
  void number(std::string name, std::string placeholder, long long &into, std::string help);
  /// An option that may be repeated.
  void list(std::string name, std::string placeholder, std::vector<std::string> &into, std::string help);

  /// Reads the arguments; returns the reason when they are wrong. `--help` sets helpWanted() and stops.
  std::optional<std::string> parse(int count, const char *const *arguments, std::vector<std::string> &positional);
  bool helpWanted() const { return help; }
  /// The table of options as `--help` prints it.
  std::string describe() const;

private:
  struct Option {
    std::string name, placeholder, help;
    std::function<bool(std::string_view)> take; ///< False: the value is not of the option's kind.
  };
  Option *find(std::string_view name);
  std::string unknown(std::string_view name) const;

  std::vector<Option> options;
  bool help = false;
};

/// The most likely intended name among `names`, as " (did you mean ...?)"; "" where none is near.
std::string suggest(std::string_view word, const std::vector<std::string> &names);

/// Parses a whole decimal number; none where there are other characters.
std::optional<long long> parseInteger(std::string_view text);

/// Splits at each separator; an empty text gives one empty part.
std::vector<std::string> split(std::string_view text, char separator);

} // namespace tawa::cli
