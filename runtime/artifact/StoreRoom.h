// StoreRoom: shared memory that stores take beside rings. The compiler (compiler/roles/SlotPlan) and the performance
// model share the rule.
#pragma once

#include "runtime/artifact/RingSlots.h"

#include <span>

namespace tawa {

/// What stores take where there is room.
struct StoreNeed {
  int64_t stagingBytes = 0; ///< Panels of those that TMA executes.
  int64_t scratchBytes = 0; ///< Through which threads exchange elements, so that each stores neighbouring ones.
};

struct StoreRoom {
  bool inSlot = false;    ///< Panels are in the slot of a ring, which is released after the stores.
  bool exchanges = false; ///< There is room for scratch; otherwise threads store what they have, in narrower accesses.
  int64_t bytes = 0;      ///< Beside the rings.
};

/// Whether a ring can lend its slot to panels: it has one, and the next tile may wait for the stores of this one.
bool canStageStores(const RingWork &ring, int64_t stagingBytes, bool outerHaveOneSlot);

/// The best for stores that leaves rings the slots that were `asked` for or, where that is 0, two: one is read while
/// the other is filled. `room` is what rings and stores may take together; slots are lent where that is allowed
/// (`mayLend`). What costs stores least comes first.
StoreRoom chooseStoreRoom(std::span<const RingWork> rings, const StoreNeed &need, bool mayLend, int64_t room,
                          int64_t asked, int64_t least);

} // namespace tawa
