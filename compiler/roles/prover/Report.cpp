// Writes the result of a proof to the module, and the remark of a failed one.
#include "compiler/roles/prover/Report.h"

#include "compiler/roles/Tawa/Tawa.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Diagnostics.h"

using namespace mlir;

namespace tawa::verify {

void reportProved(ModuleOp module, unsigned states) { ws::kProvedAttr.set(module, states); }

void reportUnproved(ModuleOp module, Operation *op, StringRef why) {
  (op ? op : module.getOperation())->emitRemark() << "not proved: " << why;
  ws::kProvedAttr.remove(module);
  ws::kUnprovedAttr.set(module, why);
}

} // namespace tawa::verify
