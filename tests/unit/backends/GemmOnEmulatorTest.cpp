// The hand-written GEMM on the emulated SM: correct under every schedule, and every mutant of its protocol is caught.

#include "runtime/emulator/Emulator.h"
#include "runtime/emulator/ObjectLoader.h"
#include "tests/unit/backends/MachineText.h"

#include <bit>
#include <cmath>
#include <gtest/gtest.h>
#include <random>

namespace tawa::test {
namespace {

/// Exact for what the tests use: multiples of 1/8 below 4, and zero.
uint16_t halfOf(float value) {
  uint32_t bits = std::bit_cast<uint32_t>(value);
  if (value == 0)
    return 0;
  return static_cast<uint16_t>((bits >> 16 & 0x8000) | ((bits >> 13) - (112 << 10) & 0x7fff));
}

double valueOf(uint16_t half) {
  int exponent = half >> 10 & 0x1f, mantissa = half & 0x3ff;
  double magnitude = exponent == 31  ? (mantissa ? NAN : INFINITY)
                     : exponent == 0 ? std::ldexp(mantissa, -24)
                                     : std::ldexp(1024 + mantissa, exponent - 25);
  return half & 0x8000 ? -magnitude : magnitude;
}

struct Matrix {
  uint32_t rows, columns;
  std::vector<uint16_t> data;
  Matrix(uint32_t rows, uint32_t columns) : rows(rows), columns(columns), data(rows * columns) {}
  uint16_t at(uint32_t row, uint32_t column) const { return data[row * columns + column]; }
};

Matrix randomMatrix(uint32_t rows, uint32_t columns, std::mt19937 &random) {
  Matrix matrix(rows, columns);
  std::uniform_int_distribution<int> eighths(-16, 16);
  for (uint16_t &element : matrix.data)
    element = halfOf(static_cast<float>(eighths(random)) / 8);
  return matrix;
}

void encode(const Matrix &matrix, uint32_t boxRows, char *map) {
  emu::TensorMapFields fields;
  fields.base = reinterpret_cast<uint64_t>(matrix.data.data());
  fields.type = ElementType::F16;
  fields.rank = 2;
  fields.dims[0] = matrix.columns;
  fields.dims[1] = matrix.rows;
  fields.strides[0] = 2;
  fields.strides[1] = matrix.columns * 2;
  fields.box[0] = 64;
  fields.box[1] = boxRows;
  fields.swizzle = TensorMapRecipe::Swizzle::B128;
  emu::encodeTensorMap(fields, map);
}

struct Problem {
  Matrix a, b, c;
  Problem(uint32_t m, uint32_t n, uint32_t k, unsigned seed) : a(0, 0), b(0, 0), c(m, n) {
    std::mt19937 random(seed);
    a = randomMatrix(m, k, random);
    b = randomMatrix(n, k, random);
    c.data.assign(c.data.size(), 0x7e00); // NaN: what is not written shows
  }

  double reference(uint32_t row, uint32_t column) const {
    double sum = 0;
    for (uint32_t k = 0; k < a.columns; ++k)
      sum += valueOf(a.at(row, k)) * valueOf(b.at(column, k));
    return sum;
  }

