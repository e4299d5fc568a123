// Writes and checks the first line of a payload.
#include "runtime/artifact/PayloadHead.h"

namespace tawa {

static constexpr std::string_view kFor = " for ";

std::string payloadHead(std::string_view format, std::string_view madeFor) {
  return std::string(format).append(kFor).append(madeFor).append("\n");
}

std::optional<std::string_view> takePayloadHead(std::string_view format, std::string_view &payload) {
  if (!payload.starts_with(format) || !payload.substr(format.size()).starts_with(kFor))
    return std::nullopt;
  size_t begin = format.size() + kFor.size(), end = payload.find('\n', begin);
  if (end == payload.npos)
    return std::nullopt;
  std::string_view found = payload.substr(begin, end - begin);
  payload.remove_prefix(end + 1);
  return found;
}

std::optional<std::string_view> madeFor(std::string_view payload) {
  std::string_view line = payload.substr(0, payload.find('\n'));
  size_t at = line.find(kFor);
  return at == line.npos || line.size() == payload.size() ? std::nullopt : std::optional(line.substr(at + kFor.size()));
}

} // namespace tawa
