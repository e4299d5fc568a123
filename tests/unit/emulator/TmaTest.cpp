// TMA boxes of every rank against a plain copy: edges on all sides, fills, swizzles, bytes, bulk groups, multicast.
#include "runtime/emulator/TensorMap.h"
#include "tests/unit/emulator/EmulatorTestSupport.h"

using namespace tawa;
using namespace tawa::emu;
using namespace tawa::emu::test;
using Swizzle = TensorMapRecipe::Swizzle;
using Fill = TensorMapRecipe::Fill;

namespace {

struct BoxParams {
  MapBytes in, out;
  uint32_t rank, bytes;
  int32_t from[5], to[5];
  uint8_t *raw; ///< The box as it lies in shared memory.
};

/// Loads a box, copies its bytes out as they lie, stores it somewhere else.
void copyBox(void *t, const void *params) {
  auto &p = *static_cast<const BoxParams *>(params);
  const ThreadState &s = state(t);
  uint32_t bar = s.sharedBase, data = s.sharedBase + 1024;
  if (s.tid[0] == 0)
    tawa_emu_mbarrier_init(t, bar, 1);
  tawa_emu_barrier_sync(t, 0, 32);
  auto c = [](const int32_t *at, int d) { return static_cast<uint32_t>(at[d]); };
  if (s.tid[0] == 0) {
    tawa_emu_prefetch_tensormap(t, p.in.get());
    tawa_emu_mbarrier_arrive_expect_tx(t, bar, p.bytes);
    tawa_emu_tma_load(t, data, p.in.get(), bar, p.rank, c(p.from, 0), c(p.from, 1), c(p.from, 2), c(p.from, 3),
                      c(p.from, 4), 0);
  }
  tawa_emu_mbarrier_wait_parity(t, bar, 0);
  for (uint32_t at = s.tid[0]; at < p.bytes; at += 32)
    storeGlobal(t, p.raw + at, loadShared<uint8_t>(t, data + at));
  if (s.tid[0] == 0) {
    tawa_emu_tma_store(t, p.out.get(), data, p.rank, c(p.to, 0), c(p.to, 1), c(p.to, 2), c(p.to, 3), c(p.to, 4));
    tawa_emu_bulk_commit(t);
    tawa_emu_bulk_wait(t, 0, 0);
  }
}

struct Tensor {
  TensorMapFields fields;
  std::vector<uint8_t> bytes;

