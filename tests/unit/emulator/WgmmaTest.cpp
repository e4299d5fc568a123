// wgmma through shared memory: operands laid out by TMA in every swizzle, read through descriptors, K-major and
// MN-major, from registers, and the protocol of accumulators, commits and waits.
#include "runtime/emulator/WgmmaKernels.h"
#include "tests/unit/emulator/EmulatorTestSupport.h"

using namespace tawa;
using namespace tawa::emu;
using namespace tawa::emu::test;
using Swizzle = TensorMapRecipe::Swizzle;

namespace {

constexpr uint32_t kTypesF16 = 7 | 7 << 8 | 9 << 16; // f16 x f16 -> f32
static_assert(static_cast<uint32_t>(ElementType::F16) == 7 && static_cast<uint32_t>(ElementType::F32) == 9);

uint64_t descriptor(uint32_t address, uint32_t leading, uint32_t stride, Swizzle swizzle) {
  constexpr uint64_t modes[] = {0, 3, 2, 1}; // none, 32B, 64B, 128B: the other way round than TMA's numbers
  return (address >> 4) | uint64_t(leading >> 4) << 16 | uint64_t(stride >> 4) << 32 |
         modes[static_cast<unsigned>(swizzle)] << 62;
}

struct Params {
  MapBytes a, b;
  float *d = nullptr; ///< 64 x n
  uint32_t n = 0, types = 0, flags = 0;
  uint32_t panelsA = 1, panelsB = 1; ///< Boxes the operand is loaded in.
  uint32_t boxBytesA = 0, boxBytesB = 0;
  int32_t stepA[2] = {}, stepB[2] = {}; ///< Coordinates from one box to the next.
  uint64_t descA = 0, descB = 0;        ///< Without start address.
  uint32_t stepsK = 0, advanceA = 0,
           advanceB = 0; ///< Instructions, and bytes to move the start by from one to the next.
};

/// Loads both operands whole, multiplies, writes the accumulator out. One warp group.
void multiply(void *t, const void *params) {
  auto &p = *static_cast<const Params *>(params);
  const ThreadState &s = state(t);
  uint32_t bar = s.sharedBase, a = s.sharedBase + 1024, b = a + alignTo(p.panelsA * p.boxBytesA, 1024);
  if (s.tid[0] == 0)
    tawa_emu_mbarrier_init(t, bar, 1);
  tawa_emu_barrier_sync(t, 0, 128);
  if (s.tid[0] == 0) {
    tawa_emu_mbarrier_arrive_expect_tx(t, bar, p.panelsA * p.boxBytesA + p.panelsB * p.boxBytesB);
    for (uint32_t i = 0; i < p.panelsA; ++i)
      loadBox(t, a + i * p.boxBytesA, p.a, bar, int32_t(i) * p.stepA[0], int32_t(i) * p.stepA[1]);
    for (uint32_t i = 0; i < p.panelsB; ++i)
      loadBox(t, b + i * p.boxBytesB, p.b, bar, int32_t(i) * p.stepB[0], int32_t(i) * p.stepB[1]);
  }
  tawa_emu_mbarrier_wait_parity(t, bar, 0);
  void *acc = tawa_emu_acc_new(t, p.n);
  tawa_emu_wgmma_fence(t);
  for (uint32_t step = 0; step < p.stepsK; ++step)
    tawa_emu_wgmma(t, acc, p.descA + ((a + step * p.advanceA) >> 4), p.descB + ((b + step * p.advanceB) >> 4),
                   step != 0, p.n, p.types, p.flags);
  tawa_emu_wgmma_commit(t);
  tawa_emu_wgmma_wait(t, 0);
  uint32_t registers[128];
  tawa_emu_acc_read(t, acc, registers);
  tawa_emu_acc_free(t, acc);
  for (uint32_t i = 0; i < p.n / 2; ++i) {
    uint32_t row = s.warpId * 16 + (i >> 1 & 1) * 8 + s.laneId / 4, column = i / 4 * 8 + s.laneId % 4 * 2 + (i & 1);
    float value;
    memcpy(&value, &registers[i], 4);
    storeGlobal(t, p.d + size_t{row} * p.n + column, value);
  }
}

std::vector<uint16_t> randomHalves(size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<uint16_t> values(count);
  for (uint16_t &value : values)
    value = floatToHalf(static_cast<float>(int(random() % 33) - 16) / 8);
  return values;
}

/// Runs under every schedule and compares with the product of the element functions.
template <typename A, typename B>
void check(Params params, uint32_t kTotal, std::vector<uint16_t> &aData, std::vector<uint16_t> &bData, A a, B b) {
  std::vector<float> d(size_t{64} * params.n);
  params.d = d.data();
  for (const Schedule &schedule : allSchedules()) {
    std::fill(d.begin(), d.end(), NAN);
    Launch launch(128, 1024 + alignTo(params.panelsA * params.boxBytesA, 1024) + params.panelsB * params.boxBytesB);
    launch.options.schedule = schedule;
    launch.give(aData, "a", false).give(bData, "b", false).give(d, "d");
    Status status = launch.run(multiply, params);
    ASSERT_TRUE(status.isOk()) << status.message();
    for (uint32_t row = 0; row < 64; ++row)
      for (uint32_t column = 0; column < params.n; ++column) {
        double sum = 0;
        for (uint32_t k = 0; k < kTotal; ++k)
          sum += double(a(row, k)) * double(b(column, k));
        ASSERT_NEAR(d[row * params.n + column], sum, 1e-4) << schedule.str() << " row " << row << " column " << column;
      }
  }
}

// K-major operands in all three swizzles: the k step inside a swizzled row moves the start address by 32 bytes.
TEST(Wgmma, KMajorSwizzled) {
  for (Swizzle swizzle : {Swizzle::B32, Swizzle::B64, Swizzle::B128}) {
    uint32_t width = 16u << static_cast<unsigned>(swizzle), k = width / 2, n = 96;
    auto a = randomHalves(size_t{64} * k, 1), b = randomHalves(size_t{n} * k, 2);
    Params p{mapMatrix(a, ElementType::F16, 64, k, 64, k, swizzle),
             mapMatrix(b, ElementType::F16, n, k, n, k, swizzle)};
    p.n = n, p.types = kTypesF16;
    p.panelsA = p.panelsB = 1, p.boxBytesA = 64 * width, p.boxBytesB = n * width;
    p.descA = p.descB = descriptor(0, 0, 8 * width, swizzle);
    p.stepsK = k / 16, p.advanceA = p.advanceB = 32;
    check(
        p, k, a, b, [&](uint32_t r, uint32_t i) { return halfToFloat(a[r * k + i]); },
        [&](uint32_t r, uint32_t i) { return halfToFloat(b[r * k + i]); });
  }
}

// Ones that an accumulator of 2^24 would lose one by one: the second instruction adds their sum.
TEST(Wgmma, ProductsOfAnInstructionAreSummedFirst) {
  uint32_t k = 32, n = 8;
  std::vector<uint16_t> a(size_t{64} * k), b(size_t{n} * k);
  for (std::vector<uint16_t> *operand : {&a, &b})
    for (size_t i = 0; i < operand->size(); ++i)
      (*operand)[i] = floatToHalf(i % k == 0 ? 4096.0f : i % k < 16 ? 0.0f : 1.0f);
  Params p{mapMatrix(a, ElementType::F16, 64, k, 64, k, Swizzle::B64),
           mapMatrix(b, ElementType::F16, n, k, n, k, Swizzle::B64)};
  p.n = n, p.types = kTypesF16;
  p.panelsA = p.panelsB = 1, p.boxBytesA = 64 * 64, p.boxBytesB = n * 64;
  p.descA = p.descB = descriptor(0, 0, 8 * 64, Swizzle::B64);
  p.stepsK = 2, p.advanceA = p.advanceB = 32;
  check(
      p, k, a, b, [&](uint32_t r, uint32_t i) { return halfToFloat(a[r * k + i]); },
      [&](uint32_t r, uint32_t i) { return halfToFloat(b[r * k + i]); });
}

// No swizzle: 8x16-byte core matrices, each 128 contiguous bytes. Boxes of 16 bytes x all rows put the core matrices of
// a k chunk one after the other: leading = the box, stride = 128.
TEST(Wgmma, KMajorPlain) {
  uint32_t k = 32, n = 40;
  auto a = randomHalves(size_t{64} * k, 3), b = randomHalves(size_t{n} * k, 4);
  Params p{mapMatrix(a, ElementType::F16, 64, k, 64, 8, Swizzle::None),
           mapMatrix(b, ElementType::F16, n, k, n, 8, Swizzle::None)};
  p.n = n, p.types = kTypesF16;
  p.panelsA = p.panelsB = 4, p.boxBytesA = 64 * 16, p.boxBytesB = n * 16;
  p.stepA[0] = p.stepB[0] = 8;
  p.descA = descriptor(0, p.boxBytesA, 128, Swizzle::None), p.descB = descriptor(0, p.boxBytesB, 128, Swizzle::None);
  p.stepsK = 2, p.advanceA = 2 * p.boxBytesA, p.advanceB = 2 * p.boxBytesB;
  check(
      p, k, a, b, [&](uint32_t r, uint32_t i) { return halfToFloat(a[r * k + i]); },
      [&](uint32_t r, uint32_t i) { return halfToFloat(b[r * k + i]); });
}

// The constants Triton emits for a 128-byte swizzled K-major slot and for an MN-major one of 128 x 128 halves.
TEST(Wgmma, ConstantsSeenInTritonsCode) {
  uint32_t n = 128, k = 128;
  auto a = randomHalves(size_t{64} * k, 5), b = randomHalves(size_t{k} * n, 6); // b: k rows of n
  Params p{mapMatrix(a, ElementType::F16, 64, k, 64, 64, Swizzle::B128),
           mapMatrix(b, ElementType::F16, k, n, k, 64, Swizzle::B128)};
  p.n = n, p.types = kTypesF16, p.flags = 2;
  p.panelsA = 2, p.boxBytesA = 64 * 128, p.stepA[0] = 64;
  p.panelsB = 2, p.boxBytesB = k * 128, p.stepB[0] = 64;
  p.descA = 0x4000004000000000, p.descB = 0x4000004004000000;
  p.stepsK = 4, p.advanceA = 32, p.advanceB = 2048; // the first panel of A: k below 64
  check(
      p, 64, a, b, [&](uint32_t r, uint32_t i) { return halfToFloat(a[r * k + i]); },
      [&](uint32_t c, uint32_t i) { return halfToFloat(b[i * n + c]); });
}

// MN-major in all swizzles, both operands: rows of k, panels of W bytes along MN, leading from panel to panel.
TEST(Wgmma, MNMajor) {
  for (Swizzle swizzle : {Swizzle::None, Swizzle::B32, Swizzle::B64, Swizzle::B128}) {
    uint32_t width = 16u << static_cast<unsigned>(swizzle), panel = width / 2, k = 32, n = 64;
    auto a = randomHalves(size_t{k} * 64, 7), b = randomHalves(size_t{k} * n, 8);
    Params p{mapMatrix(a, ElementType::F16, k, 64, k, panel, swizzle),
             mapMatrix(b, ElementType::F16, k, n, k, panel, swizzle)};
    p.n = n, p.types = kTypesF16, p.flags = 3;
    p.panelsA = p.panelsB = 64 / panel, p.boxBytesA = p.boxBytesB = k * width;
    p.stepA[0] = p.stepB[0] = static_cast<int32_t>(panel);
    bool plain = swizzle == Swizzle::None; // leading and stride change places
    p.descA = p.descB =
        plain ? descriptor(0, 8 * width, k * width, swizzle) : descriptor(0, k * width, 8 * width, swizzle);
    p.stepsK = 2, p.advanceA = p.advanceB = 16 * width;
    check(
        p, k, a, b, [&](uint32_t r, uint32_t i) { return halfToFloat(a[i * 64 + r]); },
        [&](uint32_t c, uint32_t i) { return halfToFloat(b[i * n + c]); });
  }
}

TEST(Wgmma, Negation) {
  uint32_t k = 16, n = 8;
  auto a = randomHalves(size_t{64} * k, 9), b = randomHalves(size_t{n} * k, 10);
  for (uint32_t flags : {4u, 8u, 12u}) {
    Params p{mapMatrix(a, ElementType::F16, 64, k, 64, k, Swizzle::B32),
             mapMatrix(b, ElementType::F16, n, k, n, k, Swizzle::B32)};
    p.n = n, p.types = kTypesF16, p.flags = flags;
    p.panelsA = p.panelsB = 1, p.boxBytesA = 64 * 32, p.boxBytesB = n * 32;
    p.descA = p.descB = descriptor(0, 0, 256, Swizzle::B32), p.stepsK = 1;
    float sign = flags == 12 ? 1.0f : -1.0f;
    check(
        p, k, a, b, [&](uint32_t r, uint32_t i) { return sign * halfToFloat(a[r * k + i]); },
        [&](uint32_t r, uint32_t i) { return halfToFloat(b[r * k + i]); });
  }
}

struct RegisterParams {
  MapBytes b;
  uint8_t *a; ///< 64 rows of 32 bytes
  uint32_t *d;
  uint32_t n, types;
};

/// A from registers, fragments as the PTX ISA lays them out per element size; the accumulator starts from written
/// values.
void multiplyRegisters(void *t, const void *params) {
  auto &p = *static_cast<const RegisterParams *>(params);
  const ThreadState &s = state(t);
  uint32_t bar = s.sharedBase, b = s.sharedBase + 1024;
  if (s.tid[0] == 0) {
    tawa_emu_mbarrier_init(t, bar, 1);
    tawa_emu_mbarrier_arrive_expect_tx(t, bar, p.n * 32);
    loadBox(t, b, p.b, bar, 0, 0);
  }
  tawa_emu_barrier_sync(t, 0, 128);
  tawa_emu_mbarrier_wait_parity(t, bar, 0);
  auto type = static_cast<ElementType>(p.types & 0xff);
  uint32_t size = elementBytes(type), perRegister = 4 / size, fragment[4];
  for (uint32_t r = 0; r < 4; ++r)
    for (uint32_t e = 0; e < perRegister; ++e) {
      uint32_t row = s.warpId * 16 + s.laneId / 4 + (r & 1) * 8;
      uint32_t k = s.laneId % 4 * perRegister + e + (r >> 1) * 4 * perRegister;
      memcpy(reinterpret_cast<uint8_t *>(&fragment[r]) + size_t{e} * size, p.a + size_t{row * (32 / size) + k} * size,
             size);
    }
  bool half = (p.types >> 16) == static_cast<uint32_t>(ElementType::F16);
  uint32_t registers[128], count = half ? p.n / 4 : p.n / 2;
  for (uint32_t &value : registers)
    value = half ? 0x3c003c00u : p.types >> 16 == static_cast<uint32_t>(ElementType::F32) ? 0x3f800000u : 1u;
  void *acc = tawa_emu_acc_new(t, count * 2);
  tawa_emu_acc_write(t, acc, registers);
  tawa_emu_wgmma_fence(t);
  tawa_emu_wgmma_rs(t, acc, fragment[0], fragment[1], fragment[2], fragment[3], descriptor(b, 0, 256, Swizzle::B32), 1,
                    p.n, p.types, 0);
  tawa_emu_wgmma_commit(t);
  tawa_emu_wgmma_wait(t, 0);
  tawa_emu_acc_read(t, acc, registers);
  tawa_emu_acc_free(t, acc);
  for (uint32_t i = 0; i < count; ++i)
    storeGlobal(t, p.d + size_t{s.tid[0]} * count + i, registers[i]);
}

TEST(Wgmma, FromRegistersInEveryType) {
  using E = ElementType;
  const std::pair<E, E> types[] = {{E::F16, E::F32},    {E::F16, E::F16},    {E::BF16, E::F32}, {E::F32, E::F32},
                                   {E::F8E4M3, E::F32}, {E::F8E5M2, E::F16}, {E::I8, E::I32}};
  for (auto [type, result] : types) {
    uint32_t n = 16, size = elementBytes(type), k = 32 / size;
    // Small whole numbers are exact in every type: sign and value per element.
    auto encode = [type = type](int value) -> uint32_t {
      float f = static_cast<float>(value);
      uint32_t bits;
      memcpy(&bits, &f, 4);
      switch (type) {
      case E::F16:
        return floatToHalf(f);
      case E::BF16:
        return bits >> 16;
      case E::F32:
        return bits;
      case E::F8E5M2:
        return static_cast<uint32_t>(floatToHalf(f) >> 8);
      case E::F8E4M3: { // 0, 1, 2 and their negatives
        uint32_t sign = value < 0 ? 0x80 : 0;
        return sign | (value == 0 ? 0 : std::abs(value) == 1 ? 0x38 : 0x40);
      }
      default:
        return static_cast<uint8_t>(value);
      }
    };
    std::mt19937 random(static_cast<unsigned>(type));
    std::vector<int> a(size_t{64} * k), b(size_t{n} * k);
    std::vector<uint8_t> aBytes(size_t{64} * 32), bBytes(size_t{n} * 32);
    auto fill = [&](std::vector<int> &values, std::vector<uint8_t> &bytes) {
      for (size_t i = 0; i < values.size(); ++i) {
        values[i] = static_cast<int>(random() % 5) - 2;
        uint32_t bits = encode(values[i]);
        memcpy(&bytes[i * size], &bits, size);
      }
    };
    fill(a, aBytes), fill(b, bBytes);
    bool half = result == E::F16;
    uint32_t count = half ? n / 4 : n / 2;
    std::vector<uint32_t> d(size_t{128} * count);
    RegisterParams params{mapMatrix(bBytes, type, n, k, n, k, Swizzle::B32), aBytes.data(), d.data(), n,
                          static_cast<uint32_t>(type) | static_cast<uint32_t>(type) << 8 |
                              static_cast<uint32_t>(result) << 16};
    for (const Schedule &schedule : allSchedules()) {
      Launch launch(128, 2048);
      launch.options.schedule = schedule;
      launch.give(bBytes, "b").give(d, "d");
      EXPECT_OK(launch.run(multiplyRegisters, params));
      for (uint32_t thread = 0; thread < 128; ++thread)
        for (uint32_t i = 0; i < count; ++i)
          for (uint32_t e = 0; e < (half ? 2u : 1u); ++e) {
            uint32_t j = half ? i / 2 : i / 4, h = half ? i & 1 : i >> 1 & 1, bit = half ? e : i & 1;
            uint32_t row = thread / 32 * 16 + h * 8 + thread % 32 / 4, column = j * 8 + thread % 4 * 2 + bit;
            int sum = 1;
            for (uint32_t x = 0; x < k; ++x)
              sum += a[row * k + x] * b[column * k + x];
            float got;
            memcpy(&got, &d[thread * count + i], 4);
            if (half)
              got = halfToFloat(static_cast<uint16_t>(d[thread * count + i] >> (16 * e)));
            if (result == E::I32)
              got = static_cast<float>(static_cast<int32_t>(d[thread * count + i]));
            ASSERT_EQ(got, static_cast<float>(sum)) << elementName(type) << " row " << row << " column " << column;
          }
    }
  }
}

/// A kernel of one warp group whose operands are all zeros, for the protocol.
Status runProtocol(KernelEntry kernel, uint32_t threads = 128) {
  Launch launch(threads, 8192);
  return launch.run(kernel);
}

uint64_t zeroDescriptor(void *t) { return descriptor(state(t).sharedBase, 0, 256, Swizzle::B32); }

void fillZero(void *t) {
  for (uint32_t at = state(t).tid[0] * 16; at < 4096; at += state(t).ntid[0] * 16)
    memset(tawa_emu_shared_access(t, state(t).sharedBase + at, 16, 1), 0, 16);
  tawa_emu_fence_proxy_async(t);
  tawa_emu_barrier_sync(t, 0, state(t).ntid[0]);
}

TEST(Wgmma, ReportsMisuse) {
  EXPECT_EMULATOR_ERROR(runProtocol([](void *t, const void *) {
                          fillZero(t);
                          void *acc = tawa_emu_acc_new(t, 8);
                          tawa_emu_wgmma(t, acc, zeroDescriptor(t), zeroDescriptor(t), 0, 8, kTypesF16, 0);
                        }),
                        "without a wgmma.fence");
  EXPECT_EMULATOR_ERROR(runProtocol([](void *t, const void *) {
                          fillZero(t);
                          void *acc = tawa_emu_acc_new(t, 8);
                          tawa_emu_wgmma_fence(t);
                          tawa_emu_wgmma(t, acc, zeroDescriptor(t), zeroDescriptor(t), 0, 8, kTypesF16, 0);
                          tawa_emu_wgmma_commit(t);
                          uint32_t registers[4];
                          tawa_emu_acc_read(t, acc, registers);
                        }),
                        "not yet covered by a wgmma.wait_group");
  EXPECT_EMULATOR_ERROR(runProtocol([](void *t, const void *) {
                          fillZero(t);
                          void *acc = tawa_emu_acc_new(t, 8);
                          tawa_emu_wgmma_fence(t);
                          tawa_emu_wgmma(t, acc, zeroDescriptor(t), zeroDescriptor(t), 0, 8, kTypesF16, 0);
                          tawa_emu_wgmma_wait(t, 0); // nothing was committed
                          uint32_t registers[4];
                          tawa_emu_acc_read(t, acc, registers);
                        }),
                        "not yet covered by a wgmma.wait_group");
  EXPECT_EMULATOR_ERROR(runProtocol([](void *t, const void *) {
                          fillZero(t);
                          void *acc = tawa_emu_acc_new(t, 8);
                          tawa_emu_wgmma_fence(t);
                          tawa_emu_wgmma(t, acc, zeroDescriptor(t), zeroDescriptor(t), 0, 8, kTypesF16, 0);
                          tawa_emu_wgmma_commit(t);
                        }),
                        "no wgmma.wait_group covers");
  EXPECT_EMULATOR_ERROR(runProtocol([](void *t, const void *) {
                          void *acc = tawa_emu_acc_new(t, 8);
                          tawa_emu_wgmma_fence(t);
                          tawa_emu_wgmma(t, acc, zeroDescriptor(t), zeroDescriptor(t) + state(t).laneId / 31, 0, 8,
                                         kTypesF16, 0);
                        }),
                        "operands of one instruction differ");
  EXPECT_EMULATOR_ERROR(runProtocol([](void *t, const void *) {
                          void *acc = tawa_emu_acc_new(t, 8);
                          tawa_emu_wgmma_fence(t);
                          if (state(t).warpId)
                            tawa_emu_wgmma(t, acc, zeroDescriptor(t), zeroDescriptor(t), 0, 8, kTypesF16, 0);
                        }),
                        "only 96 of its 128 threads");
  EXPECT_EMULATOR_ERROR(runProtocol([](void *t, const void *) { tawa_emu_acc_new(t, 8); }, 96),
                        "less than 128 threads");
  EXPECT_EMULATOR_ERROR(runProtocol([](void *t, const void *) {
                          void *acc = tawa_emu_acc_new(t, 8);
                          tawa_emu_wgmma_fence(t);
                          tawa_emu_wgmma(t, acc, zeroDescriptor(t), descriptor(9000, 0, 256, Swizzle::B32), 0, 8,
                                         kTypesF16, 0);
                        }),
                        "out of bounds");
  EXPECT_EMULATOR_ERROR(runProtocol([](void *t, const void *) {
                          void *acc = tawa_emu_acc_new(t, 8);
                          tawa_emu_wgmma_fence(t);
                          tawa_emu_wgmma(t, acc, zeroDescriptor(t), zeroDescriptor(t), 0, 12, kTypesF16, 0);
                        }),
                        "multiple of 8");
  EXPECT_EMULATOR_ERROR(runProtocol([](void *t, const void *) {
                          void *acc = tawa_emu_acc_new(t, 8);
                          tawa_emu_wgmma_fence(t);
                          tawa_emu_wgmma(t, acc, zeroDescriptor(t), zeroDescriptor(t), 0, 16, kTypesF16, 0);
                        }),
                        "needs an accumulator of 8 registers");
  EXPECT_EMULATOR_ERROR(runProtocol([](void *t, const void *) {
                          void *acc = tawa_emu_acc_new(t, 8);
                          tawa_emu_wgmma_fence(t);
                          tawa_emu_wgmma(t, acc, zeroDescriptor(t), zeroDescriptor(t), 0, 8, 9 | 9 << 8 | 9 << 16, 2);
                        }),
                        "only 16-bit operands");
}

// Values a kernel never set are NaN, also in an accumulator.
TEST(Wgmma, UnsetAccumulatorIsPoison) {
  EXPECT_OK(runProtocol([](void *t, const void *) {
    fillZero(t);
    void *acc = tawa_emu_acc_new(t, 8);
    tawa_emu_wgmma_fence(t);
    tawa_emu_wgmma(t, acc, zeroDescriptor(t), zeroDescriptor(t), 1, 8, kTypesF16, 0);
    tawa_emu_wgmma_commit(t);
    tawa_emu_wgmma_wait(t, 0);
    float registers[4];
    tawa_emu_acc_read(t, acc, registers);
    tawa_emu_acc_free(t, acc);
    if (!std::isnan(registers[0]) || !std::isnan(registers[3]))
      tawa_emu_trap(t);
  }));
}

} // namespace
