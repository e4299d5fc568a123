#include "compiler/planner/space/Topology.h"
#include "tests/unit/planner/Machines.h"

#include <gtest/gtest.h>

namespace tawa::mesh::planner {
namespace {

std::vector<Line> linesOf(const Machine &machine) { return findLines(machine, CoreArray(machine)); }

TEST(TopologyTest, FindsARingPerDimensionAndNetwork) {
  std::vector<Line> lines = linesOf(examples::grid(2, 4));
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0].dim, 1);
  EXPECT_EQ(lines[0].order, (std::vector<int64_t>{0, 1, 2, 3}));
  EXPECT_TRUE(lines[0].isRing);
  EXPECT_EQ(lines[1].dim, 0);
  EXPECT_EQ(linesOf(examples::ring(8)).size(), 3u);
}

TEST(TopologyTest, ALineWithoutEndsJoinedStartsWhereNoLinkLeads) {
  std::vector<Line> lines = linesOf(examples::mesh(1, 3));
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0].order, (std::vector<int64_t>{0, 1, 2}));
  EXPECT_EQ(lines[1].order, (std::vector<int64_t>{2, 1, 0}));
  EXPECT_FALSE(lines[0].isRing);
}

TEST(TopologyTest, LinksThatLeaveTheRowMakeNoLine) {
  Machine machine = examples::grid(4, 4);
  machine.networks.resize(1);
  machine.networks[0].map[0].affine.constant = 1; // diagonal
  machine.networks[0].map[0].modulus = 4;
  EXPECT_TRUE(linesOf(machine).empty());
}

TEST(TopologyTest, TwoShorterRingsMakeNoLine) {
  Machine machine = examples::grid(1, 4);
  machine.networks[0].map[1].affine.constant = 2;
  for (const Line &line : linesOf(machine))
    EXPECT_NE(line.network, 0);
}

TEST(TopologyTest, EqualRowsAndColumnsCanBeExchanged) {
  Machine symmetric = examples::symmetricGrid(4), other = examples::symmetricGrid(4), grid = examples::grid(4, 4);
  EXPECT_EQ(findSymmetries(symmetric, CoreArray(symmetric)), (std::vector<std::vector<int>>{{1, 0, 2}}));
  other.networks[0].bandwidth *= 2;
  EXPECT_TRUE(findSymmetries(other, CoreArray(other)).empty());
  // Memory instances are shared along rows only.
  EXPECT_TRUE(findSymmetries(grid, CoreArray(grid)).empty());
}

} // namespace
} // namespace tawa::mesh::planner
