// The Device interface on the emulator. The kernels are host functions written here, in the form of compiled ones: they
// get the thread's state and the parameter block and access memory through the emulator's calls.
#include "runtime/device/emulator/EmulatorDevice.h"

#include "runtime/emulator/EmulatorAbi.h"

#include <cstdlib>
#include <cstring>
#include <gtest/gtest.h>
#include <numeric>

using namespace tawa;

namespace {

/// y[i] = x[i] + 1 for `count` ints; one element per thread. Parameters: x, y, count.
void addOne(void *thread, const void *params) {
  auto *state = static_cast<const emu::ThreadState *>(thread);
  uint64_t x, y;
  int32_t count;
  std::memcpy(&x, params, 8);
  std::memcpy(&y, static_cast<const char *>(params) + 8, 8);
  std::memcpy(&count, static_cast<const char *>(params) + 16, 4);
  uint32_t i = state->ctaid[0] * state->ntid[0] + state->tid[0];
  if (i >= static_cast<uint32_t>(count))
    return;
  auto *from = static_cast<int32_t *>(emu::abi::tawa_emu_global_access(thread, x + 4 * i, 4, 0));
  auto *to = static_cast<int32_t *>(emu::abi::tawa_emu_global_access(thread, y + 4 * i, 4, 1));
  *to = *from + 1;
}

HostObjectLoader loaderOf(emu::KernelEntry entry) {
  return [entry](std::string_view, std::string_view) -> Result<HostCode> { return HostCode{entry, nullptr}; };
}

LogicalArgument pointer(std::string name) {
  LogicalArgument argument;
  argument.kind = LogicalArgument::Kind::Tensor;
  argument.name = std::move(name);
  return argument;
}

KernelArtifact addOneArtifact() {
  KernelArtifact artifact;
  artifact.target = TargetKind::Host;
  artifact.entry = "add_one";
  artifact.launch.threads = 32;
  artifact.arguments = {pointer("x"), pointer("y")};
  artifact.paramBytes = 20;
  return artifact;
}

ArgumentValue tensor(uint64_t address, std::vector<int64_t> shape) {
  ArgumentValue value;
  value.kind = LogicalArgument::Kind::Tensor;
  value.address = address;
  value.rank = static_cast<uint32_t>(shape.size());
  std::copy(shape.begin(), shape.end(), value.shape.begin());
  setContiguousStrides(shape.data(), value.rank, value.strides.data());
  return value;
}

/// An emulator with x = 0, 1, 2, ... and y, both of 100 ints, and the kernel loaded.
class EmulatorDeviceTest : public testing::Test {
protected:
  void SetUp() override {
    device = openEmulator(loaderOf(addOne));
    x = *device->allocate(400);
    y = *device->allocate(400);
    std::vector<int32_t> host(100);
    std::iota(host.begin(), host.end(), 0);
    ASSERT_TRUE(device->copyTo(x, host.data(), 400));
    kernel = std::move(*device->load(addOneArtifact()));
  }

  Status launch(std::vector<ArgumentValue> arguments, int32_t count, const char *schedule = nullptr) {
    char params[20];
    std::memcpy(params, &arguments[0].address, 8);
    std::memcpy(params + 8, &arguments[1].address, 8);
    std::memcpy(params + 16, &count, 4);
    LaunchRequest request;
    request.grid = {4, 1, 1};
    request.params = params;
    request.paramBytes = sizeof(params);
    request.arguments = arguments;
    request.emulatorSchedule = schedule;
    return kernel->launch(request);
  }

  std::unique_ptr<Device> device;
  std::unique_ptr<LoadedKernel> kernel;
  uint64_t x = 0, y = 0;
};

} // namespace

TEST_F(EmulatorDeviceTest, RunsAKernel) {
  Status status = launch({tensor(x, {100}), tensor(y, {100})}, 100);
  ASSERT_TRUE(status) << status.message();
  std::vector<int32_t> result(100);
  ASSERT_TRUE(device->copyFrom(result.data(), y, 400));
  for (int i = 0; i < 100; ++i)
    EXPECT_EQ(result[i], i + 1);
}

TEST_F(EmulatorDeviceTest, SaysHowManyCtasItHoldsAtOnce) {
  setenv("TAWA_EMU_SMS", "3", /*overwrite=*/1);
  device = openEmulator(loaderOf(addOne));
  unsetenv("TAWA_EMU_SMS");
  EXPECT_EQ(device->info().multiprocessors, 3u);
  KernelArtifact artifact = addOneArtifact();
  auto residentCtas = [&] { return (*device->load(artifact))->info().residentCtas; };
  EXPECT_EQ(residentCtas(), 3u * 32); // one warp each: as many as an SM has places for
  artifact.launch.threads = 384;
  EXPECT_EQ(residentCtas(), 3u * 5); // 2048 threads
  artifact.launch.registersPerThread = 168;
  EXPECT_EQ(residentCtas(), 3u); // 64 K registers
  artifact.launch.registersPerThread = 40;
  artifact.launch.sharedBytes = 100 << 10;
  EXPECT_EQ(residentCtas(), 3u * 2); // 228 KB of shared memory
}

