// Status and Result: how every layer below the C boundary reports failure. No exceptions cross a layer.
//
// A Status is cheap when ok (a null pointer). Otherwise it holds a code of the public enum, a message with what failed,
// with which value and what to try, and optionally the diagnostics of the compiler.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tawa {

/// The same list, in the same order, as `tawa_status_t` in include/tawa/tawa.h; capi/Status.cpp asserts it.
enum class StatusCode : int {
  Ok = 0,
  InvalidArgument,
  InvalidIR,
  Unsupported,
  CompileFailed,
  PtxRejected,
  Cuda,
  NoDevice,
  TargetMismatch,
  ShapeMismatch,
  CacheMiss,
  CaptureUnsafe,
  CacheIO,
  CacheCorrupt,
  Busy,
  Timeout,
  Cancelled,
  NoValidCandidate,
  ReferenceMismatch,
  OutOfMemory,
  AbiMismatch,
  Forked,
  Emulator,
  Internal,
};

/// One finding of the compiler about the caller's text. Lines and columns count from 1; 0 means not known.
struct Diagnostic {
  enum class Severity { Error, Warning, Remark, Note };
  Severity severity = Severity::Error;
  std::string file;
  int line = 0;
  int column = 0;
  std::string op;      ///< Name of the operation concerned ("tt.dot"), empty where there is none.
  std::string message; ///< Reason and remedy, without the place.
};

class [[nodiscard]] Status {
public:
  Status() = default;
  Status(StatusCode code, std::string message, std::vector<Diagnostic> diagnostics = {})
      : detail(std::make_shared<Detail>(Detail{code, std::move(message), std::move(diagnostics)})) {}

  static Status ok() { return {}; }
  bool isOk() const { return !detail; }
  explicit operator bool() const { return isOk(); }
  StatusCode code() const { return detail ? detail->code : StatusCode::Ok; }
  const std::string &message() const {
    static const std::string none;
    return detail ? detail->message : none;
  }
  const std::vector<Diagnostic> &diagnostics() const {
    static const std::vector<Diagnostic> none;
    return detail ? detail->diagnostics : none;
  }

private:
  struct Detail {
    StatusCode code;
    std::string message;
    std::vector<Diagnostic> diagnostics;
  };
  std::shared_ptr<const Detail> detail;
};

/// A value, or the Status with the reason why there is none.
template <typename T> class [[nodiscard]] Result {
public:
  Result(T value) : state(std::move(value)) {}
  Result(Status status) : failure(std::move(status)) {}
  bool isOk() const { return state.has_value(); }
  explicit operator bool() const { return isOk(); }
  T &operator*() { return *state; }
  const T &operator*() const { return *state; }
  T *operator->() { return &*state; }
  const T *operator->() const { return &*state; }
  const Status &status() const { return failure; }

private:
  std::optional<T> state;
  Status failure;
};

} // namespace tawa
