// See Report.h.
#include "compiler/verify/Report.h"

#include "compiler/verify/Passes.h"

#include "mlir/IR/Builders.h"

using namespace mlir;

namespace tawa::verify {

void report(ModuleOp module, const Verdict &verdict) {
  Builder builder(module.getContext());
  module->removeAttr(kProvedAttr);
  if (!verdict.finding) {
    module->setAttr(kProvedAttr, builder.getI32IntegerAttr(static_cast<int32_t>(verdict.states)));
    return;
  }
  Operation *at = verdict.finding->op ? verdict.finding->op : module.getOperation();
  at->emitRemark() << "not proved: " << verdict.finding->what;
  module->setAttr(kUnprovedAttr, builder.getStringAttr(verdict.finding->what));
}

void reportUnchecked(ModuleOp module, StringRef why) {
  module->setAttr(kUncheckedAttr, StringAttr::get(module.getContext(), why));
}

} // namespace tawa::verify
