// Reading of requests, and policies.
#include "capi/service/Request.h"

#include "capi/boundary/Arguments.h"
#include "capi/service/Alignments.h"
#include "capi/service/LargeStack.h"
#include "capi/service/Search.h"
#include "compiler/frontend/text/Directives.h"
#include "runtime/support/Environment.h"

#include <algorithm>
#include <chrono>

namespace tawa::capi {

/// A text with settings becomes that of one kernel, so that nothing that is kept or chosen for it is another kernel's.
static Status applySettings(Request &request) {
  const KernelConfig &config = request.input.config;
  if (request.input.text.find("tawa.setting") == std::string_view::npos)
    return Status::ok();
  Result<TemplateText> text = parseDirectives(request.input.text, request.input.name);
  if (!text)
    return text.status();
  Result<std::string> fixed = withSettings(*text, valuesOfText(*text, config.tile), request.input.name);
  if (!fixed)
    return fixed.status();
  request.ownText = std::move(*fixed);
  request.input.text = request.ownText;
  KernelConfig settings;
  for (const TileParameter &parameter : text->parameters)
    if (auto named = config.tile.find(parameter.name); parameter.isSetting && named != config.tile.end())
      settings.tile.insert(*named);
  request.leavesChoice |= !settings.tile.empty() && config == settings;
  return Status::ok();
}

Status readRequest(const tawa_runtime &runtime, const tawa_compile_request_t *given, Request &request) {
  if (Status status = readStruct(given, request.given); !status)
    return status;
  const tawa_compile_request_t &from = request.given;
  if (Status status = checkText(from.text, from.text_len); !status)
    return status;
  if (from.tune)
    if (Status status = readStruct(from.tune, request.tune); !status)
      return status;
  if (static_cast<unsigned>(from.policy) > TAWA_POLICY_PREDICTED)
    return {StatusCode::InvalidArgument, "policy " + std::to_string(from.policy) + " is no tawa_policy_t"};
  Result<std::vector<ArgumentValue>> values = readValues(from.args, from.num_args);
  if (!values)
    return values.status();
  Result<std::vector<ArgumentFacts>> facts = readFacts(from.args, *values);
  if (!facts)
    return facts.status();
  noteAlignments({from.text, from.text_len}, *values, *facts);
  for (uint32_t i = 0; i < from.num_args; ++i) {
    tawa_arg_t arg = TAWA_ARG_INIT;
    if (Status status = readStruct(element(from.args, i), arg); !status)
      return status;
    request.buckets.push_back(arg.buckets);
  }
  Result<KernelConfig> config = KernelConfig::parse(orEmpty(from.config));
  if (!config)
    return config.status();
  request.madeFor = from.target ? from.target : env::get(env::Variable::Target).value_or("");
  Result<Target> gpu = request.madeFor.empty() ? runtime.gpu.of(*runtime.device) : targetNamed(request.madeFor);
  if (!gpu)
    return gpu.status();
  request.input.gpu = std::move(*gpu);
  request.input.text = {from.text, from.text_len};
  request.input.name = from.name ? from.name : "<kernel>";
  request.input.arguments = std::move(*facts);
  request.values = std::move(*values);
  request.input.config = std::move(*config);
  request.input.dumpDirectory = runtime.dumpDirectory;
  request.input.dumpsPasses = runtime.dumpsPasses;
  request.leavesChoice = !from.config;
  return applySettings(request);
}

namespace {

/// Whether the text has tile parameters to choose, and says what grid goes with them. Else the first are taken: what a
/// launch's own grid would be with others is not known.
bool hasOpenSizes(const Request &request) {
  if (request.input.text.find("tawa.param") == std::string_view::npos)
    return false;
  Result<TemplateText> text = parseDirectives(request.input.text, request.input.name);
  return text && !text->grid.empty() && std::ranges::any_of(text->parameters, [](const TileParameter &parameter) {
           return !parameter.isSetting && parameter.values.size() > 1;
         });
}

/// The road from a request without a configuration to one.
class Choice {
public:
  Choice(const tawa_runtime &runtime, Request &request, const SearchTarget &target)
      : runtime(runtime), request(request), search(runtime, request, request.tune, target) {}

