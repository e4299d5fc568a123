// Starts a worker process, writes to it, reads its lines with a time limit, and ends it. Its standard input is a
// socket: a write to a worker that is gone raises no signal, and one to a worker that does not read ends after a while.
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
#include <mutex>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>

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

constexpr timeval kPatience{20, 0}; ///< With a worker that does not read what is written to it.

struct Channel {
  Descriptor ours, theirs;

  Status openPipe() {
    int ends[2];
    return take(pipe2(ends, O_CLOEXEC), ends);
  }
  Status openSocket() {
    int ends[2];
    Status status = take(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), ends);
    if (status && setsockopt(ends[0], SOL_SOCKET, SO_SNDTIMEO, &kPatience, sizeof(kPatience)) != 0)
      return failed("cannot set the timeout of a socket");
    return status;
  }

private:
  Status take(int result, const int *ends) {
    if (result != 0)
      return failed("cannot make a channel");
    ours.number = ends[0];
    theirs.number = ends[1];
    return Status::ok();
  }
};

Result<pid_t> spawn(const std::string &program, const std::vector<std::string> &arguments, bool joinsGroup, int input,
                    int output, int errors) {
  std::vector<char *> argv{const_cast<char *>(program.c_str())};
  for (const std::string &argument : arguments)
    argv.push_back(const_cast<char *>(argument.c_str()));
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO);
  posix_spawnattr_setflags(&attributes, joinsGroup ? 0 : POSIX_SPAWN_SETPGROUP);
  pid_t child = 0;
  int failure = posix_spawn(&child, program.c_str(), &actions, &attributes, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  if (failure == 0)
    return child;
  return Status(StatusCode::InvalidArgument, "cannot start the worker " + program + ": " + std::strerror(failure));
}

/// Workers that were killed after their work and take long to leave their GPU. The next start of a worker reaps
/// them; nothing else is to be known of them.
class Leavers {
public:
  /// Without waiting longer than a process takes that has no GPU.
  void add(pid_t child) {
    constexpr int kTries = 20;
    for (int i = 0; i < kTries; ++i) {
      if (isGone(child))
        return;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    std::lock_guard lock(mutex);
    children.push_back(child);
  }

  void reap() {
    std::lock_guard lock(mutex);
    std::erase_if(children, isGone);
  }

private:
  static bool isGone(pid_t child) { return waitpid(child, nullptr, WNOHANG) != 0; }

  std::mutex mutex;
  std::vector<pid_t> children;
};

Leavers &leavers() {
  static Leavers all;
  return all;
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
  Watch(const WorkerWatch &how, pid_t child, bool joinsGroup, int output, int errors)
      : how(how), child(child), joinsGroup(joinsGroup), sources{{output, POLLIN, 0}, {errors, POLLIN, 0}} {}

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
    end.wasStopped |= how.isUnwanted && how.isUnwanted();
    end.wasSilent = secondsSince(lastNews) >= how.silenceSeconds;
    end.wasLate = how.wallSeconds > 0 && secondsSince(started) >= how.wallSeconds;
    return end.wasStopped || end.wasDone || end.wasSilent || end.wasLate;
  }

  /// Leaves it unreaped, so that its group keeps its number, and ends the rest of the group.
  bool checkExit() const {
    siginfo_t info{};
    bool hasExited = waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid;
    if (hasExited)
      killAll();
    return hasExited;
  }

  void killAll() const { ::kill(joinsGroup ? child : -child, SIGKILL); }

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
      Heard heard = how.onLine ? how.onLine(line) : Heard::Nothing;
      line.clear();
      if (heard == Heard::Waits)
        started += Clock::now() - lastNews;
      if (heard == Heard::News || heard == Heard::Waits)
        lastNews = Clock::now();
      end.wasStopped |= heard == Heard::Enough;
      end.wasDone |= heard == Heard::Last;
      if (end.wasStopped || end.wasDone)
        return;
    }
  }

  void reap(WorkerEnd &end) const {
    killAll();
    int status = 0;
    if (end.wasDone)
      return leavers().add(child);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    bool wasKilled = end.wasSilent || end.wasLate || end.wasStopped;
    end.isExit = WIFEXITED(status) && !wasKilled;
    char text[64];
    if (end.wasSilent)
      std::snprintf(text, sizeof(text), "gave no news for %g s", how.silenceSeconds);
    else if (end.wasLate)
      std::snprintf(text, sizeof(text), "did not end within %.3g s", how.wallSeconds);
    else if (WIFSIGNALED(status))
      std::snprintf(text, sizeof(text), "ended by signal %d (%s)", WTERMSIG(status), strsignal(WTERMSIG(status)));
    else
      std::snprintf(text, sizeof(text), "exited with code %d", WEXITSTATUS(status));
    end.how = text;
  }

  const WorkerWatch &how;
  pid_t child;
  bool joinsGroup;
  pollfd sources[2]; ///< Standard output and standard error; -1 once closed.
  Clock::time_point started = Clock::now(), lastNews = started;
  std::string line;
  LastWords lastWords;
};

} // namespace

Result<Worker> Worker::start(const std::string &program, const std::vector<std::string> &arguments, bool joinsGroup) {
  leavers().reap();
  Channel input, output, errors;
  for (Status status : {input.openSocket(), output.openPipe(), errors.openPipe()})
    if (!status)
      return status;
  Result<pid_t> child =
      spawn(program, arguments, joinsGroup, input.theirs.number, output.theirs.number, errors.theirs.number);
  if (!child)
    return child.status();
  Worker worker(*child, joinsGroup);
  worker.input = std::exchange(input.ours.number, -1);
  worker.output = std::exchange(output.ours.number, -1);
  worker.errors = std::exchange(errors.ours.number, -1);
  return worker; // the other ends are closed here, so that the end of each is seen
}

Worker::Worker(Worker &&other) noexcept
    : child(std::exchange(other.child, 0)), joinsGroup(other.joinsGroup), input(std::exchange(other.input, -1)),
      output(std::exchange(other.output, -1)), errors(std::exchange(other.errors, -1)) {}

Worker::~Worker() {
  close();
  if (!child)
    return;
  kill();
  while (waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
  }
}

void Worker::close() {
  for (int *end : {&input, &output, &errors})
    Descriptor{std::exchange(*end, -1)}.close();
}

bool Worker::write(std::string_view text) const {
  while (!text.empty()) {
    ssize_t size = send(input, text.data(), text.size(), MSG_NOSIGNAL);
    if (size < 0 && errno == EINTR)
      continue;
    if (size < 0)
      return false;
    text.remove_prefix(static_cast<size_t>(size));
  }
  return true;
}

void Worker::endInput() { Descriptor{std::exchange(input, -1)}.close(); }

WorkerEnd Worker::watch(const WorkerWatch &how) {
  WorkerEnd end = Watch(how, child, joinsGroup, output, errors).run();
  child = 0;
  return end;
}

void Worker::kill() const {
  if (child)
    ::kill(joinsGroup ? child : -child, SIGKILL);
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
