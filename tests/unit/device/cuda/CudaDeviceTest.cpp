// The Device interface on the GPU, with kernels written here in PTX. Skipped, with the reason, where there is none.
#include "runtime/device/cuda/CudaDevice.h"
#include "runtime/device/cuda/Driver.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <gtest/gtest.h>
#include <numeric>
#include <thread>

using namespace tawa;

namespace {

/// y[i] = x[i] + 1 for 128 ints. The shared memory is only there to need more than 48 KiB.
constexpr const char *kAddOne = R"(
.version 8.0
.target sm_90a
.address_size 64
.visible .entry add_one(.param .u64 x, .param .u64 y) .maxntid 32
{
  .reg .b32 %r<6>;
  .reg .b64 %rd<8>;
  ld.param.u64 %rd0, [x];
  ld.param.u64 %rd1, [y];
  mov.u32 %r0, %tid.x;
  mov.u32 %r1, %ctaid.x;
  mad.lo.u32 %r2, %r1, 32, %r0;
  mul.wide.u32 %rd2, %r2, 4;
  add.u64 %rd3, %rd0, %rd2;
  add.u64 %rd4, %rd1, %rd2;
  ld.global.u32 %r3, [%rd3];
  add.u32 %r4, %r3, 1;
  st.global.u32 [%rd4], %r4;
  ret;
}
)";

/// Loads the box of 8 rows of 64 halves that starts at column 32, row 4 of the tensor, and writes it out row by row.
constexpr const char *kTmaCopy = R"(
.version 8.0
.target sm_90a
.address_size 64
.visible .entry tma_copy(.param .align 64 .b8 map[128], .param .u64 out) .maxntid 32
{
  .reg .pred %p<3>;
  .reg .b32 %r<12>;
  .reg .b64 %rd<8>;
  .shared .align 128 .b8 tile[1024];
  .shared .align 8 .b64 barrier;
  mov.b64 %rd0, map;
  cvta.param.u64 %rd1, %rd0;
  mov.u32 %r0, tile;
  mov.u32 %r1, barrier;
  mov.u32 %r2, %tid.x;
  setp.ne.u32 %p0, %r2, 0;
  @%p0 bra WAIT;
  mbarrier.init.shared::cta.b64 [%r1], 1;
  fence.mbarrier_init.release.cluster;
  mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r1], 1024;
  mov.u32 %r3, 32;
  mov.u32 %r4, 4;
  cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%r0], [%rd1, {%r3, %r4}], [%r1];
WAIT:
  bar.sync 0;
AGAIN:
  mbarrier.try_wait.parity.shared::cta.b64 %p1, [%r1], 0;
  @!%p1 bra AGAIN;
  ld.param.u64 %rd2, [out];
  mov.u32 %r5, 0;
COPY:
  mad.lo.u32 %r6, %r5, 32, %r2;
  shl.b32 %r6, %r6, 2;
  add.u32 %r7, %r0, %r6;
  ld.shared.u32 %r8, [%r7];
  cvt.u64.u32 %rd3, %r6;
  add.u64 %rd4, %rd2, %rd3;
  st.global.u32 [%rd4], %r8;
  add.u32 %r5, %r5, 1;
  setp.lt.u32 %p2, %r5, 8;
  @%p2 bra COPY;
  ret;
}
)";

/// Three warp groups that share out 168 registers per thread; does nothing else.
constexpr const char *kSetMaxRegisters = R"(
.version 8.0
.target sm_90a
.address_size 64
.visible .entry share_out() .maxntid 384 .minnctapersm 1
{
  .reg .pred %p<2>;
  .reg .b32 %r<4>;
  mov.u32 %r0, %tid.x;
  setp.lt.u32 %p0, %r0, 128;
  @%p0 bra GIVE;
  setmaxnreg.inc.sync.aligned.u32 232;
  bra DONE;
GIVE:
  setmaxnreg.dec.sync.aligned.u32 40;
DONE:
  ret;
}
)";

KernelArtifact artifactOf(const char *entry, const char *ptx) {
  KernelArtifact artifact;
  artifact.gpu = "sm_90a";
  artifact.entry = entry;
  artifact.code = ptx;
  artifact.launch.threads = 32;
  return artifact;
}

KernelArtifact addOneArtifact() {
  KernelArtifact artifact = artifactOf("add_one", kAddOne);
  artifact.params = {makeParam(KernelParam::Source::TensorPointer, 0),
                     makeParam(KernelParam::Source::TensorPointer, 1)};
  artifact.paramBytes = layoutParams(artifact.params);
  return artifact;
}

