// Emits barriers of all CTAs of a cluster, and waits for the peers of a program.
#pragma once

#include "compiler/target/hopper/TawaToSM90/Emitter.h"

namespace tawa {

class ClusterSync : public Emitter {
public:
  explicit ClusterSync(RoleContext &context) : Emitter(context) {}

  void beginRole() { knowsPeers = false; }
  /// Arrives for this thread. What needs the other CTAs waits for them: all at once, or each role by awaitPeers().
  void arrive(mlir::Location loc);
  /// The CTAs of a program have begun and made their barriers. Emits something once in a role.
  void awaitPeers(mlir::Location loc);

private:
  bool knowsPeers = false; ///< The barriers that all CTAs of the program made at first may be used.
};

} // namespace tawa
