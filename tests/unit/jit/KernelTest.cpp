// From build to launch on a device that records everything.
#include "tests/unit/jit/TestDevice.h"

#include <atomic>
#include <cstdlib>
#include <gtest/gtest.h>
#include <new>
#include <thread>

using namespace tawa;
using namespace tawa::test;
using Source = KernelParam::Source;

// Counts allocations of this program, so that a launch can be shown to make none.
static std::atomic<size_t> allocations{0};
void *operator new(size_t size) {
  ++allocations;
  if (void *memory = std::malloc(size))
    return memory;
  throw std::bad_alloc();
}
void operator delete(void *memory) noexcept { std::free(memory); }
void operator delete(void *memory, size_t) noexcept { std::free(memory); }

namespace {

/// a: a described matrix as the text prints it (map, shape, strides), p: a bare pointer, M: a scalar.
KernelArtifact artifact() {
  KernelArtifact made;
  made.entry = "kernel";
  made.arguments = {tensorArgument("a", 2), tensorArgument("p", 0), integerArgument("M")};
  TensorMapRecipe recipe;
  recipe.box = {64, 128};
  made.tensorMaps = {recipe};
  made.params = {makeParam(Source::TensorMap, 0),
                 makeParam(Source::TensorShape, 0, 0, ElementType::I32),
                 makeParam(Source::TensorShape, 0, 1, ElementType::I32),
                 makeParam(Source::TensorStride, 0, 0, ElementType::I64),
                 makeParam(Source::TensorPointer, 1),
                 makeParam(Source::Scalar, 2, 0, ElementType::I32)};
  made.paramBytes = layoutParams(made.params);
  made.gridExpression = "ceildiv(M, 64)";
  return made;
}

/// Unless told otherwise, nothing is promised but ranks.
std::vector<ArgumentValue> promises(uint64_t address = 0, int64_t rows = INT64_MIN, int64_t columns = INT64_MIN) {
  return {tensorValue(address, {rows, columns}), tensorValue(address, {}), integerValue(0)};
}

class KernelTest : public testing::Test {
protected:
  void build(std::vector<ArgumentValue> promised, KernelArtifact from = artifact()) {
    auto built = Kernel::build(device, [&](TargetKind) -> Result<KernelArtifact> { return from; }, std::move(promised));
    ASSERT_TRUE(built) << built.status().message();
    kernel = std::move(*built);
  }
  Status launch(const std::vector<ArgumentValue> &arguments, std::array<uint32_t, 3> grid = {}) {
    KernelLaunch request;
    request.arguments = arguments;
    request.grid = grid;
    return kernel->launch(request);
  }
  template <typename T> T param(size_t index) {
    T value;
    std::memcpy(&value, device.recorder.params.data() + kernel->artifact().params[index].offset, sizeof(T));
    return value;
  }

  RecordingDevice device;
  std::unique_ptr<Kernel> kernel;
  std::vector<ArgumentValue> good = {tensorValue(0x1000, {200, 80}, {96, 1}), tensorValue(0x2000, {}),
                                     integerValue(200)};
};

} // namespace

TEST_F(KernelTest, WhatNoLaunchCouldDoIsRefusedWhenCompiled) {
  auto built =
      Kernel::build(device, [](TargetKind) -> Result<KernelArtifact> { return artifact(); }, promises(0, 100, 63));
  ASSERT_FALSE(built);
  EXPECT_EQ(built.status().code(), StatusCode::ShapeMismatch);
  EXPECT_EQ(built.status().message(),
            "argument 'a': stride of dimension 0 is 63 elements of 2 bytes, TMA takes multiples of 16 bytes");
}

