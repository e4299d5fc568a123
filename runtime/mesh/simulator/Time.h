// Time of the simulator: fixed-point cycles, so that sums do not depend on their order. Internal to the simulator.
#pragma once

#include <cmath>
#include <cstdint>

namespace tawa::mesh {

using Ticks = int64_t;
constexpr Ticks kTicksPerCycle = 256;

inline Ticks ticksOf(double cycles) { return static_cast<Ticks>(std::llround(cycles * kTicksPerCycle)); }
inline double cyclesOf(Ticks ticks) { return static_cast<double>(ticks) / kTicksPerCycle; }

} // namespace tawa::mesh
