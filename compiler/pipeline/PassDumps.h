// PassDumps: what a compile with a dump folder leaves there about its passes. A reproducer of the pass that failed or
// crashed, and where asked for the IR after every pass.
#pragma once

#include "mlir/Pass/PassInstrumentation.h"
#include "llvm/ADT/StringRef.h"

#include <functional>
#include <string>

namespace tawa {

/// Where the passes of one compilation leave files; shared by its pass managers, which must not outlive it.
class PassDumps {
public:
  /// `about`: lines that describe the compilation, for the head of a reproducer.
  PassDumps(std::string directory, bool dumpsPasses, std::string about)
      : directory(std::move(directory)), dumpsPasses(dumpsPasses), about(std::move(about)) {}

  std::unique_ptr<mlir::PassInstrumentation> instrumentation();

  /// The command that repeats the pass that failed; empty while none did.
  const std::string &reproduction() const { return command; }

private:
  class Instrumentation;

  void before(mlir::Pass *pass, mlir::Operation *op);
  void after(mlir::Pass *pass, mlir::Operation *op);
  void failed(mlir::Pass *pass);
  std::string pathOf(llvm::StringRef file) const;

  std::string directory;
  bool dumpsPasses;
  std::string about;
  std::string command;
  unsigned passes = 0; ///< That ran so far.
  std::string last;    ///< The IR as it was dumped last.
};

/// Writes a file of a dump folder, which is made where it lacks. One that cannot be written is no reason to fail.
void writeDump(llvm::StringRef path, llvm::function_ref<void(llvm::raw_ostream &)> print);

} // namespace tawa
