// Launching: the path that must stay short. Arguments are read into fixed storage; only a failure makes text.
#include "capi/Launch.h"

#include "capi/boundary/Guard.h"
#include "runtime/support/PerThread.h"

using namespace tawa;
using namespace tawa::capi;

namespace {

/// Text of the last failed launch of this thread, empty after one that succeeded.
const PerThread<std::string> lastLaunchError;

/// A thread whose launches all succeeded needs no text: then nothing is allocated.
Status noteLaunch(const Status &status) {
  if (!status)
    lastLaunchError.get() = status.message();
  else if (std::string *text = lastLaunchError.find())
    text->clear();
  return Status::ok();
}

Status launchTimes(const Kernel &kernel, const KernelLaunch &request, uint32_t times) {
  for (uint32_t i = 0; i < times; ++i)
    if (Status status = kernel.launch(request); !status)
      return status;
  return Status::ok();
}

} // namespace

Status LaunchCall::read(const tawa_arg_t *args, uint32_t count, void *stream, const tawa_launch_options_t *given) {
  if (given)
    if (Status status = readStruct(given, options); !status)
      return status;
  if (Status status = list.read(args, count); !status)
    return status;
  request.arguments = list.values();
  std::copy(std::begin(options.grid), std::end(options.grid), request.grid.begin());
  request.stream = stream;
  request.emulatorSchedule = options.emulator_schedule;
  return Status::ok();
}

tawa_status_t capi::reportLaunch(const Status &status) noexcept {
  if (!contain([&] { return noteLaunch(status); })) // no memory for the words: better none than those of another launch
    if (std::string *text = lastLaunchError.find())
      text->clear();
  return static_cast<tawa_status_t>(status.code());
}

extern "C" {

tawa_status_t tawa_launch(tawa_kernel_t kernel, const tawa_arg_t *args, uint32_t count, void *stream,
                          const tawa_launch_options_t *options) {
  return reportLaunch(contain(on(kernel, [&](tawa_kernel &self) -> Status {
    LaunchCall call;
    if (Status read = call.read(args, count, stream, options); !read)
      return read;
    return self.kernel->launch(call.request);
  })));
}

const char *tawa_last_launch_error(void) {
  const std::string *text = lastLaunchError.find();
  return text ? text->c_str() : "";
}

tawa_status_t tawa_launch_timed(tawa_kernel_t kernel, const tawa_arg_t *args, uint32_t count, void *stream,
                                const tawa_launch_options_t *options, uint32_t warmup, uint32_t launches,
                                double *milliseconds, tawa_error_t *error) {
  clear(milliseconds);
  return guard(error, on(kernel, [&](tawa_kernel &self) -> Status {
                 if (!milliseconds)
                   return nullArgument("milliseconds");
                 LaunchCall call;
                 if (Status status = call.read(args, count, stream, options); !status)
                   return status;
                 Device &device = *self.runtime->device;
                 if (device.info().isEmulator)
                   return device.time(stream, {}).status();
                 if (Status status = launchTimes(*self.kernel, call.request, warmup); !status)
                   return status;
                 Result<DeviceTime> time =
                     device.time(stream, [&] { return launchTimes(*self.kernel, call.request, launches); });
                 if (!time)
                   return time.status();
                 *milliseconds = time->milliseconds;
                 return Status::ok();
               }));
}

} // extern "C"
