// The jobs of tawa.h, for callers inside the library.
#pragma once

#include "capi/boundary/Wrap.h"

namespace tawa::capi {

/// Starts a job that compiles what `given` asks for after a search (TAWA_POLICY_BLOCKING), and gives a reference to it:
/// a tawa_job.
Result<RefCounted *> startSearch(tawa_runtime &runtime, const tawa_compile_request_t *given);

} // namespace tawa::capi
