// Runs work on a thread of its own with a large stack: compilers recurse over their input, a choice of configurations
// has much in its frames, and a caller's thread may have 64 KiB only (musl, Go, fibers), where an overflow would crash
// instead of being an error.
#pragma once

#include "compiler/pipeline/BadAlloc.h"
#include "runtime/support/Status.h"

#include <exception>
#include <optional>
#include <pthread.h>
#include <type_traits>
#include <utility>

namespace tawa::capi {

inline constexpr size_t kLargeStackBytes = size_t{64} << 20; // reserved, not touched: memory is used page by page

/// Whether the calling thread has such a stack: what it runs needs no other.
inline thread_local constinit bool hasLargeStack = false;

/// What body() returns, a Status or Result, computed on such a thread; waits for it. Exceptions propagate to the
/// caller.
template <typename Body> auto onLargeStack(Body &&body) -> std::invoke_result_t<Body &> {
  using Answer = std::invoke_result_t<Body &>;
  if (hasLargeStack)
    return body();
  struct Call {
    Body &body;
    std::optional<Answer> answer;
    std::exception_ptr thrown;
    static void *run(void *self) {
      hasLargeStack = true;
      auto *call = static_cast<Call *>(self);
      try {
        call->answer.emplace(call->body());
      } catch (...) {
        call->thrown = std::current_exception();
      }
      return nullptr;
    }
  } call{body, std::nullopt, nullptr};

  throwWhereMemoryIsOut();
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, kLargeStackBytes);
  pthread_t thread;
  int failure = pthread_create(&thread, &attributes, Call::run, &call);
  pthread_attr_destroy(&attributes);
  if (failure)
    return Status(StatusCode::OutOfMemory,
                  "cannot start a thread with a stack of 64 MiB (error " + std::to_string(failure) + ")");
  pthread_join(thread, nullptr);
  if (call.thrown)
    std::rethrow_exception(call.thrown);
  return std::move(*call.answer);
}

} // namespace tawa::capi
