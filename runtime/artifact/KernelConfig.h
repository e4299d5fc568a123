// KernelConfig: everything about a kernel that its text does not say. One plain struct, printed, parsed, hashed into
// the cache key, read by the passes and swept by the tuner. Passes never guess what stands here.
#pragma once

#include "runtime/support/Status.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace tawa {

/// How consumer warp groups share the work.
enum ConsumerSchedule : int {
  Cooperative, ///< Together on one tile, split along its rows (paper section IV.A).
  PingPong,    ///< Each on a tile of its own, in turns: one multiplies while the others finish theirs.
};

struct KernelConfig {
  /// Values of the text's `tawa.param` directives; a parameter left out takes its first listed value.
  std::map<std::string, int64_t> tile;
  /// Slots of every aref ring (the paper's D, section III.C.2). 0: as many as fit shared memory, at most 4.
  int ringDepth = 0;
  /// wgmma groups in flight at once, the one just issued included (the paper's P, section III.D.1). P <= D.
  int mmaDepth = 1;
  /// 1: products of one iteration run under the arithmetic of the next (paper section III.D.2), where a loop has such
  /// stages.
  int coarse = 1;
  /// Consumer warp groups; `schedule` says how they share the work. 0: one role whatever the kernel allows, without
  /// producer, rings and asynchronous products: the plain form that others are compared with.
  int consumerGroups = 2;
  /// Panels of shared memory through which a tile store is staged, per consumer group.
  int epilogueStages = 2;
  /// Warps of a kernel that runs as one role (no producer and consumers): 1, 2, 4, 8 or 16. 0: the compiler chooses.
  int warps = 0;
  /// 1: resident CTAs walk the tiles of the grid (paper section IV.B). Kernels that do so themselves stay as they are.
  int persistent = 0;
  int schedule = Cooperative;
  /// Order of the tiles, for their reuse in L2: groups of so many tile rows; negative: of tile columns; 0: as the text
  /// says.
  int raster = 0;
  /// CTAs of a cluster, neighbours along x of the grid, that load tiles they have in common once: 1, 2 or 4.
  int cluster = 1;
  /// CTAs that share the iterations of one program's sum and add up what each has of it: 1 to 8. They are a cluster.
  int split = 1;

  bool operator==(const KernelConfig &) const = default;

  /// "BLOCK_M=128 D=0 P=1 coarse=1 consumers=2 epilogue=2 warps=0 persistent=0 schedule=cooperative raster=0
  /// cluster=1 split=1": keys in a fixed order, so that equal configs print equally.
  std::string str() const;
  /// Reads what str() prints; keys may come in any order, keys left out keep their default. The error names the key.
  static Result<KernelConfig> parse(std::string_view text);
  /// The fixed keys, in their order.
  static std::vector<std::string> keys();
};

} // namespace tawa
