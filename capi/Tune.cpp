// Tuning: the request read, the compiler handed to the search as functions, rows handed out.
#include "capi/Guard.h"
#include "capi/LargeStack.h"
#include "capi/TuneCall.h"
#include "runtime/hardware/Catalogue.h"
#include "runtime/support/Environment.h"
#include "runtime/tuner/Isolation.h"

#include <dlfcn.h>
#include <iterator>
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

constexpr uint32_t kTop = 12;
constexpr double kBudgetSeconds = 60, kCandidateSeconds = 20;

/// The caller's default, then what the model likes. A list of the caller's is taken as it is.
std::vector<KernelConfig> chooseCandidates(const TuneCall &call, const SearchSpace &space) {
  std::vector<KernelConfig> chosen;
  auto add = [&](const KernelConfig &config) {
    if (std::ranges::find(chosen, config) == chosen.end())
      chosen.push_back(config);
  };
  KernelConfig byDefault = call.input.config;
  completeTile(byDefault, call.signature);
  if (!call.configs.empty())
    add(call.configs.front());
  else
    add(byDefault);
  size_t top = call.options.top ? call.options.top : kTop;
  bool isListed = !call.configs.empty();
  for (const Candidate &candidate : isListed ? selectTop(space, space.legal, space.legal) : selectTop(space, top))
    add(candidate.config);
  return chosen;
}

/// The library's own file, beside which its programs stand.
std::string libraryPath() {
  Dl_info info;
  return dladdr(reinterpret_cast<const void *>(&tawa_tune_worker), &info) && info.dli_fname ? info.dli_fname : "";
}

Result<std::string> findWorker(const tawa_tune_options_t &options) {
  if (options.worker)
    return std::string(options.worker);
  if (auto given = env::get(env::Variable::Worker))
    return *given;
  std::string beside = findWorkerBeside(libraryPath());
  if (!beside.empty())
    return beside;
  return Status(
      StatusCode::InvalidArgument,
      "no worker for candidates to run in: there is no `tawa` program beside " + libraryPath() +
          "; name one that calls tawa_tune_worker() in the options or in TAWA_WORKER, or ask for TAWA_TUNE_IN_PROCESS");
}

TuneJob jobOf(const tawa_runtime &runtime, const TuneCall &call, const SearchSpace &space) {
  TuneJob job;
  job.device = runtime.device->info().name;
  job.name = call.input.name;
  job.text = call.input.text;
  job.facts = call.input.arguments;
  job.values.assign(call.list.values().begin(), call.list.values().end());
  job.uses = tensorUses(space.sample);
  job.uses.resize(job.values.size());
  job.candidates = chooseCandidates(call, space);
  job.grid = call.space.grid;
  job.seed = call.options.seed;
  job.threads = call.space.threads;
  job.budgetSeconds = call.options.budget_seconds > 0 ? call.options.budget_seconds : kBudgetSeconds;
  job.l2Bytes = call.options.warm ? 0 : call.space.hardware.l2Bytes;
  return job;
}

TrialProgress progressOf(const TuneCall &call, const TuneJob &job) {
  if (!call.options.progress)
    return {};
  return [&call, &job](const char *stage, int config, uint32_t done, uint32_t total) {
    std::string text = config < 0 ? std::string() : job.candidates[static_cast<size_t>(config)].str();
    tawa_tune_progress_t progress = TAWA_TUNE_PROGRESS_INIT;
    progress.stage = stage;
    progress.config = text.c_str();
    progress.done = done;
    progress.total = total;
    return call.options.progress(call.options.progress_user, &progress) == 0;
  };
}

Result<std::vector<TuneRow>> tryCandidates(const tawa_runtime &runtime, const TuneCall &call, const TuneJob &job) {
  if (call.options.isolation == TAWA_TUNE_IN_PROCESS) {
    TrialInput trial = job.trial(*runtime.device);
    trial.progress = progressOf(call, job);
    return runTrial(trial);
  }
  Result<std::string> worker = findWorker(call.options);
  if (!worker)
    return worker.status();
  IsolationInput input;
  input.program = *worker;
  input.arguments = {"tune-worker"};
  input.job = [&job](std::span<const size_t> which) { return job.str(which); };
  input.candidates = job.candidates;
  input.silenceSeconds = call.options.candidate_seconds > 0 ? call.options.candidate_seconds : kCandidateSeconds;
  input.progress = progressOf(call, job);
  return runIsolated(input);
}

/// Rows of the trial before what the model says of all others.
void join(std::vector<TuneRow> tried, const SearchSpace &space, tawa_tune_result &result) {
  std::vector<TuneRow> ranked;
  for (const Candidate &candidate : space.candidates)
    ranked.push_back(rowOf(candidate));
  for (TuneRow &row : tried) {
    auto same = std::ranges::find(ranked, row.config, &TuneRow::config);
    if (same == ranked.end())
      continue;
    row.predicted = same->predicted;
    row.bound = same->bound;
    ranked.erase(same);
  }
  auto order = [](const TuneRow &row) { return std::pair(row.samples == 0, row.median); };
  std::ranges::sort(tried, [&](const TuneRow &a, const TuneRow &b) { return order(a) < order(b); });
  result.rows = std::move(tried);
  result.rows.insert(result.rows.end(), std::make_move_iterator(ranked.begin()), std::make_move_iterator(ranked.end()));
}

Status tune(const tawa_runtime &runtime, TuneCall &call, tawa_tune_result &result) {
  Result<SearchSpace> space =
      call.configs.empty() ? enumerateSpace(call.space) : judgeConfigs(call.space, call.configs);
  if (!space)
    return space.status();
  if (call.options.predict_only) {
    join({}, *space, result);
    result.best = space->legal > 0 ? result.rows.front().config : std::string();
    return Status::ok();
  }
  TuneJob job = jobOf(runtime, call, *space);
  Result<std::vector<TuneRow>> rows = tryCandidates(runtime, call, job);
  if (!rows)
    return rows.status();
  int chosen = chooseRow(*rows);
  if (chosen < 0)
    return {StatusCode::NoValidCandidate, "no candidate is right; the first: " + rows->front().reason};
  result.best = (*rows)[static_cast<size_t>(chosen)].config;
  join(std::move(*rows), *space, result);
  return Status::ok();
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
    auto made = std::make_unique<tawa_tune_result>();
    if (Status status = tune(*runtime, call, *made); !status)
      return status;
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
