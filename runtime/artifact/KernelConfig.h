// KernelConfig: all settings of a kernel that its text does not contain. One plain struct, printed, parsed, hashed into
// the cache key, read by the passes and swept by the tuner. Passes never guess its values.
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
  PingPong,    ///< Each on a tile of its own, in alternation: one multiplies while the others finish theirs.
};

struct KernelConfig {
  /// Values of the text's `tawa.param` directives; a parameter left out takes its first listed value.
  std::map<std::string, int64_t> tile;
  // The fixed keys: KernelConfig.def has their defaults, ranges and meanings.
#define TAWA_CONFIG_KEY(member, key, fallback, ...) int member = fallback;
#include "runtime/artifact/KernelConfig.def"
#undef TAWA_CONFIG_KEY

  bool operator==(const KernelConfig &) const = default;

  /// "BLOCK_M=128 D=0 P=1 coarse=1 consumers=2 converters=0 epilogue=2 warps=0 persistent=0 schedule=cooperative
  /// raster=0 cluster=1 split=1 stream=0 dynamic=0 ctas=1": keys in a fixed order, so that equal configs print equally.
  std::string str() const;
  /// Parses the output of str(); keys may come in any order, omitted keys keep their default. Other names are tile
  /// parameters. The result has passed check().
  static Result<KernelConfig> parse(std::string_view text);
  /// Every key within its range, and P <= D. The error names the key and its permitted values.
  Status check() const;
};

} // namespace tawa
