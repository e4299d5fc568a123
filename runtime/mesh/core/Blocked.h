// A thread that waits for what never comes: how the check and the simulator tell of a deadlock.
#pragma once

#include "runtime/mesh/core/FlatProgram.h"

namespace tawa::mesh {

struct Blocked {
  enum class Cause : uint8_t { Tiles, Slots, Semaphore };
  std::vector<int64_t> core; ///< Coordinates.
  Thread thread = Thread::Reader;
  Cause cause = Cause::Tiles;
  std::string object;    ///< Name of the buffer or the semaphore.
  int64_t needed = 0;    ///< Tiles, free slots or signals.
  int64_t available = 0; ///< What there is.
  std::string operation; ///< As CoreProgram prints it.
  std::string at;        ///< Values of the variables of the loops around it: "wave_m 0, k 3".

  bool operator==(const Blocked &) const = default;
  /// "core (0, 1), reader, at k 3: wait a 1 needs 1 tiles of a, there are 0".
  std::string str() const;
};

/// The thread of the core that waits at `instruction`, where the cursor stands.
Blocked blockedAt(const CoreProgram &program, const FlatCore &core, Thread thread, const Instruction &instruction,
                  const Cursor &cursor, int64_t needed, int64_t available);

} // namespace tawa::mesh
