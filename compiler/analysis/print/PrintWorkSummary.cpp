// PrintWorkSummary: a remark with the performance model's summary of the kernel. For tests, and to find out why a
// configuration was ranked as it was.
#include "compiler/analysis/WorkSummary.h"
#include "compiler/analysis/print/Passes.h"
#include "compiler/support/Debug.h"

#include "mlir/IR/BuiltinOps.h"

#define DEBUG_TYPE "tawa-print-work-summary"

using namespace mlir;

namespace tawa {
#define GEN_PASS_DEF_PRINTWORKSUMMARY
#include "compiler/analysis/print/Passes.h.inc"

namespace {

struct PrintWorkSummaryPass : impl::PrintWorkSummaryBase<PrintWorkSummaryPass> {
  void runOnOperation() override {
    WorkSummary summary;
    summarizeWork(getOperation(), summary);
    ++printed;
    getOperation().emitRemark() << "work:\n" << summary.str();
  }
};

} // namespace
} // namespace tawa
