// Emits addresses in a launch's workspace: memory that launches hand on, zero at first.
#pragma once

#include "compiler/target/hopper/TawaToSM90/Emitter.h"

namespace tawa {

class Workspace : public Emitter {
public:
  explicit Workspace(RoleContext &context) : Emitter(context) {}

  /// Of slot `slot` of those that belong to the CTAs with this one's places along y and z: `each` slots of `slotBytes`
  /// for each CTA along x.
  mlir::Value slotAt(mlir::Location loc, mlir::Value slot, uint32_t each, uint32_t slotBytes);

private:
  mlir::Value parameter(uint32_t bytes);
};

} // namespace tawa
