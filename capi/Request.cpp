// Reading of requests, and policies.
#include "capi/Request.h"

#include "capi/Arguments.h"
#include "capi/TuneKey.h"

#include <chrono>
#include <unistd.h>

namespace tawa::capi {

Status readRequest(const tawa_runtime &runtime, const tawa_compile_request_t *given, Request &request) {
  if (Status status = readStruct(given, request.given, "tawa_compile_request_t"); !status)
    return status;
  const tawa_compile_request_t &from = request.given;
  if (!from.text)
    return nullArgument("text");
  if (static_cast<unsigned>(from.policy) > TAWA_POLICY_BLOCKING)
    return {StatusCode::InvalidArgument, "policy " + std::to_string(from.policy) + " is no tawa_policy_t"};
  Result<std::vector<ArgumentFacts>> facts = readFacts(from.args, from.num_args);
  if (!facts)
    return facts.status();
  for (uint32_t i = 0; i < from.num_args; ++i) {
    tawa_arg_t arg = TAWA_ARG_INIT;
    if (Status status = readStruct(element(from.args, i), arg, "tawa_arg_t"); !status)
      return status;
    request.buckets.push_back(arg.buckets);
  }
  request.input.text = {from.text, from.text_len};
  request.input.name = from.name ? from.name : "<kernel>";
  request.input.arguments = std::move(*facts);
  request.input.dumpDirectory = runtime.dumpDirectory;
  return Status::ok();
}

Status checkRuntime(const tawa_runtime *runtime) {
  if (!runtime)
    return nullArgument("runtime");
  if (runtime->owner != getpid())
    return {StatusCode::Forked, "this runtime was made by the parent of this process; make a new one after fork()"};
  return Status::ok();
}

static Status notYet(const char *policy) {
  return {StatusCode::Unsupported, std::string("policy ") + policy +
                                       " tunes while it compiles, which this version "
                                       "does not do; use TAWA_POLICY_CACHED"};
}

static Status choose(const tawa_runtime &runtime, Request &request) {
  if (request.given.config) {
    Result<KernelConfig> config = KernelConfig::parse(request.given.config);
    if (config)
      request.input.config = std::move(*config);
    return config.status();
  }
  tawa_policy_t policy = request.given.policy == TAWA_POLICY_DEFAULT ? runtime.policy : request.given.policy;
  switch (policy) {
  case TAWA_POLICY_BACKGROUND:
    return notYet("TAWA_POLICY_BACKGROUND");
  case TAWA_POLICY_BLOCKING:
    return notYet("TAWA_POLICY_BLOCKING");
  case TAWA_POLICY_NEVER:
    return Status::ok();
  case TAWA_POLICY_DEFAULT:
  case TAWA_POLICY_CACHED:
    break;
  }
  store::Key key = tuneKey(request.input.text, request.input.arguments, request.buckets, runtime.device->info());
  if (std::optional<KernelConfig> known = fastest(runtime.store->tuneRows(key))) {
    runtime.log.debug([&] { return request.input.name + ": tuned before: " + known->str(); });
    request.input.config = std::move(*known);
  }
  return Status::ok();
}

Status chooseConfig(const tawa_runtime &runtime, Request &request) {
  auto start = std::chrono::steady_clock::now();
  Status status = choose(runtime, request);
  request.chooseMilliseconds =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  return status;
}

} // namespace tawa::capi