TEST_F(KernelTest, FillsTheParameterBuffer) {
  build(promises());
  Status status = launch(good);
  ASSERT_TRUE(status) << status.message();
  EXPECT_EQ(device.recorder.params.size(), kernel->artifact().paramBytes);
  EXPECT_EQ(param<uint64_t>(0), 0x1000u);
  EXPECT_EQ(param<int32_t>(1), 200);
  EXPECT_EQ(param<int32_t>(2), 80);
  EXPECT_EQ(param<int64_t>(3), 96);
  EXPECT_EQ(param<uint64_t>(4), 0x2000u);
  EXPECT_EQ(param<int32_t>(5), 200);
  EXPECT_EQ(device.recorder.grid, (std::array<uint32_t, 3>{4, 1, 1}));
}

TEST_F(KernelTest, MapsAreBuiltAgainOnlyWhenTheirTensorChanges) {
  build(promises());
  ASSERT_TRUE(launch(good));
  ASSERT_TRUE(launch(good));
  EXPECT_EQ(device.recorder.mapsEncoded, 1);
  good[1].address = 0x3000;
  good[2] = integerValue(64);
  ASSERT_TRUE(launch(good));
  EXPECT_EQ(device.recorder.mapsEncoded, 1);
  EXPECT_EQ(param<uint64_t>(4), 0x3000u);
  EXPECT_EQ(device.recorder.grid[0], 1u);
  good[0].address = 0x4000;
  ASSERT_TRUE(launch(good));
  EXPECT_EQ(device.recorder.mapsEncoded, 2);
  EXPECT_EQ(param<uint64_t>(0), 0x4000u);
  good[0].shape[0] = 77;
  ASSERT_TRUE(launch(good));
  EXPECT_EQ(device.recorder.mapsEncoded, 3);
}

TEST_F(KernelTest, KnownPointersGiveMapsAtCompileTime) {
  build(promises(0x1000, 200, 80));
  EXPECT_EQ(device.recorder.mapsEncoded, 1);
  good[0] = tensorValue(0x1000, {200, 80});
  ASSERT_TRUE(launch(good));
  EXPECT_EQ(device.recorder.mapsEncoded, 1);
  EXPECT_EQ(param<uint64_t>(0), 0x1000u);
}

TEST_F(KernelTest, TwoKernelsOnOneThreadDoNotMix) {
  build(promises());
  ASSERT_TRUE(launch(good));
  auto first = std::move(kernel);
  KernelArtifact other = artifact();
  other.gridExpression = "7";
  for (int i = 0; i < 6; ++i) { // more than there are bindings per thread
    build(promises(), other);
    ASSERT_TRUE(launch(good));
    EXPECT_EQ(device.recorder.grid[0], 7u);
  }
  kernel = std::move(first);
  ASSERT_TRUE(launch(good));
  EXPECT_EQ(device.recorder.grid[0], 4u);
}

TEST_F(KernelTest, AFailedLaunchLeavesNoTrace) {
  build(promises());
  ASSERT_TRUE(launch(good));
  auto bad = good;
  bad[0].address = 0x1008; // breaks TMA's alignment rule
  EXPECT_EQ(launch(bad).code(), StatusCode::InvalidArgument);
  bad = good;
  bad[0].shape[1] = int64_t{1} << 31; // does not fit its 32-bit parameter
  bad[0].strides[0] = int64_t{1} << 32;
  EXPECT_EQ(launch(bad).code(), StatusCode::ShapeMismatch);
  EXPECT_EQ(launch(bad).code(), StatusCode::ShapeMismatch) << "asking again does not help";
  EXPECT_EQ(launch({good[0], good[1]}).code(), StatusCode::InvalidArgument);
  EXPECT_EQ(device.recorder.launches, 1);
  ASSERT_TRUE(launch(good));
  EXPECT_EQ(param<uint64_t>(0), 0x1000u);
  EXPECT_EQ(param<int32_t>(2), 80);
}

TEST_F(KernelTest, EmptyGridsLaunchNothingAndNeedNoMaps) {
  build(promises());
  good[0].shape[0] = 0; // no tensor map can stand for it
  good[2] = integerValue(0);
  Status status = launch(good);
  EXPECT_TRUE(status) << status.message();
  EXPECT_EQ(device.recorder.launches, 0);
  EXPECT_EQ(launch(good, {1, 0, 0}).code(), StatusCode::ShapeMismatch) << "now the map is needed";
}