class CudaDeviceTest : public testing::Test {
protected:
  /// What the driver has in its cache it has no log for.
  static void SetUpTestSuite() { setenv("CUDA_CACHE_DISABLE", "1", 1); }

  void SetUp() override {
    auto opened = cuda::openCudaDevice({-1, nullptr}, log);
    if (!opened)
      GTEST_SKIP() << opened.status().message();
    device = std::move(*opened);
  }

  uint64_t upload(const void *host, size_t size) {
    uint64_t address = *device->allocate(size);
    EXPECT_TRUE(device->copyTo(address, host, size));
    return address;
  }

  /// Launches add_one on 128 ints and says whether the result is right.
  Status addOne(const LoadedKernel &kernel) {
    std::vector<int32_t> host(128);
    std::iota(host.begin(), host.end(), 0);
    uint64_t params[2] = {upload(host.data(), 512), *device->allocate(512)};
    LaunchRequest request;
    request.grid = {4, 1, 1};
    request.params = params;
    request.paramBytes = sizeof(params);
    if (Status status = kernel.launch(request); !status)
      return status;
    if (Status status = device->copyFrom(host.data(), params[1], 512); !status)
      return status;
    for (int i = 0; i < 128; ++i)
      EXPECT_EQ(host[i], i + 1);
    return Status::ok();
  }

  Logger log;
  std::unique_ptr<Device> device;
};

} // namespace

TEST_F(CudaDeviceTest, DescribesItself) {
  const DeviceInfo &info = device->info();
  EXPECT_EQ(info.computeMajor, 9u);
  EXPECT_GE(info.multiprocessors, 100u);
  EXPECT_EQ(info.sharedBytesPerBlock, 232448u);
  EXPECT_GE(info.driverVersion, 12000u);
  EXPECT_EQ(info.name.rfind("cuda:", 0), 0u);
}

TEST_F(CudaDeviceTest, LinksLoadsAndLaunches) {
  KernelArtifact artifact = addOneArtifact();
  artifact.launch.sharedBytes = 100 * 1024;
  auto kernel = device->load(artifact);
  ASSERT_TRUE(kernel) << kernel.status().message();
  const LoadInfo &info = (*kernel)->info();
  EXPECT_GT(info.registersPerThread, 0u);
  EXPECT_EQ(info.localBytes, 0u);
  EXPECT_EQ(info.ptxVersion, 80u);
  EXPECT_NE(info.log.find("add_one"), std::string::npos) << info.log;
  Status status = addOne(**kernel);
  EXPECT_TRUE(status) << status.message();
}

TEST_F(CudaDeviceTest, LaunchesInClusters) {
  KernelArtifact artifact = addOneArtifact();
  artifact.launch.cluster = {2, 1, 1};
  auto kernel = device->load(artifact);
  ASSERT_TRUE(kernel) << kernel.status().message();
  Status status = addOne(**kernel);
  EXPECT_TRUE(status) << status.message();
}

/// All CTAs of a launch let the next one begin, whose CTAs find places beside them, and write long after that.
TEST_F(CudaDeviceTest, LaunchesThatBeginEarlySeeWhatIsAhead) {
  constexpr int launches = 100;
  constexpr uint32_t ctas = 64, elements = 32 * ctas;
  std::string text = kAddOne;
  text.insert(text.find("  add.u32 %r4"), "  nanosleep.u32 100000;\n");
  text.insert(text.find("  ld.param.u64 %rd0"), "  griddepcontrol.launch_dependents;\n  griddepcontrol.wait;\n");
  KernelArtifact artifact = addOneArtifact();
  artifact.code = text;
  auto kernel = device->load(artifact);
  ASSERT_TRUE(kernel) << kernel.status().message();
  std::vector<int32_t> host(elements);
  uint64_t forth[2] = {upload(host.data(), 4 * elements), *device->allocate(4 * elements)},
           back[2] = {forth[1], forth[0]};
  LaunchRequest request;
  request.grid = {ctas, 1, 1};
  request.paramBytes = sizeof(forth);
  for (int launch = 0; launch < launches; ++launch) {
    request.params = launch % 2 ? back : forth;
    ASSERT_TRUE((*kernel)->launch(request));
  }
  ASSERT_TRUE(device->copyFrom(host.data(), forth[launches % 2], 4 * elements));
  EXPECT_EQ(std::count(host.begin(), host.end(), launches), elements);
}

