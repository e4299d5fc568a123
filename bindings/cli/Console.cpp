// Failures of Console.h.
#include "bindings/cli/Console.h"

#include "bindings/cli/Json.h"

#include <cstdarg>
#include <cstdio>

namespace tawa::cli {

ExitCode exitCodeOf(tawa_status_t status) {
  switch (status) {
  case TAWA_OK:
    return ExitCode::Ok;
  case TAWA_E_INVALID_ARGUMENT:
  case TAWA_E_INVALID_IR:
  case TAWA_E_SHAPE_MISMATCH:
    return ExitCode::InvalidInput;
  case TAWA_E_NO_DEVICE:
  case TAWA_E_CUDA:
    return ExitCode::NoDevice;
  case TAWA_E_CACHE_MISS:
    return ExitCode::CacheMiss;
  case TAWA_E_CACHE_IO:
  case TAWA_E_CACHE_CORRUPT:
    return ExitCode::CacheFault;
  case TAWA_E_EMULATOR:
  case TAWA_E_REFERENCE_MISMATCH:
    return ExitCode::VerificationFailed;
  default:
    return ExitCode::CompileFailed;
  }
}

void Console::remark(std::string_view text) const {
  if (!quiet)
    std::fprintf(stderr, "%.*s", static_cast<int>(text.size()), text.data());
}

ExitCode Console::failed(const ErrorSink &error) const {
  char *text = tawa_error_render(error.get(), json ? TAWA_FORMAT_JSON : TAWA_FORMAT_TEXT);
  std::string_view rendered = text ? text : "out of memory";
  bool endsLine = !rendered.empty() && rendered.back() == '\n';
  std::fprintf(json ? stdout : stderr, "%.*s%s", static_cast<int>(rendered.size()), rendered.data(),
               endsLine ? "" : "\n");
  tawa_free(text);
  return exitCodeOf(tawa_error_status(error.get()));
}

ExitCode Console::failed(tawa_status_t status, std::string_view message) const {
  ExitCode code = exitCodeOf(status);
  return failed(code, std::string(tawa_status_name(status)) + ": " + std::string(message));
}

ExitCode Console::failed(ExitCode code, std::string_view message) const {
  if (json) {
    JsonWriter writer;
    writer.beginObject().text("message", message).integer("exit_code", static_cast<int>(code)).endObject();
    std::fputs(writer.take().c_str(), stdout);
  } else {
    std::fprintf(stderr, "tawa: %.*s\n", static_cast<int>(message.size()), message.data());
  }
  return code;
}

std::string format(const char *pattern, ...) {
  va_list arguments, again;
  va_start(arguments, pattern);
  va_copy(again, arguments);
  int length = std::vsnprintf(nullptr, 0, pattern, arguments);
  va_end(arguments);
  std::string text(length > 0 ? static_cast<size_t>(length) : 0, '\0');
  std::vsnprintf(text.data(), text.size() + 1, pattern, again);
  va_end(again);
  return text;
}

} // namespace tawa::cli
