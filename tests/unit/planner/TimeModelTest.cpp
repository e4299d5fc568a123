#include "compiler/planner/model/TimeModel.h"
#include "tests/unit/planner/Machines.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

namespace tawa::mesh::planner {
namespace {

constexpr int kY = 0, kX = 1;

/// A product under a mapping with one choice for each load.
struct Case {
  Case(TileProgram tiles, Machine description, Mapping split)
      : program(std::move(tiles)), machine(std::move(description)), mapping(std::move(split)),
        model(*MachineModel::of(machine)), share(mapping, program, machine, model.cores),
        lengths(mapping, program, share, model), work(measureWork(program.body, program, machine)),
        view{mapping, program, share, model, lengths, lengths.busiest(work)} {}

  LoadCost load(int number, Movement movement, std::vector<int> along, int level) const {
    auto place = program.loads()[number];
    std::vector<NestLoop> nest = nestOf(mapping, share, program, place);
    Reuse reuse = analyzeReuse(place.step->access, nest, mapping, share, machine);
    Level at = levelAt(level, nest, reuse, tileBytesOf(place.step->access, program));
    LoadPlan plan{movement, along, {}, level, at.tiles, at.bytes, at.slots};
    for (int dim : along)
      plan.networks.push_back(dim == kX ? 0 : 1);
    return costOf(plan, place.step->access, nest, view);
  }

  double cycles(const LoadCost &a, const LoadCost &b, Formula formula = Formula::Walk) const {
    const LoadCost *loads[] = {&a, &b};
    return TimeModel(mapping, view, work, formula).cycles(loads);
  }

  double sum(const Busy &busy, Resources::Kind kind) const {
    auto [begin, end] = model.resources.range(kind);
    return std::accumulate(busy.begin() + begin, busy.begin() + end, 0.0);
  }

