// Detects fork(). Threads, locks and driver contexts of the parent do not work in a child, so objects that hold some
// record the generation of their creation and refuse to serve in a later one.
#pragma once

#include <cstdint>

namespace tawa {

/// Differs between a process and its children of fork(), and from one of these to its own. One load: launches ask.
uint32_t forkGeneration();

} // namespace tawa
