// See Report.h.
#include "compiler/roles/prover/Report.h"

#include "compiler/roles/prover/Passes.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Diagnostics.h"

using namespace mlir;

namespace tawa::verify {

void reportProved(ModuleOp module, unsigned states) {
  module->setAttr(kProvedAttr, Builder(module.getContext()).getI32IntegerAttr(static_cast<int32_t>(states)));
}

void reportUnproved(ModuleOp module, Operation *op, StringRef why) {
  (op ? op : module.getOperation())->emitRemark() << "not proved: " << why;
  module->removeAttr(kProvedAttr);
  module->setAttr(kUnprovedAttr, StringAttr::get(module.getContext(), why));
}

} // namespace tawa::verify
