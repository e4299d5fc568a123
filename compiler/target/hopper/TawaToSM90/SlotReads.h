// Emits the meeting of a warp's lanes after reads of ring slots.
//
// A slot is given back by one lane of each warp: the others must have read it by then.
#pragma once

#include "compiler/target/hopper/TawaToSM90/Emitter.h"

namespace tawa {

class SlotReads : public Emitter {
public:
  explicit SlotReads(RoleContext &context) : Emitter(context) {}
  /// The threads have read `tile`.
  void add(mlir::Value tile);
  /// Before `next`: reads of slots meet their warp where something else than arithmetic follows. Until then they may be
  /// put off.
  void joinBefore(mlir::Operation *next);

private:
  bool isRead = false; ///< By lanes, and their warp has not met since.
};

} // namespace tawa
