// The names that a configuration may use, for the message about one that it may not.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace tawa {

/// "configuration: 'num_stages' is ... ; did you mean D? Its keys are D, P, ...; the text's parameters are ...".
/// `parameters`: those that the kernel's text declares.
std::string unknownKey(std::string_view key, std::span<const std::string> parameters);

} // namespace tawa
