// GridShape: boxes recovered from the ways in which kernels number their tiles.
#include "compiler/planner/affinize/GridShape.h"

#include <functional>
#include <gtest/gtest.h>

namespace tawa {
namespace {

ProgramFunction tabulate(int64_t programs, const std::function<int64_t(int64_t)> &of) {
  ProgramFunction function;
  for (int64_t program = 0; program < programs; ++program)
    function.push_back(of(program));
  return function;
}

std::vector<std::string> namesOf(const GridShape &shape) {
  std::vector<std::string> names;
  for (const mesh::Index &dim : shape.dims())
    names.push_back(dim.name + ":" + std::to_string(dim.extent));
  return names;
}

using Names = std::vector<std::string>;

TEST(GridShape, RowsAndColumns) {
  ProgramFunction row = tabulate(12, [](int64_t p) { return p / 4; }),
                  column = tabulate(12, [](int64_t p) { return p % 4; });
  ProgramFunction start = tabulate(12, [](int64_t p) { return 128 * (p / 4) + p % 4 + 7; });
  auto shape =
      GridShape::find({{"pid", tabulate(12, [](int64_t p) { return p; })}, {"m", row}, {"n", column}}, {start});
  ASSERT_TRUE(shape);
  EXPECT_EQ(namesOf(*shape), (Names{"m:3", "n:4"}));
  EXPECT_EQ(*shape->affine(start), (mesh::Affine{{128, 1}, 7}));
  EXPECT_FALSE(shape->affine(tabulate(12, [](int64_t p) { return p * p; })));
}

// Columns first, and the map from tiles back to programs.
TEST(GridShape, KeepsTheProgramOfEachTile) {
  ProgramFunction row = tabulate(6, [](int64_t p) { return p % 3; }),
                  column = tabulate(6, [](int64_t p) { return p / 3; });
  auto shape = GridShape::find({{"m", row}, {"n", column}}, {row, column});
  ASSERT_TRUE(shape);
  EXPECT_EQ(shape->programs(), (std::vector<uint32_t>{0, 3, 1, 4, 2, 5}));
}

// Accesses that need no finer coordinates than the program's number get that one.
TEST(GridShape, TakesTheFewestCoordinates) {
  ProgramFunction pid = tabulate(12, [](int64_t p) { return p; });
  ProgramFunction row = tabulate(12, [](int64_t p) { return p / 4; }),
                  column = tabulate(12, [](int64_t p) { return p % 4; });
  auto shape =
      GridShape::find({{"m", row}, {"n", column}, {"pid", pid}}, {tabulate(12, [](int64_t p) { return 64 * p; })});
  ASSERT_TRUE(shape);
  EXPECT_EQ(namesOf(*shape), (Names{"pid:12"}));
}

// Heads that share keys: head / 4 is computed, head % 4 is not.
TEST(GridShape, AddsRemaindersOfQuotients) {
  ProgramFunction head = tabulate(32, [](int64_t p) { return p; }),
                  keys = tabulate(32, [](int64_t p) { return p / 4; });
  auto shape = GridShape::find({{"head", head}, {"kv", keys}}, {head, keys});
  ASSERT_TRUE(shape);
  EXPECT_EQ(namesOf(*shape), (Names{"kv:8", ":4"}));
  EXPECT_EQ(*shape->affine(head), (mesh::Affine{{4, 1}, 0}));
}

// A multiple of a coordinate is as good as the coordinate, but the kernel's name for the coordinate itself is kept.
TEST(GridShape, NamesByTheFunctionItself) {
  ProgramFunction m = tabulate(4, [](int64_t p) { return p; });
  ProgramFunction offset = tabulate(4, [](int64_t p) { return 128 * p + 3; });
  EXPECT_EQ(namesOf(*GridShape::find({{"offset", offset}, {"row", m}, {"m", m}, {"later", offset}}, {m})),
            (Names{"m:4"}));
}

TEST(GridShape, RefusesWhatIsNoBox) {
  ProgramFunction row = tabulate(11, [](int64_t p) { return p / 4; }),
                  column = tabulate(11, [](int64_t p) { return p % 4; });
  EXPECT_FALSE(GridShape::find({{"m", row}, {"n", column}}, {row, column}));
  ProgramFunction square = tabulate(8, [](int64_t p) { return p * p; });
  EXPECT_FALSE(GridShape::find({{"p", tabulate(8, [](int64_t p) { return p; })}, {"s", square}}, {square}));
}

TEST(GridShape, OneProgramIsOneTile) {
  auto shape = GridShape::find({{"pid", {0}}}, {{5}});
  ASSERT_TRUE(shape);
  EXPECT_EQ(shape->dims().size(), 1u);
  EXPECT_EQ(*shape->affine({5}), (mesh::Affine{{0}, 5}));
}

/// Eight programs by their number.
GridShape line() {
  ProgramFunction numbers = {0, 1, 2, 3, 4, 5, 6, 7};
  return *GridShape::find({{"p", numbers}}, {numbers});
}

TEST(GridShapeTest, LengthsThatGrowUpToALimit) {
  auto trips = line().tripCount({64, 128, 192, 256, 300, 300, 300, 300}, 64);
  ASSERT_TRUE(trips);
  EXPECT_EQ(*trips, (mesh::TripCount{{{1}, 1}, 1, 5}));
}

TEST(GridShapeTest, LengthsThatShrinkToNothing) {
  auto trips = line().tripCount({10, 10, 8, 5, 2, -1, -4, -7}, 1);
  ASSERT_TRUE(trips);
  EXPECT_EQ(*trips, (mesh::TripCount{{{-3}, 14}, 1, 10}));
  for (int64_t p = 0; p < 8; ++p)
    EXPECT_EQ(trips->at(std::vector{p}), std::clamp<int64_t>(14 - 3 * p, 0, 10));
}

TEST(GridShapeTest, OtherLengthsHaveNoForm) {
  EXPECT_FALSE(line().tripCount({0, 1, 4, 9, 16, 25, 36, 49}, 1));
  EXPECT_FALSE(line().tripCount({3, 2, 1, 0, 1, 2, 3, 4}, 1));
}

} // namespace
} // namespace tawa
