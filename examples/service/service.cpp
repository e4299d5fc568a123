// A service in C++: a GEMM that is compiled once, tuned in the background while threads launch it, and found in the
// cache at the next start. Runs on a GPU, or on the emulator.
//
//   service CACHE_FOLDER GEMM_PARAM_MLIR       twice: cold, then warm

#include <tawa/tawa.hpp>

#include <atomic>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <mutex>
#include <thread>

namespace {

constexpr int size = 128;
constexpr unsigned short one = 0x3c00, product = 0x5800; // 1 and 128 in fp16

/// The kernel that requests are answered with; a better one takes its place while others still run.
class Current {
public:
  explicit Current(tawa::Kernel first) : kernel(std::move(first)) {}
  tawa::Kernel get() const {
    std::lock_guard<std::mutex> lock(mutex);
    return kernel;
  }
  void set(tawa::Kernel better) {
    std::lock_guard<std::mutex> lock(mutex);
    kernel = std::move(better);
  }

private:
  mutable std::mutex mutex;
  tawa::Kernel kernel;
};

std::vector<tawa_arg_t> arguments(void *a, void *b, void *c) {
  return {tawa::tensor(TAWA_F16, a, {size, size}),
          tawa::tensor(TAWA_F16, b, {size, size}),
          tawa::tensor(TAWA_F16, c, {size, size}),
          tawa::scalar(size),
          tawa::scalar(size),
          tawa::scalar(size)};
}

tawa::Runtime openRuntime(const char *cache) {
  tawa_runtime_options_t options = TAWA_RUNTIME_OPTIONS_INIT;
  options.cache_dir = cache;
  return tawa::Runtime::create(options);
}

/// Compiles, or takes from the cache; where no search has been made, one begins and does not hold up the service.
tawa::Kernel start(const tawa::Runtime &runtime, const std::string &text) {
  tawa_tune_options_t search = TAWA_TUNE_OPTIONS_INIT;
  search.isolation = TAWA_TUNE_IN_PROCESS; // a service on a GPU leaves the default, a worker process
  search.configs = "BLOCK_M=64 BLOCK_N=64\nBLOCK_M=64 BLOCK_N=128\nBLOCK_M=128 BLOCK_N=128";
  std::vector<tawa_arg_t> args = arguments(nullptr, nullptr, nullptr);
  tawa::Request request{text, args};
  request.name = "gemm_param.mlir";
  request.policy = TAWA_POLICY_BACKGROUND;
  request.tune = &search;
  return runtime.compile(request);
}

/// One thread of the service: tensors of its own, one request after the other until it is told to stop.
void serve(const tawa::Runtime &runtime, const Current &current, const std::atomic<bool> &stop,
           std::atomic<int> &served, std::atomic<int> &wrong) {
  std::vector<unsigned short> ones(size * size, one), result(size * size);
  tawa::Memory a(runtime, size * size * 2), b(runtime, size * size * 2), c(runtime, size * size * 2);
  a.copyIn(ones.data());
  b.copyIn(ones.data());
  do {
    c.fill(0xff);
    current.get().launch(arguments(a.data(), b.data(), c.data()));
    runtime.synchronize();
    c.copyOut(result.data());
    wrong += result != std::vector<unsigned short>(size * size, product);
    ++served;
  } while (!stop);
}

int run(const char *cache, const std::string &text) {
  tawa::Runtime runtime = openRuntime(cache);
  Current current(start(runtime, text));
  tawa_kernel_info_t first = current.get().info();
  std::printf("ready on %s: kernel %s, chosen by %s\n", runtime.deviceInfo().name,
              first.from_cache ? "from the cache" : "compiled", first.chosen_by);
  std::atomic<bool> stop = false;
  std::atomic<int> served = 0, wrong = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i)
    threads.emplace_back([&] { serve(runtime, current, stop, served, wrong); });
  if (tawa::Job search = current.get().search()) {
    current.set(search.wait());
    std::printf("after the search: chosen by %s\n", current.get().info().chosen_by);
  } else {
    std::printf("no search is needed\n");
  }
  stop = true;
  for (std::thread &thread : threads)
    thread.join();
  tawa_cache_counters_t counters = runtime.cacheCounters();
  std::printf("served by 3 threads: %s, wrong results: %d\n", served >= 3 ? "yes" : "no", wrong.load());
  std::printf("compiled: %llu, candidates tried: %llu\n", static_cast<unsigned long long>(counters.compiles),
              static_cast<unsigned long long>(counters.trials));
  return wrong != 0;
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: %s CACHE_FOLDER GEMM_PARAM_MLIR\n", argv[0]);
    return 2;
  }
  try {
    std::ifstream file(argv[2]);
    return run(argv[1], {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()});
  } catch (const tawa::Error &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
