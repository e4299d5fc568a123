// The one place where what goes wrong below becomes what a C caller sees: a Status or an exception on one side, a code
// and an error object on the other. Every entry that can fail has the shape
//
//   tawa_status_t tawa_something(..., tawa_error_t *error) {
//     return guard(error, [&]() -> Status { ... });
//   }
#pragma once

#include "capi/Wrap.h"

#include <exception>
#include <new>

namespace tawa::capi {

/// Made while the library loads: when memory is out is no time to allocate the words for it.
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

/// Runs body; whatever it throws becomes a Status.
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

/// Hands a Status to the caller: the code as result, the rest in *error where that is wanted.
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
