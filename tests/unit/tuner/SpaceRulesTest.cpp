// The rules of the search space: each refuses with its numbers.
#include "runtime/tuner/model/KernelNeeds.h"

#include "tests/unit/tuner/SpaceFixture.h"

#include <algorithm>

using namespace tawa;
using namespace tawa::test;

namespace {

TEST_F(Space, EveryRuleSaysWhy) {
  EXPECT_EQ(reasonOf("M=128 N=256 D=4"), "none: ");
  EXPECT_EQ(reasonOf("M=128 N=256 D=5"),
            "shared memory: 5 slots of 49152 bytes and 34816 beside them are 280576 bytes of shared memory, a CTA has "
            "232448");
  EXPECT_EQ(reasonOf("M=64 N=128 consumers=2"),
            "rows: a product of 64 rows is not shared by 2 consumer groups of 64 rows each");
  EXPECT_EQ(reasonOf("M=256 N=256 D=2"),
            "registers: accumulators of 256 registers per thread, 192 are left of a consumer's");
  EXPECT_EQ(reasonOf("M=128 N=128 consumers=3 schedule=pingpong persistent=1"),
            "registers: accumulators of 128 registers per thread, 120 are left of a consumer's");
  EXPECT_EQ(reasonOf("M=256 N=256 consumers=0 warps=4"),
            "registers: an accumulator of 512 registers per thread, 216 are the most");
  EXPECT_EQ(reasonOf("M=256 N=256 consumers=0 warps=16"), "none: ");
  EXPECT_EQ(reasonOf("M=64 N=256 consumers=1"), "none: ");
  EXPECT_EQ(reasonOf("M=64 N=256 schedule=pingpong"),
            "not applied: schedule=pingpong takes a loop over tiles: persistent=1");
  EXPECT_EQ(reasonOf("M=64 N=256 schedule=pingpong persistent=1"), "none: ");
  EXPECT_EQ(reasonOf("M=64 N=256 consumers=1 schedule=pingpong persistent=1"),
            "not applied: schedule=pingpong takes two consumer groups or more");
  EXPECT_EQ(reasonOf("M=128 N=256 warps=8"), "no effect: warps is for kernels of one role");
  EXPECT_EQ(reasonOf("M=128 N=128 D=2 split=2"), "none: ");
  EXPECT_EQ(reasonOf("M=128 N=128 D=5 split=2"), "none: ") << "the part lies in the slots";
  EXPECT_EQ(reasonOf("M=128 N=128 D=7 split=2"),
            "shared memory: 7 slots of 32768 bytes and 34816 beside them are 264192 bytes of shared memory, a CTA has "
            "232448");
  EXPECT_EQ(reasonOf("M=128 N=128 D=2 split=2 persistent=1"),
            "not applied: split=2: a loop inside the loop over tiles is not shared");
  EXPECT_EQ(reasonOf("M=128 N=128 D=2 split=3 cluster=4"),
            "not applied: split=3 and cluster=4: a cluster has up to 8 CTAs");
  EXPECT_EQ(reasonOf("M=128 N=256 D=4 persistent=1 stream=1"), "none: ");
  EXPECT_EQ(reasonOf("M=128 N=256 D=4 stream=1"), "not applied: stream=1 takes a loop over tiles: persistent=1");
  EXPECT_EQ(reasonOf("M=64 N=256 D=4 persistent=1 schedule=pingpong stream=1"),
            "not applied: stream=1 takes consumer groups that share each tile");
  EXPECT_EQ(reasonOf("M=128 N=256 D=4 persistent=1 cluster=2 stream=1"), "none: ");
  EXPECT_EQ(reasonOf("M=128 N=256 D=4 persistent=1 dynamic=1"), "none: ");
  EXPECT_EQ(reasonOf("M=128 N=256 D=4 dynamic=1"), "not applied: dynamic=1 takes a loop over tiles: persistent=1");
  EXPECT_EQ(reasonOf("M=64 N=256 D=4 persistent=1 schedule=pingpong dynamic=1"),
            "not applied: dynamic=1 takes consumer groups that share each tile");
  EXPECT_EQ(reasonOf("M=128 N=256 D=4 persistent=1 cluster=2 dynamic=1"),
            "not applied: dynamic=1: the CTAs of a cluster take neighbouring tiles together");
  EXPECT_EQ(reasonOf("M=128 N=256 D=4 persistent=1 stream=1 dynamic=1"),
            "not applied: dynamic=1: stream=1 takes rounds in which each CTA has one tile");
  EXPECT_EQ(reasonOf("M=128 N=128 D=2 consumers=1 ctas=2"), "none: ");
  EXPECT_EQ(reasonOf("M=64 N=64 D=2 consumers=1 ctas=2"),
            "no effect: ctas=2: as many fit a multiprocessor as they are");
  EXPECT_EQ(reasonOf("M=64 N=256 D=2 consumers=1 ctas=2"),
            "registers: ctas=2: threads begin with 128 registers, and one wgmma has 128 sums of each");
  EXPECT_EQ(reasonOf("M=128 N=128 D=4 consumers=1 ctas=2").substr(0, 13), "shared memory");
  EXPECT_EQ(reasonOf("M=64 N=192 D=2 consumers=1 ctas=3"),
            "registers: accumulators of 96 registers per thread, 80 are left of a consumer's");
  EXPECT_EQ(reasonOf("M=128 N=128 D=2 consumers=2 ctas=2"),
            "registers: accumulators of 64 registers per thread, 56 are left of a consumer's");
  EXPECT_EQ(reasonOf("M=64 N=64 D=2 consumers=0 ctas=2"), "no effect: the kernel is one role: consumers=0");
  EXPECT_EQ(reasonOf("M=128 N=128 coarse=0"), "no effect: no loop has two products, so that coarse=1 is the same");
  input.arguments = arguments = productArguments(8192, 8192, 192);
  EXPECT_EQ(reasonOf("M=128 N=128 D=2 split=4"), "no effect: split=4: no loop has as many iterations");
  input.grid = {65, 32, 1};
  EXPECT_EQ(reasonOf("M=128 N=256 cluster=2"),
            "divisibility: 65 programs along x are no multiple of the cluster's 2 CTAs");
  EXPECT_EQ(reasonOf("M=128 N=256 cluster=2 persistent=1"), "none: "); // 65 * 32 tiles
  input.grid = {66, 32, 1};
  EXPECT_EQ(reasonOf("M=128 N=256 D=4 persistent=1 stream=1"), "no effect: stream=1: 132 CTAs divide 2112 tiles");
}

/// What is added to the product comes from memory, `elementBytes` wide.
class Added : public Space {
protected:
  Result<WorkSummary> answer(const KernelConfig &config) override {
    Result<WorkSummary> summary = Space::answer(config);
    WorkStep load;
    load.kind = WorkStep::Kind::Load;
    load.access.block = {config.tile.at("M"), config.tile.at("N")};
    load.access.elementBytes = elementBytes;
    std::vector<WorkStep> &steps = summary->roles[1].steps;
    steps.insert(steps.end() - 1, load);
    return summary;
  }
  uint32_t elementBytes = 2;
};

TEST_F(Added, TilesThatAreLoadedBesideSumsTakeRegisters) {
  EXPECT_EQ(reasonOf("M=128 N=256 D=3"), "none: ");
  elementBytes = 4;
  EXPECT_EQ(reasonOf("M=128 N=256 D=3"),
            "registers: accumulators of 128 registers per thread and 128 of what is loaded "
            "for them, a consumer has 232");
  EXPECT_EQ(reasonOf("M=128 N=128 D=3"), "none: ");
  EXPECT_EQ(reasonOf("M=128 N=128 D=3 consumers=1"),
            "registers: accumulators of 128 registers per thread and 128 of what "
            "is loaded for them, a consumer has 255");
}

TEST_F(Space, GroupsThatAreNoPowerOfTwoShareNoProductOfMmaSync) {
  WorkSummary small = product(16, 128, 64);
  small.roles[1].steps[0].body[0].isWgmma = false;
  input.tileParameters = {};
  input.summarize = [small](const KernelConfig &) -> Result<WorkSummary> { return small; };
  std::vector<KernelConfig> configs{*KernelConfig::parse("D=2 consumers=2"), *KernelConfig::parse("D=2 consumers=3")};
  Result<SearchSpace> judged = judgeConfigs(input, configs);
  ASSERT_TRUE(judged.isOk()) << judged.status().message();
  ASSERT_EQ(judged->legal, 1u);
  EXPECT_EQ(judged->candidates[0].config.consumerGroups, 2);
  EXPECT_EQ(judged->candidates[1].refusal, Refusal::Rows);
  EXPECT_NE(judged->candidates[1].reason.find("mma.sync"), std::string::npos) << judged->candidates[1].reason;
}

/// Products that wgmma does not take: a thread has all rows of operand A beside its sums.
class SpaceOfMmaSync : public Space {
protected:
  Result<WorkSummary> answer(const KernelConfig &config) override {
    Result<WorkSummary> summary = Space::answer(config);
    WorkStep &dot = summary->roles[1].steps.front().body.front();
    dot.isWgmma = dot.isPipelined = false;
    return summary;
  }
};

TEST_F(SpaceOfMmaSync, RegistersBoundSeveralCtas) {
  EXPECT_EQ(reasonOf("M=64 N=128 D=2 consumers=1 ctas=2"), "none: ");
  EXPECT_EQ(reasonOf("M=64 N=128 D=2 consumers=1 ctas=3"),
            "registers: ctas=3: accumulators of 128 registers per thread, a consumer has 120");
}

TEST_F(Space, SlotsInFlightAreCounted) {
  input.tileParameters = {{"N", {128}}, {"M", {128}}};
  input.axes = {{"D", &KernelConfig::ringDepth, {2}}, {"P", &KernelConfig::mmaDepth, {3}}};
  Result<SearchSpace> space = enumerateSpace(input);
  ASSERT_TRUE(space.isOk());
  EXPECT_EQ(space->legal, 0u);
  EXPECT_EQ(space->candidates[0].refusal, Refusal::SlotInFlight);
}

/// A second product, of 64 rows.
class TwoProducts : public Space {
protected:
  Result<WorkSummary> answer(const KernelConfig &config) override {
    Result<WorkSummary> summary = Space::answer(config);
    std::vector<WorkStep> &body = summary->roles.back().steps.front().body;
    body.push_back(body.front());
    body.back().m = 64;
    return summary;
  }
};

TEST_F(TwoProducts, TheOneWithFewerRowsIsSharedAlongItsColumns) {
  EXPECT_EQ(reasonOf("M=128 N=64 D=2"), "none: ");
  EXPECT_EQ(reasonOf("M=64 N=64 D=2"), "rows: a product of 64 rows is not shared by 2 consumer groups of 64 rows each");
}

/// Threads compute an operand.
class Computed : public Space {
protected:
  Result<WorkSummary> answer(const KernelConfig &config) override {
    Result<WorkSummary> summary = Space::answer(config);
    for (WorkStep &step : summary->roles.back().steps.front().body)
      step.isComputed = step.kind == WorkStep::Kind::Dot;
    return summary;
  }
};

TEST_F(Computed, GroupsShareTheColumnsOfFewRowsWhereEachHasEnough) {
  EXPECT_EQ(reasonOf("M=64 N=128 D=2"), "none: ");
  EXPECT_EQ(reasonOf("M=64 N=64 D=2"), "rows: a product of 64 rows is not shared by 2 consumer groups of 64 rows each");
}

TEST_F(Space, GroupsDoNotShareTheColumnsOfFewRowsThatAreOnlyLoaded) {
  EXPECT_EQ(reasonOf("M=64 N=128 D=2"),
            "rows: a product of 64 rows is not shared by 2 consumer groups of 64 rows each");
}

/// Rows of a tile in products of 64.
class RowsInThree : public Space {
protected:
  RowsInThree() { input.tileParameters.back() = {"M", {192}}; }
  Result<WorkSummary> answer(const KernelConfig &config) override {
    Result<WorkSummary> summary = Space::answer(config);
    splitRows(*summary, 3);
    return summary;
  }
};

TEST_F(RowsInThree, TwoGroupsShareTheColumnsWhereEachHasAMultipleOf64) {
  input.tileParameters.front() = {"N", {128, 192, 256}};
  EXPECT_EQ(reasonOf("M=192 N=128 D=2"), "none: ");
  EXPECT_EQ(reasonOf("M=192 N=192 D=2"),
            "rows: a product of 64 rows is not shared by 2 consumer groups of 64 rows each");
}

/// Likewise, of a result whose rows are the columns of the product.
class RowsInThreeTransposed : public RowsInThree {
protected:
  RowsInThreeTransposed() { input.tileParameters.front() = {"N", {112, 160, 176}}; }
  Result<WorkSummary> answer(const KernelConfig &config) override {
    Result<WorkSummary> summary = RowsInThree::answer(config);
    if (isTransposed)
      summary->roles.back().steps.back().access.block = {16, 64};
    return summary;
  }
  bool isTransposed = true;
};

TEST_F(RowsInThreeTransposed, TwoGroupsShareAnOddNumberOfEights) {
  const char *apart = "rows: a product of 64 rows is not shared by 2 consumer groups of 64 rows each";
  EXPECT_EQ(reasonOf("M=192 N=176 D=2"), "none: ");
  EXPECT_EQ(reasonOf("M=192 N=160 D=2"), apart) << "80 columns are no odd number of eights";
  EXPECT_EQ(reasonOf("M=192 N=112 D=2"), apart) << "56 columns are few";
  isTransposed = false;
  EXPECT_EQ(reasonOf("M=192 N=176 D=2"), apart) << "rows of eight columns would be stored";
}

TEST_F(RowsInThree, PartsOfTilesAreAddedUpWhereSumsLeaveRegisters) {
  EXPECT_EQ(reasonOf("M=192 N=256 D=2 persistent=1"), "none: ");
  EXPECT_EQ(reasonOf("M=192 N=256 D=2 persistent=1 stream=1"),
            "registers: stream=1: accumulators of 192 registers per thread, 128 are the most");
  EXPECT_EQ(reasonOf("M=192 N=128 D=2 persistent=1 stream=1"), "none: ");
}

/// Likewise, with the registers of roles.
class RowsInThreeOfRoles : public RowsInThree {
protected:
  RowsInThreeOfRoles() { input.tileParameters.front() = {"N", {128, 136, 144}}; }
  Result<WorkSummary> answer(const KernelConfig &config) override {
    Result<WorkSummary> summary = RowsInThree::answer(config);
    summary->consumerRegisters = {{240, 232, 160, 104}};
    return summary;
  }
};

TEST_F(RowsInThreeOfRoles, SumsOfAllProductsLeaveRegisters) {
  EXPECT_EQ(reasonOf("M=192 N=136 D=2 persistent=1 schedule=pingpong"), "none: ");
  EXPECT_EQ(reasonOf("M=192 N=144 D=2 persistent=1 schedule=pingpong"),
            "registers: accumulators of 216 registers per thread, 206 are left of a consumer's");
}

/// Of three products of an iteration one adds to what its loop carries.
class FreshSumsOfRoles : public RowsInThreeOfRoles {
protected:
  Result<WorkSummary> answer(const KernelConfig &config) override {
    Result<WorkSummary> summary = RowsInThreeOfRoles::answer(config);
    int fresh = 2;
    for (RoleWork &role : summary->roles)
      for (WorkStep &loop : role.steps)
        for (WorkStep &step : loop.body)
          step.isFresh = step.kind == WorkStep::Kind::Dot && fresh-- > 0;
    summary->sumBytes /= 3;
    return summary;
  }
};

TEST_F(FreshSumsOfRoles, ThoseThatAnIterationDropsNeedNoRegistersBesideIt) {
  EXPECT_EQ(reasonOf("M=192 N=144 D=2 persistent=1 schedule=pingpong"), "none: ");
}

/// A tile of 64 KiB is loaded before the loop.
class Loaded : public Space {
protected:
  Result<WorkSummary> answer(const KernelConfig &config) override {
    Result<WorkSummary> summary = Space::answer(config);
    summary->rings.push_back({65536, false});
    return summary;
  }
};

TEST_F(Loaded, WhatIsLoadedOncePerTileHasOneSlotInATileLoopWhereMoreDoNotFit) {
  auto bytes = [&](const char *text) {
    KernelConfig config = *KernelConfig::parse(text);
    return sharedNeed(*input.summarize(config), config, input.hardware).bytes();
  };
  EXPECT_EQ(bytes("M=128 N=128 D=2 persistent=1") - bytes("M=128 N=128 D=2"), 65536) << "a second slot";
  EXPECT_EQ(bytes("M=128 N=128 D=4 persistent=1"), bytes("M=128 N=128 D=4"));
  EXPECT_EQ(reasonOf("M=128 N=128 D=4 persistent=1"), "none: ");
  EXPECT_EQ(reasonOf("M=128 N=128 D=5 persistent=1"), reasonOf("M=128 N=128 D=5"));
}

TEST_F(Loaded, WhatD0GivesAnotherDSays) {
  Result<SearchSpace> space = enumerateSpace(input);
  ASSERT_TRUE(space.isOk());
  auto isOpen = [&](const Candidate &one) {
    return one.isLegal() && one.config.ringDepth == 0 &&
           sharedNeed(*input.summarize(one.config), one.config, input.hardware).slots > 1;
  };
  EXPECT_EQ(std::ranges::count_if(space->candidates, isOpen), 0);
  // Named explicitly it is legal, and as fast as the slots that it gets.
  EXPECT_EQ(judge("M=128 N=256 persistent=1").prediction.seconds,
            judge("M=128 N=256 D=2 persistent=1").prediction.seconds);
}

} // namespace
