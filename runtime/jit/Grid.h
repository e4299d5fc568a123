// The number of CTAs of a launch: the caller's numbers, or the kernel's `tawa.grid` expressions over its arguments.
#pragma once

#include "runtime/artifact/ArgumentValue.h"

#include <array>
#include <map>
#include <span>
#include <string>
#include <string_view>

namespace tawa {

/// Up to three expressions separated by commas, x first; y and z default to 1. Names are tile parameters, scalars,
/// constants, and dimensions of tensors. A negative result counts as 0.
Result<std::array<uint32_t, 3>> evaluateGrid(const KernelArtifact &artifact, std::span<const ArgumentValue> arguments);
/// The same with other values of tile parameters than the kernel's.
Result<std::array<uint32_t, 3>> evaluateGrid(const KernelArtifact &artifact, std::span<const ArgumentValue> arguments,
                                             const std::map<std::string, int64_t> &parameters);

/// The programs to start where `asked` are asked for: other ones where the compiler changed the tile sizes. Fails where
/// tiles of these sizes would not cover what those of the text cover.
Result<std::array<uint32_t, 3>> retiledGrid(const RetiledGrid &retiled, std::string_view entry,
                                            const std::array<uint32_t, 3> &asked,
                                            std::span<const ArgumentValue> arguments);

/// Programs that walk the tiles in the text, where `asked` are asked for; 0: it walks none.
uint32_t walkersOf(const RetiledGrid &retiled, const std::array<uint32_t, 3> &asked,
                   std::span<const ArgumentValue> arguments);

/// Of `all` resident CTAs those that walk the tiles of such a text: it leaves multiprocessors to others where it has
/// fewer programs.
uint32_t residentOfWalkers(uint32_t all, uint32_t multiprocessors, uint32_t walkers);

/// Checks that the numbers are within the hardware's limits, and that the cluster divides them.
Status checkGrid(const KernelArtifact &artifact, const std::array<uint32_t, 3> &grid);

/// The number of CTAs that a launch starts for a checked grid: one (or `split`) for each of its programs, or, where
/// CTAs walk axes themselves, no more than are resident, or a few less of equally long tiles (evenlyLoadedCtas); where
/// they share tiles, all that are resident.
Result<std::array<uint32_t, 3>> startedCtas(const KernelArtifact &artifact, const std::array<uint32_t, 3> &grid,
                                            uint32_t residentCtas);

/// Of `resident` CTAs, those that share `tiles` equally long tiles evenly, in whole clusters.
uint64_t evenlyLoadedCtas(uint64_t tiles, uint64_t resident, uint64_t cluster);

/// Do the numbers of tiles that CTAs walk by themselves allow the CTAs of a cluster to stay in step?
Status checkClusterDivides(const KernelArtifact &artifact, std::span<const ArgumentValue> arguments);

} // namespace tawa
