// Times of the simulator, computed by hand; contention; determinism; its own speed.
#include "runtime/mesh/simulator/Simulator.h"

#include "runtime/mesh/core/LowerPlan.h"
#include "tests/unit/mesh/GemmPlans.h"

#include <gtest/gtest.h>

#include <chrono>

namespace tawa::mesh {
namespace {

using namespace examples;

/// Cores in one row with a ring to the right, one DRAM channel at core 0 (and 1). Bytes per cycle: DRAM 16, its
/// connections 32, links 32, ports 64. Cycles: DRAM 200, hop 9, port 4.
class ByHand : public testing::Test {
protected:
  static Machine line(int64_t cores) {
    Machine machine = grid(1, cores);
    machine.dims[2].size = 1;
    machine.memories[1].bandwidth = 16;
    machine.networks = {machine.networks[0]};
    machine.networks[0].bandwidth = 32;
    machine.muxes[0].bandwidth = 32;
    machine.muxes[0].map = {{{{0, 1}, 0}, 2, 0}}; // cores 0 and 1
    machine.launchCycles = machine.messageCycles = machine.semaphoreCycles = 0;
    return machine;
  }

  /// A program with one buffer of two tiles of 4096 bytes (two pages), and these operations of the reader.
  static CoreProgram reader(int64_t cores, std::vector<Operation> operations) {
    CoreProgram program;
    program.name = "by hand";
    program.variables = {"y", "x"};
    program.coordinates = {1, cores};
    program.tensors = {{"a", {64, 64}, {64, 1}, ElementType::F16}};
    program.buffers = {{"a", 4096, 2}};
    program.semaphores = {"s"};
    program.threads[0] = std::move(operations);
    return program;
  }
  /// A block of the tensor: a page of 2048 bytes, or two.
  static Read page(int64_t rows = 32) { return {0, {}, {0, {rows, 32}, {Affine{}, Affine{}}, 0}, {}, 0}; }
  static Barrier reads() { return {Barrier::Kind::Reads, 0, {}}; }
  static Barrier writes() { return {Barrier::Kind::Writes, 0, {}}; }
  static If at(int64_t x, std::vector<Operation> body) { return {{Guard{{{0, 1}, -x}, 1, false}}, std::move(body)}; }
  static Forward multicast() { return {0, {}, {Destination::Reach::Line, 1, {}, 0}, 0}; }
  static Forward toNext() {
    return {0, {}, {Destination::Reach::Core, -1, {{{{1, 0}, 0}}, {{{0, 1}, 1}, 1, 4}}, 0}, 0};
  }

