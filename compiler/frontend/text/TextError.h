// An error about a kernel's text, as a Status with a diagnostic: "gemm.mlir:3:14: reason". Shared by the two steps that
// read the text before MLIR does.
#pragma once

#include "runtime/support/Status.h"

#include <string>
#include <string_view>

namespace tawa {

/// A place in a text; line and column count from 1, columns in bytes.
struct TextPlace {
  int line = 1;
  int column = 1;
};

inline Status textError(std::string_view file, TextPlace place, const std::string &reason,
                        StatusCode code = StatusCode::InvalidIR, std::string op = {}) {
  Diagnostic diagnostic;
  diagnostic.file = file;
  diagnostic.line = place.line;
  diagnostic.column = place.column;
  diagnostic.op = std::move(op);
  diagnostic.message = reason;
  std::string message =
      diagnostic.file + ":" + std::to_string(place.line) + ":" + std::to_string(place.column) + ": error: " + reason;
  return Status(code, std::move(message), {std::move(diagnostic)});
}

} // namespace tawa
