// Where LLVM notices that memory is exhausted, the caller gets an error.
#include "compiler/pipeline/BadAlloc.h"

#include "llvm/Support/ErrorHandling.h"

#include <gtest/gtest.h>
#include <new>

TEST(BadAlloc, LlvmThrowsInsteadOfEndingTheProcess) {
  for (int time = 0; time < 2; ++time) {
    tawa::throwWhereMemoryIsOut();
    EXPECT_THROW(llvm::report_bad_alloc_error("a test"), std::bad_alloc);
  }
}