TEST_F(CudaDeviceTest, ThreadsWithoutAContextLaunch) {
  auto kernel = device->load(addOneArtifact());
  ASSERT_TRUE(kernel) << kernel.status().message();
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      Status status = addOne(**kernel);
      EXPECT_TRUE(status) << status.message();
    });
  for (std::thread &thread : threads)
    thread.join();
}

TEST_F(CudaDeviceTest, TensorMapsReachTheRightElements) {
  constexpr int rows = 10, columns = 72, pitch = 80;
  std::vector<uint16_t> host(rows * pitch);
  std::iota(host.begin(), host.end(), 1);
  ArgumentValue tensor;
  tensor.kind = LogicalArgument::Kind::Tensor;
  tensor.elementType = ElementType::F16;
  tensor.rank = 2;
  tensor.address = upload(host.data(), host.size() * 2);
  tensor.shape = {rows, columns};
  tensor.strides = {pitch, 1};
  TensorMapRecipe recipe;
  recipe.box = {64, 8};
  KernelArtifact artifact = artifactOf("tma_copy", kTmaCopy);
  artifact.params = {makeParam(KernelParam::Source::TensorMap, 0), makeParam(KernelParam::Source::TensorPointer, 1)};
  artifact.paramBytes = layoutParams(artifact.params);
  auto kernel = device->load(artifact);
  ASSERT_TRUE(kernel) << kernel.status().message();

  alignas(64) unsigned char params[136];
  Status status = (*kernel)->encodeTensorMap(recipe, "a", tensor, params);
  ASSERT_TRUE(status) << status.message();
  uint64_t out = *device->allocate(1024);
  std::memcpy(params + 128, &out, 8);
  LaunchRequest request;
  request.params = params;
  request.paramBytes = sizeof(params);
  status = (*kernel)->launch(request);
  ASSERT_TRUE(status) << status.message();
  std::vector<uint16_t> result(512);
  status = device->copyFrom(result.data(), out, 1024);
  ASSERT_TRUE(status) << status.message();
  for (int r = 0; r < 8; ++r)
    for (int c = 0; c < 64; ++c) {
      bool isInside = r + 4 < rows && c + 32 < columns;
      EXPECT_EQ(result[r * 64 + c], isInside ? host[(r + 4) * pitch + c + 32] : 0) << r << ", " << c;
    }
}

TEST_F(CudaDeviceTest, RefusedPtxCarriesTheDriversWords) {
  auto kernel = device->load(artifactOf("broken", ".version 8.0\n.target sm_90a\n.address_size 64\nnonsense\n"));
  ASSERT_FALSE(kernel);
  EXPECT_EQ(kernel.status().code(), StatusCode::PtxRejected);
  EXPECT_NE(kernel.status().message().find("version 8.0"), std::string::npos) << kernel.status().message();
  EXPECT_NE(kernel.status().message().find("nonsense"), std::string::npos) << kernel.status().message();
}

TEST_F(CudaDeviceTest, SetmaxnregIsHonouredOrTheKernelRefused) {
  KernelArtifact artifact = artifactOf("share_out", kSetMaxRegisters);
  artifact.launch.threads = 384;
  artifact.launch.registersPerThread = 160;
  auto kernel = device->load(artifact);
  ASSERT_FALSE(kernel);
  EXPECT_EQ(kernel.status().code(), StatusCode::PtxRejected);
  EXPECT_NE(kernel.status().message().find("roles count on 160"), std::string::npos) << kernel.status().message();
  artifact.launch.registersPerThread = 168;
  kernel = device->load(artifact);
  ASSERT_TRUE(kernel) << kernel.status().message();
  LaunchRequest request;
  Status status = (*kernel)->launch(request);
  ASSERT_TRUE(status) << status.message();
  EXPECT_TRUE(device->synchronize(nullptr));
}

TEST_F(CudaDeviceTest, MakesCubinsUnlessThatLosesSomething) {
  auto cubin = device->cubin(addOneArtifact());
  ASSERT_TRUE(cubin) << cubin.status().message();
  EXPECT_EQ(cubin->substr(0, 4), "\177ELF");
  cubin = device->cubin(artifactOf("share_out", kSetMaxRegisters));
  ASSERT_FALSE(cubin);
  EXPECT_EQ(cubin.status().code(), StatusCode::PtxRejected);
  EXPECT_NE(cubin.status().message().find("setmaxnreg"), std::string::npos) << cubin.status().message();
}

