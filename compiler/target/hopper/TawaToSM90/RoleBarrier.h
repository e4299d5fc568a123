// Emits the barrier of a role: all its threads synchronize, and earlier writes become visible to each.
#pragma once

#include "compiler/target/hopper/TawaToSM90/Emitter.h"

namespace tawa {

class RoleBarrier : public Emitter {
public:
  explicit RoleBarrier(RoleContext &context) : Emitter(context) {}
  void emit(mlir::Location loc);
  /// `forget` is called for every barrier, which completes all accesses that an emitter tracks.
  void onBarrier(std::function<void()> forget) { observers.push_back(std::move(forget)); }

private:
  llvm::SmallVector<std::function<void()>> observers;
};

} // namespace tawa
