// Plans for moving registers to shared memory, executed by a small model of stmatrix and of vector stores: afterwards
// every element must be where the shared layout says, and nothing is written twice with different values.
#include "compiler/layouts/algebra/HopperLayouts.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace tawa {
namespace {

const Swizzle allSwizzles[] = {Swizzle::None, Swizzle::B32, Swizzle::B64, Swizzle::B128};
constexpr uint32_t unwritten = ~0u;

/// The value of an element is its row-major number in the tile.
uint32_t valueAt(const LinearLayout &layout, const std::vector<uint32_t> &coordinate) {
  uint32_t value = 0;
  for (size_t d = 0; d < coordinate.size(); ++d)
    value = (value << layout.outs()[d].bits) + coordinate[d];
  return value;
}

class Memory {
public:
  explicit Memory(const LinearLayout &shared) : shared(shared), cells(shared.inSize("offset"), unwritten) {}

  void store(uint32_t byte, uint32_t elementBytes, uint32_t value) {
    ASSERT_EQ(byte % elementBytes, 0u);
    ASSERT_LT(byte / elementBytes, cells.size());
    uint32_t &cell = cells[byte / elementBytes];
    ASSERT_TRUE(cell == unwritten || cell == value) << "two different values for one place";
    cell = value;
  }
  bool holdsTheTile() const {
    for (uint32_t offset = 0; offset < cells.size(); ++offset)
      if (cells[offset] != valueAt(shared, shared.apply({offset})))
        return false;
    return true;
  }

private:
  const LinearLayout &shared;
  std::vector<uint32_t> cells;
};

/// One warp's stmatrix as the PTX ISA describes it: row r of matrix i goes to the address of lane 8 i + r; its element
/// e comes from the low or high half of register i of lane 4 r + e / 2, or, transposed, with r and e exchanged.
void runStmatrix(const StmatrixPlan &plan, const StmatrixPlan::Store &store, uint32_t warp, const LinearLayout &regs,
                 Memory &memory) {
  ASSERT_EQ(store.registers.size(), plan.matrices);
  for (uint32_t matrix = 0; matrix < plan.matrices; ++matrix)
    for (uint32_t row = 0; row < 8; ++row) {
      uint32_t address = plan.address(matrix * 8 + row, warp, store);
      ASSERT_EQ(address % 16, 0u);
      for (uint32_t element = 0; element < 8; ++element) {
        uint32_t major = plan.transposed ? element : row, minor = plan.transposed ? row : element;
        uint32_t lane = 4 * major + minor / 2;
        uint32_t reg = store.registers[matrix] ^ (minor % 2 ? plan.pairStride : 0);
        memory.store(address + element * 2, 2, valueAt(regs, regs.apply({reg, lane, warp})));
      }
    }
}

bool stmatrixWritesTheTile(const StmatrixPlan &plan, const LinearLayout &regs, const LinearLayout &shared) {
  Memory memory(shared);
  for (uint32_t warp = 0; warp < regs.inSize("warp"); ++warp)
    for (const StmatrixPlan::Store &store : plan.stores) {
      if (warp & plan.replicatedWarps)
        continue;
      runStmatrix(plan, store, warp, regs, memory);
    }
  return memory.holdsTheTile();
}

bool vectorsWriteTheTile(const VectorPlan &plan, const LinearLayout &regs, const LinearLayout &shared,
                         uint32_t elementBytes) {
  Memory memory(shared);
  for (uint32_t warp = 0; warp < regs.inSize("warp"); ++warp)
    for (uint32_t lane = 0; lane < 32; ++lane)
      for (const VectorPlan::Access &access : plan.accesses) {
        uint32_t address = plan.address(lane, warp, access);
        if (address % (plan.vector * elementBytes) || access.registers.size() != plan.vector)
          return false;
        for (uint32_t i = 0; i < plan.vector; ++i)
          memory.store(address + i * elementBytes, elementBytes,
                       valueAt(regs, regs.apply({access.registers[i], lane, warp})));
      }
  return memory.holdsTheTile();
}

TEST(Stmatrix, WritesEveryAccumulatorTile) {
  for (uint32_t warps : {4u, 8u})
    for (uint32_t rows : {64u, 128u, 256u})
      for (uint32_t cols : {8u, 16u, 64u, 128u, 256u})
        for (Swizzle swizzle : allSwizzles)
          for (bool rowMajor : {true, false}) {
            if ((rowMajor ? cols : rows) * 2 < swizzleBytes(swizzle))
              continue;
            LinearLayout regs = wgmmaAccumulator(rows, cols, std::min(cols, 64u), warps);
            LinearLayout shared = sharedSwizzled(rows, cols, 16, swizzle, rowMajor);
            StmatrixFailure why = StmatrixFailure::None;
            auto plan = deriveStmatrix(regs, shared, 16, &why);
            ASSERT_TRUE(plan) << describe(why) << "\n" << regs.str() << shared.str();
            EXPECT_EQ(plan->transposed, !rowMajor);
            unsigned perThread = regs.inSize("register");
            EXPECT_EQ(plan->matrices, std::min(4u, perThread / 2));
            EXPECT_EQ(plan->stores.size(), perThread / 2 / plan->matrices);
            EXPECT_TRUE(stmatrixWritesTheTile(*plan, regs, shared)) << regs.str() << shared.str();
          }
}

TEST(Stmatrix, ImmediateAndXorPartsAddUp) {
  LinearLayout regs = wgmmaAccumulator(64, 256, 256, 4), shared = sharedSwizzled(64, 256, 16, Swizzle::B128);
  auto plan = deriveStmatrix(regs, shared, 16);
  ASSERT_TRUE(plan);
  unsigned immediates = 0;
  for (const StmatrixPlan::Store &store : plan->stores) {
    uint32_t immediate = plan->immediatePart(store), rest = store.xorBytes ^ immediate;
    immediates += immediate != 0;
    for (uint32_t warp = 0; warp < 4; ++warp)
      for (uint32_t lane = 0; lane < 32; ++lane) {
        StmatrixPlan::Store variable{rest, {}};
        ASSERT_EQ(plan->address(lane, warp, variable) + immediate, plan->address(lane, warp, store));
      }
  }
  EXPECT_EQ(immediates, 12u); // the three panels beyond the first, four stores each
}

TEST(Stmatrix, SmallFormsAndOddPairs) {
  // One matrix per warp, two matrices, and a packed pair that is not register bit 0.
  const std::vector<LinearLayout::Basis> lanes{{0, 2}, {0, 4}, {1, 0}, {2, 0}, {4, 0}};
  LinearLayout one({{"register", {{0, 1}}}, {"lane", lanes}, {"warp", {}}}, {{"dim0", 3}, {"dim1", 3}});
  LinearLayout two({{"register", {{8, 0}, {0, 1}}}, {"lane", lanes}, {"warp", {}}}, {{"dim0", 4}, {"dim1", 3}});
  for (const LinearLayout &regs : {one, two}) {
    LinearLayout shared = sharedSwizzled(regs.outSize("dim0"), 8, 16, Swizzle::None);
    auto plan = deriveStmatrix(regs, shared, 16);
    ASSERT_TRUE(plan);
    EXPECT_EQ(plan->matrices, regs.inSize("register") / 2);
    EXPECT_EQ(plan->pairStride, regs.inSize("register") / 2);
    EXPECT_TRUE(stmatrixWritesTheTile(*plan, regs, shared));
  }
}

TEST(Stmatrix, CopiesAreStoredOnce) {
  // Eight warps on a tile for four; registers doubled.
  LinearLayout tile = wgmmaAccumulator(64, 64, 64, 8);
  LinearLayout regs = tile * LinearLayout({{"register", {{0, 0}}}}, {{"dim0", 0}, {"dim1", 0}});
  LinearLayout shared = sharedSwizzled(64, 64, 16, Swizzle::B128);
  auto plan = deriveStmatrix(regs, shared, 16);
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->replicatedWarps, 4u);
  EXPECT_EQ(plan->stores.size(), 4u);
  EXPECT_TRUE(stmatrixWritesTheTile(*plan, regs, shared));
}

