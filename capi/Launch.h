// Launches as the caller's structs describe them, for the two ways to launch: tawa_launch() and a binding.
#pragma once

#include "capi/boundary/Arguments.h"

namespace tawa::capi {

/// A launch read from the caller's structs, valid as long as `list` and `options` are.
struct LaunchCall {
  ArgumentList list;
  tawa_launch_options_t options = TAWA_LAUNCH_OPTIONS_INIT;
  KernelLaunch request;

  Status read(const tawa_arg_t *args, uint32_t count, void *stream, const tawa_launch_options_t *given);
};

/// Hands the result of a launch to the caller: the code, and the words for tawa_last_launch_error().
tawa_status_t reportLaunch(const Status &status) noexcept;

} // namespace tawa::capi
