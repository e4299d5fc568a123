// The fixture of tests that run on each of: the emulator under its schedules, and the first GPU.
#pragma once

#include "tests/conformance/Program.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>

namespace tawa::conformance {

class PlaceTest : public testing::TestWithParam<Place> {
protected:
  /// Skips the test where the device is not present.
  void SetUp() override {
    std::string why;
    runtime = openPlace(GetParam(), why);
    if (!runtime)
      GTEST_SKIP() << GetParam().device << ": " << why;
  }

  std::optional<Runtime> runtime;
};

} // namespace tawa::conformance