TEST_F(KernelTest, TheCallersGridWins) {
  build(promises());
  ASSERT_TRUE(launch(good, {9, 0, 2}));
  EXPECT_EQ(device.recorder.grid, (std::array<uint32_t, 3>{9, 1, 2}));
}

TEST_F(KernelTest, WhereTileSizesWereChosenAGridForTheTextsFirstBecomesTheirs) {
  KernelArtifact chosen = artifact(), first = artifact();
  chosen.gridExpression = first.gridExpression = "ceildiv(M, ROWS)";
  chosen.config.tile = {{"ROWS", 64}};
  first.config.tile = {{"ROWS", 32}};
  build(promises(), chosen);
  kernel->takeGridsFor(first.config.tile);
  for (uint32_t programs : {0u, 4u, 7u}) { // of no caller's, of 200 rows in 64, and in 32
    ASSERT_TRUE(launch(good, {programs, 0, 0})) << programs;
    EXPECT_EQ(device.recorder.grid, (std::array<uint32_t, 3>{4, 1, 1})) << programs;
  }
  Status status = launch(good, {2, 1, 1});
  EXPECT_EQ(status.code(), StatusCode::InvalidArgument);
  EXPECT_NE(status.message().find("2, 1, 1 is asked for, and `tawa.grid ceildiv(M, ROWS)` is 4, 1, 1"),
            std::string::npos)
      << status.message();
  kernel->fallBackOn(device, [&]() -> Result<KernelArtifact> { return first; });
  ASSERT_TRUE(launch(good, {2, 1, 1})) << "in the text's first sizes";
  EXPECT_EQ(device.recorder.grid[0], 2u);
  ASSERT_TRUE(launch(good, {7, 1, 1}));
  EXPECT_EQ(device.recorder.grid[0], 4u);
}

TEST_F(KernelTest, ResidentCtasAreToldTheGridThatWasAskedFor) {
  KernelArtifact walking = artifact();
  walking.launch.walked = {true, false, false};
  walking.params.push_back(makeParam(Source::GridExtent, 0, 0, ElementType::I32));
  walking.paramBytes = layoutParams(walking.params);
  build(promises(), walking);
  ASSERT_TRUE(launch(good)); // ceildiv(200, 64) tiles, 3 CTAs at once
  EXPECT_EQ(device.recorder.grid, (std::array<uint32_t, 3>{3, 1, 1}));
  EXPECT_EQ(param<uint32_t>(6), 4u);
  ASSERT_TRUE(launch(good, {2, 5, 1}));
  EXPECT_EQ(device.recorder.grid, (std::array<uint32_t, 3>{1, 5, 1}));
  EXPECT_EQ(param<uint32_t>(6), 2u);
  good[2] = integerValue(640);
  ASSERT_TRUE(launch(good));
  EXPECT_EQ(param<uint32_t>(6), 10u);
}

TEST_F(KernelTest, LaunchesAllocateNothingAfterTheFirst) {
  build(promises());
  ASSERT_TRUE(launch(good));
  std::vector<unsigned char>().swap(device.recorder.params);
  device.recorder.params.reserve(4096);
  auto moved = good;
  moved[0].address = 0x8000;
  auto reshaped = good;
  reshaped[0].shape[0] = 64;
  size_t before = allocations;
  bool allOk = true;
  for (const auto *arguments : {&good, &moved, &good, &reshaped})
    allOk = allOk && launch(*arguments, {1, 1, 1}).isOk();
  EXPECT_EQ(allocations - before, 0u);
  EXPECT_TRUE(allOk);
}

