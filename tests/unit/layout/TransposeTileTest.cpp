// Tiles transposed in shared memory: every element passes through a register, faster than with the naive layout.
#include "compiler/layouts/algebra/TransposeTile.h"
#include "compiler/layouts/algebra/BankConflicts.h"
#include "compiler/layouts/algebra/KPermutation.h"

#include <gtest/gtest.h>

#include <bit>

namespace tawa {
namespace {

struct Tile {
  uint32_t rows, cols;
  unsigned bits;
  uint32_t warps;
};
const Tile kTiles[] = {{64, 128, 8, 8}, {128, 256, 8, 8}, {32, 64, 8, 4}, {32, 128, 32, 8}, {16, 64, 32, 4}};

LinearLayout shared(const Tile &tile, bool rowMajor) {
  uint32_t contiguous = rowMajor ? tile.cols : tile.rows, other = rowMajor ? tile.rows : tile.cols;
  return sharedSwizzled(tile.rows, tile.cols, tile.bits, chooseSwizzle(contiguous * tile.bits / 8, other), rowMajor);
}

/// Accesses and conflicts of one warp, to and fro.
unsigned cost(const LinearLayout &registers, const LinearLayout &from, const LinearLayout &to, const Tile &tile) {
  unsigned sum = 0;
  for (const LinearLayout *side : {&from, &to}) {
    auto plan = deriveVectorAccess(registers, *side, tile.bits);
    if (!plan)
      return ~0u;
    sum += static_cast<unsigned>(plan->accesses.size()) + countBankConflicts(*plan, tile.bits / 8);
  }
  return sum;
}

TEST(TransposeTileTest, BeatsReadingRowsAndWritingElements) {
  for (const Tile &tile : kTiles) {
    SCOPED_TRACE(testing::Message() << tile.rows << "x" << tile.cols << " of " << tile.bits << " bits");
    LinearLayout from = shared(tile, true), to = shared(tile, false);
    LinearLayout registers = transposingRegisters(from, to, tile.bits, tile.warps);
    ASSERT_TRUE(registers.isSurjective());
    LinearLayout rows = blocked({tile.rows, tile.cols}, 128 / tile.bits, tile.warps);
    EXPECT_LT(cost(registers, from, to, tile), cost(rows, from, to, tile));
  }
}

/// A copy in the same order needs no rectangles.
TEST(TransposeTileTest, CopiesInOrderTakeTheWidestAccess) {
  Tile tile{64, 128, 8, 8};
  LinearLayout layout = shared(tile, true);
  auto plan = deriveVectorAccess(transposingRegisters(layout, layout, 8, 8), layout, 8);
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->vector, 16u);
  EXPECT_EQ(countBankConflicts(*plan, 1), 0u);
}

/// The tile with its coordinates in place of its bytes.
std::vector<std::vector<uint32_t>> filled(const LinearLayout &shared) {
  std::vector<std::vector<uint32_t>> bytes(shared.inSize("offset"));
  for (uint32_t offset = 0; offset < bytes.size(); ++offset)
    bytes[offset] = shared.apply({offset});
  return bytes;
}

/// Visits (offset, register, lane) of every byte that one warp moves, as the PTX ISA describes ldmatrix and stmatrix:
/// lane 8 i + r has the address of row r of matrix i; lane l holds pairs 2 (l mod 4) and the next one of row l / 4, or
/// of column l / 4.
template <typename Visit> void walk(const BytePairMoves &moves, uint32_t warp, Visit visit) {
  for (const StmatrixPlan::Store &access : moves.plan.stores)
    for (uint32_t matrix = 0; matrix < access.registers.size(); ++matrix)
      for (uint32_t lane = 0; lane < 32; ++lane)
        for (uint32_t byte = 0; byte < 4; ++byte) {
          uint32_t along = 2 * (lane % 4) + byte / 2, across = lane / 4;
          uint32_t row = moves.plan.transposed ? along : across, column = moves.plan.transposed ? across : along;
          uint32_t address = moves.plan.address(8 * matrix + row, warp, access);
          visit(address + 2 * column + byte % 2, moves.bytesOf(access.registers[matrix])[byte], lane);
        }
}

TEST(TransposeTileTest, MatrixMovesTakeEachByteToItsPlace) {
  const KPermutation sumsOfF32 = {0, 3, 1, 2, 4, 5, 6};
  for (const KPermutation &order : {KPermutation(), sumsOfF32})
    for (auto [rows, cols, warps] : {std::array{128u, 128u, 4u}, {128u, 256u, 4u}, {128u, 64u, 8u}}) {
      Tile tile{rows, cols, 8, warps};
      SCOPED_TRACE(testing::Message() << rows << "x" << cols << (order.empty() ? "" : " in another order"));
      LinearLayout from = shared(tile, true), to = withOrder(shared(tile, false), 0, order);
      auto plan = transposingMatrices(from, to, 8, warps);
      ASSERT_TRUE(plan);
      EXPECT_TRUE(plan->registers.isInvertible());
      EXPECT_EQ(plan->read.plan.matrices, 4u);
      EXPECT_EQ(plan->write.plan.matrices, 4u);
      std::vector<std::vector<uint32_t>> before = filled(from), after(before.size());
      for (uint32_t warp = 0; warp < warps; ++warp) {
        walk(plan->read, warp, [&](uint32_t offset, uint32_t index, uint32_t lane) {
          EXPECT_EQ(before[offset], plan->registers.apply({index, lane, warp}));
        });
        walk(plan->write, warp, [&](uint32_t offset, uint32_t index, uint32_t lane) {
          bool isSwapped = std::popcount(lane & plan->swappingLanes) % 2 != 0;
          after[offset] = plan->registers.apply({isSwapped ? MatrixTranspose::swapped(index) : index, lane, warp});
        });
      }
      EXPECT_EQ(after, filled(to));
      EXPECT_EQ(countBankConflicts(plan->write.plan), 0u);
      EXPECT_EQ(countBankConflicts(plan->read.plan) == 0, order == sumsOfF32); // else 4 rows of 8 meet others
    }
}

TEST(TransposeTileTest, MatrixMovesAreForBytesThatRunAcross) {
  Tile bytes{64, 128, 8, 4}, words{32, 32, 32, 4};
  LinearLayout layout = shared(bytes, true);
  EXPECT_FALSE(transposingMatrices(layout, layout, 8, 4));
  EXPECT_FALSE(transposingMatrices(shared(words, true), shared(words, false), 32, 4));
}

} // namespace
} // namespace tawa
