// A temporary directory, one process, two files.
#include "runtime/device/Ptxas.h"

#include "runtime/device/PtxLog.h"
#include "runtime/support/Environment.h"
#include "runtime/support/TemporaryFolder.h"

#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <spawn.h>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

extern char **environ;

namespace tawa {

namespace {

namespace fs = std::filesystem;

std::string readFile(const fs::path &path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

bool writeFile(const fs::path &path, const std::string &text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  return file.good();
}

/// Runs the program with its output in a file; its exit code, or -1 where it could not be run.
int run(const std::string &program, std::vector<std::string> arguments, const fs::path &output) {
  std::vector<char *> argv = {const_cast<char *>(program.c_str())};
  for (std::string &argument : arguments)
    argv.push_back(argument.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output.c_str(), O_WRONLY | O_CREAT, 0600);
  posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  pid_t child = 0;
  int failure = posix_spawn(&child, program.c_str(), &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  int status = 0;
  if (failure)
    return -1;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR)
      return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

} // namespace

std::string findPtxas() {
  if (auto path = env::get(env::Variable::Ptxas))
    return *path;
  std::istringstream directories(env::searchPath() + ":/usr/local/cuda/bin");
  for (std::string directory; std::getline(directories, directory, ':');) {
    std::string candidate = directory + "/ptxas";
    if (!directory.empty() && access(candidate.c_str(), X_OK) == 0)
      return candidate;
  }
  return {};
}

Result<std::string> assembleWithPtxas(const std::string &ptxas, const std::string &ptx,
                                      const std::string &architecture) {
  TemporaryFolder directory;
  fs::path source = directory.path / "kernel.ptx", cubin = directory.path / "kernel.cubin",
           log = directory.path / "log";
  if (directory.path.empty() || !writeFile(source, ptx))
    return Status(StatusCode::Internal, "cannot write temporary files for " + ptxas);
  int code = run(ptxas, {"-arch=" + architecture, source.string(), "-o", cubin.string()}, log);
  if (code < 0)
    return Status(StatusCode::Unsupported, "cannot run " + ptxas + "; TAWA_PTXAS names the assembler to use");
  if (code > 0)
    return Status(StatusCode::PtxRejected, ptxas + " refused the PTX:\n" + readFile(log));
  if (Status status = checkNotices(readFile(log), ptxas, "the kernel"); !status)
    return status;
  return readFile(cubin);
}

} // namespace tawa
