// Preparation of a device before a launch is measured.
#include "runtime/tuner/trial/Measurement.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

using namespace tawa;

namespace {

/// Writes down what it is asked for. A launch takes a given time, by its own account.
class Witness final : public Device {
public:
  explicit Witness(double milliseconds) : milliseconds(milliseconds) {}
  std::vector<std::string> calls;
  std::vector<double> late; ///< Milliseconds of the next measurements, for which the host is late.

  TargetKind target() const override { return TargetKind::Ptx; }
  Result<uint64_t> allocate(size_t size) override { return note("allocate", size), uint64_t{kBase}; }
  Status free(uint64_t) override { return note("free", 0), Status::ok(); }
  Status registerHost(uint64_t, size_t) override { return Status::ok(); }
  Status unregisterHost(uint64_t) override { return Status::ok(); }
  Status copyTo(uint64_t, const void *, size_t) override { return Status::ok(); }
  Status copyFrom(void *, uint64_t, size_t) override { return Status::ok(); }
  Status fill(uint64_t address, uint8_t, size_t size) override {
    return note("fill " + offset(address), size), Status::ok();
  }
  Status copyWithin(uint64_t to, uint64_t from, size_t size) override {
    return note("copy " + offset(from) + " to " + offset(to), size), Status::ok();
  }
  Status synchronize(void *) override { return Status::ok(); }
  Status check() override { return Status::ok(); }
  Result<std::unique_ptr<LoadedKernel>> load(const KernelArtifact &) override {
    return std::unique_ptr<LoadedKernel>();
  }
  Result<std::string> cubin(const KernelArtifact &) override { return std::string(); }
  Result<DeviceTime> time(void *, const std::function<Status()> &enqueue) override {
    Status status = enqueue();
    if (!status)
      return status;
    if (late.empty())
      return DeviceTime{milliseconds, false};
    DeviceTime next{late.front(), true};
    late.erase(late.begin());
    return next;
  }

private:
  static constexpr uint64_t kBase = 1 << 20;
  static std::string offset(uint64_t address) { return std::to_string((address - kBase) >> 20); }
  void note(const std::string &what, size_t size) { calls.push_back(what + ": " + std::to_string(size >> 20)); }

  double milliseconds;
};

TEST(Measurement, L2HoldsNothingThatHasToBeWrittenBack) {
  Witness device(0.01);
  {
    Result<Measurement> measurement = Measurement::create(device, 5 << 20, {});
    ASSERT_TRUE(measurement.isOk());
    Result<double> seconds = measurement->time(0, [&] { return device.calls.push_back("launch"), Status::ok(); });
    ASSERT_TRUE(seconds.isOk());
    EXPECT_DOUBLE_EQ(*seconds, 1e-5 / 2); // of two launches
  }
  EXPECT_EQ(device.calls,
            (std::vector<std::string>{"allocate: 14", "fill 0: 14", "fill 0: 14", "fill 0: 14", "fill 0: 14",
                                      "fill 0: 14", "fill 0: 14", "copy 4 to 0: 4", "copy 8 to 0: 4", "copy 12 to 0: 2",
                                      "launch", "launch", "free: 0"})); // MiB; twice the 5 of L2
}

double secondsOf(Witness &device) {
  Result<Measurement> measurement = Measurement::create(device, 5 << 20, {});
  Result<double> seconds = measurement->time(0, [] { return Status::ok(); });
  return seconds ? *seconds : -1;
}

TEST(Measurement, TimesThatIncludeWaitsForTheHostAreTakenAgain) {
  Witness device(0.01);
  device.late = {0.04, 0.005}; // also one that is shorter than the right one
  EXPECT_DOUBLE_EQ(secondsOf(device), 1e-5 / 2);
  EXPECT_EQ(std::ranges::count(device.calls, "fill 0: 14"), 3 * 6); // each from an empty L2
}

TEST(Measurement, TheShortestCountsWhereTheHostIsAlwaysLate) {
  Witness device(0.01);
  device.late = {0.04, 0.03, 0.02, 0.05, 0.06, 0.01};
  EXPECT_DOUBLE_EQ(secondsOf(device), 2e-5 / 2);
  EXPECT_EQ(device.late.size(), 1U); // five attempts
}

TEST(Measurement, WarmLaunchesFindWhatTheOneBeforeLeft) {
  Witness device(0.01);
  Result<Measurement> measurement = Measurement::create(device, 0, {});
  ASSERT_TRUE(measurement.isOk() && measurement->time(0, [] { return Status::ok(); }).isOk());
  EXPECT_TRUE(device.calls.empty());
}

TEST(Measurement, TheDeviceRestsThreeTimesAsLongAsItWasBusy) {
  Witness device(2);
  Result<Measurement> measurement = Measurement::create(device, 0, {});
  ASSERT_TRUE(measurement.isOk());
  auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < 3; ++i)
    ASSERT_TRUE(measurement->time(0, [] { return Status::ok(); }).isOk());
  std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
  EXPECT_GE(spent.count(), 2 * 6e-3); // the first launch follows none
}

TEST(Measurement, FailuresOfLaunchesAreHandedOn) {
  Witness device(1);
  Result<Measurement> measurement = Measurement::create(device, 0, {});
  ASSERT_TRUE(measurement.isOk());
  Result<double> seconds = measurement->time(0, [] { return Status(StatusCode::Cuda, "lost"); });
  ASSERT_FALSE(seconds.isOk());
  EXPECT_EQ(seconds.status().message(), "lost");
}

} // namespace