  TileProgram program;
  Machine machine;
  Mapping mapping;
  MachineModel model;
  GridShare share;
  LoopLengths lengths;
  Work work;
  MappingView view;
};

const Mapping kPlane = {{{{kY}}, {{kX}}}, {0, 1}};

/// Transfers are issued in no time.
Machine coreWithoutMessages() {
  Machine machine = examples::grid(1, 1);
  machine.messageCycles = 0;
  return machine;
}

/// One core, one block of the output, four steps.
Case oneCore() { return Case(examples::gemm({.m = 128, .n = 128, .k = 256}), coreWithoutMessages(), kPlane); }

TileOperator product(int64_t m, int64_t n, int64_t k) {
  TileOperator op;
  op.unit = Unit::Matrix;
  op.m = m, op.n = n, op.k = k;
  return op;
}

TEST(ComputeTimeTest, InstructionsByUnit) {
  Machine machine = examples::grid(1, 1);
  TileOperator sums;
  sums.elements = 100;
  // 4 x 4 x 2 instructions of 64 cycles.
  EXPECT_EQ(cyclesOf(product(128, 128, 64), machine), 32 * 64);
  EXPECT_EQ(cyclesOf(product(33, 32, 32), machine), 2 * 64);
  EXPECT_EQ(cyclesOf(sums, machine), 4);
  machine.vector->count = 3;
  EXPECT_EQ(cyclesOf(sums, machine), 2);
  machine.matrix.reset();
  EXPECT_EQ(cyclesOf(product(4, 4, 6), machine), 1);
}

/// Softmax needs the scores, and the second product softmax: nothing overlaps.
TEST(ComputeTimeTest, DependentOperatorsFollowEachOther) {
  Machine machine = examples::grid(1, 1);
  TileProgram program = examples::attention({.heads = 1, .queries = 128, .keys = 256});
  double scores = 4 * 4 * 2 * 64, softmax = 4 * 128 * 128 / 32, output = 4 * 2 * 4 * 64;
  EXPECT_EQ(totalCycles(measureWork(program.body, program, machine)), 2 * (scores + softmax + output));
  // Without the dependence softmax runs beside the products.
  program.body[1].body[2].op.operands = {};
  program.body[1].body[4].op.operands = {3};
  EXPECT_EQ(totalCycles(measureWork(program.body, program, machine)), 2 * (scores + output));
}

TEST(TimeModelTest, OneCoreByHand) {
  Case one = oneCore();
  LoadCost a = one.load(0, Movement::PerCore, {}, 3), b = one.load(1, Movement::PerCore, {}, 3);
  const double port = 18, tile = 128 * 64 * 2, latency = 200 + 4;
  double load = latency + 2 * tile / port, compute = 2048, copy = 2 * tile / 64, launch = 1000;
  double store = latency + 2 * tile / port;
  ASSERT_GT(compute, load);
  double pipeline = load + compute + 3 * compute + copy + store;
  double portBusy = (4 * 2 * tile + 2 * tile) / port;
  double expected = launch + std::pow(std::pow(pipeline, 8) + std::pow(portBusy, 8), 1.0 / 8);
  EXPECT_NEAR(one.cycles(a, b), expected, 1);
  // The paper's: two steady iterations of four, and the waves around them as pipelines of one iteration.
  double loop = 2 * compute + load + compute;
  EXPECT_NEAR(one.cycles(a, b, Formula::Paper), launch + loop + copy + store, 1);
}

double softMax(double a, double b) { return std::pow(std::pow(a, 8) + std::pow(b, 8), 1.0 / 8); }

constexpr double kPort = 18, kTile = 128 * 64 * 2, kLatency = 204, kCompute = 2048, kCopy = 512, kLaunch = 1000;
constexpr double kFetch = kTile / kPort; ///< Of one tile by one core.
constexpr double kStore = kLatency + 2 * kTile / kPort;

/// Nothing but the way to the memory is slow: each step waits for it.
TEST(TimeModelTest, LatencySetsThePaceOfShortSteps) {
  Machine machine = coreWithoutMessages();
  machine.memories[1].latency += 5000;
  Case far(oneCore().program, machine, kPlane);
  double load = 5000 + kLatency + 2 * kFetch, pipeline = 4 * load + kCompute + kCopy + 5000 + kStore;
  LoadCost a = far.load(0, Movement::PerCore, {}, 3), b = far.load(1, Movement::PerCore, {}, 3);
  EXPECT_NEAR(far.cycles(a, b), kLaunch + softMax(pipeline, 10 * kFetch), 1);
  const LoadCost *loads[] = {&a, &b};
  EXPECT_EQ(TimeModel(far.mapping, far.view, far.work).estimate(loads).bound, "latency");
}

/// Two waves of m: A is fetched once in each, before the steps that load B. Of the second fetch, what the loading
/// thread was ahead is hidden: two steps of B, and the copy of the result.
TEST(TimeModelTest, AHoistedFetchDelaysTheNextWave) {
  Case c(examples::gemm({.m = 256, .n = 128, .k = 256}), coreWithoutMessages(), kPlane);
  double strip = kLatency + 4 * kFetch, step = kLatency + kFetch, lead = 2 * (kCompute - step) + kCopy;
  double first = strip + step + 4 * kCompute + kCopy, second = 4 * kCompute + kCopy + strip - lead;
  double busy = (8 + 8 + 4) * kFetch;
  EXPECT_NEAR(c.cycles(c.load(0, Movement::PerCore, {}, 1), c.load(1, Movement::PerCore, {}, 3)),
              kLaunch + softMax(first + second + kStore, busy), 1);
}

/// Everything is fetched before the loop: A as a whole, then B tile by tile beside the computation.
TEST(TimeModelTest, TheLastLoadIsUsedAsItArrives) {
  Case one = oneCore();
  double first = kLatency + (4 + 1) * kFetch, compute = 4 * kCompute + kCopy;
  EXPECT_NEAR(one.cycles(one.load(0, Movement::PerCore, {}, 0), one.load(1, Movement::PerCore, {}, 0)),
              kLaunch + softMax(first + compute + kStore, 10 * kFetch), 1);
}

TEST(TimeModelTest, SlowMemorySetsThePace) {
  Case one = oneCore(), slow = oneCore();
  slow.machine.memories[1].bandwidth = 4.5;
  Case quarter(slow.program, slow.machine, kPlane);
  auto cyclesOf = [](const Case &c) {
    return c.cycles(c.load(0, Movement::PerCore, {}, 3), c.load(1, Movement::PerCore, {}, 3));
  };
  EXPECT_GT(cyclesOf(quarter), 2.5 * cyclesOf(one));
  const LoadCost a = quarter.load(0, Movement::PerCore, {}, 3), b = quarter.load(1, Movement::PerCore, {}, 3);
  const LoadCost *loads[] = {&a, &b};
  EXPECT_EQ(TimeModel(quarter.mapping, quarter.view, quarter.work).estimate(loads).bound, "dram");
}

/// All of a row's cores read for themselves, or one for all: bytes of memory and of links by hand.
TEST(TrafficTest, ABroadcastTradesPortsForLinks) {
  Case c(examples::gemm({.m = 256, .n = 512, .k = 256}), examples::withoutNetworks(examples::grid(2, 4)), kPlane);
  Case linked(c.program, examples::grid(2, 4), kPlane);
  const double tile = 128 * 64 * 2, steps = 4;
  LoadCost own = c.load(0, Movement::PerCore, {}, 3), shared = linked.load(0, Movement::Broadcast, {kX}, 3);
  EXPECT_NEAR(c.sum(own.busy, Resources::Kind::Port), 8 * steps * tile / 18, 1);
  EXPECT_NEAR(linked.sum(shared.busy, Resources::Kind::Port), 2 * steps * tile / 18, 1);
  EXPECT_EQ(c.sum(own.busy, Resources::Kind::Link), 0);
  // Three links in each of two rows carry each tile.
  auto [begin, end] = linked.model.resources.range(Resources::Kind::Link);
  double row = linked.sum(shared.busy, Resources::Kind::Link);
  LoadCost column = linked.load(0, Movement::PerCore, {}, 3);
  EXPECT_NEAR(row - linked.sum(column.busy, Resources::Kind::Link) / 4, 6 * steps * tile / 28, 0.15 * row);
  EXPECT_GT(shared.handshake, tile / 28);
  EXPECT_LT(begin, end);
}

/// Each of eight cores reads its tile in blocks of 2 KB, half of them from each of two ports; four read the same.
TEST(TrafficTest, BlocksAreSpreadAtRandom) {
  Case c(examples::gemm({.m = 256, .n = 512, .k = 256}), examples::withoutNetworks(examples::grid(2, 4)), kPlane);
  LoadCost load = c.load(0, Movement::PerCore, {}, 3);
  double average = 8 * kTile / 2 / kPort, block = 2048 / kPort;
  EXPECT_NEAR(load.busy[c.model.resources.port(0)] / load.issues, average, 1);
  EXPECT_NEAR(load.variance[c.model.resources.port(0)], average * block * 0.5 * 4, 10);
  EXPECT_EQ(load.variance[c.model.resources.local(0)], 0);
}

TEST(TrafficTest, AChainPaysEachHop) {
  Case c(examples::gemm({.m = 256, .n = 512, .k = 256}), examples::grid(2, 4), kPlane);
  LoadCost broadcast = c.load(0, Movement::Broadcast, {kX}, 3), chain = c.load(0, Movement::Wavefront, {kX}, 3);
  ASSERT_EQ(chain.stages.size(), 1u);
  EXPECT_EQ(chain.stages[0].hops, 3);
  EXPECT_NEAR(chain.stages[0].transfer, kTile / 28.0, 1e-6);
  EXPECT_EQ(broadcast.stages[0].isChain, false);
  EXPECT_EQ(chain.stages[0].isChain, true);
}

/// A line of which only two cores have work is not waited for to its end.
TEST(TrafficTest, CoresWithoutWorkAreNotWaitedFor) {
  Case c(examples::gemm({.m = 256, .n = 256, .k = 256}), examples::grid(2, 4), kPlane);
  EXPECT_EQ(c.load(0, Movement::Wavefront, {kX}, 3).stages[0].hops, 1);
}

TEST(TrafficTest, HoistingAvoidsRepeatedFetches) {
  Case c(examples::gemm({.m = 512, .n = 2048, .k = 256}), examples::grid(2, 4), kPlane);
  // Waves: two of m, four of n. A is fetched again for each n, unless it is hoisted out of that loop.
  LoadCost inner = c.load(0, Movement::PerCore, {}, 3), strip = c.load(0, Movement::PerCore, {}, 1);
  EXPECT_NEAR(c.sum(inner.busy, Resources::Kind::Port), 4 * c.sum(strip.busy, Resources::Kind::Port), 1);
}

TEST(TrafficTest, IdleCoresLoadNothing) {
  TileProgram whole = examples::gemm({.m = 256, .n = 512, .k = 256});
  TileProgram ragged = examples::gemm({.m = 256, .n = 384, .k = 256});
  Case all(whole, examples::grid(2, 4), kPlane), few(ragged, examples::grid(2, 4), kPlane);
  LoadCost a = all.load(0, Movement::PerCore, {}, 3), b = few.load(0, Movement::PerCore, {}, 3);
  EXPECT_NEAR(few.sum(b.busy, Resources::Kind::Port), 0.75 * all.sum(a.busy, Resources::Kind::Port), 1);
}

/// A core that receives A and sends B on does one after the other, once: in later steps it is late by as much.
TEST(TimelineTest, BroadcastsAlongTwoDimensionsAddUpOnce) {
  auto cyclesOf = [](double semaphore, Movement ofB, std::vector<int> along) {
    Machine machine = examples::grid(4, 4);
    machine.semaphoreCycles = semaphore;
    machine.memories[1].bandwidth = 1000;
    Case c(examples::gemm({.m = 512, .n = 512, .k = 64 * 32}), machine, kPlane);
    return c.cycles(c.load(0, Movement::Broadcast, {kX}, 3), c.load(1, ofB, std::move(along), 3));
  };
  auto addedBy = [&](Movement ofB, const std::vector<int> &along) {
    return cyclesOf(4000, ofB, along) - cyclesOf(2000, ofB, along);
  };
  // For each step: that there is room, and that the tile is there.
  EXPECT_NEAR(addedBy(Movement::PerCore, {}), 32 * 2 * 2000, 100);
  EXPECT_NEAR(addedBy(Movement::Broadcast, {kY}), (32 * 2 + 1) * 2000, 100);
}

/// Iterations that repeat themselves are not walked, which changes nothing: the time grows evenly.
TEST(TimelineTest, LongLoopsGrowByTheirPace) {
  auto cyclesOf = [](int64_t steps) {
    Case c(examples::gemm({.m = 1024, .n = 1024, .k = 64 * steps}), examples::grid(2, 4), kPlane);
    return c.cycles(c.load(0, Movement::Broadcast, {kX}, 3), c.load(1, Movement::PerCore, {}, 3));
  };
  double first = cyclesOf(64), second = cyclesOf(128), third = cyclesOf(192);
  EXPECT_NEAR(third - second, second - first, 0.01 * first);
  EXPECT_GT(second, 1.9 * (first - kLaunch));
}

/// Of a strip that is fetched whole, the first tiles are used before the last ones arrive.
TEST(TimelineTest, TilesAreUsedAsTheyArrive) {
  Machine machine = examples::grid(1, 1);
  machine.memories[1].bandwidth = 4.5;
  Case c(examples::gemm({.m = 128, .n = 128, .k = 64 * 8}), machine, kPlane);
  LoadCost a = c.load(0, Movement::PerCore, {}, 0), b = c.load(1, Movement::PerCore, {}, 0);
  double fetch = 16 * kTile / 4.5, compute = 8 * kCompute;
  EXPECT_LT(c.cycles(a, b), kLaunch + fetch + compute);
}

/// The links of a row carry the broadcast of A before what each core reads of B, all of which was asked for earlier. It
/// would take less time over links of its own.
TEST(TimelineTest, ReadsWaitForTilesThatAreSentOverTheirLinks) {
  Machine machine = examples::grid(1, 8);
  machine.networks[0].bandwidth = 4;
  machine.matrix->throughput /= 4;
  Case c(examples::gemm({.m = 128, .n = 1024, .k = 64 * 3}), machine, kPlane);
  LoadCost a = c.load(0, Movement::Broadcast, {kX}, 0), b = c.load(1, Movement::PerCore, {}, 0), apart = a;
  auto [begin, end] = c.model.resources.range(Resources::Kind::Link);
  for (size_t link = begin; link < end; ++link) {
    apart.busy[link] -= a.sent[link];
    apart.sent[link] = 0;
  }
  double sent = 3 * kTile / 4;
  EXPECT_GT(c.cycles(a, b) - c.cycles(apart, b), 0.5 * sent);
}

/// Every plan of a partial choice costs at least its bound, which the search relies on.
TEST(TimeModelTest, MissingLoadsGiveALowerBound) {
  Case c(examples::gemm({.m = 1024, .n = 1024, .k = 256}), examples::grid(2, 4), kPlane);
  TimeModel time(c.mapping, c.view, c.work);
  for (int levelOfA : {0, 1, 3})
    for (int levelOfB : {0, 2, 3})
      for (Movement movement : {Movement::PerCore, Movement::Broadcast, Movement::Wavefront}) {
        auto along = [&](int dim) { return movement == Movement::PerCore ? std::vector<int>{} : std::vector{dim}; };
        LoadCost a = c.load(0, movement, along(kX), levelOfA), b = c.load(1, movement, along(kY), levelOfB);
        const LoadCost *both[] = {&a, &b}, *first[] = {&a, nullptr}, *second[] = {nullptr, &b};
        EXPECT_LE(time.bound(first), time.cycles(both));
        EXPECT_LE(time.bound(second), time.cycles(both));
        EXPECT_LE(time.bound(both), time.cycles(both));
      }
}

/// 8 x 2 tiles on 4 x 2 cores: a loop of 2 m + 2 iterations.
Case triangle(bool turns) {
  TileProgram program = examples::gemm({.m = 1024, .n = 256, .k = 1024});
  program.indices[2].trips = TripCount{{{2, 0}, 2}, 1, 16};
  Mapping mapping = kPlane;
  mapping.splits[0].turns = turns;
  Machine machine = examples::grid(4, 2);
  machine.memories[1].bandwidth = machine.muxes[0].bandwidth = 1e5;
  for (Network &network : machine.networks)
    network.bandwidth = 1e5;
  return Case(program, machine, mapping);
}

TEST(LoopLengthsTest, AreThoseOfTheCoresPrograms) {
  for (bool turns : {false, true}) {
    Case c = triangle(turns);
    Plan plan;
    plan.splits = c.mapping.splits;
    plan.waves = c.mapping.waves;
    std::vector<int64_t> iterations = plan.iterationsOf(2, c.program, c.machine);
    for (int64_t core = 0; core < 8; ++core)
      EXPECT_EQ(c.lengths.mean(2, core, {}), static_cast<double>(iterations[core]) / 2);
    EXPECT_EQ(c.lengths.most(2, 7, {}), turns ? 10 : 16);
    EXPECT_EQ(c.lengths.at(2, 6, {}, std::vector<int64_t>{1, 0}), turns ? 10 : 16);
    // Cores of a column stay together until the last has ended.
    int along[] = {kY};
    EXPECT_EQ(c.lengths.at(2, 0, along, std::vector<int64_t>{0, 0}), 8);
    EXPECT_EQ(c.lengths.mean(2, 0, along), 12);
    EXPECT_EQ(c.view.busiest, 7);
  }
}

/// Cores without broadcasts between them gain what the one with most work has less.
TEST(TimeModelTest, TurnedWavesTakeTheTimeOfTheMeanCore) {
  Case plain = triangle(false), turned = triangle(true);
  auto cyclesOf = [](const Case &c, Movement movement) {
    std::vector<int> along = movement == Movement::PerCore ? std::vector<int>{} : std::vector{kY};
    return c.cycles(c.load(0, Movement::PerCore, {}, 3), c.load(1, movement, along, 3));
  };
  double compute = 16.0 * 128 * 128 * 64 / 32 / 32 / 32 * 64; // of the longest program
  EXPECT_GT(cyclesOf(plain, Movement::PerCore), compute * 24 / 16);
  EXPECT_GT(cyclesOf(turned, Movement::PerCore), compute * 18 / 16);
  EXPECT_LT(cyclesOf(turned, Movement::PerCore), 0.85 * cyclesOf(plain, Movement::PerCore));
  EXPECT_GT(cyclesOf(turned, Movement::Broadcast), 0.95 * cyclesOf(plain, Movement::Broadcast));
}

TEST(MachineModelTest, RefusesMachinesWithoutMemories) {
  Machine machine = examples::grid(2, 2), noMux = machine;
  machine.memories.resize(1);
  EXPECT_EQ(MachineModel::of(machine).status().code(), StatusCode::Unsupported);
  noMux.muxes.clear();
  EXPECT_EQ(MachineModel::of(noMux).status().code(), StatusCode::Unsupported);
  machine.memories.clear();
  EXPECT_EQ(MachineModel::of(machine).status().code(), StatusCode::Unsupported);
}

} // namespace
} // namespace tawa::mesh::planner
