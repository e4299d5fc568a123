#include "compiler/pipeline/PassTimes.h"

#include "mlir/Pass/Pass.h"

using namespace mlir;

namespace tawa {

void PassTimes::runBeforePass(Pass *, Operation *) { started.push_back(Clock::now()); }

void PassTimes::runAfterPass(Pass *pass, Operation *) {
  std::chrono::duration<double, std::milli> elapsed = Clock::now() - started.back();
  started.pop_back();
  llvm::StringRef name = pass->getArgument();
  if (!name.empty()) // adaptors of nested passes have none
    times.push_back({name.str(), elapsed.count()});
}

} // namespace tawa
