// See Supervisor.h. The job goes through a file without a name, so that no pipe can block on a worker that does not
// read.
#include "runtime/tuner/Supervisor.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

namespace tawa {

namespace {

/// A file descriptor that is closed with the scope.
struct Descriptor {
  int number = -1;
  ~Descriptor() { close(); }
  void close() {
    if (number >= 0)
      ::close(number);
    number = -1;
  }
};

Status failed(const std::string &what) {
  return {StatusCode::Internal, "worker: " + what + ": " + std::strerror(errno)};
}

/// A file that holds `text`, open at its beginning, without a name.
Status openJob(const std::string &text, Descriptor &file) {
  file.number = memfd_create("tawa-job", MFD_CLOEXEC);
  if (file.number < 0)
    return failed("cannot make a temporary file");
  for (size_t at = 0; at < text.size();) {
    ssize_t written = write(file.number, text.data() + at, text.size() - at);
    if (written < 0)
      return failed("cannot write a temporary file");
    at += static_cast<size_t>(written);
  }
  return lseek(file.number, 0, SEEK_SET) == 0 ? Status::ok() : failed("cannot rewind a temporary file");
}

/// Standard input from the job, standard output to us; a process group of its own, so that all of it can be killed.
Status spawn(const WorkerCall &call, int input, int output, pid_t &child) {
  std::vector<char *> argv{const_cast<char *>(call.program.c_str())};
  for (const std::string &argument : call.arguments)
    argv.push_back(const_cast<char *>(argument.c_str()));
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  int failure = posix_spawn(&child, call.program.c_str(), &actions, &attributes, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  if (failure == 0)
    return Status::ok();
  return {StatusCode::InvalidArgument, "cannot start the worker " + call.program + ": " + std::strerror(failure)};
}

class Listener {
public:
  Listener(const WorkerCall &call, int from) : call(call), from(from) {}

  /// Until the output ends, or the worker has to be killed.
  void listen(WorkerEnd &end) {
    while (!hasEnded && !end.wasSilent && !end.wasStopped) {
      if (call.isUnwanted && call.isUnwanted()) {
        end.wasStopped = true;
        continue;
      }
      pollfd ready{from, POLLIN, 0};
      int count = poll(&ready, 1, kPollMilliseconds);
      if (count > 0)
        end.wasStopped = !hear();
      else if (count == 0 || errno != EINTR)
        end.wasSilent = count < 0 || secondsOfSilence() >= call.silenceSeconds;
    }
  }

private:
  static constexpr int kPollMilliseconds = 100;
  static constexpr size_t kLongestLine = 1 << 16; // a worker that has gone wild fills no memory of ours

  double secondsOfSilence() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - lastHeard).count();
  }

  /// What there is to read; false where the caller wants no more.
  bool hear() {
    lastHeard = std::chrono::steady_clock::now();
    char bytes[4096];
    ssize_t size = read(from, bytes, sizeof(bytes));
    hasEnded = size <= 0;
    return hasEnded || take({bytes, static_cast<size_t>(size)});
  }

  bool take(std::string_view bytes) {
    for (char c : bytes) {
      if (c != '\n') {
        if (line.size() < kLongestLine)
          line += c;
        continue;
      }
      if (call.onLine && !call.onLine(line))
        return false;
      line.clear();
    }
    return true;
  }

  const WorkerCall &call;
  int from;
  bool hasEnded = false; ///< Nothing more comes.
  std::chrono::steady_clock::time_point lastHeard = std::chrono::steady_clock::now();
  std::string line;
};

std::string describeEnd(int status) {
  if (WIFSIGNALED(status))
    return "ended by signal " + std::to_string(WTERMSIG(status)) + " (" + strsignal(WTERMSIG(status)) + ")";
  return "exited with code " + std::to_string(WEXITSTATUS(status));
}

} // namespace

Result<WorkerEnd> runWorker(const WorkerCall &call) {
  Descriptor job, ours, theirs;
  if (Status status = openJob(call.job, job); !status)
    return status;
  int pipe[2];
  if (pipe2(pipe, O_CLOEXEC) != 0)
    return failed("cannot make a pipe");
  ours.number = pipe[0];
  theirs.number = pipe[1];
  pid_t child = 0;
  if (Status status = spawn(call, job.number, theirs.number, child); !status)
    return status;
  theirs.close(); // so that its end is seen
  WorkerEnd end;
  Listener(call, ours.number).listen(end);
  if (end.wasSilent || end.wasStopped)
    kill(-child, SIGKILL);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  end.isOrderly = WIFEXITED(status) && WEXITSTATUS(status) == 0 && !end.wasSilent && !end.wasStopped;
  end.how = end.wasSilent ? "did not answer for " + std::to_string(static_cast<int>(call.silenceSeconds)) + " s"
                          : describeEnd(status);
  return end;
}

std::string findWorkerBeside(const std::string &library) {
  std::error_code ignored;
  std::filesystem::path folder = std::filesystem::weakly_canonical(library, ignored).parent_path();
  // lib/libtawa.so and bin/tawa; lib/<triplet>/libtawa.so and bin/tawa; the build tree.
  for (const char *place : {"../bin/tawa", "../../bin/tawa", "../bindings/cli/tawa"}) {
    std::filesystem::path program = std::filesystem::weakly_canonical(folder / place, ignored);
    if (access(program.c_str(), X_OK) == 0)
      return program.string();
  }
  return {};
}

} // namespace tawa
