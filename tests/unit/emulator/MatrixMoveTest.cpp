// stmatrix and ldmatrix, plain and transposed, in all counts.
#include "tests/unit/emulator/EmulatorTestSupport.h"

using namespace tawa;
using namespace tawa::emu;
using namespace tawa::emu::test;

namespace {

struct Params {
  uint16_t *out; ///< count matrices of 64 elements
  uint32_t count, transpose;
};

// Element (row, column) of matrix m has the value 64 m + 8 row + column.
uint32_t fragment(uint32_t lane, uint32_t matrix, bool transpose) {
  uint32_t pair[2];
  for (uint32_t half = 0; half < 2; ++half) {
    uint32_t row = transpose ? lane % 4 * 2 + half : lane / 4, column = transpose ? lane / 4 : lane % 4 * 2 + half;
    pair[half] = 64 * matrix + 8 * row + column;
  }
  return pair[0] | pair[1] << 16;
}

void storeThenRead(void *t, const void *params) {
  auto &p = *static_cast<const Params *>(params);
  uint32_t lane = state(t).laneId, base = state(t).sharedBase, r[4] = {};
  for (uint32_t m = 0; m < p.count; ++m)
    r[m] = fragment(lane, m, p.transpose);
  tawa_emu_stmatrix(t, base + lane * 16, p.count, p.transpose, r[0], r[1], r[2], r[3]);
  tawa_emu_warp_sync(t, ~0u);
  for (uint32_t at = lane; at < p.count * 64; at += 32)
    storeGlobal(t, p.out + at, loadShared<uint16_t>(t, base + at * 2));
}

void loadMatrices(void *t, const void *params) {
  auto &p = *static_cast<const Params *>(params);
  uint32_t lane = state(t).laneId, base = state(t).sharedBase, r[4] = {};
  for (uint32_t at = lane; at < 256; at += 32)
    storeShared(t, base + at * 2, static_cast<uint16_t>(at));
  tawa_emu_warp_sync(t, ~0u);
  tawa_emu_ldmatrix(t, base + lane * 16, p.count, p.transpose, r);
  for (uint32_t m = 0; m < p.count; ++m)
    if (r[m] != fragment(lane, m, p.transpose))
      tawa_emu_trap(t);
}

TEST(MatrixMove, StoreAndLoad) {
  for (uint32_t count : {1u, 2u, 4u}) {
    for (uint32_t transpose : {0u, 1u}) {
      std::vector<uint16_t> out(256, 0);
      EXPECT_OK(Launch(32, 512).give(out, "out").run(storeThenRead, Params{out.data(), count, transpose}));
      for (uint32_t i = 0; i < count * 64; ++i)
        ASSERT_EQ(out[i], i) << count << " matrices, transpose " << transpose;
      EXPECT_OK(Launch(32, 512).run(loadMatrices, Params{nullptr, count, transpose}));
    }
  }
}

// A lane's own store after a stmatrix must not be overtaken by it, though stmatrix blocks no lane.
TEST(MatrixMove, LaterStoreOfALaneComesLater) {
  EXPECT_OK(Launch(32, 512).run([](void *t, const void *) {
    uint32_t lane = state(t).laneId, base = state(t).sharedBase;
    tawa_emu_stmatrix(t, base + lane * 16, 4, 0, 1, 1, 1, 1);
    if (lane == 0)
      storeShared(t, base, 42u);
    tawa_emu_warp_sync(t, ~0u);
    if (loadShared<uint32_t>(t, base) != 42)
      tawa_emu_trap(t);
  }));
}

TEST(MatrixMove, ReportsMisuse) {
  EXPECT_EMULATOR_ERROR(Launch(32, 512).run([](void *t, const void *) {
    tawa_emu_stmatrix(t, state(t).sharedBase + state(t).laneId * 8, 4, 0, 0, 0, 0, 0);
  }),
                        "not a multiple of 16");
  EXPECT_EMULATOR_ERROR(Launch(32, 496).run([](void *t, const void *) {
    tawa_emu_stmatrix(t, state(t).sharedBase + state(t).laneId * 16, 4, 0, 0, 0, 0, 0);
  }),
                        "out of bounds");
  EXPECT_EMULATOR_ERROR(Launch(32, 512).run([](void *t, const void *) {
    if (state(t).laneId < 30)
      tawa_emu_stmatrix(t, state(t).sharedBase + state(t).laneId * 16, 4, 0, 0, 0, 0, 0);
  }),
                        "only 30 of its 32 lanes");
}

} // namespace
