// `tawa`: the command line over the C API. This file holds the table of commands; each command is a file of its own.
#include "bindings/cli/Commands.h"

#include <cstdio>
#include <string_view>

namespace tawa::cli {
namespace {

constexpr Command kCommands[] = {
    {"run", "K.mlir [options]", "Compile a kernel, launch it on random data, say what came out.",
     "  tawa run gemm.mlir --arg a=f16[512,256] --arg b=f16[512,256] --arg c=f16[512,512] \\\n"
     "      --arg M=512 --arg N=512 --arg K=256 --check gemm\n"
     "  tawa run gemm.mlir ... --device cuda:0 --bench --config \"D=4 P=2\"\n"
     "  tawa run gemm.mlir ... --device emulator --schedule late-random:7 --repeat 3\n",
     runRun},
    {"compile", "K.mlir [options]", "Print a kernel at one of its stages; needs no GPU except for the cubin.",
     "  tawa compile gemm.mlir --emit=tawa\n"
     "  tawa compile gemm.mlir --emit=ptx --config \"BLOCK_M=128 D=3\" -o gemm.ptx\n",
     runCompile},
    {"info", "K.mlir [options]", "List what a kernel's text asks for: arguments, tile parameters, grid.",
     "  tawa info gemm.mlir\n"
     "  tawa info gemm.mlir --json\n",
     runInfo},
    {"explain", "K.mlir [options]",
     "Compile a kernel and list what was decided: roles, rings, depths, resources, times.",
     "  tawa explain gemm.mlir\n"
     "  tawa explain gemm.mlir --device emulator --config \"D=2 P=2\"\n",
     runExplain},
    {"tune", "K.mlir [options]", "Find the fastest configuration of a kernel for given shapes.",
     "  tawa tune gemm.mlir --arg a=f16[8192,4096] --arg b=f16[8192,4096] --arg c=f16[8192,8192] \\\n"
     "      --arg M=8192 --arg N=8192 --arg K=4096\n"
     "  tawa tune gemm.mlir ... --predict --hardware h200      # no GPU needed\n"
     "  tawa tune gemm.mlir ... --top 4 --budget 20 --json\n",
     runTune},
    {"plan", "K.mlir [options]",
     "Plan a kernel for a described spatial machine: which core computes what, how tiles travel.",
     "  tawa plan gemm.mlir --machine wormhole_8x8 --arg a=f16[4096,4096] --arg b=f16[4096,4096] \\\n"
     "      --arg c=f16[4096,4096] --arg M=4096 --arg N=4096 --arg K=4096\n"
     "  tawa plan gemm.mlir --machine ./mine.mlir --arg ... --top 10 --simulate --explain\n"
     "  tawa plan gemm.mlir --machine wormhole_8x8 --arg ... --html plan.html\n"
     "  tawa plan --list\n",
     runPlan},
    {"demo", "[K.mlir] [options]",
     "One FP16 GEMM from text to a checked result, on the GPU or else on the emulated SM.",
     "  tawa demo                                             # the kernel that is installed with this program\n"
     "  tawa demo tests/kernels/gemm_param.mlir --size 1000,776,264 --device emulator\n",
     runDemo},
    {"hardware", "[options]", "Print the hardware description that search and performance model work with.",
     "  tawa hardware --list\n"
     "  tawa hardware --name h200\n"
     "  tawa hardware --check my_gpu.hw\n"
     "  tawa hardware --device cuda:0\n",
     runHardware},
    {"cache", "ls|show HASH|stats|verify|prune|export FILE|import FILE...|merge CACHE...|seal FILE [options]",
     "See, check, copy and clear what is remembered between processes.",
     "  tawa cache ls\n"
     "  tawa cache show 3f2a\n"
     "  tawa cache prune --max-size 1G --days 30\n"
     "  tawa cache seal kernels.tawa && TAWA_CACHE_READONLY=$PWD/kernels.tawa ./service\n",
     runCache},
    {"warm", "MANIFEST.json [options]", "Compile what a manifest lists into the cache; needs no GPU.",
     "  echo '{\"kernels\": [{\"text\": \"gemm.mlir\", \"args\": [\"a=f16[?,1024]\"]}]}' > kernels.json\n"
     "  tawa warm kernels.json --target h200                   # share/doc/tawa/manifest.md has the whole format\n"
     "  tawa warm kernels.json --target h200 --cache /tmp/image && tawa cache seal kernels.tawa --cache /tmp/image\n",
     runWarm},
    {"env", "[options]", "List the environment variables that the library reads.", "  tawa env\n", runEnv},
    {"doctor", "[options]", "Say what this machine can do and what looks wrong.", "  tawa doctor --json\n", runDoctor},
};

void printUsage() {
  std::fputs("usage: tawa COMMAND [options]\n\n", stdout);
  for (const Command &command : kCommands)
    std::printf("  %-9s %s\n", command.name, command.summary);
  std::fputs("\n`tawa COMMAND --help` lists its options, with examples; `tawa --version` prints the version.\n"
             "Exit codes: 0 done, 1 usage, 2 invalid input, 3 compile failed, 4 no device, 5 not in the cache,\n"
             "6 verification failed (wrong result, bad entries in a cache, or the emulated SM stopped the kernel),\n"
             "7 the cache cannot be used.\n",
             stdout);
}

const Command *findCommand(std::string_view name) {
  for (const Command &command : kCommands)
    if (name == command.name)
      return &command;
  return nullptr;
}

ExitCode refuse(const std::string &what) {
  std::fprintf(stderr, "tawa: %s\n`tawa --help` lists the commands\n", what.c_str());
  return ExitCode::Usage;
}

ExitCode refuseCommand(std::string_view name) {
  std::vector<std::string> names = {"help"};
  for (const Command &command : kCommands)
    names.emplace_back(command.name);
  return refuse("no command '" + std::string(name) + "'" + suggest(name, names));
}

/// `tawa help [COMMAND]`
ExitCode help(int count, char **arguments) {
  if (count == 0) {
    printUsage();
    return ExitCode::Ok;
  }
  char option[] = "--help", *words[] = {option};
  const Command *command = findCommand(arguments[0]);
  return command ? command->run(*command, 1, words) : refuseCommand(arguments[0]);
}

} // namespace
} // namespace tawa::cli

int main(int count, char **arguments) {
  using namespace tawa::cli;
  std::string_view name = count > 1 ? arguments[1] : "";
  if (name == "--help" || name == "-h" || name == "help")
    return static_cast<int>(help(count - 2, arguments + 2));
  if (name == "--version") {
    std::printf("tawa %s\n%s\n", tawa_version(), tawa_build_info());
    return 0;
  }
  if (name == "tune-worker") // started by tawa_tune(), and not meant for people
    return tawa_tune_worker(0, 1);
  const Command *command = findCommand(name);
  ExitCode code = command        ? command->run(*command, count - 2, arguments + 2)
                  : name.empty() ? refuse("no command given")
                                 : refuseCommand(name);
  return static_cast<int>(code);
}
