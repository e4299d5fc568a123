#include "compiler/analysis/GlobalAccess.h"

#include "compiler/frontend/TT/TT.h"
#include "compiler/roles/Tawa/Target.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tawa {

Value maskOf(Operation *access) {
  return llvm::TypeSwitch<Operation *, Value>(access)
      .Case<tt::LoadOp, tt::StoreOp, tt::AtomicRMWOp>([](auto op) { return op.getMask(); })
      .Default(Value());
}

bool takesNeighbours(Operation *access) {
  auto atomic = dyn_cast<tt::AtomicRMWOp>(access);
  if (!atomic)
    return isa<tt::LoadOp, tt::StoreOp>(access);
  Type element = getElementTypeOrSelf(atomic.getVal().getType());
  return atomic.getAtomicRmwOp() == tt::RMWOp::FAdd && atomic.use_empty() &&
         (element.isF32() || element.isF16() || element.isBF16()) && hasFeature(atomic, Feature::VectorAtomics);
}

} // namespace tawa
