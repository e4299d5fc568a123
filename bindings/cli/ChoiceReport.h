// ChoiceReport: why a kernel has its configuration and not another, as `tawa explain` prints it.
#pragma once

#include "bindings/cli/Console.h"

#include <string>

namespace tawa::cli {

/// For arguments of the request's shapes: what `config` was measured and predicted to take and where that puts it, what
/// became of the others that were tried, what the performance model likes best, and what is refused for which reason.
/// Empty where a shape is not known.
std::string describeChoice(tawa_runtime_t runtime, const tawa_compile_request_t &request, const char *config);

} // namespace tawa::cli