  static double cycles(int64_t cores, std::vector<Operation> operations) {
    SimulationResult result = simulate(reader(cores, std::move(operations)), line(cores));
    EXPECT_TRUE(result.isFinished()) << result.detail;
    return result.cycles;
  }
};

TEST_F(ByHand, OneReadAtItsOwnChannel) {
  // The channel sends for 2048 / 16 = 128 cycles, 200 after the request; faster stages pass that on; the port adds 4.
  EXPECT_EQ(cycles(2, {{at(0, {{page()}, {reads()}})}}), 200 + 128 + 4);
}

TEST_F(ByHand, TwoReadsOfOneChannelTakeTurns) {
  std::vector<Operation> both = {{page()}, {reads()}};
  EXPECT_EQ(cycles(2, both), 200 + 2 * 128 + 4) << "cores 0 and 1";
  EXPECT_EQ(cycles(2, {{at(0, {{page(64)}, {reads()}})}}), 200 + 2 * 128 + 4) << "two pages of one core";
}

TEST_F(ByHand, AReadOverTwoHops) {
  // Core 3 is two hops after core 1, the request goes round the ring: two hops from 3 to 1.
  EXPECT_EQ(cycles(4, {{at(3, {{page()}, {reads()}})}}), 2 * 9 + 200 + 128 + 2 * 9 + 4);
}

TEST_F(ByHand, AReadWhereNoLinksLeadIsDirect) {
  Machine machine = line(4);
  machine.networks.clear();
  CoreProgram program = reader(4, {{at(3, {{page()}, {reads()}})}});
  EXPECT_EQ(simulate(program, machine).cycles, 200 + 128 + 4);
}

TEST_F(ByHand, ASendToTheNextCore) {
  // Out through the port (4, and 4096 / 64 = 64 cycles), a link (9, and 4096 / 32 = 128), in (4); the acknowledgement
  // comes back over the three other hops of the ring.
  EXPECT_EQ(cycles(4, {{at(0, {{toNext()}, {writes()}})}}), 4 + 128 + 9 + 4 + 3 * 9);
}

TEST_F(ByHand, AMulticastPassesOnWhileItArrives) {
  // The last of three receivers has its last byte two hops after the first; the first one's acknowledgement has the
  // longest way and counts from then.
  EXPECT_EQ(cycles(4, {{at(0, {{multicast()}, {writes()}})}}), 4 + 128 + 3 * 9 + 4 + 3 * 9);
}

TEST_F(ByHand, ANetworkWithoutMulticastSendsToEachReceiver) {
  Machine machine = line(4);
  machine.networks[0].multicasts = false;
  machine.messageCycles = 40;
  CoreProgram program = reader(4, {{at(0, {{multicast()}, {writes()}})}});
  SimulationResult result = simulate(program, machine);
  // All three packets leave after 40 cycles and share the first link, the last one three hops from its receiver.
  EXPECT_EQ(result.cycles, 40 + 4 + 3 * 128 + 3 * 9 + 4 + 3 * 9);
  int64_t bytes = 0;
  for (const ResourceUse &use : result.resources)
    bytes += use.kind == ResourceUse::Kind::Link ? use.bytes : 0;
  EXPECT_EQ(bytes, (3 + 2 + 1) * 4096);
}

TEST_F(ByHand, SendsThatShareALinkTakeTurns) {
  // Core 0 multicasts to all, core 1 to all: the links after core 1 carry both.
  double one = cycles(4, {{at(0, {{multicast()}, {writes()}})}});
  double both = cycles(4, {{at(0, {{multicast()}, {writes()}})}, {at(1, {{multicast()}, {writes()}})}});
  EXPECT_GE(both, one + 128 - 9);
  EXPECT_LE(both, one + 128 + 9);
}

TEST_F(ByHand, SignalsArriveAfterWhatWasSentBefore) {
  Signal signal{0, multicast().to};
  std::vector<Operation> program = {{at(0, {{multicast()}, {signal}})}, {at(3, {{SemaphoreWait{0, 1}}})}};
  // The 32 bytes of the signal follow the 4096: one more cycle on a link, half a cycle through the port.
  EXPECT_EQ(cycles(4, program), 4 + 128 + 1 + 3 * 9 + 4);
}

TEST_F(ByHand, IssueLaunchAndSignalsCost) {
  Machine machine = line(2);
  machine.launchCycles = 1000;
  machine.messageCycles = 40;
  machine.semaphoreCycles = 20;
  Signal signal{0, {Destination::Reach::Core, -1, {{{{1, 0}, 0}}, {{{0, 0}, 1}}}, -1}};
  CoreProgram program = reader(2, {{at(0, {{signal}})}, {at(1, {{SemaphoreWait{0, 1}}, {page()}, {reads()}})}});
  EXPECT_EQ(simulate(program, machine).cycles, 1000 + (40 + 9 + 20) + (40 + 200 + 128 + 4));
}

TEST_F(ByHand, ComputeTakesItsUnits) {
  Machine machine = line(1);
  CoreProgram program = reader(1, {});
  Compute compute;
  auto add = [&](Unit unit, std::vector<int> operands) {
    TileOperator op{"op", unit, 64, 64, 32, 320, std::move(operands)};
    compute.operators.push_back({op, static_cast<int>(compute.operators.size())});
  };
  // 4 instructions of 64 cycles; 10 instructions of one; 30 to start each.
  add(Unit::Matrix, {});
  program.threads[1] = {{compute}};
  EXPECT_EQ(simulate(program, machine).cycles, 30 + 4 * 64);
  add(Unit::Vector, {});
  program.threads[1] = {{compute}};
  EXPECT_EQ(simulate(program, machine).cycles, 30 + 4 * 64) << "another unit, independent";
  add(Unit::Vector, {0});
  program.threads[1] = {{compute}};
  EXPECT_EQ(simulate(program, machine).cycles, 30 + 4 * 64 + 30 + 10) << "after its operand";
}

TEST_F(ByHand, LimitOfOutstandingPacketsDelaysTheNextTransfer) {
  CoreProgram program = reader(2, {{at(0, {{page()}, {page()}, {reads()}})}});
  SimulatorOptions options;
  EXPECT_EQ(simulate(program, line(2), options).cycles, 200 + 2 * 128 + 4);
  options.outstandingPackets = 1;
  SimulationResult result = simulate(program, line(2), options);
  EXPECT_EQ(result.cycles, 2 * (200 + 128 + 4));
  EXPECT_EQ(result.cores[0][0].stalls[static_cast<int>(StallCause::Outstanding)], 200 + 128 + 4);
  EXPECT_EQ(result.cores[0][0].stalls[static_cast<int>(StallCause::Transfers)], 200 + 128 + 4);
}

bool operator==(const ResourceUse &a, const ResourceUse &b) {
  return a.kind == b.kind && a.from == b.from && a.busy == b.busy && a.bytes == b.bytes;
}

TEST(SimulatorTest, IsDeterministicAndConservesBytes) {
  TileProgram program = gemm({.m = 1024, .n = 512, .k = 256});
  Machine machine = grid(4, 2);
  Plan plan = planOverBoth(shared(Movement::Broadcast, {1}, 3), shared(Movement::Wavefront, {0}, 3));
  CoreProgram core = lowerPlan(plan, program, machine).program;
  SimulationResult once = simulate(core, machine), again = simulate(core, machine);
  EXPECT_EQ(once.cycles, again.cycles);
  EXPECT_EQ(once.events, again.events);
  ASSERT_EQ(once.resources.size(), again.resources.size());
  for (size_t i = 0; i < once.resources.size(); ++i)
    EXPECT_TRUE(once.resources[i] == again.resources[i]) << i;
  int64_t channels = 0, ports = 0;
  for (const ResourceUse &use : once.resources) {
    channels += use.kind == ResourceUse::Kind::Channel ? use.bytes : 0;
    ports += use.kind == ResourceUse::Kind::Port ? use.bytes : 0;
    EXPECT_LE(use.busy, once.cycles) << use.name;
  }
  // Waves of m, n: 2, 2; steps of k: 4. A is read by 4 cores, B by 2; tiles of 16384 bytes. Each tile of A goes out of
  // one port and into two, one of B out of 3 and into 4; results of 32768 bytes go out.
  int64_t steps = 16, results = int64_t(32) * 32768, signals = steps * (4 * 2 + 2 * 6) * 32;
  EXPECT_EQ(once.bytesRead, steps * (4 + 2) * 16384);
  EXPECT_EQ(once.bytesWritten, results);
  EXPECT_EQ(channels, once.bytesRead + once.bytesWritten);
  EXPECT_EQ(ports, steps * (4 * 3 + 2 * 7) * 16384 + results + signals);
}

TEST(SimulatorTest, SimulatesALargeProductInSeconds) {
  TileProgram program = gemm({.m = 4096, .n = 4096, .k = 4096});
  Machine machine = grid(8, 8);
  struct Case {
    const char *name;
    Plan plan;
  };
  for (const Case &made :
       {Case{"broadcasts", planOverBoth(shared(Movement::Broadcast, {1}, 3), shared(Movement::Broadcast, {0}, 3))},
        {"per core", planOverBoth(perCore(3), perCore(3))}}) {
    CoreProgram core = lowerPlan(made.plan, program, machine).program;
    auto start = std::chrono::steady_clock::now();
    SimulationResult result = simulate(core, machine);
    double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    std::printf("4096^3 on 8x8, %s: %.0f cycles, %lld events, %.2f s\n", made.name, result.cycles,
                static_cast<long long>(result.events), seconds);
    ASSERT_TRUE(result.isFinished());
    // 16 programs of 64 steps of 32 instructions of 64 cycles, each operator started in 30.
    EXPECT_GE(result.cycles, 16 * 64 * (32 * 64 + 30));
    EXPECT_LT(seconds, 30);
  }
}

} // namespace
} // namespace tawa::mesh
