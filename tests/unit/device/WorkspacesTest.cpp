// Which launches share a workspace: by functions in place of the driver's, in a table that the toolkit's stub of the
// driver fills at first.
#include "runtime/device/cuda/Workspaces.h"
#include "runtime/device/Device.h"

#include <cstdlib>
#include <cstring>
#include <gtest/gtest.h>
#include <map>

using namespace tawa;
using namespace tawa::cuda;

namespace {

/// What the functions below work on.
struct Calls {
  std::map<CUstream, unsigned long long> streams, captures; ///< Numbers.
  unsigned zeroed = 0, freed = 0;
  uint64_t bytes = 0; ///< Of the last allocation.
  bool isFull = false;
  int captureMode = 0;
};
Calls *calls = nullptr;

CUstream streamAt(uintptr_t number) { return static_cast<CUstream>(pointerTo(number)); }

CUresult giveId(CUstream stream, unsigned long long *id) { return *id = calls->streams[stream], CUDA_SUCCESS; }

CUresult giveCapture(CUstream stream, CUstreamCaptureStatus *status, unsigned long long *id, void **, const void **,
                     size_t *) {
  *id = calls->captures[stream];
  *status = static_cast<CUstreamCaptureStatus>(*id != 0);
  return CUDA_SUCCESS;
}

CUresult exchangeMode(CUstreamCaptureMode *mode) {
  int before = std::exchange(calls->captureMode, static_cast<int>(*mode));
  return *mode = static_cast<CUstreamCaptureMode>(before), CUDA_SUCCESS;
}

CUresult allocate(CUdeviceptr *address, size_t bytes) {
  EXPECT_EQ(calls->captureMode, CU_STREAM_CAPTURE_MODE_RELAXED); // else a capture by the thread would end in an error
  if (calls->isFull)
    return CUDA_ERROR_OUT_OF_MEMORY;
  calls->bytes = bytes;
  void *memory = std::malloc(bytes);
  return *address = reinterpret_cast<CUdeviceptr>(std::memset(memory, 1, bytes)), CUDA_SUCCESS;
}

CUresult release(CUdeviceptr address) {
  ++calls->freed;
  std::free(pointerTo(address));
  return CUDA_SUCCESS;
}

CUresult fill(CUdeviceptr address, unsigned char value, size_t bytes, CUstream) {
  ++calls->zeroed;
  std::memset(pointerTo(address), value, bytes);
  return CUDA_SUCCESS;
}

class WorkspacesTest : public testing::Test {
protected:
  void SetUp() override {
    auto loaded = Driver::load("/usr/local/cuda/lib64/stubs/libcuda.so");
    if (!loaded)
      GTEST_SKIP() << loaded.status().message();
    driver = std::move(*loaded);
    calls = &made;
    driver->cuStreamGetId = giveId;
    driver->cuStreamGetCaptureInfo = giveCapture;
    driver->cuThreadExchangeStreamCaptureMode = exchangeMode;
    driver->cuMemAlloc = allocate;
    driver->cuMemFree = release;
    driver->cuStreamCreate = [](CUstream *stream, unsigned flags) -> CUresult {
      EXPECT_EQ(flags, CU_STREAM_NON_BLOCKING);
      return *stream = nullptr, CUDA_SUCCESS;
    };
    driver->cuMemsetD8Async = fill;
    driver->cuStreamSynchronize = [](CUstream) -> CUresult { return CUDA_SUCCESS; };
    driver->cuStreamDestroy = [](CUstream) -> CUresult { return CUDA_SUCCESS; };
    driver->cuGetErrorName = [](CUresult, const char **text) -> CUresult { return *text = "full", CUDA_SUCCESS; };
    driver->cuGetErrorString = driver->cuGetErrorName;
    made.streams = {{nullptr, 1}, {streamAt(1), 2}, {streamAt(2), 3}};
  }
  void TearDown() override {
    if (driver)
      workspaces.free(*driver);
  }
  CUdeviceptr find(uintptr_t stream, uint64_t bytes = 64) {
    Result<CUdeviceptr> found = workspaces.find(*driver, streamAt(stream), bytes, /*most=*/256);
    EXPECT_TRUE(found) << found.status().message();
    return found ? *found : 0;
  }

  Calls made;
  std::unique_ptr<Driver> driver;
  Workspaces workspaces;
};

TEST_F(WorkspacesTest, EachStreamHasOneThatIsZeroAtFirst) {
  CUdeviceptr one = find(1);
  EXPECT_EQ(made.bytes, 256u);
  EXPECT_EQ(made.zeroed, 1u);
  EXPECT_EQ(*static_cast<unsigned char *>(pointerTo(one)), 0);
  EXPECT_EQ(find(1), one);
  EXPECT_EQ(find(1, 256), one);
  EXPECT_NE(find(2), one);
  EXPECT_NE(find(0), one);
  made.streams[streamAt(1)] = 9; // another one at the same address
  EXPECT_NE(find(1), one);
  EXPECT_EQ(made.zeroed, 4u);
  EXPECT_EQ(made.captureMode, 0); // as before
}

TEST_F(WorkspacesTest, LargerLaunchesHaveALargerOne) {
  CUdeviceptr one = find(1);
  CUdeviceptr larger = find(1, 1000);
  EXPECT_EQ(made.bytes, 1000u);
  EXPECT_NE(larger, one);
  EXPECT_EQ(find(1), larger); // so that launches of all sizes follow each other
  workspaces.free(*driver);
  EXPECT_EQ(made.freed, 2u);
  driver.reset();
}

TEST_F(WorkspacesTest, EachCaptureHasItsOwn) {
  CUdeviceptr plain = find(1);
  made.captures[streamAt(1)] = 7;
  CUdeviceptr captured = find(1);
  EXPECT_NE(captured, plain);
  EXPECT_EQ(find(1), captured); // the next launch of the same capture follows
  made.captures[streamAt(2)] = 7;
  EXPECT_NE(find(2), captured); // a branch of it
  made.captures[streamAt(1)] = 8;
  EXPECT_NE(find(1), captured);
  made.captures[streamAt(1)] = 0;
  EXPECT_EQ(find(1), plain);
}

TEST_F(WorkspacesTest, WhatDoesNotFitIsAStatus) {
  made.isFull = true;
  Result<CUdeviceptr> found = workspaces.find(*driver, streamAt(1), 64, 256);
  ASSERT_FALSE(found);
  EXPECT_EQ(found.status().code(), StatusCode::OutOfMemory);
  EXPECT_EQ(found.status().message().rfind("a workspace of 256 bytes: cuMemAlloc failed: full", 0), 0u)
      << found.status().message();
  made.isFull = false;
  EXPECT_NE(find(1), 0u);
}

} // namespace
