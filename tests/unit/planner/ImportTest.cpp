// Import of df.machine: every field of the data, and each reason to refuse a verified description.
#include "compiler/planner/DF/Import.h"

#include <gtest/gtest.h>

namespace tawa::df {
namespace {

using mesh::Component;
using mesh::Coordinate;

/// A machine of two rows of four cores with these lines in addition.
std::string withLines(const std::string &lines) {
  return R"(df.machine @pair {clock = 2.0e9, launch = 10, message = 20, semaphore = 30} {
    %y = df.spatial_dim 2
    %x = df.spatial_dim 4
    %channel = df.spatial_dim 3
    %mat = df.mat {shape = [8, 16, 32], throughput = 4096}
    %vec = df.vec {shape = [32], throughput = 8}
    %scalar = df.scalar {latency = 3})" +
         ("\n" + lines + "\n}");
}

constexpr const char *kCores = "%cores = df.core {scaleout = (%y, %x), scalein = (%mat, %vec, %scalar, [2, 4, 1])}\n";
constexpr const char *kLocal = "%l1 = df.memory {scaleout = (%y, %x), size = 100, bandwidth = 64, latency = 4}\n";
constexpr const char *kGlobal = "%dram = df.memory {scaleout = (%channel), size = 1000, bandwidth = 18.5}\n";

std::string reasonOf(const std::string &text) {
  Result<mesh::Machine> machine = readMachine(text, "pair.mlir");
  return machine ? "" : machine.status().message();
}

bool mentions(const std::string &message, ImportReason reason) {
  return message.find(textOf(reason)) != std::string::npos;
}

TEST(Import, ReadsEveryField) {
  Result<mesh::Machine> machine = readMachine(
      withLines(
          std::string(kCores) + kLocal + kGlobal +
          "%noc = df.interconnects %cores, %l1 {map = affine_map<(d0, d1) -> (d0, (d1 * 2 + 5) mod 4)>, "
          "bandwidth = 28, hop_latency = 9, multicast = true}\n"
          "%port = df.mux %dram, %cores {map = affine_map<(d0, d1) -> ((d0 * 4 + d1) floordiv 3)>, bandwidth = 7}"),
      "pair.mlir");
  ASSERT_TRUE(machine) << machine.status().message();
  EXPECT_EQ(machine->name, "pair");
  EXPECT_EQ(machine->clock, 2e9);
  EXPECT_EQ(machine->launchCycles, 10);
  EXPECT_EQ(machine->messageCycles, 20);
  EXPECT_EQ(machine->semaphoreCycles, 30);
  ASSERT_EQ(machine->dims.size(), 3u);
  EXPECT_EQ(machine->dims[2].name, "channel");
  EXPECT_EQ(machine->dims[2].size, 3);
  EXPECT_EQ(machine->coreDims, (std::vector<int>{0, 1}));
  EXPECT_EQ(machine->cores(), 8);

  // 2 * 8 * 16 * 32 operations at 4096 per cycle: two cycles.
  EXPECT_EQ(machine->matrix->m, 8);
  EXPECT_EQ(machine->matrix->n, 16);
  EXPECT_EQ(machine->matrix->k, 32);
  EXPECT_EQ(machine->matrix->throughput, 0.5);
  EXPECT_EQ(machine->matrix->count, 2);
  EXPECT_EQ(machine->vector->width, 32);
  EXPECT_EQ(machine->vector->throughput, 0.25);
  EXPECT_EQ(machine->vector->count, 4);
  EXPECT_EQ(machine->scalar->latency, 3);

  ASSERT_EQ(machine->memories.size(), 2u);
  EXPECT_EQ(machine->memories[0].name, "l1");
  EXPECT_EQ(machine->memories[0].latency, 4);
  EXPECT_EQ(machine->memories[1].dims, (std::vector<int>{2}));
  EXPECT_EQ(machine->memories[1].bytes, 1000);
  EXPECT_EQ(machine->memories[1].bandwidth, 18.5);
  EXPECT_EQ(machine->localMemory(), 0);
  EXPECT_EQ(machine->globalMemory(), 1);

  const mesh::Network &noc = machine->networks.at(0);
  EXPECT_EQ(noc.name, "noc");
  EXPECT_TRUE(noc.from.isCores());
  EXPECT_EQ(noc.to, Component{0});
  EXPECT_EQ(noc.map, (std::vector<Coordinate>{{{{1, 0}, 0}, 1, 0}, {{{0, 2}, 5}, 1, 4}}));
  EXPECT_EQ(noc.bandwidth, 28);
  EXPECT_EQ(noc.hopLatency, 9);
  EXPECT_TRUE(noc.multicasts);

  const mesh::Mux &port = machine->muxes.at(0);
  EXPECT_TRUE(port.from.isCores());
  EXPECT_EQ(port.to, Component{1});
  EXPECT_EQ(port.map, (std::vector<Coordinate>{{{{4, 1}, 0}, 3, 0}}));
  EXPECT_EQ(port.bandwidth, 7);
}

// MLIR simplifies maps when it reads them; their values stay.
TEST(Import, MapsKeepTheirValues) {
  Result<mesh::Machine> machine = readMachine(
      withLines(
          std::string(kCores) + kLocal + kGlobal +
          "%noc = df.interconnects %cores, %cores {map = affine_map<(d0, d1) -> (d0, (d1 - 1) mod 4)>, bandwidth = 1}"),
      "pair.mlir");
  ASSERT_TRUE(machine) << machine.status().message();
  const mesh::Coordinate &left = machine->networks.at(0).map.at(1);
  EXPECT_EQ(left.at(std::vector<int64_t>{1, 0}), 3);
  EXPECT_EQ(left.at(std::vector<int64_t>{1, 3}), 2);
}

TEST(Import, NamesThePlaceOfAMapThatDoesNotFit) {
  std::string reason = reasonOf(
      withLines(std::string(kCores) + kLocal + kGlobal +
                "%port = df.mux %dram, %cores {map = affine_map<(d0, d1) -> (d1 floordiv 2 + d0)>, bandwidth = 1}"));
  EXPECT_TRUE(mentions(reason, ImportReason::MapForm)) << reason;
  EXPECT_NE(reason.find("pair.mlir:11:9: error: 'df.mux' "), std::string::npos) << reason;
}

TEST(Import, RefusesUnitsThatTheModelHasNoPlaceFor) {
  std::string two = "%other = df.mat {shape = [4, 4, 4], throughput = 1}\n"
                    "%cores = df.core {scaleout = (%y, %x), scalein = (%mat, %other)}\n";
  EXPECT_TRUE(mentions(reasonOf(withLines(two + kLocal + kGlobal)), ImportReason::RepeatedUnit));
  std::string scalars = "%cores = df.core {scaleout = (%y, %x), scalein = (%scalar, [2])}\n";
  EXPECT_TRUE(mentions(reasonOf(withLines(scalars + kLocal + kGlobal)), ImportReason::ScalarCount));
}

TEST(Import, NeedsMemories) {
  EXPECT_TRUE(mentions(reasonOf(withLines(std::string(kCores) + kGlobal)), ImportReason::NoLocalMemory));
  EXPECT_TRUE(mentions(reasonOf(withLines(std::string(kCores) + kLocal)), ImportReason::NoGlobalMemory));
}

TEST(Import, RefusesArraysThatAreTooLarge) {
  auto wide = [](const std::string &size) {
    return withLines("%wide = df.spatial_dim " + size +
                     "\n%cores = df.core {scaleout = (%y, %wide), scalein = (%mat)}\n" +
                     "%l1 = df.memory {scaleout = (%y, %wide), size = 100, bandwidth = 64}\n" + kGlobal);
  };
  EXPECT_EQ(reasonOf(wide("50000")), "");
  EXPECT_TRUE(mentions(reasonOf(wide("50001")), ImportReason::TooLarge));
  EXPECT_TRUE(mentions(reasonOf(wide("9223372036854775807")), ImportReason::TooLarge));
}

TEST(Import, TakesOneMachine) {
  EXPECT_EQ(reasonOf(""), "pair.mlir: holds 0 df.machine operations, not one");
  EXPECT_NE(reasonOf("df.machine @a {clock = 0} {}").find("pair.mlir:1:1: "), std::string::npos);
}

} // namespace
} // namespace tawa::df