  /// The largest error relative to f16's precision at that value; infinite for a NaN.
  double worstError() const {
    double worst = 0;
    for (uint32_t row = 0; row < c.rows; ++row)
      for (uint32_t column = 0; column < c.columns; ++column) {
        double expected = reference(row, column), got = valueOf(c.at(row, column));
        double error = std::abs(got - expected) / std::max(std::abs(expected) * 0x1p-11, 0x1p-14);
        worst = std::isnan(error) ? INFINITY : std::max(worst, error);
      }
    return worst;
  }
};

std::shared_ptr<LoadedObject> loadKernel(const std::string &text) {
  Result<std::string> object = compileToHost(text);
  EXPECT_TRUE(object.isOk()) << object.status().message();
  if (!object)
    return nullptr;
  auto loaded = loadHostObject(*object, "gemm", emu::symbols());
  EXPECT_TRUE(loaded.isOk()) << loaded.status().message();
  return loaded ? *loaded : nullptr;
}

Status run(const LoadedObject &kernel, Problem &problem, const emu::Schedule &schedule) {
  struct alignas(64) Params {
    char a[128], b[128], c[128];
    uint32_t k;
  } params{};
  encode(problem.a, 128, params.a);
  encode(problem.b, 128, params.b);
  encode(problem.c, 64, params.c);
  params.k = problem.a.columns;
  emu::LaunchConfig config;
  config.grid[0] = (problem.c.rows + 127) / 128;
  config.grid[1] = (problem.c.columns + 127) / 128;
  config.threads = 384;
  config.sharedBytes = 98336;
  config.registersPerThread = 168;
  auto region = [](Matrix &matrix, const char *name, bool writable) {
    return emu::MemoryRegion{matrix.data.data(), matrix.data.size() * 2, name, writable};
  };
  emu::LaunchOptions options;
  options.schedule = schedule;
  return emu::launch(kernel.entry, &params, sizeof(params), config,
                     {region(problem.a, "A", false), region(problem.b, "B", false), region(problem.c, "C", true)},
                     options);
}

const emu::Schedule kSchedules[] = {emu::Schedule::eager(), emu::Schedule::wgmmaLate(), emu::Schedule::lateRandom(1),
                                    emu::Schedule::lateRandom(2)};

struct Shape {
  uint32_t m, n, k;
};

class GemmShapes : public testing::TestWithParam<Shape> {};

TEST_P(GemmShapes, IsRightUnderEverySchedule) {
  auto kernel = loadKernel(gemmText());
  ASSERT_TRUE(kernel);
  auto [m, n, k] = GetParam();
  for (const emu::Schedule &schedule : kSchedules) {
    Problem problem(m, n, k, m * 31 + n * 17 + k);
    Status status = run(*kernel, problem, schedule);
    ASSERT_TRUE(status.isOk()) << schedule.str() << ": " << status.message();
    EXPECT_LE(problem.worstError(), 1.01) << schedule.str();
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, GemmShapes,
                         testing::Values(Shape{128, 128, 64}, Shape{128, 128, 128}, Shape{128, 128, 192},
                                         Shape{128, 128, 512}, Shape{256, 128, 320}, Shape{200, 304, 96},
                                         Shape{8, 8, 8}));

/// One change of the text that breaks the protocol, and a word of what the emulator must say about it.
struct Mutant {
  const char *name, *from, *to, *says;
};
void PrintTo(const Mutant &mutant, std::ostream *stream) { *stream << mutant.name; }

class GemmMutants : public testing::TestWithParam<Mutant> {};

TEST_P(GemmMutants, AreCaughtUnderEverySchedule) {
  const Mutant &mutant = GetParam();
  auto kernel = loadKernel(replaceOnce(gemmText(), mutant.from, mutant.to));
  ASSERT_TRUE(kernel);
  for (const emu::Schedule &schedule : kSchedules) {
    Problem problem(128, 128, 512, 5);
    Status status = run(*kernel, problem, schedule);
    EXPECT_EQ(status.code(), StatusCode::Emulator) << schedule.str() << ": error " << problem.worstError();
    EXPECT_NE(status.message().find(mutant.says), std::string::npos) << schedule.str() << ": " << status.message();
  }
}

INSTANTIATE_TEST_SUITE_P(
    Protocol, GemmMutants,
    testing::Values(
        Mutant{"ProducerParity", "sm90.mbarrier_wait_parity %emptyI, %freeParity",
               "sm90.mbarrier_wait_parity %emptyI, %parity", "deadlock"},
        Mutant{"ByteCount", "%box = arith.constant 32768", "%box = arith.constant 32784", "16 bytes expected"},
        Mutant{"ArrivalCount", "sm90.mbarrier_init %empty, 8", "sm90.mbarrier_init %empty, 7",
               "TMA load writes what wgmma"},
        Mutant{"NoEmptyWait", "sm90.mbarrier_wait_parity %emptyI, %freeParity", "", ""},
        Mutant{"NoFullWait", "sm90.mbarrier_wait_parity %fullI, %parity", "", "reads what TMA load"},
        Mutant{"EarlyRelease", "sm90.wgmma_wait 1 %d3", "sm90.wgmma_wait 2 %d3", "TMA load writes what wgmma"},
        Mutant{"NoBarrierBeforeStore", "sm90.barrier_sync 1, 128", "", "TMA store reads what"},
        Mutant{"NoProxyFence", "sm90.fence_proxy_async", "", "no fence.proxy.async"},
        Mutant{"NoBarrierAfterInit", "sm90.barrier_sync 0, 384", "", "with no barrier between"}),
    [](const testing::TestParamInfo<Mutant> &info) { return info.param.name; });

} // namespace
} // namespace tawa::test
