// tawa.hpp: objects free themselves, failures throw, a kernel runs, and one that was searched for runs as it was found.
#include <tawa/dlpack.h>
#include <tawa/tawa.hpp>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
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

static const char fill[] = "// tawa.param BLOCK = 32 | 64\n"
                           "// tawa.grid ceildiv(n, BLOCK)\n"
                           "module {\n"
                           "  tt.func public @fill(%out: !tt.ptr<f32>, %n: i32, %value: f32) {\n"
                           "    %size = arith.constant ${BLOCK} : i32\n"
                           "    %program = tt.get_program_id x : i32\n"
                           "    %begin = arith.muli %program, %size : i32\n"
                           "    %first = tt.splat %begin : i32 -> tensor<${BLOCK}xi32>\n"
                           "    %range = tt.make_range {end = ${BLOCK} : i32, start = 0 : i32} : tensor<${BLOCK}xi32>\n"
                           "    %at = arith.addi %first, %range : tensor<${BLOCK}xi32>\n"
                           "    %base = tt.splat %out : !tt.ptr<f32> -> tensor<${BLOCK}x!tt.ptr<f32>>\n"
                           "    %place = tt.addptr %base, %at : tensor<${BLOCK}x!tt.ptr<f32>>, tensor<${BLOCK}xi32>\n"
                           "    %values = tt.splat %value : f32 -> tensor<${BLOCK}xf32>\n"
                           "    tt.store %place, %values : tensor<${BLOCK}x!tt.ptr<f32>>\n"
                           "    tt.return\n"
                           "  }\n"
                           "}\n";

/// Leaves in the runtime's cache that `config` is the fastest of those tried.
static void search(const tawa::Runtime &runtime, const std::vector<tawa_arg_t> &args, const char *config) {
  tawa_compile_request_t request = TAWA_COMPILE_REQUEST_INIT;
  request.text = fill;
  request.text_len = sizeof fill - 1;
  request.args = args.data();
  request.num_args = static_cast<uint32_t>(args.size());
  tawa_tune_options_t options = TAWA_TUNE_OPTIONS_INIT;
  options.isolation = TAWA_TUNE_IN_PROCESS;
  options.configs = config;
  tawa_tune_result_t result = nullptr;
  check(tawa_tune(runtime.get(), &request, &options, &result, nullptr) == TAWA_OK, "search");
  tawa_tune_result_release(result);
}

/// "BLOCK=64 ... by verified"
static std::string choice(const tawa::Kernel &kernel) {
  tawa_kernel_info_t info = kernel.info();
  return std::string(info.config) + " by " + info.chosen_by;
}

static void whatASearchFoundIsTaken() {
  char folder[] = "/tmp/tawa-wrapper-XXXXXX";
  check(mkdtemp(folder) != nullptr, "temporary folder");
  {
    tawa_runtime_options_t options = TAWA_RUNTIME_OPTIONS_INIT;
    options.device = "emulator";
    options.cache_dir = folder;
    tawa::Runtime runtime = tawa::Runtime::create(options);
    const std::vector<tawa_arg_t> args = {tawa::tensor(TAWA_F32, nullptr, {256}), tawa::scalar(256),
                                          tawa::scalar(0.5F)};
    search(runtime, args, "BLOCK=64 warps=4");
    std::string found = choice(runtime.compile(fill, args));
    check(found.find("BLOCK=64") == 0 && found.find("by verified") != found.npos, ("no config: " + found).c_str());
    std::string defaults = choice(runtime.compile(fill, args, ""));
    check(defaults.find("BLOCK=32") == 0, ("an empty config: " + defaults).c_str());
    std::string never = choice(runtime.compile(fill, args, std::nullopt, "fill.mlir", TAWA_POLICY_NEVER));
    check(never.find("BLOCK=32") == 0 && never.find("by default") != never.npos, ("policy: " + never).c_str());
  }
  std::filesystem::remove_all(folder);
}

