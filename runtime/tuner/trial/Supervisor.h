// Supervisor: runs a worker process and reads its output. A worker's failure (fault, hang, exit) is only an outcome
// here: the caller's process, its memory and its GPU contexts are not the worker's.
#pragma once

#include "runtime/support/Status.h"

#include <functional>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <vector>

namespace tawa {

struct WorkerEnd {
  bool isExit = false;     ///< By itself and by no signal, whatever its code.
  bool wasSilent = false;  ///< Gave no news for too long, and was killed.
  bool wasLate = false;    ///< Took longer than it may in all, and was killed.
  bool wasStopped = false; ///< onLine() or isUnwanted() wanted it.
  bool wasDone = false;    ///< Had said all that it had to, and was killed; `how` and `isExit` say nothing.
  std::string how;         ///< For people: "ended by signal 11 (Segmentation fault)".
  std::string lastWords;   ///< The last lines of its standard error, on one line; often empty.
};

/// The significance of a worker's line.
enum class Heard : uint8_t {
  Nothing, ///< It counts as silence: known already, or not understood.
  News,
  Waits,  ///< The same; and the time since the last news does not count, as it waits for something else.
  Enough, ///< Kill the worker.
  Last,   ///< The same, as it has done its work; and do not wait for it, as it leaves its GPU for a second or two.
};

/// How the output of a worker is read.
struct WorkerWatch {
  double silenceSeconds = 20; ///< Without news, after which it counts as hanging.
  double wallSeconds = 0;     ///< After which it is killed whatever it says; 0: never.
  /// For every line of its standard output, without the line break.
  std::function<Heard(std::string_view line)> onLine;
  /// Asked several times a second, whether it speaks or not. True: kill it. May be empty.
  std::function<bool()> isUnwanted;
};

/// A worker process that runs. It ends with this object; then no process of its group is left.
class Worker {
public:
  /// `program` is an absolute path; no shell is involved. `joinsGroup`: it is of the caller's process group, and killed
  /// with it; else it has one of its own.
  static Result<Worker> start(const std::string &program, const std::vector<std::string> &arguments, bool joinsGroup);
  Worker(Worker &&other) noexcept;
  Worker &operator=(Worker &&) = delete;
  ~Worker();

  /// To its standard input. False: it does not read, or is gone; its end tells why. Not from two threads at once.
  bool write(std::string_view text) const;
  /// Nothing more will be written.
  void endInput();
  /// Reads its output until it ends; once. Others may write to it meanwhile.
  WorkerEnd watch(const WorkerWatch &how);

private:
  Worker(pid_t child, bool joinsGroup) : child(child), joinsGroup(joinsGroup) {}
  void close();
  void kill() const;

  pid_t child; ///< 0: it has been waited for, or belongs to another object.
  bool joinsGroup;
  int input = -1, output = -1, errors = -1; ///< Our ends.
};

/// The `tawa` program of the installation, or of the build tree, that the library at `library` belongs to; "" where
/// there is none.
std::string findWorkerBeside(const std::string &library);

} // namespace tawa