  Tensor(ElementType type, std::vector<uint64_t> dims, std::vector<uint32_t> box, Swizzle swizzle, Fill fill) {
    fields.type = type;
    fields.rank = static_cast<uint32_t>(dims.size());
    uint64_t stride = elementBytes(type);
    for (size_t d = 0; d < dims.size(); ++d) {
      fields.dims[d] = dims[d];
      fields.box[d] = box[d];
      fields.strides[d] = stride;
      stride = (stride * dims[d] + 15) / 16 * 16;
    }
    fields.swizzle = swizzle;
    fields.fill = fill;
    bytes.assign(stride, 0);
    fields.base = reinterpret_cast<uintptr_t>(bytes.data());
  }
  MapBytes map() const {
    MapBytes result;
    encodeTensorMap(fields, result.bytes);
    return result;
  }
  /// The element at signed coordinates, or null outside.
  uint8_t *at(const int64_t (&index)[5]) {
    uint64_t offset = 0;
    for (uint32_t d = 0; d < fields.rank; ++d) {
      if (index[d] < 0 || index[d] >= int64_t(fields.dims[d]))
        return nullptr;
      offset += static_cast<uint64_t>(index[d]) * fields.strides[d];
    }
    return bytes.data() + offset;
  }
  /// Likewise, but rows end as they do for stores: at a multiple of 16 bytes.
  uint8_t *writable(const int64_t (&index)[5]) {
    uint64_t chunk = std::max(16 / elementBytes(fields.type), 1u), columns = fields.dims[0];
    fields.dims[0] = (columns + chunk - 1) / chunk * chunk;
    uint8_t *element = at(index);
    fields.dims[0] = columns;
    return element;
  }
};

/// Address bits as the PTX ISA draws the swizzle patterns, written out apart from the emulator's formula.
uint32_t swizzled(uint32_t offset, Swizzle swizzle) {
  uint32_t line = offset / 128, chunk = offset / 16 % 8, byte = offset % 16;
  switch (swizzle) {
  case Swizzle::None:
    break;
  case Swizzle::B32:
    chunk ^= line % 2;
    break;
  case Swizzle::B64:
    chunk ^= line % 4;
    break;
  case Swizzle::B128:
    chunk ^= line % 8;
    break;
  }
  return line * 128 + chunk * 16 + byte;
}

void checkBox(ElementType type, std::vector<uint64_t> dims, std::vector<uint32_t> box, std::vector<int32_t> from,
              Swizzle swizzle = Swizzle::None, Fill fill = Fill::Zero) {
  std::mt19937 random(static_cast<unsigned>(dims.size() * 100 + from[0]));
  Tensor source(type, dims, box, swizzle, fill), target(type, dims, box, swizzle, fill);
  for (uint8_t &byte : source.bytes)
    byte = static_cast<uint8_t>(random());
  std::vector<int32_t> to = from; // elsewhere, out of bounds in another way, and not below 0
  for (int32_t &coordinate : to)
    coordinate = std::max(coordinate, 0);
  to[0] += static_cast<int32_t>(16 / elementBytes(type));
  uint32_t elements = 1, size = elementBytes(type);
  for (uint32_t extent : box)
    elements *= extent;
  std::vector<uint8_t> raw(elements * size, 0xcc);
  for (const Schedule &schedule : allSchedules()) {
    std::fill(target.bytes.begin(), target.bytes.end(), uint8_t(0));
    BoxParams params{source.map(), target.map(), source.fields.rank, elements * size, {}, {}, raw.data()};
    std::copy(from.begin(), from.end(), params.from);
    std::copy(to.begin(), to.end(), params.to);
    Launch launch(32, 1024 + alignTo(elements * size, 1024));
    launch.options.schedule = schedule;
    launch.give(source.bytes, "source", false).give(target.bytes, "target").give(raw, "raw");
    Status status = launch.run(copyBox, params);
    ASSERT_TRUE(status.isOk()) << status.message();
    const std::vector<uint8_t> written = target.bytes;
    std::fill(target.bytes.begin(), target.bytes.end(), uint8_t(0)); // from here on: what should have been written
    for (uint32_t e = 0; e < elements; ++e) {
      int64_t in[5] = {}, out[5] = {};
      for (uint32_t d = 0, rest = e; d < box.size(); rest /= box[d], ++d) {
        in[d] = from[d] + int64_t(rest % box[d]);
        out[d] = to[d] + int64_t(rest % box[d]);
      }
      uint8_t element[8] = {};
      if (const uint8_t *present = source.at(in))
        memcpy(element, present, size);
      else if (fill == Fill::NaN)
        memset(element, 0xff, size), element[size - 1] = 0x7f;
      ASSERT_EQ(memcmp(&raw[swizzled(e * size, swizzle)], element, size), 0) << "element " << e;
      if (uint8_t *present = target.writable(out))
        memcpy(present, element, size);
    }
    ASSERT_EQ(written, target.bytes) << schedule.str();
  }
}

TEST(Tma, BoxesOfEveryRank) {
  checkBox(ElementType::F32, {100}, {16}, {-4});
  checkBox(ElementType::F32, {100}, {16}, {88});
  checkBox(ElementType::F16, {40, 30}, {16, 8}, {-8, -2});
  checkBox(ElementType::F16, {40, 30}, {16, 8}, {24, 26});
  checkBox(ElementType::F16, {37, 30}, {16, 8}, {24, 3}); // rows end within 16 bytes
  checkBox(ElementType::F32, {29, 30}, {32, 8}, {0, 3});
  checkBox(ElementType::F16, {40, 30}, {16, 8}, {104, 100}); // wholly outside
  checkBox(ElementType::F8E4M3, {64, 9, 5}, {32, 4, 3}, {-16, 7, 3});
  checkBox(ElementType::I32, {12, 5, 4, 3}, {8, 3, 2, 2}, {8, -1, 3, 2});
  checkBox(ElementType::F64, {6, 4, 3, 3, 2}, {4, 2, 2, 2, 2}, {-2, 3, -1, 2, 1});
}

TEST(Tma, Swizzles) {
  checkBox(ElementType::F16, {200, 50}, {64, 16}, {8, 3}, Swizzle::B128);
  checkBox(ElementType::F16, {200, 50}, {64, 16}, {-8, 40}, Swizzle::B128);
  checkBox(ElementType::F16, {200, 50}, {32, 16}, {176, 3}, Swizzle::B64);
  checkBox(ElementType::F16, {200, 50}, {16, 32}, {8, -3}, Swizzle::B32);
}

TEST(Tma, NaNFill) {
  checkBox(ElementType::F16, {40, 30}, {16, 8}, {-8, 26}, Swizzle::None, Fill::NaN);
  checkBox(ElementType::F32, {40, 30}, {16, 8}, {28, -2}, Swizzle::B64, Fill::NaN);
}

struct PlainParams {
  MapBytes map;
};

/// Four CTAs add a box that reaches over the edge; what lies outside of it stays.
TEST(Tma, AddsBoxes) {
  std::vector<float> sums(16 * 20, 0.5f);
  PlainParams params{mapMatrix(sums, ElementType::F32, 16, 20, 8, 32, Swizzle::None)};
  KernelEntry add = [](void *t, const void *params) {
    const ThreadState &s = state(t);
    if (s.tid[0])
      return;
    for (uint32_t at = 0; at < 8 * 32; ++at)
      storeShared<float>(t, s.sharedBase + 4 * at, 1.0f);
    tawa_emu_fence_proxy_async(t);
    addBox(t, static_cast<const PlainParams *>(params)->map, s.sharedBase, 16, 4);
    tawa_emu_bulk_commit(t);
    tawa_emu_bulk_wait(t, 0, 0);
  };
  Launch launch(32, 1024);
  launch.config.grid[0] = 4;
  EXPECT_OK(launch.give(sums, "sums").run(add, params));
  for (uint32_t row = 0; row < 16; ++row)
    for (uint32_t column = 0; column < 20; ++column)
      EXPECT_EQ(sums[row * 20 + column], row >= 4 && row < 12 && column >= 16 ? 4.5f : 0.5f) << row << ", " << column;
}

TEST(Tma, ReportsMisuse) {
  std::vector<uint16_t> data(64 * 64, 0);
  PlainParams params{mapMatrix(data, ElementType::F16, 64, 64, 8, 64, Swizzle::B128)};
  auto run = [&](KernelEntry kernel, const PlainParams &p) {
    return Launch(32, 4096).give(data, "a_desc").run(kernel, p);
  };
  KernelEntry load = [](void *t, const void *params) {
    const ThreadState &s = state(t);
    if (s.tid[0])
      return;
    tawa_emu_mbarrier_init(t, s.sharedBase, 1);
    tawa_emu_mbarrier_arrive_expect_tx(t, s.sharedBase, 1024);
    loadBox(t, s.sharedBase + 1024, static_cast<const PlainParams *>(params)->map, s.sharedBase, 0, 0);
    tawa_emu_mbarrier_wait_parity(t, s.sharedBase, 0);
  };
  EXPECT_OK(run(load, params));
  KernelEntry loadWithinChunk = [](void *t, const void *params) {
    const ThreadState &s = state(t);
    if (s.tid[0] == 0)
      loadBox(t, s.sharedBase + 1024, static_cast<const PlainParams *>(params)->map, s.sharedBase, 4, 0);
  };
  EXPECT_EMULATOR_ERROR(run(loadWithinChunk, params),
                        "innermost coordinate 4, elements of 2 bytes, is no multiple of 16");
  KernelEntry storeWithinChunk = [](void *t, const void *params) {
    if (const ThreadState &s = state(t); s.tid[0] == 0)
      storeBox(t, static_cast<const PlainParams *>(params)->map, s.sharedBase, 4, 0);
  };
  EXPECT_EMULATOR_ERROR(run(storeWithinChunk, params), "no multiple of 16 bytes: illegal instruction");
  KernelEntry storeBelowZero = [](void *t, const void *params) {
    if (const ThreadState &s = state(t); s.tid[0] == 0)
      storeBox(t, static_cast<const PlainParams *>(params)->map, s.sharedBase, 0, -1);
  };
  EXPECT_EMULATOR_ERROR(run(storeBelowZero, params), "coordinate 0 is -1; stores take none below 0");
  PlainParams foreign = params;
  foreign.map.bytes[40] ^= 1;
  EXPECT_EMULATOR_ERROR(run(load, foreign), "not a tensor map");
  memset(foreign.map.bytes, 0, 128);
  EXPECT_EMULATOR_ERROR(run(load, foreign), "not a tensor map");
  // A map that says more memory than the argument has.
  PlainParams large{mapMatrix(data, ElementType::F16, 65, 64, 8, 64, Swizzle::B128)};
  EXPECT_OK(run(load, large)); // the box at 0, 0 is fine
  EXPECT_EMULATOR_ERROR(run(
                            [](void *t, const void *params) {
                              if (state(t).tid[0] == 0)
                                loadBox(t, state(t).sharedBase + 1024, static_cast<const PlainParams *>(params)->map,
                                        state(t).sharedBase, 0, 60);
                            },
                            large),
                        "past the end of 'a_desc'");
  EXPECT_EMULATOR_ERROR(run(
                            [](void *t, const void *params) {
                              if (state(t).tid[0] == 0)
                                loadBox(t, state(t).sharedBase + 1024 + 64,
                                        static_cast<const PlainParams *>(params)->map, state(t).sharedBase, 0, 0);
                            },
                            params),
                        "not a multiple of 128");
  EXPECT_EMULATOR_ERROR(run(
                            [](void *t, const void *params) {
                              if (state(t).tid[0] == 0)
                                loadBox(t, state(t).sharedBase + 4096, static_cast<const PlainParams *>(params)->map,
                                        state(t).sharedBase, 0, 0);
                            },
                            params),
                        "out of bounds");
  EXPECT_EMULATOR_ERROR(run(
                            [](void *t, const void *params) {
                              if (state(t).tid[0] == 0)
                                loadBox(t, state(t).sharedBase + 1024, static_cast<const PlainParams *>(params)->map,
                                        state(t).sharedBase, 0, 0);
                            },
                            params),
                        "before it was initialized");
  EXPECT_EMULATOR_ERROR(run(
                            [](void *t, const void *params) {
                              const ThreadState &s = state(t);
                              if (s.tid[0])
                                return;
                              tawa_emu_mbarrier_init(t, s.sharedBase + 1024, 1);
                              loadBox(t, s.sharedBase + 1024, static_cast<const PlainParams *>(params)->map,
                                      s.sharedBase + 1024, 0, 0);
                            },
                            params),
                        "overwrite the live mbarrier");
  EXPECT_EMULATOR_ERROR(run(
                            [](void *t, const void *params) {
                              const ThreadState &s = state(t);
                              if (s.tid[0] == 0)
                                tawa_emu_tma_load(t, s.sharedBase + 1024,
                                                  static_cast<const PlainParams *>(params)->map.get(), s.sharedBase, 3,
                                                  0, 0, 0, 0, 0, 0);
                            },
                            params),
                        "rank 3 with a tensor map of rank 2");
  EXPECT_EMULATOR_ERROR(run(
                            [](void *t, const void *params) {
                              const ThreadState &s = state(t);
                              if (s.tid[0] == 0)
                                storeBox(t, static_cast<const PlainParams *>(params)->map, s.sharedBase + 1024, 0, 0);
                            },
                            params),
                        "no cp.async.bulk.wait_group");
}

/// A map of two rows of eight halves, written by a thread where `map` is.
void describeRows(void *t, void *map, uint64_t base, uint64_t strideBytes) {
  const uint64_t fields[] = {base, 8, 2, strideBytes, 8, 2};
  tawa_emu_tensormap_write(t, map, const_cast<uint64_t *>(fields), 2, static_cast<uint32_t>(ElementType::F16), 0, 0);
}

struct OwnMapParams {
  uint64_t map, data;
};

/// A kernel may write tensor maps into memory of its own, by TMA's rules, and not while a copy goes by the old one.
TEST(Tma, MapsThatTheKernelWrites) {
  struct alignas(64) Line {
    uint8_t bytes[128];
  };
  std::vector<Line> maps(2);
  std::vector<uint16_t> data(64, 1);
  OwnMapParams params{reinterpret_cast<uint64_t>(maps.data()), reinterpret_cast<uint64_t>(data.data())};
  auto run = [&](KernelEntry kernel) {
    Launch launch(32, 4096);
    launch.options.schedule = Schedule::lateRandom(1);
    return launch.give(maps, "maps").give(data, "data").run(kernel, params);
  };
  KernelEntry overwrites = [](void *t, const void *given) {
    const ThreadState &s = state(t);
    const auto &params = *static_cast<const OwnMapParams *>(given);
    void *map = reinterpret_cast<void *>(params.map);
    if (s.tid[0])
      return;
    tawa_emu_mbarrier_init(t, s.sharedBase, 1);
    tawa_emu_mbarrier_arrive_expect_tx(t, s.sharedBase, 32);
    describeRows(t, map, params.data, 16);
    tawa_emu_tensormap_acquire(t, map);
    tawa_emu_tma_load(t, s.sharedBase + 1024, map, s.sharedBase, 2, 0, 0, 0, 0, 0, 0);
    describeRows(t, map, params.data + 64, 16);
    tawa_emu_mbarrier_wait_parity(t, s.sharedBase, 0);
  };
  EXPECT_EMULATOR_ERROR(run(overwrites), "before all copies that go by it are done");
  KernelEntry waits = [](void *t, const void *given) {
    const ThreadState &s = state(t);
    const auto &params = *static_cast<const OwnMapParams *>(given);
    void *map = reinterpret_cast<void *>(params.map);
    if (s.tid[0])
      return;
    tawa_emu_mbarrier_init(t, s.sharedBase, 1);
    for (uint32_t round = 0; round < 2; ++round) {
      describeRows(t, map, params.data + 64 * round, 16);
      tawa_emu_tensormap_acquire(t, map);
      tawa_emu_mbarrier_arrive_expect_tx(t, s.sharedBase, 32);
      tawa_emu_tma_load(t, s.sharedBase + 1024, map, s.sharedBase, 2, 0, 0, 0, 0, 0, 0);
      tawa_emu_mbarrier_wait_parity(t, s.sharedBase, round);
    }
  };
  EXPECT_OK(run(waits));
  EXPECT_EMULATOR_ERROR(run([](void *t, const void *given) {
                          const auto &params = *static_cast<const OwnMapParams *>(given);
                          if (state(t).tid[0] == 0)
                            describeRows(t, reinterpret_cast<void *>(params.map), params.data, 24);
                        }),
                        "stride of 24 bytes is not a multiple of 16");
  EXPECT_EMULATOR_ERROR(run([](void *t, const void *given) {
                          const auto &params = *static_cast<const OwnMapParams *>(given);
                          if (state(t).tid[0] == 0)
                            describeRows(t, reinterpret_cast<void *>(params.map), params.data + 8, 16);
                        }),
                        "is not a multiple of 16 bytes, as TMA needs");
  EXPECT_EMULATOR_ERROR(run([](void *t, const void *given) {
                          const auto &params = *static_cast<const OwnMapParams *>(given);
                          if (state(t).tid[0] == 0)
                            tawa_emu_tensormap_acquire(t, reinterpret_cast<void *>(params.map + 128));
                        }),
                        "where no tensor map is");
  EXPECT_EMULATOR_ERROR(run([](void *t, const void *) {
                          if (state(t).tid[0] == 0)
                            tawa_emu_tensormap_acquire(t, reinterpret_cast<void *>(uintptr_t(4096)));
                        }),
                        "where no tensor map is");
}

/// Three rows, of which the first and the last are in memory: the stride of the one between wraps around.
TEST(Tma, StridesThatWrapAround) {
  alignas(64) uint8_t map[128];
  std::vector<uint16_t> data(64, 1);
  OwnMapParams params{reinterpret_cast<uint64_t>(map), reinterpret_cast<uint64_t>(data.data())};
  KernelEntry kernel = [](void *t, const void *given) {
    const ThreadState &s = state(t);
    const auto &params = *static_cast<const OwnMapParams *>(given);
    if (s.tid[0])
      return;
    const uint64_t fields[] = {params.data, 8, 3, uint64_t(1) << 63, 8, 3};
    void *map = reinterpret_cast<void *>(params.map);
    tawa_emu_tensormap_write(t, map, const_cast<uint64_t *>(fields), 2, static_cast<uint32_t>(ElementType::F16), 0, 0);
    tawa_emu_mbarrier_init(t, s.sharedBase, 1);
    tawa_emu_mbarrier_arrive_expect_tx(t, s.sharedBase, 48);
    tawa_emu_tma_load(t, s.sharedBase + 1024, map, s.sharedBase, 2, 0, 0, 0, 0, 0, 0);
    tawa_emu_mbarrier_wait_parity(t, s.sharedBase, 0);
  };
  Launch launch(32, 4096);
  EXPECT_EMULATOR_ERROR(launch.give(map, sizeof map, "map").give(data, "data").run(kernel, params),
                        "leaves the address space");
}

TEST(Tma, ExpectedBytesThatNeverComeAreNamed) {
  EXPECT_EMULATOR_ERROR(Launch(32, 64).run([](void *t, const void *) {
    if (state(t).tid[0])
      return;
    tawa_emu_mbarrier_init(t, state(t).sharedBase, 1);
    tawa_emu_mbarrier_arrive_expect_tx(t, state(t).sharedBase, 48);
  }),
                        "still expects 48 bytes");
}

// Groups complete in order; a wait with n pending leaves the last n alone.
TEST(Tma, BulkGroupsOfStores) {
  std::vector<uint32_t> data(64 * 8, 0);
  struct Params {
    MapBytes map;
  } params{mapMatrix(data, ElementType::I32, 8, 64, 1, 32, Swizzle::None)};
  for (const Schedule &schedule : allSchedules()) {
    std::fill(data.begin(), data.end(), 0u);
    Launch launch(32, 1024);
    launch.options.schedule = schedule;
    EXPECT_OK(launch.give(data, "data")
                  .run(
                      [](void *t, const void *params) {
                        const ThreadState &s = state(t);
                        auto &map = static_cast<const Params *>(params)->map;
                        for (uint32_t row = 0; row < 8; ++row) {
                          uint32_t buffer = s.sharedBase + row % 2 * 128;
                          if (s.laneId == 0)
                            tawa_emu_bulk_wait(t, 1, 1);
                          tawa_emu_warp_sync(t, ~0u);
                          storeShared(t, buffer + s.laneId * 4, row * 100 + s.laneId);
                          tawa_emu_fence_proxy_async(t);
                          tawa_emu_warp_sync(t, ~0u);
                          if (s.laneId == 0) {
                            storeBox(t, map, buffer, 0, static_cast<int32_t>(row));
                            tawa_emu_bulk_commit(t);
                          }
                        }
                        if (s.laneId == 0)
                          tawa_emu_bulk_wait(t, 0, 0);
                      },
                      params));
    for (uint32_t row = 0; row < 8; ++row)
      for (uint32_t column = 0; column < 64; ++column)
        ASSERT_EQ(data[row * 64 + column], column < 32 ? row * 100 + column : 0) << schedule.str();
  }
}

// Each CTA of a cluster of two loads half of a box into both.
TEST(Tma, MulticastReachesEveryCtaOfTheMask) {
  std::vector<uint32_t> data(64), out(2 * 64, 0);
  for (uint32_t i = 0; i < 64; ++i)
    data[i] = 1000 + i;
  struct Params {
    MapBytes map;
    uint32_t *out;
  } params{mapMatrix(data, ElementType::I32, 2, 32, 1, 32, Swizzle::None), out.data()};
  for (const Schedule &schedule : allSchedules()) {
    std::fill(out.begin(), out.end(), 0u);
    Launch launch(32, 1024);
    launch.config.grid[0] = launch.config.cluster[0] = 2;
    launch.options.schedule = schedule;
    EXPECT_OK(launch.give(data, "data")
                  .give(out, "out")
                  .run(
                      [](void *t, const void *params) {
                        auto &p = *static_cast<const Params *>(params);
                        const ThreadState &s = state(t);
                        uint32_t bar = s.sharedBase, buffer = s.sharedBase + 256, rank = s.clusterCtaRank;
                        if (s.tid[0] == 0) {
                          tawa_emu_mbarrier_init(t, bar, 1);
                          tawa_emu_fence_mbarrier_init(t);
                        }
                        tawa_emu_cluster_arrive(t);
                        tawa_emu_cluster_wait(t);
                        if (s.tid[0] == 0) {
                          tawa_emu_mbarrier_arrive_expect_tx(t, bar, 256);
                          loadBox(t, buffer + rank * 128, p.map, bar, 0, static_cast<int32_t>(rank), 3);
                        }
                        tawa_emu_mbarrier_wait_parity(t, bar, 0);
                        for (uint32_t i = 0; i < 64; i += 32)
                          storeGlobal(t, p.out + rank * 64 + i + s.laneId,
                                      loadShared<uint32_t>(t, buffer + (i + s.laneId) * 4));
                        tawa_emu_cluster_arrive(t);
                        tawa_emu_cluster_wait(t);
                      },
                      params));
    for (uint32_t i = 0; i < 128; ++i)
      ASSERT_EQ(out[i], 1000 + i % 64) << schedule.str();
  }
}

} // namespace
