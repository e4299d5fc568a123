// Registers the counters of each pass, and prints their sums.
#include "compiler/support/PassCounter.h"

#include "compiler/support/Debug.h"

#include "mlir/IR/Operation.h"
#include "mlir/Pass/Pass.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/Format.h"

#include <mutex>
#include <utility>

using namespace mlir;

namespace tawa {

namespace {

/// The counters of every pass that exists; compilations run on several threads.
struct Registry {
  std::mutex mutex;
  llvm::DenseMap<Pass *, SmallVector<PassCounter *>> counters;
};

Registry &registry() {
  static auto *all = new Registry; // passes may outlive what is destroyed at exit
  return *all;
}

} // namespace

PassCounter::PassCounter(Pass *owner, const char *name, const char *description)
    : owner(owner), name(name), description(description) {
  std::lock_guard lock(registry().mutex);
  registry().counters[owner].push_back(this);
}

PassCounter::~PassCounter() {
  std::lock_guard lock(registry().mutex);
  auto found = registry().counters.find(owner);
  llvm::erase(found->second, this);
  if (found->second.empty())
    registry().counters.erase(found);
}

void PassCounter::because(Operation *op, StringRef reason) {
  ++value;
  if (!reason.empty())
    ++reasons[reason.str()];
  if (!isDebugged(owner->getArgument()))
    return;
  llvm::dbgs() << op->getLoc() << ": " << owner->getArgument() << ": '" << op->getName() << "': " << name << ": "
               << (reason.empty() ? StringRef(description) : reason) << "\n";
}

class PassCounts::Collector : public PassInstrumentation {
public:
  explicit Collector(PassCounts &counts) : counts(counts) {}

  void runAfterPass(Pass *pass, Operation *) override { counts.add(pass); }
  void runAfterPassFailed(Pass *pass, Operation *) override { counts.add(pass); }

private:
  PassCounts &counts;
};

std::unique_ptr<PassInstrumentation> PassCounts::collector() { return std::make_unique<Collector>(*this); }

void PassCounts::add(Pass *pass) {
  std::lock_guard lock(registry().mutex);
  auto found = registry().counters.find(pass);
  if (found == registry().counters.end())
    return;
  for (PassCounter *counter : found->second) {
    Total &total = totals[pass->getArgument().str()][counter->name];
    total.description = counter->description;
    total.value += std::exchange(counter->value, 0);
    for (auto &[reason, value] : std::exchange(counter->reasons, {}))
      total.reasons[reason] += value;
  }
}

void PassCounts::print(llvm::raw_ostream &stream) const {
  for (const auto &[pass, counters] : totals) {
    stream << pass << "\n";
    for (const auto &[name, total] : counters) {
      stream << "  " << llvm::format("%6llu ", static_cast<unsigned long long>(total.value)) << name << ": "
             << total.description << "\n";
      for (const auto &[reason, value] : total.reasons)
        stream << "      " << llvm::format("%6llu ", static_cast<unsigned long long>(value)) << reason << "\n";
    }
  }
}

} // namespace tawa
