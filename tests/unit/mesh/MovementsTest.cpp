// Every movement with real data: products and sums are right, the bytes over DRAM are those of the plan; plans that
// claim reuse where there is none, and programs without a barrier, compute wrong results.
#include "runtime/mesh/check/ProgramCheck.h"
#include "runtime/mesh/core/LowerPlan.h"
#include "tests/unit/mesh/Computers.h"
#include "tests/unit/mesh/GemmPlans.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

namespace tawa::mesh {
namespace {

using namespace examples;

/// A run with data and what it should have led to.
struct DataRun {
  SimulationResult result;
  bool isRight = false;
};

DataRun run(const CoreProgram &core, const TileProgram &program, const Machine &machine, TileComputer &computer) {
  SimulationData data{randomTensors(program, 7), &computer}, expected = data;
  executeDirectly(program, expected);
  DataRun made;
  made.result = simulate(core, machine, {}, &data);
  made.isRight = data.tensors == expected.tensors;
  return made;
}

DataRun runGemm(const Plan &plan, const TileProgram &program, const Machine &machine) {
  Lowered lowered = lowerPlan(plan, program, machine);
  EXPECT_TRUE(lowered.isOk()) << lowered.detail;
  EXPECT_TRUE(checkProgram(lowered.program, machine).isOk());
  GemmComputer computer(program);
  return run(lowered.program, program, machine, computer);
}

struct Grid {
  int64_t rows, columns;
};

class Movements : public testing::TestWithParam<Grid> {
protected:
  Machine machine = grid(GetParam().rows, GetParam().columns);
  int64_t cores = GetParam().rows * GetParam().columns;
  /// Two waves of rows and of columns over both dimensions, three steps of k.
  TileProgram program = gemmF32(
      {.m = 16 * GetParam().rows, .n = 16 * GetParam().columns, .k = 12, .blockM = 8, .blockN = 8, .blockK = 4});
  /// Of a tile of A and of B.
  static constexpr int64_t kTile = int64_t(8) * 4 * 4;
};

TEST_P(Movements, OneDimensionAtEveryLevel) {
  struct Level {
    int level;
    int64_t tilesA, tilesB, fetchesA, fetchesB;
  };
  // wave_m, wave_n, k have extents 2, 2, 3; A depends on the first and the last, B on the last two.
  for (Level level : {Level{3, 1, 1, 12, 12}, {2, 3, 3, 4, 4}, {1, 3, 6, 2, 2}, {0, 6, 6, 1, 1}})
    for (Movement movement : {Movement::PerCore, Movement::Broadcast, Movement::Wavefront})
      for (int slots : {1, 2}) {
        bool isShared = movement != Movement::PerCore;
        LoadPlan a =
            isShared ? shared(movement, {1}, level.level, level.tilesA, slots) : perCore(level.level, level.tilesA);
        LoadPlan b =
            isShared ? shared(movement, {0}, level.level, level.tilesB, slots) : perCore(level.level, level.tilesB);
        DataRun made = runGemm(planOverBoth(a, b), program, machine);
        SCOPED_TRACE("level " + std::to_string(level.level) + " movement " +
                     std::to_string(static_cast<int>(movement)));
        EXPECT_TRUE(made.isRight);
        EXPECT_EQ(made.result.programs, 4 * cores);
        int64_t readersA = isShared ? GetParam().rows : cores, readersB = isShared ? GetParam().columns : cores;
        EXPECT_EQ(made.result.bytesRead,
                  kTile * (readersA * level.fetchesA * level.tilesA + readersB * level.fetchesB * level.tilesB));
        EXPECT_EQ(made.result.bytesWritten, 4 * cores * 8 * 8 * 4);
      }
}

TEST_P(Movements, TwoDimensionsReadOnce) {
  TileProgram tall = gemmF32({.m = 16 * cores, .n = 16, .k = 12, .blockM = 8, .blockN = 8, .blockK = 4});
  for (Movement movement : {Movement::RowsThenColumns, Movement::Wavefront})
    for (const std::vector<int> &along : {std::vector<int>{0, 1}, {1, 0}})
      for (auto [level, tiles, fetches] : {std::tuple<int, int64_t, int64_t>{3, 1, 12}, {2, 3, 4}, {0, 6, 1}}) {
        DataRun made = runGemm(planOverRows(perCore(3), shared(movement, along, level, tiles)), tall, machine);
        EXPECT_TRUE(made.isRight) << "level " << level;
        EXPECT_EQ(made.result.bytesRead, kTile * (cores * 12 + fetches * tiles));
      }
}

TEST_P(Movements, RaggedGrids) {
  for (auto [m, n] : {std::pair{1, 1}, {3, 5}, {5, 2}, {7, 7}}) {
    TileProgram ragged = gemmF32({.m = 8 * m - 3, .n = 8 * n - 1, .k = 10, .blockM = 8, .blockN = 8, .blockK = 4});
    Plan counted = planOverBoth(perCore(3), perCore(3));
    int64_t waves = counted.waveExtent(1, ragged, machine);
    for (Movement movement : {Movement::Broadcast, Movement::Wavefront}) {
      EXPECT_TRUE(runGemm(planOverBoth(shared(movement, {1}, 3), shared(movement, {0}, 3)), ragged, machine).isRight);
      Plan hoisted = planOverBoth(shared(movement, {1}, 1, 3), shared(movement, {0}, 1, 3 * waves));
      EXPECT_TRUE(runGemm(hoisted, ragged, machine).isRight);
    }
    for (Movement movement : {Movement::RowsThenColumns, Movement::Wavefront})
      EXPECT_TRUE(runGemm(planOverRows(perCore(3), shared(movement, {1, 0}, 3)), ragged, machine).isRight);
  }
}

INSTANTIATE_TEST_SUITE_P(MovementsTest, Movements, testing::Values(Grid{2, 2}, Grid{1, 4}, Grid{4, 2}, Grid{1, 1}),
                         [](const auto &info) {
                           return std::to_string(info.param.rows) + "x" + std::to_string(info.param.columns);
                         });

class WrongPlans : public testing::Test {
protected:
  Machine machine = grid(2, 2);
  TileProgram program = gemmF32({.m = 32, .n = 32, .k = 12, .blockM = 8, .blockN = 8, .blockK = 4});
};

TEST_F(WrongPlans, BroadcastAlongADimensionThatTheAddressDependsOn) {
  DataRun made = runGemm(planOverBoth(shared(Movement::Broadcast, {0}, 3), perCore(3)), program, machine);
  EXPECT_TRUE(made.result.isFinished());
  EXPECT_FALSE(made.isRight);
}

TEST_F(WrongPlans, OneTileKeptOverALoopThatTheAddressDependsOn) {
  DataRun made = runGemm(planOverBoth(perCore(2, 1), perCore(3)), program, machine);
  EXPECT_TRUE(made.result.isFinished());
  EXPECT_FALSE(made.isRight);
}

/// Removes every operation whose text starts so.
void removeAll(std::vector<Operation> &body, const std::string &text, const CoreProgram &core) {
  std::erase_if(body, [&](const Operation &operation) { return str(operation, core).starts_with(text); });
  for (Operation &operation : body)
    if (auto *loop = std::get_if<Loop>(&operation.what))
      removeAll(loop->body, text, core);
    else if (auto *branch = std::get_if<If>(&operation.what))
      removeAll(branch->body, text, core);
}

/// What each synchronization is there for: without it threads go on too early.
TEST_F(WrongPlans, ProgramsWithoutSynchronization) {
  Plan plan = planOverBoth(shared(Movement::Broadcast, {1}, 3), shared(Movement::Broadcast, {0}, 3));
  GemmComputer computer(program);
  for (auto [thread, text] : {std::pair{Thread::Reader, "barrier reads"},
                              {Thread::Reader, "await valid_a"},
                              {Thread::Compute, "wait b"},
                              {Thread::Writer, "wait c"},
                              {Thread::Reader, "forward b"},
                              {Thread::Reader, "read a"}}) {
    CoreProgram core = lowerPlan(plan, program, machine).program;
    removeAll(core.threads[static_cast<int>(thread)], text, core);
    DataRun made = run(core, program, machine, computer);
    EXPECT_TRUE(made.result.isFinished()) << text;
    EXPECT_FALSE(made.isRight) << text;
  }
}

/// A slot that is given back before the segment that reads it ends is overwritten under it.
TEST_F(WrongPlans, ASlotThatIsPoppedTooEarly) {
  Plan plan = planOverBoth(perCore(3), perCore(3));
  GemmComputer computer(program);
  CoreProgram core = lowerPlan(plan, program, machine).program;
  std::vector<Operation> *body = &core.threads[static_cast<int>(Thread::Compute)];
  while (auto *loop = std::get_if<Loop>(&body->front().what))
    body = &loop->body;
  auto at = [&](const char *text) {
    return std::ranges::find_if(*body, [&](const Operation &o) { return str(o, core).starts_with(text); });
  };
  Compute &compute = std::get<Compute>(at("compute")->what);
  compute.operators[0].op.k = 1024; // slower than the reads
  EXPECT_TRUE(run(core, program, machine, computer).isRight);
  compute.consumes[0].slot.constant = -1; // the slot that is popped just before
  std::iter_swap(at("compute"), at("pop a"));
  EXPECT_FALSE(run(core, program, machine, computer).isRight);
}

/// The sender has to know that the slots of the slowest receiver are free.
TEST_F(WrongPlans, ASenderThatDoesNotAwaitASlowReceiver) {
  Plan plan = planOverBoth(shared(Movement::Broadcast, {1}, 3), perCore(3));
  GemmComputer computer(program);
  CoreProgram core = lowerPlan(plan, program, machine).program;
  TileOperator heavy{"heavy", Unit::Vector, 0, 0, 0, 1 << 20, {}};
  Compute work{{}, {}, {{heavy, 0}}};
  If atTheReceiver{{Guard{{{0, 1}, -1}, 1, false}}, {{work}}};
  std::vector<Operation> *body = &core.threads[static_cast<int>(Thread::Compute)];
  while (auto *loop = std::get_if<Loop>(&body->front().what))
    body = &loop->body;
  body->insert(body->begin(), {atTheReceiver});
  EXPECT_TRUE(run(core, program, machine, computer).isRight);
  removeAll(core.threads[static_cast<int>(Thread::Reader)], "await ready_a", core);
  EXPECT_FALSE(run(core, program, machine, computer).isRight);
}

/// Two loads in one loop with a segment after each, a load around it, broadcasts, and heads that no core has in the
/// last wave.
TEST(AttentionTest, LoadsOfALoopAndAroundIt) {
  TileProgram program = attention({.heads = 3, .queries = 32, .keys = 24, .width = 4, .blockQ = 8, .blockK = 8});
  for (Tensor &tensor : program.tensors)
    tensor.type = ElementType::I32;
  Plan plan;
  plan.splits = {{{0}}, {{1}}};
  plan.waves = {0, 1};
  Machine machine = grid(2, 2);
  for (bool isHoisted : {false, true}) {
    LoadPlan keys = isHoisted ? shared(Movement::Broadcast, {1}, 1, 3, 1) : shared(Movement::Broadcast, {1}, 3);
    plan.loads = {perCore(2), keys, shared(Movement::Wavefront, {1}, 3, 1, 1)};
    plan.stores = {{1, 0}};
    Lowered lowered = lowerPlan(plan, program, machine);
    ASSERT_TRUE(lowered.isOk()) << lowered.detail;
    HashComputer computer(program);
    DataRun made = run(lowered.program, program, machine, computer);
    EXPECT_TRUE(made.isRight);
    EXPECT_EQ(made.result.programs, 3 * 4);
    int64_t row = int64_t(3) * 4 * 4, queries = 32 * row, keysOnce = 24 * row; // three heads, four columns
    EXPECT_EQ(made.result.bytesRead, queries + keysOnce * (isHoisted ? 1 : 2) + keysOnce * 2);
  }
}

/// y[i, j] = x[i, j] + bias[j]: a store in a loop, a load that is kept over it.
TEST(ElementwiseTest, StoresInALoopAreWrittenWithTheirIteration) {
  TileProgram program;
  program.name = "add";
  program.indices = {{"j", 6}, {"i", 5}};
  program.gridDims = 1;
  program.tensors = {{"x", {20, 24}, {24, 1}, ElementType::I32},
                     {"bias", {1, 24}, {24, 1}, ElementType::I32},
                     {"y", {20, 24}, {24, 1}, ElementType::I32}};
  Affine row{{0, 4}}, column{{4, 0}};
  auto step = [](TileStep::Kind kind, TileAccess access) {
    TileStep made;
    made.kind = kind;
    made.access = std::move(access);
    return made;
  };
  TileStep add, loop;
  add.op = {"add", Unit::Vector, 0, 0, 0, 16, {0, 1}};
  loop.kind = TileStep::Kind::Loop;
  loop.index = 1;
  loop.body = {step(TileStep::Kind::Load, {0, {4, 4}, {row, column}, 0}),
               step(TileStep::Kind::Load, {1, {4, 4}, {Affine{}, column}, 1}), add,
               step(TileStep::Kind::Store, {2, {4, 4}, {row, column}, 0})};
  program.body = {loop};
  Plan plan;
  plan.splits = {{{1, 0}}};
  plan.waves = {0};
  plan.loads = {perCore(2), perCore(1)};
  plan.stores = {{2, 0}};
  Machine machine = grid(2, 2);
  Lowered lowered = lowerPlan(plan, program, machine);
  ASSERT_TRUE(lowered.isOk()) << lowered.detail;
  SumComputer computer;
  DataRun made = run(lowered.program, program, machine, computer);
  EXPECT_TRUE(made.isRight);
  EXPECT_EQ(made.result.bytesRead, 20 * 24 * 4 + 24 * 4) << "only what is in the tensor; the bias once per program";
}

/// Eight programs on one core, each of which adds a block to its own in place.
std::vector<int32_t> addInPlace(const Affine &added) {
  TileProgram program;
  program.name = "in place";
  program.indices = {{"g", 8}};
  program.gridDims = 1;
  program.tensors = {{"t", {32}, {1}, ElementType::I32}};
  TileStep own, other, add, store;
  own.kind = other.kind = TileStep::Kind::Load;
  own.access = {0, {4}, {Affine{{4}}}, 0};
  other.access = {0, {4}, {added}, 1};
  add.op = {"add", Unit::Vector, 0, 0, 0, 4, {0, 1}};
  store.kind = TileStep::Kind::Store;
  store.access = {0, {4}, {Affine{{4}}}, 0};
  program.body = {own, other, add, store};
  Plan plan;
  plan.splits = {{{0, 1}}};
  plan.waves = {0};
  plan.loads = {perCore(1), perCore(1)};
  plan.stores = {{2, 0}};
  Lowered lowered = lowerPlan(plan, program, grid(1, 1));
  EXPECT_TRUE(lowered.isOk()) << lowered.detail;
  std::vector<int32_t> numbers(32, 1);
  SumComputer computer;
  SimulationData data{{std::vector<char>(numbers.size() * 4)}, &computer};
  std::memcpy(data.tensors[0].data(), numbers.data(), data.tensors[0].size());
  EXPECT_TRUE(simulate(lowered.program, grid(1, 1), {}, &data).isFinished());
  std::memcpy(numbers.data(), data.tensors[0].data(), data.tensors[0].size());
  return numbers;
}

TEST(InPlace, WhatIsReadAfterItWasWrittenIsSpoilt) {
  EXPECT_EQ(addInPlace(Affine{{4}}), std::vector<int32_t>(32, 2));
  std::vector<int32_t> late = addInPlace(Affine{}); // all add the first block, which the first one has changed
  EXPECT_EQ(late[0], 2);
  EXPECT_EQ(late[28], 0) << "1 and a spoilt -1";
}

} // namespace
} // namespace tawa::mesh