  Status make(tawa_policy_t policy) {
    known = find(search.key);
    bool asksModel = policy != TAWA_POLICY_CACHED || (!known && hasOpenSizes(request));
    if (!runtime.isFrozen && asksModel) {
      if (Status status = read(); !status)
        return note(status); // the text is wrong, which the compiler will say
      Status shapes = search.checkShapes();
      if (shapes)
        return decide(policy);
      runtime.log.debug([&] { return request.input.name + ": no search: " + shapes.message(); });
    }
    request.choiceKeys = {search.key};
    return known ? note(Status::ok()) : takePreset();
  }

private:
  std::optional<TunedChoice> find(const store::Key &key) const {
    return choiceOf(runtime.store->tuneRows(key), provenanceOf(runtime));
  }

  Status read() {
    if (!wasRead)
      wasRead = search.read();
    return *wasRead;
  }

  /// What needs no shapes.
  Status takePreset() {
    request.choiceKeys = {search.presetKey, search.anyPresetKey};
    known = find(search.presetKey);
    for (const store::Key *likely : {&search.nearKey, &search.anyPresetKey})
      if (!known && runtime.isFrozen)
        known = find(*likely);
    if (known || runtime.isFrozen)
      return note(Status::ok());
    Status status = read();
    return status ? take(search.preset()) : note(status);
  }

  /// All shapes being known: by the model, or by trials.
  Status decide(tawa_policy_t policy) {
    bool canTry = search.target.isHere && !(known && known->isFinal);
    if (canTry && policy == TAWA_POLICY_BLOCKING)
      if (Status status = tryCandidates(); !status)
        return status;
    request.wantsSearch = canTry && policy == TAWA_POLICY_BACKGROUND;
    request.choiceKeys = {search.key};
    if (known)
      return note(Status::ok());
    request.choiceKeys.push_back(search.nearKey);
    known = search.near();
    if (known)
      return note(Status::ok());
    return search.knowsWork() ? take(search.predict()) : takePreset();
  }

  Status tryCandidates() {
    tawa_tune_result result;
    Status status = search.run(result);
    if (status.code() == StatusCode::Cancelled)
      return status;
    if (!status)
      runtime.log.warning([&] { return request.input.name + ": the search failed: " + status.message(); });
    else if (Result<KernelConfig> config = KernelConfig::parse(result.best))
      known = TunedChoice{*config, std::string(store::outcomeName(result.rows.front().outcome)), true};
    return Status::ok();
  }

  /// What the model chose, if it could; a kernel that it has no answer for is compiled in the usual configuration.
  Status take(const Result<std::vector<TuneRow>> &rows) {
    if (!rows)
      return rows.status().code() == StatusCode::Cancelled ? rows.status() : note(rows.status());
    known = choiceOf({rows->data(), 1}, provenanceOf(runtime));
    for (const TuneRow &row : std::span(*rows).subspan(1))
      if (Result<KernelConfig> config = KernelConfig::parse(row.config))
        request.alternatives.push_back(std::move(*config));
    return note(Status::ok());
  }

  /// What is known goes into the request.
  Status note(const Status &why) {
    if (!why)
      runtime.log.debug([&] { return request.input.name + ": no search: " + why.message(); });
    if (!known)
      return Status::ok();
    runtime.log.debug([&] { return request.input.name + ": " + known->by + ": " + known->config.str(); });
    request.input.config = known->config;
    request.chosenBy = known->by;
    return Status::ok();
  }

