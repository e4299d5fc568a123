// Tuning: the request read, the compiler handed to the search as functions, rows handed out.
#include "capi/Arguments.h"
#include "capi/Guard.h"
#include "capi/LargeStack.h"
#include "runtime/hardware/Catalogue.h"
#include "runtime/tuner/SearchSpace.h"

#include <thread>

using namespace tawa;
using namespace tawa::capi;

namespace {

/// A request and options whose strings are still the caller's.
struct TuneCall {
  tawa_compile_request_t given = TAWA_COMPILE_REQUEST_INIT;
  tawa_tune_options_t options = TAWA_TUNE_OPTIONS_INIT;
  CompileInput input;
  ArgumentList list;
  KernelSignature signature;
  std::vector<KernelConfig> configs; ///< Those that the caller names.
  SpaceInput space;
};

Result<KernelSignature> signatureOf(const CompileInput &input) {
  auto read = [&] { return readSignature(input.text, input.name); };
  return onLargeStack<KernelSignature>(read);
}

Status readRequest(const tawa_compile_request_t *request, TuneCall &call) {
  if (Status status = readStruct(request, call.given, "tawa_compile_request_t"); !status)
    return status;
  if (!call.given.text)
    return nullArgument("text");
  Result<KernelConfig> config = KernelConfig::parse(orEmpty(call.given.config));
  if (!config)
    return config.status();
  Result<std::vector<ArgumentFacts>> facts = readFacts(call.given.args, call.given.num_args);
  if (!facts)
    return facts.status();
  call.input.text = {call.given.text, call.given.text_len};
  call.input.name = call.given.name ? call.given.name : "<kernel>";
  call.input.arguments = std::move(*facts);
  call.input.config = std::move(*config);
  if (Status status = call.list.read(call.given.args, call.given.num_args); !status)
    return status;
  Result<KernelSignature> signature = signatureOf(call.input);
  if (!signature)
    return signature.status();
  call.signature = std::move(*signature);
  return Status::ok();
}

/// Tile parameters that a configuration leaves out take their first value.
void completeTile(KernelConfig &config, const KernelSignature &signature) {
  for (const auto &[name, values] : signature.tileParameters)
    config.tile.try_emplace(name, values.front());
}

Status readConfigs(TuneCall &call) {
  std::string_view lines = orEmpty(call.options.configs);
  while (!lines.empty()) {
    size_t end = std::min(lines.find('\n'), lines.size());
    std::string_view line = lines.substr(0, end);
    lines.remove_prefix(std::min(end + 1, lines.size()));
    if (line.find_first_not_of(" \t\r") == line.npos)
      continue;
    Result<KernelConfig> config = KernelConfig::parse(line);
    if (!config)
      return config.status();
    completeTile(*config, call.signature);
    call.configs.push_back(std::move(*config));
  }
  return Status::ok();
}

Status checkShapes(const TuneCall &call) {
  for (size_t i = 0; i < call.list.values().size(); ++i) {
    const ArgumentValue &value = call.list.values()[i];
    auto end = value.shape.begin() + value.rank;
    bool isKnown = value.kind != LogicalArgument::Kind::Tensor ||
                   (value.rank > 0 && std::find(value.shape.begin(), end, kUnknownExtent) == end);
    if (!isKnown)
      return {StatusCode::InvalidArgument, "args[" + std::to_string(i) + "]: a search needs the shape of every tensor"};
  }
  return Status::ok();
}

Status readHardware(const tawa_runtime &runtime, TuneCall &call) {
  Result<HardwareCatalogue> catalogue = HardwareCatalogue::fromEnvironment();
  if (!catalogue)
    return catalogue.status();
  if (!call.options.hardware) {
    call.space.hardware = catalogue->describe(runtime.device->info());
    return Status::ok();
  }
  Result<HardwareDescription> found = catalogue->lookUp(call.options.hardware);
  if (!found)
    return found.status();
  call.space.hardware = std::move(*found);
  return Status::ok();
}

Status read(const tawa_runtime &runtime, const tawa_compile_request_t *request, const tawa_tune_options_t *options,
            TuneCall &call) {
  if (options)
    if (Status status = readStruct(options, call.options, "tawa_tune_options_t"); !status)
      return status;
  if (Status status = readRequest(request, call); !status)
    return status;
  if (Status status = readConfigs(call); !status)
    return status;
  if (Status status = checkShapes(call); !status)
    return status;
  if (Status status = readHardware(runtime, call); !status)
    return status;
  call.space.tileParameters = call.signature.tileParameters;
  call.space.arguments = call.list.values();
  std::copy(std::begin(call.options.grid), std::end(call.options.grid), call.space.grid.begin());
  call.space.isWarm = call.options.warm != 0;
  call.space.threads = call.options.threads ? call.options.threads : std::max(1u, std::thread::hardware_concurrency());
  call.space.summarize = [&call](const KernelConfig &config) {
    CompileInput input = call.input;
    input.config = config;
    auto summarize = [&] { return summarizeKernel(input); };
    return onLargeStack<WorkSummary>(summarize);
  };
  return Status::ok();
}

TuneRow rowOf(const Candidate &candidate) {
  TuneRow row;
  row.config = candidate.config.str();
  row.outcome = candidate.isLegal() ? TuneRow::Outcome::Predicted : TuneRow::Outcome::Refused;
  row.rule = candidate.isLegal() ? "" : refusalName(candidate.refusal);
  row.reason = candidate.reason;
  row.bound = candidate.prediction.bound;
  row.predicted = candidate.prediction.seconds;
  return row;
}

Result<SearchSpace> search(const TuneCall &call) {
  return call.configs.empty() ? enumerateSpace(call.space) : judgeConfigs(call.space, call.configs);
}

} // namespace

extern "C" {

tawa_status_t tawa_tune(tawa_runtime_t runtime, const tawa_compile_request_t *request,
                        const tawa_tune_options_t *options, tawa_tune_result_t *result, tawa_error_t *error) {
  return guard(error, [&]() -> Status {
    if (!result)
      return nullArgument("result");
    *result = nullptr;
    if (!runtime)
      return nullArgument("runtime");
    TuneCall call;
    if (Status status = read(*runtime, request, options, call); !status)
      return status;
    Result<SearchSpace> space = search(call);
    if (!space)
      return space.status();
    auto made = std::make_unique<tawa_tune_result>();
    for (const Candidate &candidate : space->candidates)
      made->rows.push_back(rowOf(candidate));
    if (space->legal > 0)
      made->best = made->rows.front().config;
    *result = made.release();
    return Status::ok();
  });
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
    return writeStruct(row, ours, "tawa_tune_row_t");
  });
}

void tawa_tune_result_release(tawa_tune_result_t result) { delete result; }

} // extern "C"
