// Emits the barrier of a role: all its threads have come here, and see what the others wrote before.
#pragma once

#include "compiler/target/hopper/TawaToSM90/Emitter.h"

namespace tawa {

class RoleBarrier : public Emitter {
public:
  explicit RoleBarrier(RoleContext &context) : Emitter(context) {}
  void emit(mlir::Location loc);
  /// `forget` is called for every barrier: what an emitter knows of accesses before it is settled by then.
  void onBarrier(std::function<void()> forget) { observers.push_back(std::move(forget)); }

private:
  llvm::SmallVector<std::function<void()>> observers;
};

} // namespace tawa
