// A bound launch on a device that writes everything down: what is packed again, and what is not.
#include "runtime/jit/BoundLaunch.h"
#include "tests/unit/jit/TestDevice.h"

#include <gtest/gtest.h>

using namespace tawa;
using namespace tawa::test;
using Source = KernelParam::Source;

namespace {

/// a and b: described matrices, p: a bare pointer at multiples of 16, M: a scalar.
KernelArtifact artifact() {
  KernelArtifact made;
  made.entry = "kernel";
  made.arguments = {tensorArgument("a", 2), tensorArgument("b", 2), tensorArgument("p", 0, 16), integerArgument("M")};
  for (uint32_t argument : {0u, 1u}) {
    TensorMapRecipe recipe;
    recipe.argument = argument;
    recipe.box = {64, 128};
    made.tensorMaps.push_back(recipe);
  }
  made.params = {makeParam(Source::TensorMap, 0), makeParam(Source::TensorMap, 1), makeParam(Source::TensorPointer, 2),
                 makeParam(Source::TensorPointer, 0), makeParam(Source::Scalar, 3, 0, ElementType::I32)};
  made.paramBytes = layoutParams(made.params);
  made.gridExpression = "ceildiv(M, 64)";
  return made;
}

class BoundLaunchTest : public testing::Test {
protected:
  void SetUp() override {
    auto built = Kernel::build(device, [](TargetKind) -> Result<KernelArtifact> { return artifact(); },
                               {tensorValue(0, {INT64_MIN, INT64_MIN}), tensorValue(0, {INT64_MIN, INT64_MIN}),
                                tensorValue(0, {}), integerValue(0)});
    ASSERT_TRUE(built) << built.status().message();
    kernel = std::move(*built);
    bind(200);
  }
  void bind(int32_t rows) {
    std::vector<ArgumentValue> arguments = {tensorValue(0x1000, {rows, 80}), tensorValue(0x2000, {rows, 80}),
                                            tensorValue(0x3000, {}), integerValue(rows)};
    KernelLaunch request;
    request.arguments = arguments;
    auto made = BoundLaunch::make(*kernel, request);
    ASSERT_TRUE(made) << made.status().message();
    bound = std::move(*made);
  }
  uint64_t param(size_t index) {
    uint64_t value;
    std::memcpy(&value, device.recorder.params.data() + kernel->artifact().params[index].offset, sizeof(value));
    return value;
  }
  Status launch(std::vector<uint64_t> addresses = {}) { return bound->launch(addresses, nullptr); }

  RecordingDevice device;
  std::unique_ptr<Kernel> kernel;
  std::unique_ptr<BoundLaunch> bound;
};

} // namespace

TEST_F(BoundLaunchTest, OnlyMapsOfMovedTensorsAreBuiltAgain) {
  ASSERT_TRUE(launch());
  EXPECT_EQ(device.recorder.mapsEncoded, 2);
  ASSERT_TRUE(launch());
  EXPECT_EQ(device.recorder.mapsEncoded, 2);
  ASSERT_TRUE(launch({0x1000, 0x5000, 0x3000}));
  EXPECT_EQ(device.recorder.mapsEncoded, 3);
  EXPECT_EQ(param(0), 0x1000u);
  EXPECT_EQ(param(1), 0x5000u);
  ASSERT_TRUE(launch({0x1000, 0x5000, 0x6000}));
  EXPECT_EQ(device.recorder.mapsEncoded, 3);
  EXPECT_EQ(param(2), 0x6000u);
  ASSERT_TRUE(launch({0x7000, 0x5000, 0x6000}));
  EXPECT_EQ(param(3), 0x7000u); // the pointer beside the map
  EXPECT_EQ(device.recorder.grid, (std::array<uint32_t, 3>{4, 1, 1}));
}

TEST_F(BoundLaunchTest, NoAddressesMeansThoseOfTheBinding) {
  ASSERT_TRUE(launch({0x8000, 0x9000, 0xa000}));
  ASSERT_TRUE(launch());
  EXPECT_EQ(param(0), 0x1000u);
  EXPECT_EQ(param(1), 0x2000u);
  EXPECT_EQ(param(2), 0x3000u);
}

TEST_F(BoundLaunchTest, ARefusedAddressChangesNothing) {
  ASSERT_TRUE(launch());
  Status status = launch({0x8000, 0x9000, 0xa008});
  EXPECT_EQ(status.code(), StatusCode::InvalidArgument);
  EXPECT_NE(status.message().find("argument 'p'"), std::string::npos);
  EXPECT_EQ(launch({0x8001, 0x9000, 0xa000}).code(), StatusCode::InvalidArgument); // no address for a tensor map
  EXPECT_EQ(device.recorder.launches, 1);
  ASSERT_TRUE(launch());
  EXPECT_EQ(param(0), 0x1000u);
  EXPECT_EQ(param(2), 0x3000u);
}

TEST_F(BoundLaunchTest, APlanHoldsTheAddressesAskedFor) {
  Result<LaunchPlan> plan = bound->plan(std::vector<uint64_t>{0x1000, 0x5000, 0x6000});
  ASSERT_TRUE(plan) << plan.status().message();
  uint64_t pointer;
  std::memcpy(&pointer, plan->params.data() + kernel->artifact().params[2].offset, sizeof(pointer));
  EXPECT_EQ(pointer, 0x6000u);
  EXPECT_EQ(plan->params.size(), kernel->artifact().paramBytes);
  EXPECT_EQ(plan->ctas, (std::array<uint32_t, 3>{4, 1, 1}));
  ASSERT_TRUE(launch()); // leaves the plan alone
  std::memcpy(&pointer, plan->params.data() + kernel->artifact().params[2].offset, sizeof(pointer));
  EXPECT_EQ(pointer, 0x6000u);
  EXPECT_EQ(device.recorder.launches, 1);
}

TEST_F(BoundLaunchTest, AnEmptyGridLaunchesNothing) {
  bind(0);
  ASSERT_TRUE(launch());
  EXPECT_EQ(device.recorder.launches, 0);
  Result<LaunchPlan> plan = bound->plan({});
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->ctas, (std::array<uint32_t, 3>{}));
}

TEST_F(BoundLaunchTest, OtherTileSizesThatDoNotCoverAGridAreNotBound) {
  KernelArtifact retiled = artifact();
  retiled.launch.retiled.zeros = {"g0 - 4"};
  auto built = Kernel::build(device, [&](TargetKind) -> Result<KernelArtifact> { return retiled; },
                             {tensorValue(0, {INT64_MIN, INT64_MIN}), tensorValue(0, {INT64_MIN, INT64_MIN}),
                              tensorValue(0, {}), integerValue(0)});
  ASSERT_TRUE(built) << built.status().message();
  (*built)->fallBackOn(device, []() -> Result<KernelArtifact> { return artifact(); });
  bound.reset();
  kernel = std::move(*built);
  bind(200);
  EXPECT_EQ(&bound->kernel(), kernel.get());
  bind(100); // two programs
  EXPECT_NE(&bound->kernel(), kernel.get());
  ASSERT_TRUE(launch());
  EXPECT_EQ(device.recorder.grid[0], 2u);
}
