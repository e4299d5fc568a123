// Emits warp barriers after reads of ring slots.
//
// One lane of each warp releases a slot: the others must have read it by then.
#pragma once

#include "compiler/target/hopper/TawaToSM90/Emitter.h"

namespace tawa {

class SlotReads : public Emitter {
public:
  explicit SlotReads(RoleContext &context) : Emitter(context) {}
  /// The threads have read `tile`.
  void add(mlir::Value tile);
  /// Before `next`: the warp synchronizes after reads of slots, unless only arithmetic follows. Until then the reads
  /// may be delayed.
  void joinBefore(mlir::Operation *next);

private:
  bool isRead = false; ///< By lanes, and their warp has not met since.
};

} // namespace tawa
