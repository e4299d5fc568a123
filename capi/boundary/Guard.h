// The one place where failures of the C++ side (a Status or an exception) become what a C caller gets: a code and an
// error object. Every entry that can fail has the shape
//
//   tawa_status_t tawa_something(tawa_runtime_t runtime, ..., tawa_error_t *error) {
//     return guard(error, on(runtime, [&](tawa_runtime &self) -> Status { ... }));
//   }
//
// and one without a runtime, kernel, job or binding `guard(error, [&]() -> Status { ... })`. tests/capi/forked.c is
// made from the header and calls every entry that is given such a handle, so that none can leave out on().
#pragma once

#include "capi/boundary/Wrap.h"
#include "runtime/support/Process.h"

#include <exception>
#include <new>

namespace tawa::capi {

/// Made while the library loads: once memory is exhausted, no message can be allocated.
inline const Status outOfMemory{StatusCode::OutOfMemory, "out of host memory"};

/// The Status for the exception being handled.
inline Status caught() {
  try {
    throw;
  } catch (const std::bad_alloc &) {
    return outOfMemory;
  } catch (const std::exception &exception) {
    return Status(StatusCode::Internal, std::string("unexpected exception: ") + exception.what());
  } catch (...) {
    return Status(StatusCode::Internal, "unexpected exception of unknown type");
  }
}

/// Runs body; every exception becomes a Status.
template <typename Body> Status contain(Body &&body) noexcept {
  try {
    try {
      return body();
    } catch (...) {
      return caught();
    }
  } catch (...) { // memory ran out while the Status was made
    return outOfMemory;
  }
}

inline const char *handleName(const tawa_runtime *) { return "runtime"; }
inline const char *handleName(const tawa_kernel *) { return "kernel"; }
inline const char *handleName(const tawa_job *) { return "job"; }
inline const char *handleName(const tawa_binding *) { return "binding"; }

inline const tawa_runtime &runtimeOf(const tawa_runtime *runtime) { return *runtime; }
template <typename Handle> const tawa_runtime &runtimeOf(const Handle *handle) { return *handle->runtime; }

/// Ok for a handle whose runtime this process made. The copy in a child of fork() has no threads and no driver
/// context, and its locks may be held forever.
template <typename Handle> Status checkHandle(const Handle *handle) {
  if (!handle)
    return nullArgument(handleName(handle));
  if (runtimeOf(handle).generation != forkGeneration())
    return {StatusCode::Forked, std::string("this ") + handleName(handle) +
                                    " was made before fork(), by the parent of this process; make a runtime of its own "
                                    "in the child"};
  return Status::ok();
}

/// What guard() and contain() run for an entry that is given a handle: body(*handle), where checkHandle() lets it.
template <typename Handle, typename Body> auto on(Handle *handle, Body &&body) {
  return [=, &body]() -> Status {
    if (Status status = checkHandle(handle); !status)
      return status;
    return body(*handle);
  };
}

/// An output is null unless the call succeeds.
template <typename T> void clear(T *output) {
  if (output)
    *output = T();
}

/// Hands a Status to the caller: the code as result, the rest in *error unless that is null.
inline tawa_status_t report(const Status &status, tawa_error_t *error) {
  if (error)
    *error = status ? nullptr : new (std::nothrow) tawa_error{status};
  return static_cast<tawa_status_t>(status.code());
}

template <typename Body> tawa_status_t guard(tawa_error_t *error, Body &&body) noexcept {
  return report(contain(std::forward<Body>(body)), error);
}

/// For entries without an error object.
template <typename Body> tawa_status_t guard(Body &&body) noexcept { return guard(nullptr, std::forward<Body>(body)); }

} // namespace tawa::capi