TEST(Stmatrix, RefusalsHaveReasons) {
  auto reason = [](const LinearLayout &regs, const LinearLayout &shared, unsigned elementBits) {
    StmatrixFailure why = StmatrixFailure::None;
    EXPECT_FALSE(deriveStmatrix(regs, shared, elementBits, &why));
    EXPECT_FALSE(std::string(describe(why)).empty());
    return why;
  };
  LinearLayout shared = sharedSwizzled(64, 64, 16, Swizzle::B128), regs = wgmmaAccumulator(64, 64, 64, 4);
  EXPECT_EQ(reason(regs, shared, 32), StmatrixFailure::ElementSize);
  EXPECT_EQ(reason(wgmmaAccumulator(64, 128, 64, 4), shared, 16), StmatrixFailure::NotCovered);
  EXPECT_EQ(reason(blocked({64, 64}, 8, 4), shared, 16), StmatrixFailure::NotMatrixShaped);
  EXPECT_EQ(reason(blocked({8, 8}, 8, 1), sharedRowMajor({8, 8}), 16), StmatrixFailure::ReplicatedLanes);
  EXPECT_EQ(reason(regs, sharedSwizzled(64, 64, 16, Swizzle::None, true, 4), 16), StmatrixFailure::NotMatrixShaped);
}

