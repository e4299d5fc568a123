// What became of this process by fork(). Threads, locks and driver contexts of the parent do not work in a child, so
// what holds some notes the generation in which it was made and refuses to serve in a later one.
#pragma once

#include <cstdint>

namespace tawa {

/// Differs between a process and its children of fork(), and from one of these to its own. One load: launches ask.
uint32_t forkGeneration();

} // namespace tawa
