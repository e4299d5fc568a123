// Counted by a fork() handler: getpid() would be a system call for every launch.
#include "runtime/support/Process.h"

#include <atomic>
#include <pthread.h>

namespace tawa {

static std::atomic<uint32_t> generation{0};

[[maybe_unused]] static const int registered =
    pthread_atfork(nullptr, nullptr, [] { generation.fetch_add(1, std::memory_order_relaxed); });

uint32_t forkGeneration() { return generation.load(std::memory_order_relaxed); }

} // namespace tawa
