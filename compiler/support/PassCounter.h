// Counters of passes: what a pass did, and each reason why it did not. They are declared as `statistics` in a Passes.td
// and stand in for mlir::Pass::Statistic in the generated code (compiler/cmake/PassCounters.cmake), because the release
// LLVM that we link compiles its own to nothing. `tawa-opt --mlir-pass-statistics` prints them, and a compile with a
// dump folder writes them there.
#pragma once

#include "mlir/Pass/PassInstrumentation.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>

namespace llvm {
class raw_ostream;
}
namespace mlir {
class Operation;
class Pass;
} // namespace mlir

namespace tawa {

/// One counter of one pass, a member of it. Not for use by several threads at once: our passes run on modules.
class PassCounter {
public:
  /// `name` and `description` are literals of the Passes.td.
  PassCounter(mlir::Pass *owner, const char *name, const char *description);
  PassCounter(const PassCounter &) = delete;
  PassCounter &operator=(const PassCounter &) = delete;
  ~PassCounter();

  PassCounter &operator++() { return *this += 1; }
  PassCounter &operator+=(uint64_t more) { return value += more, *this; }

  /// Counts one, at this operation. Where TAWA_DEBUG names the pass, stderr gets place, counter and description.
  void at(mlir::Operation *op) { because(op, {}); }
  /// The same with one of several reasons, which are also counted one by one.
  void because(mlir::Operation *op, llvm::StringRef reason);

private:
  friend class PassCounts;

  mlir::Pass *owner;
  const char *name, *description;
  uint64_t value = 0;
  std::map<std::string, uint64_t> reasons;
};

/// The sums of all counters of the passes of one compilation. Not thread-safe; must outlive the pass managers.
class PassCounts {
public:
  /// Adds up the counters of each pass after it ran, whether it failed or not.
  std::unique_ptr<mlir::PassInstrumentation> collector();

  /// By pass and counter: a line each, and one for each reason under it. A count of zero is printed too.
  void print(llvm::raw_ostream &stream) const;

private:
  class Collector;
  struct Total {
    std::string description;
    uint64_t value = 0;
    std::map<std::string, uint64_t> reasons;
  };
  void add(mlir::Pass *pass);

  std::map<std::string, std::map<std::string, Total>> totals; ///< By the pass's argument and the counter's name.
};

} // namespace tawa
