// The thread pool of tawa_compile_async(): threads are started on demand, at most one per processor, and end when the
// queue is empty.
#pragma once

#include <functional>

namespace tawa::capi {

/// Runs `work` on one of the pool's threads. When the process exits, `cancel` is called for unfinished work and exit
/// waits for it, since jobs call back into the program. False where no thread can be started.
bool runInPool(std::function<void()> work, std::function<void()> cancel);

} // namespace tawa::capi
