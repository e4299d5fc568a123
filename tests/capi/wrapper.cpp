// tawa.hpp: objects free themselves, failures throw, and a kernel runs.
#include <tawa/tawa.hpp>

#include <cstdio>
#include <fstream>
#include <iterator>

static int failures = 0;

static void check(bool condition, const char *what) {
  if (condition)
    return;
  std::fprintf(stderr, "failed: %s\n", what);
  ++failures;
}

static tawa::Runtime emulator() {
  tawa_runtime_options_t options = TAWA_RUNTIME_OPTIONS_INIT;
  options.device = "emulator";
  return tawa::Runtime::create(options);
}

static void errorsAreThrown(const tawa::Runtime &runtime) {
  try {
    runtime.compile("this is no kernel", {}, "", "wrong.mlir");
    check(false, "compile of nonsense throws");
  } catch (const tawa::Error &error) {
    check(error.status() == TAWA_E_INVALID_IR, "status of the exception");
    check(std::string(error.what()).find("wrong.mlir:1:") != std::string::npos, "place in the exception");
  }
}

static void kernelRuns(const tawa::Runtime &runtime, const std::string &text) {
  constexpr int size = 128;
  std::vector<tawa::Memory> memory;
  std::vector<tawa_arg_t> args;
  for (int i = 0; i < 3; ++i) {
    memory.emplace_back(runtime, size * size * 2);
    memory.back().fill(0);
    args.push_back(tawa_matrix(TAWA_F16, memory.back().data(), size, size));
  }
  args.insert(args.end(), 3, tawa_i32(size));
  tawa::Kernel kernel = runtime.compile(text, args);
  tawa::Kernel shared = kernel;
  kernel = tawa::Kernel();
  tawa_launch_options_t options = TAWA_LAUNCH_OPTIONS_INIT;
  options.grid[0] = 1;
  memory[2].fill(0xff);
  shared.launch(args, nullptr, options);
  runtime.synchronize();
  std::vector<unsigned short> result(size * size, 1);
  memory[2].copyOut(result.data());
  check(result == std::vector<unsigned short>(size * size, 0), "zero matrices give zero");
  check(shared.info().num_args == 6, "info");
  try {
    shared.launch({args[0]});
    check(false, "launch with too few arguments throws");
  } catch (const tawa::Error &error) {
    check(error.status() == TAWA_E_INVALID_ARGUMENT, "status of a failed launch");
  }
}

int main(int argc, char **argv) {
  std::ifstream file(argc > 1 ? argv[1] : "");
  std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  tawa::Runtime runtime = emulator();
  check(runtime.deviceInfo().kind == TAWA_DEVICE_EMULATOR, "device info");
  errorsAreThrown(runtime);
  kernelRuns(runtime, text);
  return failures != 0;
}
