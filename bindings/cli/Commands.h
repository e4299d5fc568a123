// Commands: the table of `tawa`'s commands and their shared code: reading a command line, `--help`, grids, and the GEMM
// check. Each command is one file, <Name>Command.cpp.
#pragma once

#include "bindings/cli/Console.h"
#include "bindings/cli/GemmReference.h"
#include "bindings/cli/Json.h"
#include "bindings/cli/Options.h"
#include "bindings/cli/Workload.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tawa::cli {

struct Command {
  const char *name;
  const char *arguments; ///< "K.mlir [options]"
  const char *summary;   ///< One line, for `tawa --help`.
  const char *examples;  ///< Indented lines for `tawa NAME --help`.
  ExitCode (*run)(const Command &command, int count, char **arguments);
};

ExitCode runRun(const Command &command, int count, char **arguments);
ExitCode runCompile(const Command &command, int count, char **arguments);
ExitCode runInfo(const Command &command, int count, char **arguments);
ExitCode runExplain(const Command &command, int count, char **arguments);
ExitCode runTune(const Command &command, int count, char **arguments);
ExitCode runPlan(const Command &command, int count, char **arguments);
ExitCode runDemo(const Command &command, int count, char **arguments);
ExitCode runEnv(const Command &command, int count, char **arguments);
ExitCode runHardware(const Command &command, int count, char **arguments);
ExitCode runDoctor(const Command &command, int count, char **arguments);

ExitCode runCache(const Command &command, int count, char **arguments);
ExitCode runWarm(const Command &command, int count, char **arguments);

/// Of `--quiet`, where a command has it.
constexpr const char *kTargetHelp =
    "a GPU (tawa hardware --list) whose code to make, if the device runs it (default: $TAWA_TARGET, else the device's)";
constexpr const char *kQuietHelp = "print results and failures only: no progress, warnings or remarks";

/// How many positional arguments a command takes.
struct FileCount {
  size_t fewest, most;
};
constexpr FileCount kNoFile{0, 0}, kOneFile{1, 1}, kAnyFiles{0, SIZE_MAX};

/// Parses; on `--help` or a mistake prints and returns the exit code with which the command ends.
std::optional<ExitCode> readCommandLine(const Command &command, Options &options, int count, char **arguments,
                                        std::vector<std::string> &positional, FileCount files);

/// The same for a struct that declares its members as options.
template <typename Given>
  requires requires(Given given, Options options) { given.declare(options); }
std::optional<ExitCode> readCommandLine(const Command &command, Given &given, int count, char **arguments,
                                        std::vector<std::string> &positional, FileCount files) {
  Options options;
  given.declare(options);
  return readCommandLine(command, options, count, arguments, positional, files);
}

/// The first steps of a command on one kernel: its options, including json, and the kernel's text; that of `otherwise`
/// where no file is named, if that is not empty.
template <typename Given>
std::optional<ExitCode> readKernelCommand(const Command &command, Given &given, int count, char **arguments,
                                          KernelSource &source, const std::string &otherwise = {}) {
  std::vector<std::string> files;
  FileCount wanted{otherwise.empty() ? 1U : 0U, 1};
  if (std::optional<ExitCode> code = readCommandLine(command, given, count, arguments, files, wanted))
    return code;
  files.resize(1, otherwise);
  ExitCode code = readKernel(Console(given.json), files[0], source);
  return code == ExitCode::Ok ? std::nullopt : std::optional(code);
}

/// "8", "8,2", "8,2,1" into a launch's grid; false for anything else.
bool parseGrid(const std::string &text, uint32_t (&grid)[3]);

/// What a launch without a grid lacks, or none.
std::optional<std::string> gridProblem(const KernelSource &source, const std::string &grid);

/// "262144 of 262144 entries ...: PASSED".
std::string describeCheck(const GemmCheck &check, const HostTensor &output);
void writeCheck(JsonWriter &writer, const GemmCheck &check, const HostTensor &output);

} // namespace tawa::cli
