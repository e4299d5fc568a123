// Kernels: references, facts, artifacts and the CUfunction.
#include "capi/boundary/Guard.h"

using namespace tawa;
using namespace tawa::capi;

static tawa_kernel_info_t infoOf(const tawa_kernel &kernel) {
  const KernelArtifact &artifact = kernel.kernel->artifact();
  const LoadInfo &loaded = kernel.kernel->loaded().info();
  tawa_kernel_info_t info = TAWA_KERNEL_INFO_INIT;
  info.entry = artifact.entry.c_str();
  info.config = kernel.config.c_str();
  info.content_hash = artifact.contentHash.c_str();
  info.grid_expression = artifact.gridExpression.c_str();
  info.jit_log = loaded.log.c_str();
  info.threads = artifact.launch.threads;
  info.shared_bytes = artifact.launch.sharedBytes;
  info.registers = loaded.registersPerThread;
  info.spill_bytes = loaded.spillBytes;
  info.local_bytes = loaded.localBytes;
  std::copy(artifact.launch.cluster.begin(), artifact.launch.cluster.end(), info.cluster);
  info.ring_depth = static_cast<uint32_t>(artifact.config.ringDepth);
  info.mma_depth = static_cast<uint32_t>(artifact.config.mmaDepth);
  info.consumer_groups = static_cast<uint32_t>(artifact.config.consumerGroups);
  info.ptx_version = loaded.ptxVersion;
  info.num_args = static_cast<uint32_t>(artifact.arguments.size());
  info.num_roles = static_cast<uint32_t>(artifact.report.roles.size());
  info.num_rings = static_cast<uint32_t>(artifact.report.rings.size());
  info.num_phases = static_cast<uint32_t>(kernel.phases.size());
  info.num_diagnostics = static_cast<uint32_t>(kernel.diagnostics.size());
  info.declined = artifact.report.declined.c_str();
  info.from_cache = kernel.isFromStore;
  info.chosen_by = kernel.chosenBy.c_str();
  return info;
}

/// Bytes of a stage that the kernel keeps; null where it keeps none.
static const std::string *keptBytes(const Kernel &kernel, tawa_stage_t stage) {
  bool isHost = kernel.artifact().target == TargetKind::Host;
  if (stage == TAWA_STAGE_PTX && !isHost)
    return &kernel.artifact().code;
  return stage == TAWA_STAGE_HOST_OBJECT && isHost ? &kernel.artifact().code : nullptr;
}

extern "C" {

void tawa_kernel_retain(tawa_kernel_t kernel) {
  if (kernel)
    kernel->retain();
}

void tawa_kernel_release(tawa_kernel_t kernel) {
  if (kernel)
    kernel->release();
}

tawa_status_t tawa_kernel_info(tawa_kernel_t kernel, tawa_kernel_info_t *info) {
  return guard(on(kernel, [&](tawa_kernel &self) { return writeStruct(info, infoOf(self)); }));
}

tawa_status_t tawa_kernel_argument(tawa_kernel_t kernel, uint32_t index, tawa_arg_info_t *info) {
  return guard(
      on(kernel, [&](tawa_kernel &self) { return writeArgumentInfo(self.kernel->artifact().arguments, index, info); }));
}

tawa_status_t tawa_kernel_role(tawa_kernel_t kernel, uint32_t index, tawa_role_info_t *info) {
  return guard(on(kernel, [&](tawa_kernel &self) -> Status {
    const KernelArtifact &artifact = self.kernel->artifact();
    const auto &roles = artifact.report.roles;
    if (index >= roles.size())
      return badIndex(index, roles.size());
    tawa_role_info_t ours = TAWA_ROLE_INFO_INIT;
    ours.name = roles[index].name.c_str();
    ours.warps = roles[index].warps;
    ours.registers = roles[index].registers ? roles[index].registers : artifact.launch.registersPerThread;
    return writeStruct(info, ours);
  }));
}

tawa_status_t tawa_kernel_ring(tawa_kernel_t kernel, uint32_t index, tawa_ring_info_t *info) {
  return guard(on(kernel, [&](tawa_kernel &self) -> Status {
    const auto &rings = self.kernel->artifact().report.rings;
    if (index >= rings.size())
      return badIndex(index, rings.size());
    tawa_ring_info_t ours = TAWA_RING_INFO_INIT;
    ours.payload = rings[index].payload.c_str();
    ours.slot_bytes = rings[index].slotBytes;
    ours.depth = rings[index].depth;
    return writeStruct(info, ours);
  }));
}

tawa_status_t tawa_kernel_phase(tawa_kernel_t kernel, uint32_t index, tawa_phase_info_t *info) {
  return guard(on(kernel, [&](tawa_kernel &self) -> Status {
    if (index >= self.phases.size())
      return badIndex(index, self.phases.size());
    tawa_phase_info_t ours = TAWA_PHASE_INFO_INIT;
    ours.name = self.phases[index].phase.c_str();
    ours.milliseconds = self.phases[index].milliseconds;
    return writeStruct(info, ours);
  }));
}

tawa_status_t tawa_kernel_diagnostic(tawa_kernel_t kernel, uint32_t index, tawa_diagnostic_t *diagnostic) {
  return guard(on(kernel, [&](tawa_kernel &self) { return writeDiagnostic(self.diagnostics, index, diagnostic); }));
}

tawa_status_t tawa_kernel_artifact(tawa_kernel_t kernel, tawa_stage_t stage, const void **data, size_t *size,
                                   tawa_error_t *error) {
  clear(data);
  clear(size);
  return guard(error, on(kernel, [&](tawa_kernel &self) -> Status {
                 if (!data || !size)
                   return nullArgument(data ? "size" : "data");
                 const std::string *bytes = keptBytes(*self.kernel, stage);
                 if (!bytes)
                   return {StatusCode::Unsupported, "kernel '" + self.kernel->artifact().entry + "' on " +
                                                        self.runtime->device->info().name +
                                                        " does not keep this stage; tawa_emit() makes it"};
                 *data = bytes->data();
                 *size = bytes->size();
                 return Status::ok();
               }));
}

tawa_status_t tawa_kernel_load(tawa_kernel_t kernel, void *context, tawa_error_t *error) {
  return guard(error, on(kernel, [&](tawa_kernel &self) { return self.kernel->loaded().load(context); }));
}

tawa_status_t tawa_kernel_function(tawa_kernel_t kernel, void **function, tawa_error_t *error) {
  clear(function);
  return guard(error, on(kernel, [&](tawa_kernel &self) -> Status {
                 if (!function)
                   return nullArgument("function");
                 Result<void *> found = self.kernel->loaded().function();
                 if (!found)
                   return found.status();
                 *function = *found;
                 return Status::ok();
               }));
}

} // extern "C"
