// Encoding of the emulator's tensor maps.
#include "runtime/emulator/TensorMap.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace tawa::emu {

uint64_t HostTensorMap::computeChecksum() const {
  uint64_t words[offsetof(HostTensorMap, checksum) / 8], sum = 0xcbf29ce484222325ULL;
  memcpy(words, this, sizeof words);
  for (uint64_t word : words)
    sum = (sum ^ word) * 0x100000001b3ULL;
  return sum;
}

void encodeTensorMap(const TensorMapFields &fields, void *out128) {
  HostTensorMap map{};
  map.magic = HostTensorMap::kMagic;
  map.base = fields.base;
  map.rank = static_cast<uint8_t>(fields.rank);
  for (unsigned d = 0; d < 5; ++d) { // dimensions beyond the rank are of one element, so that rank 5 serves all
    bool used = d < fields.rank;
    map.dims[d] = used ? fields.dims[d] : 1;
    map.strides[d] = used ? fields.strides[d] : 0;
    map.box[d] = used ? fields.box[d] : 1;
  }
  map.strides[0] = elementBytes(fields.type);
  map.type = fields.type;
  map.swizzle = fields.swizzle;
  map.fill = fields.fill;
  map.checksum = map.computeChecksum();
  memcpy(out128, &map, sizeof map);
}

} // namespace tawa::emu
