// What LLVM does where an allocation fails. Without a word from us it ends the process.
#pragma once

namespace tawa {

/// Has LLVM throw std::bad_alloc, as `operator new` does, where it notices that memory is out; once per process. Its
/// libraries hold no handlers for exceptions: objects under construction are leaked as they are, and must not be used
/// again. They do not notice everywhere (MLIR's tables of interfaces, for one, are allocated without a look at the
/// result).
void throwWhereMemoryIsOut();

} // namespace tawa
