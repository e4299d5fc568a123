#include "compiler/planner/model/Ranking.h"
#include "tests/unit/planner/Machines.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace tawa::mesh::planner {
namespace {

Plan bestOf(const TileProgram &program, const Machine &machine, Template only) {
  auto ranking = rankPlans({&program, 1}, machine, {.keep = 1, .only = only});
  EXPECT_TRUE(ranking.isOk()) << ranking.status().message();
  return ranking.isOk() ? ranking->best[0].plan : Plan{};
}

const TileProgram kTall = examples::gemm({.m = 16384, .n = 512, .k = 512});
const TileProgram kSquare = examples::gemm({.m = 4096, .n = 4096, .k = 512});

TEST(TemplatesTest, OneDSplitsTheLongSideAndBroadcastsTheSmallInput) {
  Plan plan = bestOf(kTall, examples::grid(8, 8), Template::OneD);
  EXPECT_EQ(plan.splits[0].spatial, (std::vector<int>{0, 1}));
  EXPECT_EQ(plan.loads[0].movement, Movement::PerCore);
  EXPECT_EQ(plan.loads[1].movement, Movement::RowsThenColumns);
  EXPECT_EQ(plan.loads[1].tiles, 1);
  Plan other = bestOf(kTall, examples::grid(8, 8), Template::OneDSmaller);
  EXPECT_EQ(other.splits[1].spatial, (std::vector<int>{0, 1}));
  EXPECT_EQ(other.loads[1].movement, Movement::PerCore);
}

TEST(TemplatesTest, OneDOnARingIsABroadcast) {
  Plan plan = bestOf(kTall, examples::ring(8), Template::OneD);
  EXPECT_EQ(plan.loads[1].movement, Movement::Broadcast);
}

TEST(TemplatesTest, TwoDPassesBothInputsOn) {
  Plan plan = bestOf(kSquare, examples::grid(8, 8), Template::TwoD);
  EXPECT_EQ(plan.splits[0].spatial, std::vector<int>{0});
  EXPECT_EQ(plan.splits[1].spatial, std::vector<int>{1});
  EXPECT_EQ(plan.loads[0].movement, Movement::Wavefront);
  EXPECT_EQ(plan.loads[0].along, std::vector<int>{1});
  EXPECT_EQ(plan.loads[1].along, std::vector<int>{0});
}

TEST(TemplatesTest, ByShapeLooksAtTheShortSide) {
  Machine machine = examples::grid(8, 8);
  EXPECT_EQ(chooseByShape(kTall, machine), Template::OneD);
  EXPECT_EQ(chooseByShape(kSquare, machine), Template::TwoD);
  EXPECT_EQ(chooseByShape(examples::gemm({.m = 32768, .n = 1024, .k = 512}), machine), Template::TwoD);
  EXPECT_EQ(bestOf(kTall, machine, Template::ByShape).splits[0].spatial.size(), 2u);
}

TEST(TemplatesTest, SwitchedOffReuse) {
  Machine machine = examples::grid(8, 8);
  for (const LoadPlan &load : bestOf(kSquare, machine, Template::NoSpatialReuse).loads)
    EXPECT_EQ(load.movement, Movement::PerCore);
  for (const LoadPlan &load : bestOf(kSquare, machine, Template::NoTemporalReuse).loads)
    EXPECT_EQ(load.level, 3);
  TileProgram attention = examples::attention({.heads = 16, .queries = 1024, .keys = 1024});
  Plan reload = bestOf(attention, machine, Template::Reload);
  EXPECT_EQ(reload.loads[1].movement, Movement::PerCore);
  EXPECT_EQ(reload.loads[1].level, 3);
  EXPECT_EQ(reload.loads[0].level, 2);
}

/// Each of them is a part of the space: none is better than the best of all.
TEST(TemplatesTest, NoneBeatsTheWholeSpace) {
  for (const TileProgram &program : {kTall, kSquare})
    for (const Machine &machine : {examples::grid(8, 8), examples::grid(4, 8), examples::ring(8)}) {
      double best = bestOf(program, machine, Template::Any).estimate.cycles;
      for (Template only : kTemplates)
        EXPECT_GE(bestOf(program, machine, only).estimate.cycles, best - 1e-6)
            << nameOf(only) << " on " << machine.name;
    }
}

TEST(TemplatesTest, RefusesKernelsOfAnotherKind) {
  TileProgram program = examples::attention({.heads = 16, .queries = 1024, .keys = 1024});
  auto ranking = rankPlans({&program, 1}, examples::grid(8, 8), {.only = Template::TwoD});
  EXPECT_EQ(ranking.status().code(), StatusCode::Unsupported);
  EXPECT_NE(ranking.status().message().find("attention"), std::string::npos);
}

} // namespace
} // namespace tawa::mesh::planner
