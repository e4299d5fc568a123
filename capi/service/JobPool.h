// The library's own threads: those that run the jobs of tawa_compile_async(). Started when there is work, at most one
// per processor, gone when there is none left.
#pragma once

#include <functional>

namespace tawa::capi {

/// Runs `work` on one of the pool's threads. When the process exits, `cancel` is called for what has not ended, and
/// exit waits for it: what a job calls back belongs to the program. False where no thread can be had.
bool runInPool(std::function<void()> work, std::function<void()> cancel);

} // namespace tawa::capi