  const tawa_runtime &runtime;
  Request &request;
  Search search;
  std::optional<Status> wasRead;
  std::optional<TunedChoice> known;
};

Status choose(const tawa_runtime &runtime, Request &request, const char *targetName) {
  tawa_policy_t policy = request.given.policy == TAWA_POLICY_DEFAULT ? runtime.policy : request.given.policy;
  bool isOpen = request.leavesChoice && policy != TAWA_POLICY_NEVER;
  request.input.target = runtime.device->target();
  if (request.leavesChoice)
    request.chosenBy = "default";
  if (request.given.target && targetName)
    return {StatusCode::InvalidArgument, "both the call and request.target name a target; leave one of them out"};
  if (!isOpen && !targetName)
    return checkCodeFor(request.input.gpu);
  Result<SearchTarget> target = targetName ? searchTarget(runtime, targetName) : searchTargetOf(runtime, request);
  if (!target)
    return target.status();
  request.input.target = target->isHost ? TargetKind::Host : TargetKind::Ptx;
  if (targetName)
    request.input.gpu = target->isHost ? defaultTarget() : targetOf(target->hardware);
  if (Status status = checkCodeFor(request.input.gpu); !status)
    return status;
  return isOpen ? Choice(runtime, request, *target).make(policy) : Status::ok();
}

} // namespace

bool chooseAnother(const tawa_runtime &runtime, Request &request, const Status &why) {
  KernelConfig &config = request.input.config;
  bool isOfConfig = why.code() == StatusCode::PtxRejected || why.code() == StatusCode::Unsupported ||
                    why.code() == StatusCode::CompileFailed;
  bool isLast = config.consumerGroups == 0 && request.alternatives.empty();
  if (request.choiceKeys.empty() || !isOfConfig || isLast)
    return false;
  runtime.log.info([&] { return request.input.name + ": refused: " + config.str() + ": " + why.message(); });
  TuneRow &row = request.refused.emplace_back();
  row.config = config.str();
  row.outcome = TuneRow::Outcome::Failed;
  row.reason = why.message();
  if (config.ringDepth > 0 && why.code() == StatusCode::Unsupported) { // slots that do not fit: as many as do
    config.ringDepth = 0;
    return true;
  }
  if (request.alternatives.empty()) {
    KernelConfig oneRole;
    oneRole.tile = config.tile;
    oneRole.consumerGroups = 0;
    request.alternatives.push_back(std::move(oneRole));
  }
  config = std::move(request.alternatives.front());
  request.alternatives.erase(request.alternatives.begin());
  return true;
}

void keepChoice(const tawa_runtime &runtime, const Request &request) {
  std::vector<TuneRow> rows = request.refused;
  rows.emplace_back().config = request.input.config.str();
  Provenance ours = provenanceOf(runtime);
  for (TuneRow &row : rows) {
    row.build = ours.build;
    row.driver = ours.driver;
    for (const store::Key &key : request.choiceKeys)
      static_cast<void>(runtime.store->putTuneRow(key, row)); // a fault is logged and no more
  }
}

std::map<std::string, int64_t> reckonedSizes(const Request &request, const KernelConfig &config) {
  std::map<std::string, int64_t> first;
  Result<TemplateText> text = parseDirectives(request.input.text, request.input.name);
  if (!request.leavesChoice || !text)
    return first;
  bool isOther = false;
  for (const TileParameter &parameter : text->parameters) {
    auto chosen = config.tile.find(parameter.name);
    isOther |= chosen != config.tile.end() && chosen->second != parameter.values.front();
    first.emplace(parameter.name, parameter.values.front());
  }
  return isOther ? first : std::map<std::string, int64_t>();
}

Result<std::string> explainChoice(const tawa_runtime &runtime, Request &request) {
  Result<SearchTarget> target = searchTargetOf(runtime, request);
  if (!target)
    return target.status();
  Search search(runtime, request, request.tune, std::move(*target));
  bool isKnown = !runtime.store->tuneRows(search.key).empty();
  return isKnown ? std::string() : runtime.store->explainMiss(search.key);
}

Status chooseConfig(const tawa_runtime &runtime, Request &request, const char *target) {
  auto start = std::chrono::steady_clock::now();
  Status status = onLargeStack([&] { return choose(runtime, request, target); });
  request.chooseMilliseconds =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  return status;
}

} // namespace tawa::capi
