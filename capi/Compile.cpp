// Compiling: the request turned into CompileInput, the compiler run on a large stack, the result loaded or handed out
// as text. This is where runtime and compiler meet: the runtime gets a function, the compiler never sees a device.
#include "capi/Jobs.h"
#include "capi/boundary/Guard.h"
#include "capi/service/CompileOrLoad.h"
#include "capi/service/Request.h"
#include "runtime/device/Ptxas.h"

using namespace tawa;
using namespace tawa::capi;

namespace {

/// The choice of a configuration, what the store or the compiler measured, and what the driver took.
std::vector<KernelReport::PhaseTime> allPhases(const Request &request, const Kernel &kernel) {
  std::vector<KernelReport::PhaseTime> phases = {{"choose", request.chooseMilliseconds}};
  const std::vector<KernelReport::PhaseTime> &made = kernel.artifact().report.phases;
  phases.insert(phases.end(), made.begin(), made.end());
  const LoadInfo &loaded = kernel.loaded().info();
  phases.push_back({"context", loaded.contextMilliseconds});
  phases.push_back({"link", loaded.linkMilliseconds});
  phases.push_back({"load", loaded.loadMilliseconds});
  return phases;
}

struct KernelDeleter {
  void operator()(tawa_kernel *kernel) const { kernel->release(); }
};

/// The text of a kernel whose tile sizes or order of tiles were chosen here, to be compiled with its own, otherwise as
/// the request says: outlives it.
AsWrittenFunction asWritten(tawa_runtime &runtime, const Request &request) {
  struct Kept {
    std::string text;
    CompileInput input;
  };
  auto kept = std::make_shared<Kept>(Kept{std::string(request.input.text), request.input});
  kept->input.text = kept->text;
  kept->input.cancelled = nullptr;
  if (request.leavesChoice)
    kept->input.config = KernelConfig();
  kept->input.keepsTileLoop = true;
  return [&runtime, kept]() -> Result<KernelArtifact> {
    Result<FetchedKernel> made = compileOrLoad(runtime, kept->input);
    if (!made) {
      kept->input.config.consumerGroups = 0; // has all registers of its threads
      made = compileOrLoad(runtime, kept->input);
    }
    return made ? Result<KernelArtifact>(std::move(made->kernel.artifact)) : made.status();
  };
}

Status compileAndLoad(tawa_runtime &runtime, Request &request, tawa_kernel_t *kernel) {
  std::unique_ptr<tawa_kernel, KernelDeleter> made(new tawa_kernel(&runtime));
  auto compile = [&](TargetKind target) -> Result<KernelArtifact> {
    request.input.target = target;
    Result<FetchedKernel> obtained = compileOrLoad(runtime, request.input);
    if (!obtained)
      return obtained.status();
    made->diagnostics = std::move(obtained->kernel.diagnostics);
    made->isFromStore = obtained->isFromStore;
    return std::move(obtained->kernel.artifact);
  };
  Result<std::unique_ptr<Kernel>> built = Kernel::build(*runtime.device, compile, request.values);
  if (!built)
    return built.status();
  made->kernel = std::move(*built);
  const RetiledGrid &retiled = made->kernel->artifact().launch.retiled;
  std::map<std::string, int64_t> reckoned = reckonedSizes(request, made->kernel->artifact().config);
  bool isRetiled = retiled.isRetiled() && (request.leavesChoice || !retiled.walkers.empty());
  if (!reckoned.empty() || isRetiled)
    made->kernel->fallBackOn(*runtime.device, asWritten(runtime, request));
  made->kernel->takeGridsFor(std::move(reckoned));
  made->config = made->kernel->artifact().config.str();
  made->chosenBy = request.chosenBy;
  made->phases = allPhases(request, *made->kernel);
  *kernel = made.release();
  return Status::ok();
}

/// A configuration that the request left open does not fail it: where one is refused, the next choice is made. If all
/// are, the first refusal is the answer.
template <typename Make> Status makeChosen(const tawa_runtime &runtime, Request &request, Make make) {
  Status first = make(), status = first;
  while (!status && chooseAnother(runtime, request, status))
    status = make();
  if (status && !request.refused.empty())
    keepChoice(runtime, request);
  return status ? status : first;
}

uint32_t spilledBytes(const tawa_kernel &kernel) { return kernel.kernel->loaded().info().spillBytes; }

/// What was chosen by the model alone and has too few registers is compared with what it would take next; the one that
/// spills less is taken, and kept.
void avoidSpills(tawa_runtime &runtime, Request &request, tawa_kernel_t *kernel) {
  constexpr int kTries = 2;
  Request next = request;
  for (int tries = 0; tries < kTries && spilledBytes(**kernel) > 0 && !next.alternatives.empty(); ++tries) {
    std::string spilled = std::to_string(spilledBytes(**kernel)) + " bytes per thread are spilled";
    tawa_kernel_t other = nullptr;
    if (!chooseAnother(runtime, next, {StatusCode::Unsupported, spilled}) || !compileAndLoad(runtime, next, &other))
      continue;
    bool isBetter = spilledBytes(*other) < spilledBytes(**kernel);
    if (isBetter)
      std::swap(*kernel, other);
    other->release();
    if (isBetter)
      keepChoice(runtime, request = next);
  }
}

/// The compiler's stage for one of the interface's; nothing for those that are no text of the GPU's road.
std::optional<EmitStage> textStage(tawa_stage_t stage) {
  switch (stage) {
  case TAWA_STAGE_TTIR:
    return EmitStage::Ttir;
  case TAWA_STAGE_TAWA:
    return EmitStage::Tawa;
  case TAWA_STAGE_SM90:
    return EmitStage::Sm90;
  case TAWA_STAGE_LLVM:
    return EmitStage::Llvm;
  case TAWA_STAGE_PTX:
    return EmitStage::Ptx;
  case TAWA_STAGE_CUBIN:
  case TAWA_STAGE_HOST_OBJECT:
    break;
  }
  return std::nullopt;
}

/// The toolkit's assembler where there is one, as it takes every kernel; else whatever the device can do.
Result<std::string> makeCubin(const tawa_runtime &runtime, const KernelArtifact &artifact) {
  if (std::string ptxas = findPtxas(); !ptxas.empty())
    return assembleWithPtxas(ptxas, artifact.code, architectureOf(artifact.gpu));
  return runtime.device->cubin(artifact);
}

Result<std::string> emit(const tawa_runtime &runtime, Request &request, tawa_stage_t stage) {
  request.input.emit = textStage(stage);
  request.input.target = stage == TAWA_STAGE_HOST_OBJECT ? TargetKind::Host : TargetKind::Ptx;
  if (request.input.target == TargetKind::Host)
    request.input.gpu = defaultTarget();
  Result<CompileOutput> output = compileOnLargeStack(request.input, runtime.log);
  if (!output)
    return output.status();
  if (request.input.emit)
    return std::move(output->text);
  if (stage == TAWA_STAGE_CUBIN)
    return makeCubin(runtime, output->artifact);
  return std::move(output->artifact.code);
}

} // namespace