TEST_F(CudaDeviceTest, RefusesWhatIsNotForIt) {
  KernelArtifact artifact = addOneArtifact();
  artifact.target = TargetKind::Host;
  EXPECT_EQ(device->load(artifact).status().code(), StatusCode::TargetMismatch);
  artifact = addOneArtifact();
  artifact.launch.sharedBytes = 232449;
  EXPECT_EQ(device->load(artifact).status().code(), StatusCode::Unsupported);
  EXPECT_EQ(device->load(artifactOf("other", kAddOne)).status().code(), StatusCode::Cuda);
}

TEST_F(CudaDeviceTest, MeasuresDeviceTime) {
  auto kernel = device->load(addOneArtifact());
  ASSERT_TRUE(kernel) << kernel.status().message();
  auto time = device->time(nullptr, [&] { return addOne(**kernel); });
  ASSERT_TRUE(time) << time.status().message();
  EXPECT_GT(time->milliseconds, 0);
}

TEST_F(CudaDeviceTest, TellsWhetherTheHostWasLate) {
  constexpr size_t kGibibyte = size_t{1} << 30; // 0.2 ms to fill
  uint64_t filled = *device->allocate(kGibibyte);
  auto fill = [&] { return device->fill(filled, 0, kGibibyte); };
  auto late = device->time(nullptr, [&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    return fill();
  });
  ASSERT_TRUE(late) << late.status().message();
  EXPECT_TRUE(late->hostWasLate);
  EXPECT_GT(late->milliseconds, 4);

  bool inTime = false;
  for (int attempt = 0; attempt < 20 && !inTime; ++attempt) { // the host may lose its processor
    ASSERT_TRUE(fill());
    auto time = device->time(nullptr, fill);
    ASSERT_TRUE(time) << time.status().message();
    inTime = !time->hostWasLate;
  }
  EXPECT_TRUE(inTime);
  ASSERT_TRUE(device->free(filled));
}

TEST_F(CudaDeviceTest, OrdinalsThatAreNotThere) {
  auto opened = cuda::openCudaDevice({4711, nullptr}, log);
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.status().code(), StatusCode::NoDevice);
}

// What one launch costs, with a context current as in most programs and without; printed, not judged.
TEST_F(CudaDeviceTest, LaunchOverhead) {
  auto kernel = device->load(addOneArtifact());
  ASSERT_TRUE(kernel) << kernel.status().message();
  std::vector<int32_t> host(128);
  uint64_t params[2] = {upload(host.data(), 512), *device->allocate(512)};
  LaunchRequest request;
  request.grid = {4, 1, 1};
  request.params = params;
  request.paramBytes = sizeof(params);
  auto measure = [&](const char *what, auto launch) {
    constexpr int launches = 500; // fewer than the driver's queue holds
    ASSERT_TRUE(device->synchronize(nullptr));
    auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < launches; ++i)
      ASSERT_TRUE(launch());
    std::chrono::duration<double, std::micro> spent = std::chrono::steady_clock::now() - start;
    ASSERT_TRUE(device->synchronize(nullptr));
    std::printf("%.2f us per launch, %s\n", spent.count() / launches, what);
  };
  auto ours = [&] { return (*kernel)->launch(request).isOk(); };
  measure("no context current", ours);
  const cuda::Driver &driver = **cuda::Driver::shared();
  cuda::CUcontext context = nullptr;
  ASSERT_EQ(driver.cuDevicePrimaryCtxRetain(&context, 0), 0);
  ASSERT_EQ(driver.cuCtxPushCurrent(context), 0);
  measure("context current", ours);
  auto function = static_cast<cuda::CUfunction>(*(*kernel)->function());
  measure("the driver's own call", [&] {
    cuda::CUlaunchConfig config{4, 1, 1, 32, 1, 1, 0, nullptr, nullptr, 0};
    void *pointers[] = {&params[0], &params[1]};
    return driver.cuLaunchKernelEx(&config, function, pointers, nullptr) == 0;
  });
  measure("what finding the context takes", [&] {
    cuda::CUcontext current = nullptr;
    cuda::CUdevice handle = 0;
    unsigned long long id = 0;
    return driver.cuCtxGetCurrent(&current) == 0 && driver.cuCtxGetDevice(&handle) == 0 &&
           driver.cuCtxGetId(current, &id) == 0;
  });
  ASSERT_EQ(driver.cuCtxPopCurrent(&context), 0);
  ASSERT_EQ(driver.cuDevicePrimaryCtxRelease(0), 0);
}
