// A pass instrumentation that writes reproducers and IR after each pass. The reproducer is written before each pass and
// removed after it, so that one is left by a pass that ends the process as well as by one that fails, without signal
// handlers in the host's process.
#include "compiler/pipeline/PassDumps.h"

#include "mlir/IR/Operation.h"
#include "mlir/Pass/Pass.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace tawa {

static constexpr llvm::StringLiteral kReproducer = "reproducer.mlir";

void writeDump(StringRef path, llvm::function_ref<void(llvm::raw_ostream &)> print) {
  if (llvm::sys::fs::create_directories(llvm::sys::path::parent_path(path)))
    return;
  std::error_code error;
  llvm::raw_fd_ostream stream(path, error);
  if (!error)
    print(stream);
  stream.clear_error();
}

static std::string commandFor(Pass *pass, StringRef file) {
  std::string pipeline;
  llvm::raw_string_ostream stream(pipeline);
  pass->printAsTextualPipeline(stream);
  return llvm::formatv("tawa-opt {0} --pass-pipeline='builtin.module({1})'", file, pipeline);
}

class PassDumps::Instrumentation : public PassInstrumentation {
public:
  explicit Instrumentation(PassDumps &dumps) : dumps(dumps) {}

  void runBeforePass(Pass *pass, Operation *op) override {
    if (isDumped(pass, op))
      dumps.before(pass, op);
  }
  void runAfterPass(Pass *pass, Operation *op) override {
    if (isDumped(pass, op))
      dumps.after(pass, op);
  }
  void runAfterPassFailed(Pass *pass, Operation *op) override {
    if (isDumped(pass, op))
      dumps.failed(pass);
  }

private:
  /// Passes of the whole kernel; adaptors of nested ones have no name.
  static bool isDumped(Pass *pass, Operation *op) { return !pass->getArgument().empty() && !op->getParentOp(); }

  PassDumps &dumps;
};

std::unique_ptr<PassInstrumentation> PassDumps::instrumentation() { return std::make_unique<Instrumentation>(*this); }

std::string PassDumps::pathOf(StringRef file) const {
  llvm::SmallString<128> path(directory);
  llvm::sys::path::append(path, file);
  return path.str().str();
}

void PassDumps::before(Pass *pass, Operation *op) {
  std::string path = pathOf(kReproducer);
  writeDump(path, [&](llvm::raw_ostream &stream) {
    stream << "// " << commandFor(pass, path) << "\n" << about;
    op->print(stream);
    stream << "\n";
  });
}

void PassDumps::after(Pass *pass, Operation *op) {
  llvm::sys::fs::remove(pathOf(kReproducer));
  unsigned number = passes++;
  if (!dumpsPasses)
    return;
  std::string text;
  llvm::raw_string_ostream(text) << *op << "\n";
  if (text == last)
    return;
  std::string file = llvm::formatv("passes/{0,0+3}-{1}.mlir", number, pass->getArgument());
  writeDump(pathOf(file), [&](llvm::raw_ostream &stream) { stream << text; });
  last = std::move(text);
}

void PassDumps::failed(Pass *pass) { command = commandFor(pass, pathOf(kReproducer)); }

} // namespace tawa
