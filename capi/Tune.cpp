// tawa_tune(): a search asked for by name, and its rows handed out.
#include "capi/boundary/Guard.h"
#include "capi/service/CompileOrLoad.h"
#include "capi/service/LargeStack.h"
#include "capi/service/Search.h"

using namespace tawa;
using namespace tawa::capi;

namespace {

Status tune(const tawa_runtime &runtime, const tawa_compile_request_t *given, const tawa_tune_options_t *chosen,
            tawa_tune_result &result) {
  Request request;
  if (Status status = readRequest(runtime, given, request); !status)
    return status;
  tawa_tune_options_t options = TAWA_TUNE_OPTIONS_INIT;
  if (chosen)
    if (Status status = readStruct(chosen, options); !status)
      return status;
  Result<SearchTarget> target = searchTargetOf(runtime, request);
  if (!target)
    return target.status();
  Search search(runtime, request, options, std::move(*target));
  if (Status status = search.read(); !status)
    return status;
  if (Status status = search.checkShapes(); !status)
    return status;
  return search.run(result);
}

/// So that whoever compiles next finds it. Nothing that goes wrong here makes the search's result any worse.
void keepBest(const tawa_runtime &runtime, const tawa_compile_request_t *given, const std::string &best) {
  Request request;
  Result<KernelConfig> config = KernelConfig::parse(best);
  if (!runtime.store->canWrite() || !config || !readRequest(runtime, given, request))
    return;
  request.input.config = std::move(*config);
  request.input.target = runtime.device->target();
  if (Result<bool> stored = storeKernel(runtime, request.input); !stored)
    runtime.log.info([&] { return "the kernel that was chosen is not kept: " + stored.status().message(); });
}

} // namespace

extern "C" {

tawa_status_t tawa_tune(tawa_runtime_t runtime, const tawa_compile_request_t *request,
                        const tawa_tune_options_t *options, tawa_tune_result_t *result, tawa_error_t *error) {
  clear(result);
  return guard(error, on(runtime, [&](tawa_runtime &self) -> Status {
                 if (!result)
                   return nullArgument("result");
                 auto made = std::make_unique<tawa_tune_result>();
                 auto search = [&] { return tune(self, request, options, *made); };
                 if (Status status = onLargeStack(search); !status)
                   return status;
                 bool isTried = !made->rows.empty() && made->rows.front().wasTried();
                 if (isTried)
                   keepBest(self, request, made->best);
                 *result = made.release();
                 return Status::ok();
               }));
}

const char *tawa_tune_result_best(tawa_tune_result_t result) { return result ? result->best.c_str() : ""; }

uint32_t tawa_tune_result_count(tawa_tune_result_t result) {
  return result ? static_cast<uint32_t>(result->rows.size()) : 0;
}

tawa_status_t tawa_tune_result_row(tawa_tune_result_t result, uint32_t index, tawa_tune_row_t *row) {
  return guard([&]() -> Status {
    if (!result)
      return nullArgument("result");
    if (index >= result->rows.size())
      return badIndex(index, result->rows.size());
    constexpr double kMicroseconds = 1e6;
    const TuneRow &from = result->rows[index];
    tawa_tune_row_t ours = TAWA_TUNE_ROW_INIT;
    ours.config = from.config.c_str();
    ours.outcome = static_cast<tawa_tune_outcome_t>(from.outcome);
    ours.samples = from.samples;
    ours.rule = from.rule.c_str();
    ours.reason = from.reason.c_str();
    ours.bound = from.bound.c_str();
    ours.predicted_us = from.predicted * kMicroseconds;
    ours.median_us = from.median * kMicroseconds;
    ours.best_us = from.best * kMicroseconds;
    ours.spread_us = from.spread * kMicroseconds;
    ours.from_cache = from.made != 0;
    return writeStruct(row, ours);
  });
}

void tawa_tune_result_release(tawa_tune_result_t result) { delete result; }

} // extern "C"
