// What happens to the library when the process exits: its static objects are never destroyed.
//
// exit() may be called while other threads are inside of the library: the callers', in tawa_compile(), and those of
// jobs. The static objects of MLIR and LLVM are made when they are first used, in the middle of a compile, so no exit
// handler of ours could be sure to run before their destructors; and nothing can make a caller's thread return. So the
// destructors are never registered. What they would free ends with the process, and until then (-z nodelete) the
// library stays loaded.
#pragma once

namespace tawa::capi {

/// Has `function(argument)` called by exit(), as std::atexit() does elsewhere. False where it cannot be registered.
bool runAtExit(void (*function)(void *), void *argument);

} // namespace tawa::capi