static void argumentsOfEveryKind(const tawa::Runtime &runtime) {
  tawa::Memory memory(runtime, 256 * sizeof(float));
  for (bool isBare : {false, true}) {
    std::vector<tawa_arg_t> args = {isBare ? tawa::pointer(TAWA_F32, memory.data())
                                           : tawa::tensor(TAWA_F32, memory.data(), {256}),
                                    tawa::constant(256), tawa::scalar(0.5F)};
    tawa::Kernel kernel = runtime.compile(fill, args);
    memory.fill(0xff);
    kernel.launch(args);
    runtime.synchronize();
    std::vector<float> result(256);
    memory.copyOut(result.data());
    check(result == std::vector<float>(256, 0.5F), "0.5 everywhere");
  }
  check(tawa::scalar<int64_t>(3).dtype == TAWA_I64 && tawa::scalar(true).dtype == TAWA_I1, "types of integers");
  check(tawa::scalar(2.0).dtype == TAWA_F64 && tawa::scalar(2.0).number == 2.0, "types of floats");
  check(tawa::tensor(TAWA_F16, nullptr, {4, 8}, {16, 1}).strides[0] == 16, "strides");
  try {
    tawa::tensor(TAWA_F16, nullptr, {4, 8}, {1});
    check(false, "too few strides throw");
  } catch (const tawa::Error &error) {
    check(error.status() == TAWA_E_INVALID_ARGUMENT, "status of too few strides");
  }
}

static const std::vector<tawa_arg_t> &fillArgs() {
  static const std::vector<tawa_arg_t> args = {tawa::tensor(TAWA_F32, nullptr, {256}), tawa::scalar(256),
                                               tawa::scalar(0.5F)};
  return args;
}

static void argumentsComeFromAnySequence(const tawa::Runtime &runtime) {
  tawa::Memory memory(runtime, 256 * sizeof(float));
  const tawa_arg_t inArray[] = {tawa::tensor(TAWA_F32, memory.data(), {256}), tawa::scalar(256), tawa::scalar(0.5F)};
  const std::array<tawa_arg_t, 3> inStdArray = {inArray[0], inArray[1], inArray[2]};
  tawa::Kernel kernel = runtime.compile(fill, inArray);
  kernel.launch(inStdArray);
  kernel.launch({inArray[0], inArray[1], inArray[2]});
  kernel.launch(tawa::Args(inArray, 3));
  const int64_t shape[] = {4, 8};
  check(tawa::tensor(TAWA_F16, nullptr, shape).shape[1] == 8, "shape from an array");
}

static void bindingsLaunch(const tawa::Runtime &runtime) {
  tawa::Memory first(runtime, 256 * sizeof(float)), second(runtime, 256 * sizeof(float));
  tawa::Kernel kernel = runtime.compile(fill, fillArgs());
  kernel.load();
  tawa::Binding binding =
      kernel.bind({tawa::tensor(TAWA_F32, first.data(), {256}), tawa::scalar(256), tawa::scalar(0.25F)});
  kernel = tawa::Kernel();
  first.fill(0xff), second.fill(0xff);
  binding.launch({second.data()});
  std::vector<float> result(256);
  second.copyOut(result.data());
  check(result == std::vector<float>(256, 0.25F), "a binding launches with other addresses");
  binding.launch();
  first.copyOut(result.data());
  check(result == std::vector<float>(256, 0.25F), "and with its own");
  try {
    binding.launch({second.data(), second.data()});
    check(false, "too many addresses throw");
  } catch (const tawa::Error &error) {
    check(error.status() == TAWA_E_INVALID_ARGUMENT, "status of a failed bound launch");
  }
  check(runtime.works(), "the emulator is always well");
}

static void jobsGiveKernels(const tawa::Runtime &runtime) {
  tawa::Job job = runtime.compileAsync({fill, fillArgs()});
  tawa::Kernel kernel = job.wait();
  check(job.isDone() && kernel.info().num_args == 3, "a job's kernel");
  check(job.wait(0).has_value(), "a job that is done needs no time");
  check(!kernel.search(), "no search was asked for");
  tawa::Job wrong = runtime.compileAsync({"no kernel", {}});
  try {
    wrong.wait();
    check(false, "a job that failed throws");
  } catch (const tawa::Error &error) {
    check(error.status() == TAWA_E_INVALID_IR, "status of a failed job");
  }
}

static void signaturesAreRead() {
  tawa::Signature signature(fill);
  check(signature.entry() == "fill" && signature.grid() == "ceildiv(n, BLOCK)", "entry and grid");
  check(signature.arguments().size() == 3 && std::string(signature.arguments()[2].name) == "value", "arguments");
  check(signature.parameters().size() == 1 && signature.parameters()[0].values[1] == 64, "parameters");
}