TEST_F(EmulatorDeviceTest, AccessBeyondATensorNamesTheArgument) {
  Status status = launch({tensor(x, {100}), tensor(y, {99})}, 100);
  EXPECT_EQ(status.code(), StatusCode::Emulator);
  EXPECT_NE(status.message().find("'y'"), std::string::npos) << status.message();
}

TEST_F(EmulatorDeviceTest, BarePointersAreBoundedByTheirAllocation) {
  Status status = launch({tensor(x, {}), tensor(y, {})}, 100);
  EXPECT_TRUE(status) << status.message();
  EXPECT_EQ(launch({tensor(x, {}), tensor(y, {})}, 101).code(), StatusCode::Emulator);
  int32_t foreign[100];
  status = launch({tensor(x, {}), tensor(reinterpret_cast<uint64_t>(foreign), {})}, 100);
  EXPECT_EQ(status.code(), StatusCode::InvalidArgument);
  EXPECT_NE(status.message().find("argument 'y'"), std::string::npos) << status.message();
}

TEST_F(EmulatorDeviceTest, MemoryOfTheCallerServesWhileItIsRegistered) {
  int32_t foreign[100] = {};
  auto address = reinterpret_cast<uint64_t>(foreign);
  auto refused = [&](const ArgumentValue &to, const char *words) {
    Status status = launch({tensor(x, {100}), to}, 100);
    EXPECT_EQ(status.code(), StatusCode::InvalidArgument);
    EXPECT_NE(status.message().find(words), std::string::npos) << status.message();
    EXPECT_EQ(foreign[0], 0);
  };
  refused(tensor(address, {100}), "argument 'y': address " /* and then */);
  refused(tensor(address, {100}), "tawa_memory_register()");
  refused(tensor(16, {100}), "is in no memory of the emulator");
  ASSERT_TRUE(device->registerHost(address, sizeof foreign));
  refused(tensor(address, {101}), "leaves its registered memory of 400 bytes");
  Status status = launch({tensor(x, {100}), tensor(address, {100})}, 100);
  ASSERT_TRUE(status) << status.message();
  EXPECT_EQ(foreign[99], 100);
  EXPECT_TRUE(launch({tensor(x, {100}), tensor(address, {})}, 100));
  ASSERT_TRUE(device->unregisterHost(address));
  foreign[0] = 0;
  refused(tensor(address, {100}), "is in no memory of the emulator");
}

TEST_F(EmulatorDeviceTest, RegisteredMemoryIsTheCallers) {
  int32_t foreign[100] = {7};
  auto address = reinterpret_cast<uint64_t>(foreign);
  EXPECT_EQ(device->registerHost(0, 16).code(), StatusCode::InvalidArgument);
  EXPECT_EQ(device->registerHost(address, 0).code(), StatusCode::InvalidArgument);
  EXPECT_EQ(device->registerHost(address, SIZE_MAX).code(), StatusCode::InvalidArgument);
  ASSERT_TRUE(device->registerHost(address + 16, 64));
  EXPECT_EQ(foreign[0], 7);
  for (auto [from, size] : {std::pair(0, 17), {16, 64}, {0, 400}, {20, 4}, {79, 1}})
    EXPECT_EQ(device->registerHost(address + from, size).code(), StatusCode::InvalidArgument) << from;
  EXPECT_TRUE(device->registerHost(address, 16));
  EXPECT_TRUE(device->registerHost(address + 80, 16));
  EXPECT_NE(device->free(address).message().find("tawa_memory_unregister()"), std::string::npos);
  EXPECT_NE(device->unregisterHost(x).message().find("tawa_memory_free()"), std::string::npos);
  EXPECT_EQ(device->unregisterHost(address + 4).code(), StatusCode::InvalidArgument);
  EXPECT_TRUE(device->unregisterHost(address));
  EXPECT_EQ(device->unregisterHost(address).code(), StatusCode::InvalidArgument);
  device = nullptr; // which must free none of it
}

