// Opens devices, draws data, runs kernels through the C API, and checks their results.
#include "tests/conformance/Program.h"

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <map>
#include <random>
#include <sstream>

namespace tawa::conformance {

std::string Place::name() const {
  std::string text = schedule.empty() ? device : device + "_" + schedule;
  for (char &c : text)
    if (!std::isalnum(static_cast<unsigned char>(c)))
      c = '_';
  return text;
}

const std::vector<Place> &places() {
  static const std::vector<Place> all = {
      {"emulator", "eager"}, {"emulator", "wgmma-late"}, {"emulator", "late-random:7"}, {"cuda:0", ""}};
  return all;
}

static Runtime openAs(const Place &place, const char *multiprocessors) {
  setenv("TAWA_EMU_SCHEDULE", place.schedule.empty() ? "eager" : place.schedule.c_str(), /*overwrite=*/1);
  setenv("TAWA_EMU_SMS", multiprocessors, /*overwrite=*/1);
  tawa_runtime_options_t options = TAWA_RUNTIME_OPTIONS_INIT;
  options.device = place.device.c_str();
  return Runtime::create(options);
}

Runtime openLargePlace(const Place &place) { return openAs(place, "24"); }

std::optional<Runtime> openPlace(const Place &place, std::string &why) {
  struct Opened {
    std::optional<Runtime> runtime;
    std::string why;
  };
  static std::map<std::string, Opened> opened;
  auto [entry, isNew] = opened.try_emplace(place.name());
  if (isNew) {
    try {
      entry->second.runtime = openAs(place, "3"); // few, so that persistent kernels walk
    } catch (const Error &error) {
      entry->second.why = error.what();
      if (error.status() != TAWA_E_NO_DEVICE) // anything else is a failure, not an absent device
        throw;
    }
  }
  why = entry->second.why;
  return entry->second.runtime;
}

bool isForHopper() {
  const char *target = std::getenv("TAWA_TARGET");
  return !target || !*target;
}

std::string readKernel(const std::string &name) {
  std::ifstream file(std::string(TAWA_TEST_KERNELS) + "/" + name + ".mlir");
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

namespace {

int64_t storedDepth(const Gemm &gemm) { return std::max<int64_t>(gemm.depth, 8); }

std::vector<_Float16> randomMatrix(int64_t rows, int64_t columns, std::mt19937 &random) {
  std::normal_distribution<float> normal;
  std::vector<_Float16> values(static_cast<size_t>(rows * columns));
  for (_Float16 &value : values)
    value = static_cast<_Float16>(normal(random));
  return values;
}

/// Row `row` of the product, in double precision from the f16 inputs.
std::vector<double> referenceRow(const Gemm &gemm, const std::vector<_Float16> &a, const std::vector<_Float16> &b,
                                 int64_t row) {
  int64_t stored = storedDepth(gemm);
  std::vector<double> left(static_cast<size_t>(gemm.depth));
  for (int64_t k = 0; k < gemm.depth; ++k)
    left[k] = static_cast<double>(a[row * stored + k]);
  std::vector<double> result(static_cast<size_t>(gemm.columns));
  for (int64_t column = 0; column < gemm.columns; ++column)
    for (int64_t k = 0; k < gemm.depth; ++k)
      result[column] += left[k] * static_cast<double>(b[column * stored + k]);
  return result;
}

std::string compare(const Gemm &gemm, const std::vector<_Float16> &a, const std::vector<_Float16> &b,
                    const std::vector<_Float16> &c) {
  // One f16 rounding of the result (2^-11), and f32 accumulation: at most a few units of 2^-24 per step of
  // sqrt(K)-sized sums.
  double slack = 1e-5 * std::sqrt(static_cast<double>(gemm.depth)) + 1e-7;
  for (int64_t row = 0; row < gemm.rows; ++row) {
    std::vector<double> expected = referenceRow(gemm, a, b, row);
    for (int64_t column = 0; column < gemm.columns; ++column) {
      double got = static_cast<double>(c[row * gemm.columns + column]);
      double error = std::fabs(got - expected[column]);
      if (!(error <= std::fabs(expected[column]) / 2048 + slack)) { // also catches NaN
        std::ostringstream text;
        text << "C[" << row << "," << column << "] = " << got << ", expected " << expected[column];
        return text.str();
      }
    }
  }
  return {};
}

} // namespace

std::vector<tawa_arg_t> Gemm::specs(bool open) const {
  int64_t stored = storedDepth(*this);
  std::vector<tawa_arg_t> args = {
      tawa_matrix(TAWA_F16, nullptr, rows, stored),  tawa_matrix(TAWA_F16, nullptr, columns, stored),
      tawa_matrix(TAWA_F16, nullptr, rows, columns), tawa_i32(static_cast<int32_t>(rows)),
      tawa_i32(static_cast<int32_t>(columns)),       tawa_i32(static_cast<int32_t>(depth))};
  for (int tensor = 0; open && tensor < 3; ++tensor)
    for (int dim = 0; dim < 2; ++dim)
      args[tensor].shape[dim] = args[tensor].strides[dim] = TAWA_UNKNOWN;
  return args;
}

std::string Gemm::run(const Runtime &runtime, const Kernel &kernel) const {
  std::mt19937 random(seed);
  std::vector<_Float16> a = randomMatrix(rows, storedDepth(*this), random),
                        b = randomMatrix(columns, storedDepth(*this), random);
  std::vector<_Float16> c(static_cast<size_t>(rows * columns));
  auto bytes = [](const std::vector<_Float16> &values) { return values.size() * sizeof(_Float16); };
  Memory onDeviceA(runtime, bytes(a)), onDeviceB(runtime, bytes(b)), onDeviceC(runtime, bytes(c));
  onDeviceA.copyIn(a.data());
  onDeviceB.copyIn(b.data());
  onDeviceC.fill(0xff); // NaN: an element left unwritten fails the comparison

  std::vector<tawa_arg_t> args = specs();
  args[0].data = onDeviceA.data();
  args[1].data = onDeviceB.data();
  args[2].data = onDeviceC.data();
  tawa_launch_options_t options = TAWA_LAUNCH_OPTIONS_INIT;
  options.grid[0] =
      static_cast<uint32_t>(((rows + tileRows - 1) / tileRows) * ((columns + tileColumns - 1) / tileColumns));
  if (ctas != 0)
    options.grid[0] = ctas;
  options.grid[1] = options.grid[2] = 1;
  kernel.launch(args, nullptr, options);
  runtime.synchronize();
  onDeviceC.copyOut(c.data());
  return compare(*this, a, b, c);
}

} // namespace tawa::conformance
