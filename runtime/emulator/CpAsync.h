// cp.async: a thread's own asynchronous copies from global to shared memory.
#pragma once

#include <cstdint>
#include <vector>

namespace tawa::emu {

/// The copies of one thread that no wait has covered. They are performed at the wait: earlier reads do not see them.
struct AsyncCopies {
  struct Copy {
    uint32_t offset = 0; ///< In the CTA's shared memory, from its first byte.
    const void *source = nullptr;
    uint32_t bytes = 0, sourceBytes = 0;
    uint64_t group = 0;
  };
  std::vector<Copy> copies; ///< Oldest first.
  uint64_t commits = 0;     ///< Groups committed; the open one has this number.
};

} // namespace tawa::emu
