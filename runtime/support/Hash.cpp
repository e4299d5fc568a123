// The one place that includes xxHash; inlined, so that no symbol of it leaves this file.
#include "runtime/support/Hash.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace tawa {

std::string hash128(std::string_view bytes) {
  XXH128_canonical_t canonical; // big endian, the same on every machine
  XXH128_canonicalFromHash(&canonical, XXH3_128bits(bytes.data(), bytes.size()));
  static constexpr char digits[] = "0123456789abcdef";
  std::string text;
  text.reserve(2 * sizeof(canonical.digest));
  for (unsigned char byte : canonical.digest) {
    text += digits[byte >> 4];
    text += digits[byte & 15];
  }
  return text;
}

} // namespace tawa