TEST_F(EmulatorDeviceTest, ShapesThatLeaveTheAddressSpaceAreRefused) {
  constexpr int64_t kHuge = int64_t{1} << 62;
  for (auto [rows, stride] : {std::pair(int64_t{5}, kHuge), {kHuge, int64_t{4}}, {int64_t{3}, -kHuge}}) {
    ArgumentValue value = tensor(y, {rows, 1});
    value.strides[0] = stride;
    Status status = launch({tensor(x, {100}), value}, 1);
    EXPECT_EQ(status.code(), StatusCode::InvalidArgument) << rows;
    EXPECT_NE(status.message().find("address space"), std::string::npos) << status.message();
  }
}

TEST_F(EmulatorDeviceTest, TensorsMustLieInTheirAllocation) {
  Status status = launch({tensor(x, {100}), tensor(y, {101})}, 100);
  EXPECT_EQ(status.code(), StatusCode::InvalidArgument);
  EXPECT_NE(status.message().find("argument 'y': its tensor spans 404 bytes"), std::string::npos) << status.message();
}

TEST_F(EmulatorDeviceTest, CopiesStayInside) {
  char host[8];
  EXPECT_EQ(device->copyFrom(host, x + 396, 8).code(), StatusCode::InvalidArgument);
  EXPECT_EQ(device->copyTo(x - 1, host, 1).code(), StatusCode::InvalidArgument);
  EXPECT_EQ(device->fill(x, 0, 401).code(), StatusCode::InvalidArgument);
  EXPECT_TRUE(device->fill(x + 399, 0, 1));
  EXPECT_TRUE(device->free(x));
  EXPECT_EQ(device->free(x).code(), StatusCode::InvalidArgument);
  EXPECT_EQ(device->copyFrom(host, x, 4).code(), StatusCode::InvalidArgument);
}

TEST_F(EmulatorDeviceTest, FreshMemoryIsPoisoned) {
  uint32_t word = 0;
  ASSERT_TRUE(device->copyFrom(&word, y, 4));
  EXPECT_EQ(word, 0xffffffffu);
}

TEST_F(EmulatorDeviceTest, SchedulesAreParsed) {
  EXPECT_TRUE(launch({tensor(x, {100}), tensor(y, {100})}, 100, "late-random:17"));
  EXPECT_EQ(launch({tensor(x, {100}), tensor(y, {100})}, 100, "lazy").code(), StatusCode::InvalidArgument);
  EXPECT_EQ(parseSchedule("late-random:17")->seed, 17u);
  EXPECT_TRUE(parseSchedule("late-random:17")->shuffleTma);
  EXPECT_TRUE(parseSchedule("wgmma-late")->deferWgmma);
  EXPECT_FALSE(parseSchedule("eager")->deferWgmma);
  for (const char *wrong : {"", "late-random:", "late-random:x", "late-random17", "eager "})
    EXPECT_FALSE(parseSchedule(wrong)) << wrong;
}

TEST_F(EmulatorDeviceTest, TheEnvironmentLimitsTime) {
  auto slow = openEmulator(loaderOf([](void *thread, const void *) {
    for (int i = 0; i < 1 << 20; ++i) {
      for (int j = 0; j < 1000; ++j)
        emu::abi::tawa_emu_approx(thread, /*sin*/ 5, 0, static_cast<float>(j));
      emu::abi::tawa_emu_back_edge(thread);
    }
  }));
  kernel = std::move(*slow->load(addOneArtifact()));
  auto run = [&](const char *seconds) {
    setenv("TAWA_EMU_SECONDS", seconds, /*overwrite=*/1);
    Status status = launch({tensor(0, {}), tensor(0, {})}, 100);
    unsetenv("TAWA_EMU_SECONDS");
    return status;
  };
  Status status = run("0.05");
  EXPECT_EQ(status.code(), StatusCode::Timeout);
  EXPECT_NE(status.message().find("TAWA_EMU_SECONDS sets another limit"), std::string::npos) << status.message();
  for (const char *wrong : {"abc", "-1", "5s", "nan"})
    EXPECT_EQ(run(wrong).code(), StatusCode::InvalidArgument) << wrong;
}

TEST_F(EmulatorDeviceTest, RefusesWhatIsNotForIt) {
  KernelArtifact artifact = addOneArtifact();
  artifact.target = TargetKind::Ptx;
  EXPECT_EQ(device->load(artifact).status().code(), StatusCode::TargetMismatch);
  artifact = addOneArtifact();
  artifact.launch.sharedBytes = emu::maxSharedBytes() + 1;
  EXPECT_EQ(device->load(artifact).status().code(), StatusCode::Unsupported);
  EXPECT_EQ(kernel->function().status().code(), StatusCode::Unsupported);
  EXPECT_EQ(device->time(nullptr, {}).status().code(), StatusCode::Unsupported);
}
