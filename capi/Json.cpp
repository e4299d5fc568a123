// Escapes of JSON strings.
#include "capi/Json.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>

namespace tawa::capi {

/// Length of the UTF-8 sequence at the front of `text`; 0 where there is none. Kernel texts may hold anything.
static size_t utf8Length(std::string_view text) {
  auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  size_t length = byte(0) < 0x80 ? 1 : byte(0) < 0xc2 ? 0 : byte(0) < 0xe0 ? 2 : byte(0) < 0xf0 ? 3 : 4;
  if (byte(0) > 0xf4 || length > text.size())
    return 0;
  for (size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xc0) != 0x80)
      return 0;
  return length;
}

std::string quoted(std::string_view text) {
  std::string out = "\"";
  while (!text.empty()) {
    size_t length = utf8Length(text);
    char escape[8];
    if (length == 0) {
      out += "\xef\xbf\xbd";
    } else if (text[0] == '"' || text[0] == '\\') {
      out += '\\';
      out += text[0];
    } else if (length == 1 && text[0] < 0x20) {
      std::snprintf(escape, sizeof(escape), "\\u%04x", static_cast<unsigned>(text[0]));
      out += escape;
    } else {
      out += text.substr(0, length);
    }
    text.remove_prefix(std::max<size_t>(length, 1));
  }
  return out + "\"";
}

} // namespace tawa::capi
