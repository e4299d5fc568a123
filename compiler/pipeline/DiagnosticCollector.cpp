// A diagnostic handler that collects errors, notes and remarks with the position in the text.
#include "compiler/pipeline/DiagnosticCollector.h"

#include "mlir/IR/Location.h"

#include <algorithm>

using namespace mlir;

namespace tawa {

static Diagnostic::Severity severityOf(DiagnosticSeverity severity) {
  switch (severity) {
  case DiagnosticSeverity::Error:
    return Diagnostic::Severity::Error;
  case DiagnosticSeverity::Warning:
    return Diagnostic::Severity::Warning;
  case DiagnosticSeverity::Remark:
    return Diagnostic::Severity::Remark;
  case DiagnosticSeverity::Note:
    break;
  }
  return Diagnostic::Severity::Note;
}

/// MLIR opens messages of verifiers with the operation's name in quotes; it becomes a field of its own.
static std::string takeOperationName(std::string &message) {
  if (message.empty() || message.front() != '\'')
    return {};
  size_t end = message.find("' op ");
  if (end == std::string::npos)
    return {};
  std::string name = message.substr(1, end - 1);
  message.erase(0, end + 5);
  return name;
}

DiagnosticCollector::DiagnosticCollector(MLIRContext &context, std::string file)
    : file(std::move(file)), handler(&context, [this](mlir::Diagnostic &diagnostic) {
        add(diagnostic);
        for (mlir::Diagnostic &note : diagnostic.getNotes())
          add(note);
        return success();
      }) {}

std::string DiagnosticCollector::summary(std::string_view otherwise) const {
  for (const Diagnostic &diagnostic : all)
    if (diagnostic.severity == Diagnostic::Severity::Error) {
      std::string op = diagnostic.op.empty() ? "" : "'" + diagnostic.op + "' ";
      return diagnostic.file + ":" + std::to_string(diagnostic.line) + ":" + std::to_string(diagnostic.column) +
             ": error: " + op + diagnostic.message;
    }
  return file + ": error: " + std::string(otherwise);
}

void DiagnosticCollector::add(mlir::Diagnostic &source) {
  Diagnostic diagnostic;
  diagnostic.severity = severityOf(source.getSeverity());
  diagnostic.message = source.str();
  diagnostic.op = takeOperationName(diagnostic.message);
  diagnostic.file = file;
  source.getLocation()->walk([&](Location location) {
    auto place = dyn_cast<FileLineColLoc>(location);
    if (!place)
      return WalkResult::advance();
    // What concerns the text as a whole has place 0:0 in MLIR and is said at its beginning.
    diagnostic.line = std::max(place.getLine(), 1u);
    diagnostic.column = std::max(place.getColumn(), 1u);
    return WalkResult::interrupt();
  });
  all.push_back(std::move(diagnostic));
}

} // namespace tawa
