// PerThread: one object for each thread that uses it, destroyed when that thread ends. Like `thread_local`, except for
// memory: without memory to register the destructor, the C library ends the process for a thread_local object, while
// this throws an exception.
#pragma once

#include <memory>
#include <new>
#include <pthread.h>

namespace tawa {

/// Of static storage: a key is never released.
template <typename T> class PerThread {
public:
  PerThread() {
    hasKey = pthread_key_create(&key, [](void *object) { delete static_cast<T *>(object); }) == 0;
  }
  PerThread(const PerThread &) = delete;
  PerThread &operator=(const PerThread &) = delete;

  /// The calling thread's object; null where it has none yet.
  T *find() const { return hasKey ? static_cast<T *>(pthread_getspecific(key)) : nullptr; }

  /// The same, made where there is none. Throws std::bad_alloc.
  T &get() const {
    if (T *object = find())
      return *object;
    auto made = std::make_unique<T>();
    if (!hasKey || pthread_setspecific(key, made.get()) != 0)
      throw std::bad_alloc();
    return *made.release();
  }

private:
  pthread_key_t key = 0;
  bool hasKey = false;
};

} // namespace tawa
