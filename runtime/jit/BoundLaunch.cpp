// The arguments are packed once; what a launch changes is addresses, and the tensor maps made of them.
#include "runtime/jit/BoundLaunch.h"

namespace tawa {

Result<std::unique_ptr<BoundLaunch>> BoundLaunch::make(const Kernel &kernel, const KernelLaunch &request) {
  std::unique_ptr<BoundLaunch> bound(new BoundLaunch(kernel));
  bound->binding = kernel.primed;
  if (Status status = updateArguments(bound->binding, kernel.compiled, kernel.promised, request.arguments); !status)
    return status;
  if (Status status = kernel.chooseCtas(bound->binding, request, bound->ctas); !status) {
    Result<const Kernel *> other = kernel.inPlace(bound->binding, status);
    return other ? make(**other, request) : Result<std::unique_ptr<BoundLaunch>>(other.status());
  }
  for (uint32_t i = 0; i < bound->binding.count; ++i)
    if (const ArgumentValue &value = bound->binding.values[i]; value.kind == LogicalArgument::Kind::Tensor) {
      bound->tensors.push_back(i);
      bound->addresses.push_back(value.address);
    }
  bound->hasSchedule = request.emulatorSchedule != nullptr;
  bound->schedule = bound->hasSchedule ? request.emulatorSchedule : "";
  return bound;
}

Status BoundLaunch::moveTo(std::span<const uint64_t> given) {
  if (Status status = moveTensors(binding, of.compiled, tensors, given.empty() ? addresses : given); !status)
    return status;
  return updateTensorMaps(binding, of.compiled, *of.onDevice);
}

Status BoundLaunch::launch(std::span<const uint64_t> given, void *stream) {
  if (ctas[0] == 0)
    return Status::ok();
  std::lock_guard lock(mutex);
  if (Status status = moveTo(given); !status)
    return status;
  LaunchRequest request = of.requestFor(binding, ctas);
  request.stream = stream;
  request.emulatorSchedule = hasSchedule ? schedule.c_str() : nullptr;
  return of.onDevice->launch(request);
}

Result<LaunchPlan> BoundLaunch::plan(std::span<const uint64_t> given) {
  LaunchPlan plan;
  Result<void *> function = of.onDevice->function();
  if (!function)
    return function.status();
  plan.function = *function;
  plan.ctas = ctas;
  std::lock_guard lock(mutex);
  if (ctas[0] != 0) // an empty tensor has no map, and none is needed
    if (Status status = moveTo(given); !status)
      return status;
  planned = binding.params;
  plan.params = std::span(planned).first(of.compiled.paramBytes);
  return plan;
}

} // namespace tawa