static void factsOfAKernel(const tawa::Runtime &runtime) {
  tawa::Kernel kernel = runtime.compile(fill, fillArgs());
  check(std::string(kernel.argument(1).name) == "n", "argument");
  check(kernel.role(0).warps > 0 && kernel.phase(0).milliseconds >= 0, "role and phase");
  check(kernel.artifact(TAWA_STAGE_HOST_OBJECT).substr(1, 3) == "ELF", "artifact");
  check(runtime.emit(TAWA_STAGE_PTX, {fill, fillArgs()}).find(".entry fill") != std::string::npos, "emit");
  check(runtime.hardware("h200").find('=') != std::string::npos, "hardware");
}

static void searchesAreWatched(const tawa::Runtime &runtime) {
  tawa_tune_options_t options = TAWA_TUNE_OPTIONS_INIT;
  options.isolation = TAWA_TUNE_IN_PROCESS;
  options.configs = "BLOCK=64 warps=4";
  options.again = 1;
  int steps = 0;
  tawa::TuneResult result = runtime.tune({fill, fillArgs()}, options, [&](const tawa_tune_progress_t &) {
    ++steps;
    return true;
  });
  check(steps > 0 && result.size() > 0 && !result.best().empty(), "a search with progress");
  check(std::string(result.row(0).config).find("BLOCK=") == 0, "a row");
  try {
    runtime.tune({fill, fillArgs()}, options, [](const tawa_tune_progress_t &) { return false; });
    check(false, "a search that is stopped throws");
  } catch (const tawa::Error &error) {
    check(error.status() == TAWA_E_CANCELLED, "status of a stopped search");
  }
  try {
    runtime.tune({fill, fillArgs()}, options,
                 [](const tawa_tune_progress_t &) -> bool { throw std::runtime_error("mine"); });
    check(false, "what the caller's function throws arrives");
  } catch (const std::runtime_error &error) {
    check(std::string(error.what()) == "mine", "the caller's own exception");
  }
}

static void cachesAreWalked() {
  char folder[] = "/tmp/tawa-wrapper-XXXXXX";
  check(mkdtemp(folder) != nullptr, "temporary folder");
  tawa_runtime_options_t options = TAWA_RUNTIME_OPTIONS_INIT;
  options.device = "emulator";
  options.cache_dir = folder;
  {
    tawa::Runtime runtime = tawa::Runtime::create(options);
    check(!runtime.explainMiss({fill, fillArgs()}).empty(), "why an empty cache misses");
    check(!runtime.compileToCache({fill, fillArgs()}), "not there");
    check(runtime.compileToCache({fill, fillArgs()}), "there");
    check(runtime.cacheCounters().compiles == 1, "counters");
  }
  {
    tawa::Cache cache(folder, TAWA_CACHE_WRITE);
    int kernels = 0, presets = 0, choices = 0;
    cache.visit([&](const tawa_cache_entry_t &entry) {
      kernels += entry.kind == TAWA_CACHE_COMPILE;
      presets += entry.kind == TAWA_CACHE_PRESET;
      choices += entry.kind == TAWA_CACHE_TUNE;
      return true;
    });
    check(kernels == 1 && choices == 1 && presets == 2 && cache.verify() == 0,
          "one kernel, and why it has its configuration: for its sizes, such as these, and any");
    check(cache.exportTo(std::string(folder) + "/copy.tawa", true) == 4, "export");
    check(tawa::Cache((std::string(folder) + "/copy.tawa").c_str()).verify() == 0, "the copy is good");
    check(cache.prune(0) == 4, "prune");
    try {
      cache.exportTo("/nowhere/at/all");
      check(false, "a cache's failure throws");
    } catch (const tawa::Error &error) {
      check(error.status() == TAWA_E_CACHE_IO, "status of a cache's failure");
    }
  }
  std::filesystem::remove_all(folder);
}

int main(int argc, char **argv) {
  std::ifstream file(argc > 1 ? argv[1] : "");
  std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  tawa::Runtime runtime = emulator();
  check(runtime.deviceInfo().kind == TAWA_DEVICE_EMULATOR, "device info");
  errorsAreThrown(runtime);
  kernelRuns(runtime, text);
  argumentsOfEveryKind(runtime);
  argumentsComeFromAnySequence(runtime);
  bindingsLaunch(runtime);
  jobsGiveKernels(runtime);
  signaturesAreRead();
  factsOfAKernel(runtime);
  searchesAreWatched(runtime);
  cachesAreWalked();
  whatASearchFoundIsTaken();
  return failures != 0;
}
