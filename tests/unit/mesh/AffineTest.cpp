#include "runtime/mesh/Affine.h"

#include <gtest/gtest.h>

namespace tawa::mesh {
namespace {

TEST(AffineTest, EvaluatesAndPrints) {
  Affine start{{128, 0, 1}, 4};
  const int64_t at[] = {2, 9, 3};
  const std::string names[] = {"m", "n", "k"};
  EXPECT_EQ(start.at(at), 263);
  EXPECT_EQ(start.str(names), "128 * m + k + 4");
  EXPECT_EQ(Affine{}.str(names), "0");
}

TEST(AffineTest, KnowsWhatItDependsOn) {
  Affine start{{128, 0}, 4};
  EXPECT_TRUE(start.dependsOn(0));
  EXPECT_FALSE(start.dependsOn(1));
  EXPECT_FALSE(start.dependsOn(7));
  EXPECT_FALSE(start.isConstant());
}

TEST(CoordinateTest, WrapsAroundARing) {
  Coordinate next{{{1}, 1}, 1, 8}, before{{{1}, -1}, 1, 8};
  const int64_t last[] = {7}, first[] = {0};
  EXPECT_EQ(next.at(last), 0);
  EXPECT_EQ(before.at(first), 7);
}

TEST(CoordinateTest, DividesTowardsMinusInfinity) {
  Coordinate channel{{{8, 1}}, 4, 0};
  const int64_t core[] = {1, 3}, outside[] = {0, -1};
  EXPECT_EQ(channel.at(core), 2);
  EXPECT_EQ(channel.at(outside), -1);
}

} // namespace
} // namespace tawa::mesh
