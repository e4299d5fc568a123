// The first line of every payload in the store: the payload's format and what it was made for. It is part of the
// payload, so that a payload stored under the wrong key is detected whatever that row's checksum says.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tawa {

/// "tawa kernel 3 for 0123456789abcdef0123456789abcdef\n". Neither part has a line break, and the format no " for ".
std::string payloadHead(std::string_view format, std::string_view madeFor);

/// Removes the line from `payload` and returns what it was made for; none where it has another format.
std::optional<std::string_view> takePayloadHead(std::string_view format, std::string_view &payload);

/// What a payload of any format was made for; none where unknown.
std::optional<std::string_view> madeFor(std::string_view payload);

} // namespace tawa
