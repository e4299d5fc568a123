// Console: output of commands, and conversion of their failures to text (or JSON) and an exit code. Results go to
// stdout, failures to stderr (with `--json` also to stdout, as an object), so that output can be piped. Uses the C
// functions directly: where tawa.hpp would throw, a command returns an exit code.
#pragma once

#include "bindings/cli/Options.h"
#include "tawa/tawa.h"

#include <memory>
#include <string>
#include <string_view>

namespace tawa::cli {

template <auto Release> struct Releaser {
  template <typename T> void operator()(T *handle) const { Release(handle); }
};
using ErrorHandle = std::unique_ptr<tawa_error, Releaser<tawa_error_release>>;
using RuntimeHandle = std::unique_ptr<tawa_runtime, Releaser<tawa_runtime_release>>;
using KernelHandle = std::unique_ptr<tawa_kernel, Releaser<tawa_kernel_release>>;
using SignatureHandle = std::unique_ptr<tawa_signature, Releaser<tawa_signature_release>>;

/// Receives the error of one call: `if (tawa_x(..., sink)) return console.failed(sink);`
class ErrorSink {
public:
  ErrorSink() = default;
  ErrorSink(const ErrorSink &) = delete;
  ErrorSink &operator=(const ErrorSink &) = delete;
  ~ErrorSink() { tawa_error_release(error); }
  operator tawa_error_t *() {
    tawa_error_release(error);
    error = nullptr;
    return &error;
  }
  tawa_error_t get() const { return error; }

private:
  tawa_error_t error = nullptr;
};

class Console {
public:
  explicit Console(bool json, bool quiet = false) : json(json), quiet(quiet) {}
  bool wantsJson() const { return json; }
  bool isQuiet() const { return quiet; }
  bool showsProgress() const { return !json && !quiet; }

  /// Messages of the compiler or the library besides the result: to stderr, unless quiet.
  void remark(std::string_view text) const;

  /// Prints the library's error with its diagnostics (file:line:column) and gives the exit code of its status.
  ExitCode failed(const ErrorSink &error) const;
  /// The same for a failure found by the CLI itself, or of a launch.
  ExitCode failed(tawa_status_t status, std::string_view message) const;
  ExitCode failed(ExitCode code, std::string_view message) const;

private:
  bool json, quiet;
};

ExitCode exitCodeOf(tawa_status_t status);

/// printf into a string.
[[gnu::format(printf, 1, 2)]] std::string format(const char *pattern, ...);

} // namespace tawa::cli
