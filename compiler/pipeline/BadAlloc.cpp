// Sets a handler for failed allocations of LLVM that throws std::bad_alloc.
#include "compiler/pipeline/BadAlloc.h"

#include "llvm/Support/ErrorHandling.h"

#include <mutex>
#include <new>

namespace tawa {

static void noMemory(void *, const char *, bool) { throw std::bad_alloc(); }

void throwWhereMemoryIsOut() {
  static std::once_flag once;
  std::call_once(once, [] { llvm::install_bad_alloc_error_handler(noMemory, nullptr); });
}

} // namespace tawa
