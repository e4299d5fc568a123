// DiagnosticCollector: what MLIR reports during one compilation, as findings about the caller's text.
#pragma once

#include "runtime/support/Status.h"

#include "mlir/IR/Diagnostics.h"

#include <string>
#include <string_view>
#include <vector>

namespace tawa {

/// Collects what MLIR reports while it lives.
class DiagnosticCollector {
public:
  DiagnosticCollector(mlir::MLIRContext &context, std::string file);

  std::vector<Diagnostic> all;

  /// The first error as one line, for callers that show only a message.
  std::string summary(std::string_view otherwise) const;

private:
  void add(mlir::Diagnostic &source);

  std::string file;
  mlir::ScopedDiagnosticHandler handler;
};

} // namespace tawa
