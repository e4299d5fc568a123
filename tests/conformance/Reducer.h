// Reducer: shortens a text that shows a fault as far as it still shows it.
#pragma once

#include <functional>
#include <string>

namespace tawa::conformance {

/// Deletes one operation after the other, results replaced by an operand of the same type or by zero, as long as
/// `stillFails` says so of what is left. Directives in comments of the first lines are kept. Asks at most `budget`
/// times.
std::string reduceText(const std::string &text, const std::function<bool(const std::string &)> &stillFails,
                       int budget = 400);

} // namespace tawa::conformance
