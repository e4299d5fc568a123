#include "runtime/device/cuda/Driver.h"
#include "runtime/device/Registry.h"

#include <cstdlib>
#include <gtest/gtest.h>

using namespace tawa;

TEST(Driver, MissingLibrarySaysWhatToDo) {
  auto driver = cuda::Driver::load("libcuda-is-not-here.so.1");
  ASSERT_FALSE(driver);
  EXPECT_EQ(driver.status().code(), StatusCode::NoDevice);
  EXPECT_EQ(driver.status().message().rfind("libcuda-is-not-here.so.1 not found; use device emulator or install the "
                                            "NVIDIA driver",
                                            0),
            0u)
      << driver.status().message();
}

TEST(Driver, LibraryWithoutTheFunctionsIsTooOld) {
  auto driver = cuda::Driver::load("libm.so.6");
  ASSERT_FALSE(driver);
  EXPECT_EQ(driver.status().code(), StatusCode::NoDevice);
  EXPECT_NE(driver.status().message().find("has no cuInit"), std::string::npos) << driver.status().message();
}

// This process's driver is looked for once; the variable must stand before the first look.
class WithoutDriver : public testing::Test {
protected:
  static void SetUpTestSuite() { setenv("TAWA_CUDA_LIBRARY", "libcuda-is-not-here.so.1", 1); }
  Logger log;
};

TEST_F(WithoutDriver, EveryEntrySaysSo) {
  auto device = openDevice({"cuda:0", nullptr, {}}, log);
  ASSERT_FALSE(device);
  EXPECT_EQ(device.status().code(), StatusCode::NoDevice);
  EXPECT_NE(device.status().message().find("libcuda-is-not-here.so.1 not found"), std::string::npos);
}

TEST_F(WithoutDriver, AutoTakesTheEmulatorAndSaysWhy) {
  auto device = openDevice({"auto", nullptr, {}}, log);
  ASSERT_TRUE(device) << device.status().message();
  EXPECT_TRUE((*device)->info().isEmulator);
  EXPECT_NE((*device)->info().description.find("libcuda-is-not-here.so.1 not found"), std::string::npos);
}

TEST_F(WithoutDriver, NamesAreCheckedBeforeAnythingElse) {
  for (const char *name : {"gpu", "cuda:", "cuda:x", "cuda:-1", "cuda:1x", "CUDA:0"}) {
    auto device = openDevice({name, nullptr, {}}, log);
    ASSERT_FALSE(device) << name;
    EXPECT_EQ(device.status().code(), StatusCode::InvalidArgument) << name;
  }
}

TEST_F(WithoutDriver, EnvironmentNamesTheDeviceOnlyWhereTheCallerDoesNot) {
  setenv("TAWA_DEVICE", "emulator", 1);
  auto byEnvironment = openDevice({}, log);
  ASSERT_TRUE(byEnvironment);
  EXPECT_EQ((*byEnvironment)->info().description.find("not found"), std::string::npos);
  EXPECT_FALSE(openDevice({"cuda:0", nullptr, {}}, log));
  unsetenv("TAWA_DEVICE");
}
