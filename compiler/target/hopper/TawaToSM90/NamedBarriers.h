// Numbers of a CTA's named barriers (PTX ISA, bar.sync): 0 is the kernel's, also that of a single role; several roles
// have the next ones; the ping-pong barriers of pairs of roles come after those, or those of warp groups that take
// turns: only CTAs that walk tiles play ping-pong, and only in others groups take turns.
#pragma once

#include <cstdint>

namespace tawa {

inline constexpr uint32_t kKernelBarrier = 0;

/// The barrier of role `role` of `roles`.
constexpr uint32_t roleBarrierNumber(uint32_t role, uint32_t roles) {
  return roles == 1 ? kKernelBarrier : kKernelBarrier + 1 + role;
}

/// The barrier at which consumer group `group` waits for the tensor cores, and another group passes them to it.
constexpr uint32_t pingPongBarrierNumber(uint32_t group, uint32_t roles) { return kKernelBarrier + 1 + roles + group; }

/// The barrier at which warp group `group` of a role waits for its turn. One role of a kernel at most has turns.
constexpr uint32_t turnBarrierNumber(uint32_t group, uint32_t roles) { return pingPongBarrierNumber(group, roles); }

} // namespace tawa
