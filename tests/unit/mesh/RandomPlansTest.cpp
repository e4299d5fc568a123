// Random plans and damaged core programs: the check says of each what the simulator finds, and legal plans compute the
// right results. TAWA_MESH_PLANS sets how many (default 600).
#include "tests/unit/mesh/RandomPlans.h"
#include "runtime/mesh/check/ProgramCheck.h"
#include "tests/unit/mesh/Computers.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace tawa::mesh {
namespace {

using examples::RandomPlans;
using Outcome = SimulationResult::Outcome;

int64_t wantedPlans() {
  const char *given = std::getenv("TAWA_MESH_PLANS");
  return given ? std::atoll(given) : 600;
}

/// Walks through the threads of a core: the tiles that a thread pushes it has reserved, those that it pops it has
/// waited for. (Counters do not need that, hardware does.) Empty, or the operation where it is not so.
std::string findUndisciplined(const CoreProgram &program, const FlatCore &core) {
  for (const FlatThread &thread : core.threads) {
    Cursor cursor(thread, program.variables.size());
    std::vector<int64_t> reserved(program.buffers.size()), awaited = reserved;
    for (const Instruction *at = &cursor.fetch(); at->kind != Instruction::Kind::End; at = &cursor.fetch()) {
      using Kind = Instruction::Kind;
      bool isProducer = at->kind == Kind::Reserve || at->kind == Kind::Push;
      if (isProducer || at->kind == Kind::Wait || at->kind == Kind::Pop) {
        int64_t &granted = (isProducer ? reserved : awaited)[at->object], tiles = at->amount.at(cursor.values());
        if (at->kind == Kind::Reserve || at->kind == Kind::Wait)
          granted = std::max(granted, tiles);
        else
          granted -= tiles;
        if (granted < 0)
          return str(*at->operation, program);
      }
      cursor.advance();
    }
  }
  return "";
}

/// What became of the plans.
struct Tally {
  int64_t legal = 0; ///< Legal and undamaged: all that fit into the memory are right.
  int64_t right = 0, wrong = 0, unlowered = 0, memory = 0, refused = 0, deadlocks = 0;
};

/// One random plan, through lowering, check and simulator.
class RandomCase {
public:
  RandomCase(uint64_t seed, Tally &tally) : plans(seed), tally(tally), seed(seed) {
    machine = plans.machine();
    program = plans.program();
    plan = plans.plan(program, machine, isLegal);
  }

  void run() {
    Lowered lowered = lowerPlan(plan, program, machine);
    if (!lowered.isOk()) {
      EXPECT_FALSE(isLegal) << name(lowered.fault) << " " << lowered.detail;
      ++tally.unlowered;
      return;
    }
    core = std::move(lowered.program);
    bool isDamaged = plans.chance(40);
    std::string damage = isDamaged ? plans.damage(core) : "";
    SCOPED_TRACE("seed " + std::to_string(seed) + " " + damage + "\n" + core.str());
    tally.legal += isLegal && !isDamaged;
    compare(isLegal && !isDamaged);
  }

private:
  void compare(bool isRight) {
    CheckResult check = checkProgram(core, machine);
    examples::HashComputer computer(program);
    SimulationData data{examples::randomTensors(program, seed), &computer}, expected = data;
    SimulationResult result = simulate(core, machine, {}, &data);
    bool isRefused = !check.isOk() && check.fault != CheckFault::Deadlock;
    EXPECT_EQ(result.outcome == Outcome::Refused, isRefused) << check.detail << " / " << result.detail;
    EXPECT_EQ(result.outcome == Outcome::Deadlock, check.fault == CheckFault::Deadlock) << check.detail;
    EXPECT_TRUE(result.blocked == check.blocked) << check.detail;
    examples::executeDirectly(program, expected);
    bool isEqual = data.tensors == expected.tensors;
    if (isRight)
      expectRight(check, isEqual);
    tally.memory += check.fault == CheckFault::LocalMemory;
    tally.refused += isRefused && check.fault != CheckFault::LocalMemory;
    tally.deadlocks += check.fault == CheckFault::Deadlock;
    if (check.isOk())
      ++(isEqual ? tally.right : tally.wrong);
  }

  void expectRight(const CheckResult &check, bool isEqual) {
    EXPECT_TRUE(check.isOk() ? isEqual : check.fault == CheckFault::LocalMemory) << name(check.fault) << check.detail;
    std::string fault;
    for (const FlatCore &flat : flatten(core, machine, fault))
      EXPECT_EQ(findUndisciplined(core, flat), "");
    EXPECT_EQ(fault, "");
  }

  RandomPlans plans;
  Tally &tally;
  uint64_t seed;
  Machine machine;
  TileProgram program;
  Plan plan;
  CoreProgram core;
  bool isLegal = true;
};

TEST(RandomPlansTest, CheckAgreesWithSimulatorAndLegalPlansAreRight) {
  Tally tally;
  int64_t count = wantedPlans();
  for (int64_t seed = 0; seed < count && !testing::Test::HasFailure(); ++seed)
    RandomCase(static_cast<uint64_t>(seed), tally).run();
  std::printf("%lld plans, %lld of them legal and undamaged: %lld right, %lld wrong, %lld without a program, %lld "
              "exceed the memory, %lld otherwise "
              "refused, %lld deadlock\n",
              static_cast<long long>(count), static_cast<long long>(tally.legal), static_cast<long long>(tally.right),
              static_cast<long long>(tally.wrong), static_cast<long long>(tally.unlowered),
              static_cast<long long>(tally.memory), static_cast<long long>(tally.refused),
              static_cast<long long>(tally.deadlocks));
  // The generator reaches every outcome.
  EXPECT_GT(tally.legal, count / 4);
  EXPECT_GT(tally.right, count / 4);
  EXPECT_GT(tally.wrong, count / 100);
  EXPECT_GT(tally.memory, count / 200);
  EXPECT_GT(tally.deadlocks, count / 50);
}

} // namespace
} // namespace tawa::mesh
