// Bound launches: arguments checked and packed once, then launched with other addresses only, or handed out as what the
// driver is told.
#include "capi/Launch.h"
#include "capi/boundary/Guard.h"
#include "runtime/jit/BoundLaunch.h"

using namespace tawa;
using namespace tawa::capi;

struct tawa_binding : RefCounted {
  explicit tawa_binding(tawa_kernel *kernel) : runtime(kernel->runtime), kernel(kernel) { kernel->retain(); }
  ~tawa_binding() override {
    launch.reset(); // before its kernel may go
    kernel->release();
  }

  tawa_runtime *runtime; // the kernel's, which keeps it
  tawa_kernel *kernel;
  std::unique_ptr<BoundLaunch> launch;
  std::vector<uint32_t> offsets, sizes; // of the parameters in the block of a plan
};

namespace {

struct BindingDeleter {
  void operator()(tawa_binding *binding) const { binding->release(); }
};

/// The caller's addresses, on the stack: a launch allocates nothing.
class Addresses {
public:
  Status read(void *const *data, uint32_t given, size_t wanted) {
    if (!data)
      return Status::ok();
    if (given != wanted)
      return {StatusCode::InvalidArgument, std::to_string(given) + " addresses for " + std::to_string(wanted) +
                                               " tensors; there must be one for each"};
    count = given;
    for (uint32_t i = 0; i < given; ++i)
      numbers[i] = reinterpret_cast<uint64_t>(data[i]);
    return Status::ok();
  }
  std::span<const uint64_t> all() const { return {numbers, count}; }

private:
  uint32_t count = 0;
  uint64_t numbers[kMaxArguments];
};

tawa_launch_plan_t planOf(const tawa_binding &binding, const LaunchPlan &plan) {
  const LaunchMetadata &meta = binding.launch->kernel().artifact().launch;
  tawa_launch_plan_t ours = TAWA_LAUNCH_PLAN_INIT;
  ours.function = plan.function;
  ours.parameters = plan.params.data();
  ours.offsets = binding.offsets.data();
  ours.sizes = binding.sizes.data();
  ours.parameter_bytes = plan.params.size();
  ours.num_parameters = static_cast<uint32_t>(binding.offsets.size());
  std::copy(plan.ctas.begin(), plan.ctas.end(), ours.grid);
  ours.block[0] = meta.threads;
  std::copy(meta.cluster.begin(), meta.cluster.end(), ours.cluster);
  ours.shared_bytes = meta.sharedBytes;
  ours.begins_early = binding.launch->kernel().loaded().info().beginsEarly;
  return ours;
}

} // namespace

extern "C" {

tawa_status_t tawa_bind(tawa_kernel_t kernel, const tawa_arg_t *args, uint32_t count,
                        const tawa_launch_options_t *options, tawa_binding_t *binding, tawa_error_t *error) {
  clear(binding);
  return guard(error, on(kernel, [&](tawa_kernel &self) -> Status {
                 if (!binding)
                   return nullArgument("binding");
                 LaunchCall call;
                 if (Status status = call.read(args, count, nullptr, options); !status)
                   return status;
                 std::unique_ptr<tawa_binding, BindingDeleter> made(new tawa_binding(&self));
                 Result<std::unique_ptr<BoundLaunch>> bound = BoundLaunch::make(*self.kernel, call.request);
                 if (!bound)
                   return bound.status();
                 made->launch = std::move(*bound);
                 for (const KernelParam &param : made->launch->kernel().artifact().params) {
                   made->offsets.push_back(param.offset);
                   made->sizes.push_back(param.bytes);
                 }
                 *binding = made.release();
                 return Status::ok();
               }));
}

tawa_status_t tawa_binding_launch(tawa_binding_t binding, void *const *data, uint32_t count, void *stream) {
  return reportLaunch(contain(on(binding, [&](tawa_binding &self) -> Status {
    Addresses addresses;
    if (Status status = addresses.read(data, count, self.launch->numTensors()); !status)
      return status;
    return self.launch->launch(addresses.all(), stream);
  })));
}

tawa_status_t tawa_binding_plan(tawa_binding_t binding, void *const *data, uint32_t count, tawa_launch_plan_t *plan,
                                tawa_error_t *error) {
  return guard(error, on(binding, [&](tawa_binding &self) -> Status {
                 Addresses addresses;
                 if (Status status = addresses.read(data, count, self.launch->numTensors()); !status)
                   return status;
                 Result<LaunchPlan> made = self.launch->plan(addresses.all());
                 return made ? writeStruct(plan, planOf(self, *made)) : made.status();
               }));
}

void tawa_binding_retain(tawa_binding_t binding) {
  if (binding)
    binding->retain();
}

void tawa_binding_release(tawa_binding_t binding) {
  if (binding)
    binding->release();
}

} // extern "C"
