// Starts a worker process, feeds its job, reads its lines with a time limit, and ends it. The job is passed in an
// unnamed file, so that no pipe can block on a worker that does not read.
#include "runtime/tuner/trial/Supervisor.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <iterator>
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

struct Pipe {
  Descriptor ours, theirs;
  Status open() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
      return failed("cannot make a pipe");
    ours.number = ends[0];
    theirs.number = ends[1];
    return Status::ok();
  }
};

/// Usually in a process group of its own, so that all of it can be killed.
Status spawn(const WorkerCall &call, int input, int output, int errors, pid_t &child) {
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
  posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO);
  posix_spawnattr_setflags(&attributes, call.joinsGroup ? 0 : POSIX_SPAWN_SETPGROUP);
  int failure = posix_spawn(&child, call.program.c_str(), &actions, &attributes, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  if (failure == 0)
    return Status::ok();
  return {StatusCode::InvalidArgument, "cannot start the worker " + call.program + ": " + std::strerror(failure)};
}

/// The end of what a worker writes to its standard error.
class LastWords {
public:
  void add(std::string_view bytes) {
    tail += bytes;
    if (tail.size() > 2 * kBytes)
      tail.erase(0, tail.size() - kBytes);
  }

  /// The last lines that are not empty, on one line.
  std::string str() const {
    std::string text;
    int lines = 0;
    for (size_t end = tail.size(); end > 0 && lines < kLines;) {
      size_t begin = tail.find_last_of('\n', end - 1);
      begin = begin == tail.npos ? 0 : begin + 1;
      std::string line = printable(std::string_view(tail).substr(begin, end - begin));
      if (!line.empty()) {
        text.insert(0, text.empty() ? line : line + " | ");
        ++lines;
      }
      end = begin == 0 ? 0 : begin - 1;
    }
    return text;
  }

private:
  static constexpr size_t kBytes = 4096, kLongestLine = 240;
  static constexpr int kLines = 4;

  static std::string printable(std::string_view line) {
    std::string text(line.substr(0, kLongestLine));
    for (char &c : text)
      c = static_cast<unsigned char>(c) < ' ' || c == '\x7f' ? ' ' : c;
    text.erase(text.find_last_not_of(' ') + 1);
    return text;
  }

  std::string tail;
};

/// Reads a worker's output and ends the worker where necessary.
class Watch {
public:
  Watch(const WorkerCall &call, pid_t child, int output, int errors)
      : call(call), child(child), sources{{output, POLLIN, 0}, {errors, POLLIN, 0}} {}

  WorkerEnd run() {
    WorkerEnd end;
    while (!isOver(end)) {
      bool hasExited = checkExit(); // before reading, so that all that it wrote is read
      bool wasQuiet = listen(hasExited ? 0 : waitMilliseconds(), end);
      if (hasExited && wasQuiet)
        break;
    }
    reap(end);
    end.lastWords = lastWords.str();
    return end;
  }

private:
  static constexpr size_t kLongestLine = 1 << 16; // a runaway worker does not fill our memory
  using Clock = std::chrono::steady_clock;

  static double secondsSince(Clock::time_point then) {
    return std::chrono::duration<double>(Clock::now() - then).count();
  }

  /// After the worker has closed both pipes, only a timeout triggers the next check.
  int waitMilliseconds() const { return sources[0].fd < 0 && sources[1].fd < 0 ? 5 : 100; }

  bool isOver(WorkerEnd &end) const {
    end.wasStopped |= call.isUnwanted && call.isUnwanted();
    end.wasSilent = secondsSince(lastNews) >= call.silenceSeconds;
    end.wasLate = call.wallSeconds > 0 && secondsSince(started) >= call.wallSeconds;
    return end.wasStopped || end.wasSilent || end.wasLate;
  }

  /// Leaves it unreaped, so that its group keeps its number, and ends the rest of the group.
  bool checkExit() const {
    siginfo_t info{};
    bool hasExited = waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid;
    if (hasExited)
      killAll();
    return hasExited;
  }

  void killAll() const { kill(call.joinsGroup ? child : -child, SIGKILL); }

  /// True where there was nothing to read.
  bool listen(int milliseconds, WorkerEnd &end) {
    if (poll(sources, std::size(sources), milliseconds) <= 0)
      return true;
    bool wasQuiet = true;
    for (pollfd &source : sources) {
      if (source.fd < 0 || source.revents == 0)
        continue;
      char bytes[4096];
      ssize_t size = read(source.fd, bytes, sizeof(bytes));
      if (size <= 0) {
        source.fd = -1; // which poll() passes over
        continue;
      }
      wasQuiet = false;
      take(&source == sources, {bytes, static_cast<size_t>(size)}, end);
    }
    return wasQuiet;
  }

  void take(bool isOutput, std::string_view bytes, WorkerEnd &end) {
    if (!isOutput)
      return lastWords.add(bytes);
    for (char c : bytes) {
      if (c != '\n') {
        if (line.size() < kLongestLine)
          line += c;
        continue;
      }
      Heard heard = call.onLine ? call.onLine(line) : Heard::Nothing;
      line.clear();
      if (heard == Heard::Waits)
        started += Clock::now() - lastNews;
      if (heard == Heard::News || heard == Heard::Waits)
        lastNews = Clock::now();
      end.wasStopped |= heard == Heard::Enough;
      if (end.wasStopped)
        return;
    }
  }

  void reap(WorkerEnd &end) const {
    killAll();
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    bool wasKilled = end.wasSilent || end.wasLate || end.wasStopped;
    end.isExit = WIFEXITED(status) && !wasKilled;
    char text[64];
    if (end.wasSilent)
      std::snprintf(text, sizeof(text), "gave no news for %g s", call.silenceSeconds);
    else if (end.wasLate)
      std::snprintf(text, sizeof(text), "did not end within %g s", call.wallSeconds);
    else if (WIFSIGNALED(status))
      std::snprintf(text, sizeof(text), "ended by signal %d (%s)", WTERMSIG(status), strsignal(WTERMSIG(status)));
    else
      std::snprintf(text, sizeof(text), "exited with code %d", WEXITSTATUS(status));
    end.how = text;
  }

  const WorkerCall &call;
  pid_t child;
  pollfd sources[2]; ///< Standard output and standard error; -1 once closed.
  Clock::time_point started = Clock::now(), lastNews = started;
  std::string line;
  LastWords lastWords;
};

} // namespace

Result<WorkerEnd> runWorker(const WorkerCall &call) {
  Descriptor job;
  if (Status status = openJob(call.job, job); !status)
    return status;
  Pipe output, errors;
  for (Pipe *pipe : {&output, &errors})
    if (Status status = pipe->open(); !status)
      return status;
  pid_t child = 0;
  if (Status status = spawn(call, job.number, output.theirs.number, errors.theirs.number, child); !status)
    return status;
  output.theirs.close(); // so that the end of each is seen
  errors.theirs.close();
  return Watch(call, child, output.ours.number, errors.ours.number).run();
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
