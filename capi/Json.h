// The one thing that every JSON text of the interface needs.
#pragma once

#include <string>
#include <string_view>

namespace tawa::capi {

/// A JSON string; bytes that are no UTF-8 become the replacement character.
std::string quoted(std::string_view text);

} // namespace tawa::capi