TEST_F(KernelTest, ThreadsLaunchAtTheSameTime) {
  build(promises());
  std::atomic<int> failures{0};
  // The recorder is not made for threads; a launch with an empty grid stops just before it.
  good[2] = integerValue(0);
  constexpr int kThreads = 4;
  std::vector<std::thread> threads;
  threads.reserve(kThreads);
  for (int t = 0; t < kThreads; ++t)
    threads.emplace_back([&, t] {
      auto mine = good;
      for (int i = 0; i < 500; ++i) {
        mine[1].address = 0x1000u * t + i;
        KernelLaunch request;
        request.arguments = mine;
        failures += !kernel->launch(request);
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(failures, 0);
}

TEST_F(KernelTest, BuildingHandsOnWhatFails) {
  auto failing = [](TargetKind) -> Result<KernelArtifact> { return Status(StatusCode::InvalidIR, "no"); };
  EXPECT_EQ(Kernel::build(device, failing, promises()).status().code(), StatusCode::InvalidIR);
  auto fine = [](TargetKind) -> Result<KernelArtifact> { return artifact(); };
  EXPECT_EQ(Kernel::build(device, fine, {}).status().code(), StatusCode::InvalidArgument);
  auto promised = promises();
  promised[2].elementType = ElementType::I64;
  EXPECT_EQ(Kernel::build(device, fine, promised).status().code(), StatusCode::ShapeMismatch);
  auto broken = [](TargetKind) -> Result<KernelArtifact> {
    KernelArtifact damaged = artifact();
    damaged.paramBytes = 1;
    return damaged;
  };
  EXPECT_EQ(Kernel::build(device, broken, promises()).status().code(), StatusCode::Internal);
}

/// For twice as many programs as the text asks for, where M has whole tiles of its size.
static KernelArtifact retiled() {
  KernelArtifact made = artifact();
  made.launch.retiled.programs[0] = "g0 * 2";
  made.launch.retiled.zeros = {"g0 - (a2 + 63) / 64"};
  return made;
}

TEST_F(KernelTest, AGridThatOtherTileSizesDoNotCoverIsLaunchedWithThoseOfTheText) {
  build(promises(), retiled());
  Status status = launch(good, {3, 1, 1});
  EXPECT_EQ(status.code(), StatusCode::InvalidArgument);
  EXPECT_NE(status.message().find("would not cover"), std::string::npos) << status.message();
  int made = 0;
  build(promises(), retiled());
  kernel->fallBackOn(device, [&]() -> Result<KernelArtifact> {
    ++made;
    return artifact();
  });
  ASSERT_TRUE(launch(good));
  EXPECT_EQ(device.recorder.grid[0], 8u);
  EXPECT_EQ(made, 0);
  for (int again = 0; again < 2; ++again) {
    ASSERT_TRUE(launch(good, {3, 1, 1}));
    EXPECT_EQ(device.recorder.grid[0], 3u);
    EXPECT_EQ(made, 1);
    ASSERT_TRUE(launch(good, {4, 1, 1}));
    EXPECT_EQ(device.recorder.grid[0], 8u);
  }
}

TEST_F(KernelTest, AGridThatIsNotKnownMakesNoOtherKernel) {
  KernelArtifact made = retiled();
  made.gridExpression.clear();
  build(promises(), made);
  bool isMade = false;
  kernel->fallBackOn(device, [&]() -> Result<KernelArtifact> {
    isMade = true;
    return artifact();
  });
  EXPECT_FALSE(launch(good));
  EXPECT_FALSE(isMade);
}

TEST_F(KernelTest, WhereTheTextsSizesFailTooBothReasonsAreGiven) {
  build(promises(), retiled());
  kernel->fallBackOn(device, []() -> Result<KernelArtifact> { return Status(StatusCode::CacheMiss, "not kept"); });
  Status status = launch(good, {3, 1, 1});
  EXPECT_EQ(status.code(), StatusCode::InvalidArgument);
  EXPECT_NE(status.message().find("would not cover"), std::string::npos) << status.message();
  EXPECT_NE(status.message().find("with the sizes in the text: not kept"), std::string::npos) << status.message();
  EXPECT_TRUE(launch(good));
}
