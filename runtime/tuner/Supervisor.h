// Supervisor: runs a worker process and listens to it. What the worker does to itself (fault, hang, exit) is an outcome
// here and nothing else: the caller's process, its memory and its GPU contexts are not the worker's.
#pragma once

#include "runtime/support/Status.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace tawa {

struct WorkerEnd {
  bool isOrderly = false;  ///< Exited with code 0.
  bool wasSilent = false;  ///< Said nothing for too long, and was killed.
  bool wasStopped = false; ///< onLine() or isUnwanted() wanted it.
  std::string how;         ///< For people: "ended by signal 11 (Segmentation fault)".
};

struct WorkerCall {
  std::string program; ///< An absolute path; no shell is involved.
  std::vector<std::string> arguments;
  std::string job;            ///< What it reads from its standard input.
  double silenceSeconds = 20; ///< After which it counts as hanging.
  /// For every line of its standard output, without the line break. False: kill it.
  std::function<bool(std::string_view line)> onLine;
  /// Asked several times a second, whether it speaks or not. True: kill it. May be empty.
  std::function<bool()> isUnwanted;
};

/// Runs the worker to its end; whatever happens, no process is left. An error only where it could not be started.
Result<WorkerEnd> runWorker(const WorkerCall &call);

/// The `tawa` program of the installation, or of the build tree, that the library at `library` belongs to; "" where
/// there is none.
std::string findWorkerBeside(const std::string &library);

} // namespace tawa
