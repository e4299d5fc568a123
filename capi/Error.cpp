// Error objects: what they hold and how they read.
#include "capi/Json.h"
#include "capi/boundary/Guard.h"

#include <cstdio>
#include <cstdlib>

using namespace tawa;
using namespace tawa::capi;

namespace {

const char *severityName(Diagnostic::Severity severity) {
  constexpr const char *names[] = {"error", "warning", "remark", "note"};
  return names[static_cast<size_t>(severity)];
}

/// "gemm.mlir:12:7: error: 'tt.dot' reason", the form editors know.
std::string diagnosticText(const Diagnostic &diagnostic) {
  std::string text = diagnostic.file.empty() ? "<unknown>" : diagnostic.file;
  if (diagnostic.line > 0)
    text += ":" + std::to_string(diagnostic.line);
  if (diagnostic.line > 0 && diagnostic.column > 0)
    text += ":" + std::to_string(diagnostic.column);
  text += std::string(": ") + severityName(diagnostic.severity) + ": ";
  if (!diagnostic.op.empty())
    text += "'" + diagnostic.op + "' ";
  return text + diagnostic.message;
}

std::string renderText(const Status &status) {
  std::string text = std::string(tawa_status_name(static_cast<tawa_status_t>(status.code()))) + ": ";
  text += status.message() + "\n";
  for (const Diagnostic &diagnostic : status.diagnostics())
    if (std::string line = diagnosticText(diagnostic); status.message().find(line) == std::string::npos)
      text += line + "\n"; // the compiler's message often is its first diagnostic
  return text;
}

std::string diagnosticJson(const Diagnostic &diagnostic) {
  return std::string("{\"severity\":\"") + severityName(diagnostic.severity) +
         "\",\"file\":" + quoted(diagnostic.file) + ",\"line\":" + std::to_string(diagnostic.line) +
         ",\"column\":" + std::to_string(diagnostic.column) + ",\"op\":" + quoted(diagnostic.op) +
         ",\"message\":" + quoted(diagnostic.message) + "}";
}

std::string renderJson(const Status &status) {
  std::string text = std::string("{\"status\":\"") + tawa_status_name(static_cast<tawa_status_t>(status.code())) +
                     "\",\"message\":" + quoted(status.message()) + ",\"diagnostics\":[";
  const char *separator = "";
  for (const Diagnostic &diagnostic : status.diagnostics()) {
    text += separator + diagnosticJson(diagnostic);
    separator = ",";
  }
  return text + "]}";
}

} // namespace

extern "C" {

tawa_status_t tawa_error_status(tawa_error_t error) {
  return error ? static_cast<tawa_status_t>(error->status.code()) : TAWA_OK;
}

const char *tawa_error_message(tawa_error_t error) { return error ? error->status.message().c_str() : ""; }

uint32_t tawa_error_diagnostic_count(tawa_error_t error) {
  return error ? static_cast<uint32_t>(error->status.diagnostics().size()) : 0;
}

tawa_status_t tawa_error_diagnostic(tawa_error_t error, uint32_t index, tawa_diagnostic_t *diagnostic) {
  return guard([&]() -> Status {
    if (!error)
      return badIndex(index, 0);
    return writeDiagnostic(error->status.diagnostics(), index, diagnostic);
  });
}

char *tawa_error_render(tawa_error_t error, tawa_format_t format) {
  char *result = nullptr;
  guard([&]() -> Status {
    const Status status = error ? error->status : Status::ok();
    std::string text = format == TAWA_FORMAT_JSON ? renderJson(status) : renderText(status);
    result = static_cast<char *>(std::malloc(text.size() + 1));
    if (result)
      std::memcpy(result, text.c_str(), text.size() + 1);
    return Status::ok();
  });
  return result;
}

void tawa_error_release(tawa_error_t error) { delete error; }

void tawa_free(void *buffer) { std::free(buffer); }

} // extern "C"
