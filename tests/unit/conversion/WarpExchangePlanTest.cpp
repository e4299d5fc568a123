// Offsets of the partial results that warps exchange: no two that are in use at the same time overlap.
#include "compiler/target/hopper/TawaToSM90/WarpExchangePlan.h"

#include <gtest/gtest.h>

#include <set>

namespace tawa {
namespace {

TEST(WarpExchangePlan, EveryPartOfEveryPlaceHasBytesOfItsOwn) {
  const uint32_t parts = 4, elements = 3, lanes = 8, warps = 2;
  WarpExchangePlan plan(parts, elements, lanes, warps, {4, 8});
  std::set<uint32_t> bytes;
  for (uint32_t operand = 0; operand < 2; ++operand)
    for (uint32_t part = 0; part < parts; ++part)
      for (uint32_t warp = 0; warp < warps; ++warp)
        for (uint32_t element = 0; element < elements; ++element)
          for (uint32_t lane = 0; lane < lanes; ++lane) {
            uint32_t place = lane + warp * lanes * elements, size = plan.elementBytes[operand];
            uint32_t begin = plan.offsetOf(operand, element) + part * plan.partStride(operand) + place * size;
            for (uint32_t byte = begin; byte < begin + size; ++byte)
              EXPECT_TRUE(bytes.insert(byte).second) << byte;
          }
  EXPECT_EQ(*bytes.rbegin() + 1, plan.bytes);
  EXPECT_EQ(bytes.size(), plan.bytes) << "no gaps where all is aligned";
}

TEST(WarpExchangePlan, RegionsAreAlignedToAnAccess) {
  WarpExchangePlan plan(2, 1, 1, 1, {1, 4});
  EXPECT_EQ(plan.regions[1], 16u);
  EXPECT_EQ(plan.bytes, 32u);
}

TEST(WarpExchangePlan, PartsOfOnePlaceAreReadTogether) {
  EXPECT_EQ(WarpExchangePlan(8, 1, 1, 1, {4}).partsPerLoad(0), 4u);
  EXPECT_EQ(WarpExchangePlan(2, 1, 1, 1, {4}).partsPerLoad(0), 2u);
  EXPECT_EQ(WarpExchangePlan(8, 1, 1, 1, {8}).partsPerLoad(0), 2u);
  EXPECT_EQ(WarpExchangePlan(8, 1, 2, 1, {4}).partsPerLoad(0), 1u) << "those of two places are apart";
}

} // namespace
} // namespace tawa
