// tawa-compile-bench: how long a kernel's text takes to become PTX, and a loaded kernel, through the C API.
//
// The first compile of a process is cold (LLVM's tables, page faults); later ones show the steady cost. Both matter:
// the first is what a program waits for at start, the second what each further shape costs. Without arguments about
// shapes: every size is left unknown, as a service compiles it.
//
// usage: tawa-compile-bench K.mlir [REPEATS] [CONFIG]
#include "tawa/tawa.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <vector>

namespace {

/// Prints the library's own words and ends the program.
[[noreturn]] void fail(tawa_error_t error) {
  char *text = tawa_error_render(error, TAWA_FORMAT_TEXT);
  std::fprintf(stderr, "%s\n", text ? text : "out of memory");
  std::exit(1);
}

struct Samples {
  std::vector<double> milliseconds;

  double first() const { return milliseconds.front(); }
  double median() const {
    std::vector<double> sorted = milliseconds;
    std::sort(sorted.begin(), sorted.end());
    return sorted[sorted.size() / 2];
  }
};

Samples timeRepeated(int repeats, const std::function<void()> &work) {
  Samples samples;
  for (int i = 0; i < repeats; ++i) {
    auto begin = std::chrono::steady_clock::now();
    work();
    auto elapsed = std::chrono::steady_clock::now() - begin;
    samples.milliseconds.push_back(std::chrono::duration<double, std::milli>(elapsed).count());
  }
  return samples;
}

/// Every argument as the text asks for it, with nothing known about its value.
std::vector<tawa_arg_t> unknownArguments(const std::string &text, const char *name) {
  tawa_signature_t signature = nullptr;
  tawa_error_t error = nullptr;
  if (tawa_signature_read(text.data(), text.size(), name, &signature, &error))
    fail(error);
  std::vector<tawa_arg_t> args;
  for (uint32_t i = 0; i < tawa_signature_argument_count(signature); ++i) {
    tawa_arg_info_t info = TAWA_ARG_INFO_INIT;
    tawa_signature_argument(signature, i, &info);
    tawa_arg_t arg = TAWA_ARG_INIT;
    arg.kind = info.kind;
    arg.dtype = info.dtype;
    arg.rank = info.rank;
    for (uint32_t d = 0; d < info.rank; ++d) {
      arg.shape[d] = TAWA_UNKNOWN;
      arg.strides[d] = d + 1 == info.rank ? 1 : TAWA_UNKNOWN;
    }
    args.push_back(arg);
  }
  tawa_signature_release(signature);
  return args;
}

void benchEmit(tawa_runtime_t runtime, const tawa_compile_request_t &request, int repeats) {
  Samples samples = timeRepeated(repeats, [&] {
    char *data = nullptr;
    size_t size = 0;
    tawa_error_t error = nullptr;
    if (tawa_emit(runtime, &request, TAWA_STAGE_PTX, &data, &size, &error))
      fail(error);
    tawa_free(data);
  });
  std::printf("text to PTX: first %.1f ms, median of %d %.1f ms\n", samples.first(), repeats, samples.median());
}

void benchLoad(tawa_runtime_t runtime, const tawa_compile_request_t &request, int repeats) {
  std::vector<std::pair<std::string, Samples>> phases;
  Samples total = timeRepeated(repeats, [&] {
    tawa_kernel_t kernel = nullptr;
    tawa_error_t error = nullptr;
    if (tawa_compile(runtime, &request, &kernel, &error))
      fail(error);
    tawa_kernel_info_t info = TAWA_KERNEL_INFO_INIT;
    tawa_kernel_info(kernel, &info);
    phases.resize(info.num_phases);
    for (uint32_t i = 0; i < info.num_phases; ++i) {
      tawa_phase_info_t phase = TAWA_PHASE_INFO_INIT;
      tawa_kernel_phase(kernel, i, &phase);
      phases[i].first = phase.name;
      phases[i].second.milliseconds.push_back(phase.milliseconds);
    }
    tawa_kernel_release(kernel);
  });
  tawa_device_info_t device = TAWA_DEVICE_INFO_INIT;
  tawa_runtime_device_info(runtime, &device);
  std::printf("text to a loaded kernel on %s: first %.1f ms, median of %d %.1f ms\n", device.name, total.first(),
              repeats, total.median());
  std::printf("  %-14s %10s %10s\n", "phase", "first ms", "median ms");
  for (const auto &[name, samples] : phases)
    std::printf("  %-14s %10.2f %10.2f\n", name.c_str(), samples.first(), samples.median());
}

} // namespace

int main(int count, char **arguments) {
  int repeats = count > 2 ? std::atoi(arguments[2]) : 11;
  if (count < 2 || repeats < 1) {
    std::fprintf(stderr, "usage: tawa-compile-bench K.mlir [REPEATS] [CONFIG]\n");
    return 1;
  }
  std::ifstream file(arguments[1], std::ios::binary);
  std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  if (!file) {
    std::fprintf(stderr, "cannot read %s\n", arguments[1]);
    return 1;
  }
  std::vector<tawa_arg_t> args = unknownArguments(text, arguments[1]);
  tawa_compile_request_t request = TAWA_COMPILE_REQUEST_INIT;
  request.text = text.data();
  request.text_len = text.size();
  request.name = arguments[1];
  request.args = args.data();
  request.num_args = static_cast<uint32_t>(args.size());
  request.config = count > 3 ? arguments[3] : nullptr;
  tawa_runtime_t runtime = nullptr;
  tawa_error_t error = nullptr;
  tawa_runtime_options_t options = TAWA_RUNTIME_OPTIONS_INIT;
  options.cache_dir = ""; // what is measured is the compiler
  if (tawa_runtime_create(&options, &runtime, &error))
    fail(error);
  std::printf("%s, %s\n", arguments[1], tawa_build_info());
  benchEmit(runtime, request, repeats);
  benchLoad(runtime, request, repeats);
  tawa_runtime_release(runtime);
  return 0;
}
