// XXH3-128 of a block of bytes, as the store, the artifacts and the logs print it. Not cryptographic: what is hashed is
// kept beside the hash and compared wherever a collision would matter.
#pragma once

#include <string>
#include <string_view>

namespace tawa {

/// 32 lower-case hexadecimal digits, most significant first.
std::string hash128(std::string_view bytes);

} // namespace tawa
