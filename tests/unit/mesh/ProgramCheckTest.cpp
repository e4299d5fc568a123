// What the check refuses, and that the simulator stops at the same places.
#include "runtime/mesh/check/ProgramCheck.h"

#include "runtime/mesh/simulator/Simulator.h"
#include "tests/unit/mesh/GemmPlans.h"

#include <gtest/gtest.h>

#include <functional>

namespace tawa::mesh {
namespace {

using namespace examples;

class ProgramCheckTest : public testing::Test {
protected:
  ProgramCheckTest() {
    Plan plan = planOverBoth(shared(Movement::Broadcast, {1}, 3), shared(Movement::Broadcast, {0}, 3));
    core = lowerPlan(plan, program, machine).program;
  }

  /// Calls `change` for the first operation of the thread whose text starts with `text`; removes it if that says so.
  void damage(Thread thread, const std::string &text, const std::function<bool(Operation &)> &change) {
    ASSERT_TRUE(find(core.threads[static_cast<int>(thread)], text, change)) << core.str();
  }
  bool find(std::vector<Operation> &body, const std::string &text, const std::function<bool(Operation &)> &change) {
    for (size_t i = 0; i < body.size(); ++i) {
      if (str(body[i], core).starts_with(text)) {
        if (change(body[i]))
          body.erase(body.begin() + static_cast<int64_t>(i));
        return true;
      }
      auto *loop = std::get_if<Loop>(&body[i].what);
      auto *branch = std::get_if<If>(&body[i].what);
      if ((loop && find(loop->body, text, change)) || (branch && find(branch->body, text, change)))
        return true;
    }
    return false;
  }

  /// The check and the simulator find the deadlock; returns what the first blocked thread waits for.
  std::string deadlock() {
    CheckResult check = checkProgram(core, machine);
    SimulationResult result = simulate(core, machine);
    EXPECT_EQ(check.fault, CheckFault::Deadlock);
    EXPECT_EQ(result.outcome, SimulationResult::Outcome::Deadlock);
    EXPECT_TRUE(check.blocked == result.blocked);
    return check.detail;
  }

  Machine machine = grid(2, 2);
  TileProgram program = gemm({.m = 512, .n = 256, .k = 256});
  CoreProgram core;
};

const auto kRemove = [](Operation &) { return true; };

TEST_F(ProgramCheckTest, AcceptsAPlan) {
  CheckResult check = checkProgram(core, machine);
  EXPECT_TRUE(check.isOk()) << check.detail;
  EXPECT_TRUE(simulate(core, machine).isFinished());
}

TEST_F(ProgramCheckTest, RefusesWhatExceedsTheLocalMemory) {
  machine.memories[0].bytes = core.localBytes();
  EXPECT_TRUE(checkProgram(core, machine).isOk());
  machine.memories[0].bytes = core.localBytes() - 1;
  CheckResult check = checkProgram(core, machine);
  EXPECT_EQ(check.fault, CheckFault::LocalMemory);
  EXPECT_EQ(check.detail, "196672 bytes of 196671 of l1");
  EXPECT_EQ(simulate(core, machine).outcome, SimulationResult::Outcome::Refused);
}

TEST_F(ProgramCheckTest, NamesAMissingPush) {
  damage(Thread::Reader, "push a", kRemove);
  EXPECT_EQ(deadlock(), "core (0, 0), reader, at k 2: reserve b 1 needs 1 free slots of b, there are 0");
}

TEST_F(ProgramCheckTest, NamesAWrongSemaphoreCount) {
  damage(Thread::Reader, "await ready_a_x", [](Operation &operation) {
    std::get<SemaphoreWait>(operation.what).count = 2;
    return false;
  });
  EXPECT_NE(deadlock().find("await ready_a_x 2 needs 2 signals of ready_a_x, there are 1"), std::string::npos);
}

TEST_F(ProgramCheckTest, NamesASignalThatIsNotSent) {
  damage(Thread::Reader, "signal valid_b_y", kRemove);
  EXPECT_NE(deadlock().find("reader"), std::string::npos);
}

TEST_F(ProgramCheckTest, NamesAMissingPop) {
  damage(Thread::Compute, "pop b", kRemove);
  EXPECT_NE(deadlock().find("reserve b 1 needs 1 free slots of b, there are 0"), std::string::npos);
}

TEST_F(ProgramCheckTest, OneSlotTooFewForAHoistedLoadIsADeadlock) {
  Plan plan = planOverBoth(shared(Movement::Broadcast, {1}, 2, 4, 1), perCore(3));
  core = lowerPlan(plan, program, machine).program;
  EXPECT_TRUE(checkProgram(core, machine).isOk());
  core.buffers[0].slots = 3;
  EXPECT_NE(deadlock().find("reserve a 4 needs 4 free slots of a, there are 3"), std::string::npos);
}

TEST_F(ProgramCheckTest, AGuardThatNoCorePassesIsADeadlock) {
  damage(Thread::Reader, "if x != 0", [](Operation &operation) {
    std::get<If>(operation.what).guards[0].extent = 2; // no core signals that its slot is free
    return false;
  });
  EXPECT_NE(deadlock().find("await ready_a_x 1 needs 1 signals of ready_a_x, there are 0"), std::string::npos);
}

TEST_F(ProgramCheckTest, RefusesTwoProducers) {
  core.threads[static_cast<int>(Thread::Writer)].push_back({BufferStep{BufferStep::Kind::Push, 0, {}}});
  CheckResult check = checkProgram(core, machine);
  EXPECT_EQ(check.fault, CheckFault::Sharing);
  EXPECT_EQ(check.detail, "producers of a: reader and writer");
}

TEST_F(ProgramCheckTest, RefusesADestinationOutsideOfTheArray) {
  damage(Thread::Reader, "signal ready_a_x", [](Operation &operation) {
    std::get<Signal>(operation.what).to.core[1].affine.constant = 7;
    return false;
  });
  CheckResult check = checkProgram(core, machine);
  EXPECT_EQ(check.fault, CheckFault::Destination) << check.detail;
  EXPECT_EQ(simulate(core, machine).outcome, SimulationResult::Outcome::Refused);
}

TEST_F(ProgramCheckTest, TellsWhatThePlanLacks) {
  Plan plan = planOverBoth(perCore(9), perCore(3));
  CheckResult check = checkPlan(plan, program, machine);
  EXPECT_EQ(check.fault, CheckFault::Plan);
  EXPECT_EQ(check.detail, "level: load 0: level 9 of 3");
  EXPECT_EQ(simulatePlan(plan, program, machine).detail, check.detail);
  plan = planOverBoth(perCore(1, 4), perCore(3));
  plan.loads[0].slots = 200;
  SimulationResult result = simulatePlan(plan, program, machine);
  EXPECT_EQ(result.outcome, SimulationResult::Outcome::Refused);
  EXPECT_TRUE(result.detail.starts_with("local-memory: ")) << result.detail;
}

} // namespace
} // namespace tawa::mesh