TEST(VectorAccess, WritesEveryTile) {
  for (unsigned elementBits : {8u, 16u, 32u})
    for (Swizzle swizzle : allSwizzles)
      for (uint32_t rows : {64u, 128u})
        for (uint32_t cols : {32u, 128u}) {
          const uint32_t bytes = elementBits / 8;
          LinearLayout shared =
              sharedSwizzled(rows, cols, elementBits, cols * bytes < swizzleBytes(swizzle) ? Swizzle::None : swizzle);
          for (const LinearLayout &regs :
               {wgmmaAccumulator(rows, cols, 32, 4), blocked({rows, cols}, 16 / bytes, 8), blocked({rows, cols}, 1, 4),
                blocked({rows, cols}, 4, 4, {0, 1}), wgmmaAccumulator(rows, cols, 32, 16)}) {
            auto plan = deriveVectorAccess(regs, shared, elementBits);
            ASSERT_TRUE(plan);
            EXPECT_TRUE(vectorsWriteTheTile(*plan, regs, shared, bytes)) << regs.str() << shared.str();
          }
          auto wide = deriveVectorAccess(blocked({rows, cols}, 16 / bytes, 8), shared, elementBits);
          EXPECT_EQ(wide->vector * bytes, 16u);
          EXPECT_EQ(deriveVectorAccess(wgmmaAccumulator(rows, cols, 32, 4), shared, elementBits)->vector, 2u);
        }
}

TEST(VectorAccess, ReversedNeighboursAreNoVector) {
  // Registers hold neighbours, but odd lanes hold them in reverse order.
  const std::vector<LinearLayout::Basis> lanes{{3}, {4}, {8}, {16}, {32}};
  LinearLayout regs({{"register", {{1}}}, {"lane", lanes}, {"warp", {}}}, {{"dim0", 6}});
  auto plan = deriveVectorAccess(regs, sharedRowMajor({64}), 32);
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->vector, 1u);
  EXPECT_TRUE(vectorsWriteTheTile(*plan, regs, sharedRowMajor({64}), 4));
}

TEST(VectorAccess, ReadersGetTheirCopies) {
  LinearLayout regs = sliceAxis(wgmmaAccumulator(64, 64, 64, 4), 1), shared = sharedRowMajor({64});
  auto writer = deriveVectorAccess(regs, shared, 32), reader = deriveVectorAccess(regs, shared, 32, true);
  ASSERT_TRUE(writer && reader);
  EXPECT_EQ(writer->replicatedLanes, 3u);
  EXPECT_EQ(writer->accesses.size(), 2u);
  EXPECT_EQ(reader->accesses.size(), 32u);
  for (const VectorPlan::Access &access : reader->accesses)
    for (uint32_t lane = 0; lane < 32; ++lane)
      ASSERT_EQ(reader->address(lane, 3, access) / 4, regs.apply({access.registers[0], lane, 3})[0]);
  EXPECT_TRUE(vectorsWriteTheTile(*writer, regs, shared, 4));
  EXPECT_FALSE(deriveVectorAccess(wgmmaAccumulator(64, 64, 64, 4), sharedRowMajor({64, 32}), 32));
}

} // namespace
} // namespace tawa