Status capi::compileRequest(tawa_runtime &runtime, const tawa_compile_request_t *given,
                            const std::atomic<bool> *cancelled, tawa_kernel_t *kernel) {
  Request request;
  if (Status status = readRequest(runtime, given, request); !status)
    return status;
  request.input.cancelled = cancelled;
  if (Status status = chooseConfig(runtime, request); !status)
    return status;
  auto compile = [&] { return compileAndLoad(runtime, request, kernel); };
  if (Status status = makeChosen(runtime, request, compile); !status)
    return status;
  avoidSpills(runtime, request, kernel);
  if (!request.wantsSearch)
    return Status::ok();
  Result<RefCounted *> job = startSearch(runtime, given);
  if (job)
    (*kernel)->search = *job;
  else
    runtime.log.warning([&] { return request.input.name + ": no search: " + job.status().message(); });
  return Status::ok();
}

extern "C" {

tawa_status_t tawa_compile(tawa_runtime_t runtime, const tawa_compile_request_t *request, tawa_kernel_t *kernel,
                           tawa_error_t *error) {
  clear(kernel);
  return guard(error, on(runtime, [&](tawa_runtime &self) -> Status {
                 if (!kernel)
                   return nullArgument("kernel");
                 return compileRequest(self, request, nullptr, kernel);
               }));
}

tawa_status_t tawa_compile_to_cache(tawa_runtime_t runtime, const tawa_compile_request_t *request, const char *target,
                                    uint32_t *wasThere, tawa_error_t *error) {
  clear(wasThere);
  return guard(error, on(runtime, [&](tawa_runtime &self) -> Status {
                 Request ours;
                 if (Status status = readRequest(self, request, ours); !status)
                   return status;
                 if (Status status = chooseConfig(self, ours, target); !status)
                   return status;
                 return makeChosen(self, ours, [&]() -> Status {
                   Result<bool> stored = storeKernel(self, ours.input);
                   if (stored && wasThere)
                     *wasThere = *stored;
                   return stored.status();
                 });
               }));
}

tawa_status_t tawa_cache_explain(tawa_runtime_t runtime, const tawa_compile_request_t *request, char **text,
                                 tawa_error_t *error) {
  clear(text);
  return guard(error, on(runtime, [&](tawa_runtime &self) -> Status {
                 if (!text)
                   return nullArgument("text");
                 Request ours;
                 if (Status status = readRequest(self, request, ours); !status)
                   return status;
                 ours.given.policy = TAWA_POLICY_CACHED; // nothing is searched for the sake of an explanation
                 Result<std::string> config = ours.leavesChoice ? explainChoice(self, ours) : std::string();
                 if (!config)
                   return config.status();
                 if (Status status = chooseConfig(self, ours); !status)
                   return status;
                 std::string kernel = explainMiss(self, ours.input);
                 std::string all = config->empty() ? "" : "configuration: " + *config;
                 if (!kernel.empty())
                   all += (all.empty() ? "" : "\n") + ("kernel: " + kernel);
                 return handOut(all, text);
               }));
}

tawa_status_t tawa_emit(tawa_runtime_t runtime, const tawa_compile_request_t *request, tawa_stage_t stage, char **data,
                        size_t *size, tawa_error_t *error) {
  clear(data);
  return guard(error, on(runtime, [&](tawa_runtime &self) -> Status {
                 if (!data)
                   return nullArgument("data");
                 if (static_cast<unsigned>(stage) > TAWA_STAGE_HOST_OBJECT)
                   return {StatusCode::InvalidArgument, "stage " + std::to_string(stage) + " is no tawa_stage_t"};
                 Request ours;
                 if (Status status = readRequest(self, request, ours); !status)
                   return status;
                 ours.given.policy =
                     TAWA_POLICY_NEVER; // what comes out does not depend on what was measured on some device
                 if (Status status = chooseConfig(self, ours); !status)
                   return status;
                 Result<std::string> bytes = emit(self, ours, stage);
                 return bytes ? handOut(*bytes, data, size) : bytes.status();
               }));
}

} // extern "C"
