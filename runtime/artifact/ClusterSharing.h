// Which programs of a cluster may load a tile for each other: the compiler asks at each tile, the performance model
// counts what that leaves to load.
#pragma once

#include "runtime/artifact/PtxShapes.h"

#include <cstdint>
#include <numeric>
#include <vector>

namespace tawa {

/// What TMA writes begins at a multiple of so many bytes (PTX ISA, cp.async.bulk.tensor).
inline constexpr int64_t kTmaPlaceBytes = 128;

/// Into how many parts, at most as many as a cluster has CTAs, TMA can cut a tile between its rows. Swizzle patterns
/// are those of addresses in shared memory, so that a part may begin at any row, if that is a place for TMA: each row
/// of 128 bytes is, as every eighth of narrower ones.
inline uint32_t partsOfTile(int64_t rows, int64_t rowBytes) {
  int64_t unit = rowBytes % kTmaPlaceBytes == 0 ? 1 : 8;
  return rows % 8 != 0 ? 1 : static_cast<uint32_t>(std::gcd(rows / unit, int64_t{kPortableCluster}));
}

/// How `programs` of a cluster (a power of two) may share a tile that can be cut into so many parts: by the lowest or
/// the highest bits of their numbers in the cluster, so that programs share whose other bits are equal. Most sharers
/// first; 0, no other program, last.
inline std::vector<uint32_t> sharedBits(uint32_t programs, uint32_t parts) {
  std::vector<uint32_t> found;
  for (uint32_t sharers = programs; sharers > 1; sharers /= 2) {
    if (parts % sharers != 0)
      continue;
    found.push_back(sharers - 1);
    if (sharers != programs)
      found.push_back(programs - programs / sharers);
  }
  found.push_back(0);
  return found;
}

} // namespace tawa
