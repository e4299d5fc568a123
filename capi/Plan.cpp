// tawa_plan(): a request read from the caller's struct, the planner run for it unless the store has its plans, and what
// it found as text.
#include "include/tawa/plan.h"
#include "capi/KeptPlan.h"
#include "capi/PlanJson.h"
#include "capi/boundary/Arguments.h"
#include "capi/boundary/Guard.h"
#include "capi/service/CompileOrLoad.h"
#include "capi/service/LargeStack.h"
#include "compiler/planner/DF/Import.h"
#include "compiler/planner/machines/Catalogue.h"

#include <chrono>

using namespace tawa;
using namespace tawa::capi;

namespace {

constexpr uint32_t kDefaultTop = 5, kMostPlans = 1000;

/// Plans are made for concrete sizes, so that numbers count as constants.
Status readArguments(const tawa_plan_request_t &from, PlanRequest &request) {
  Result<std::vector<ArgumentValue>> values = readValues(from.args, from.num_args);
  if (!values)
    return values.status();
  Result<std::vector<ArgumentFacts>> facts = readFacts(from.args, *values);
  if (!facts)
    return facts.status();
  for (ArgumentFacts &fact : *facts) {
    if (fact.kind != LogicalArgument::Kind::Tensor)
      fact.kind = LogicalArgument::Kind::Constant;
    if (std::ranges::find(fact.shape, ArgumentFacts::kUnknown) != fact.shape.end())
      return {StatusCode::InvalidArgument, "argument " + std::to_string(&fact - facts->data()) +
                                               " has a dimension of unknown size; plans are made for known sizes"};
  }
  request.kernel.arguments = std::move(*facts);
  return Status::ok();
}

Status readConfig(const tawa_plan_request_t &from, PlanRequest &request) {
  Result<KernelConfig> config = KernelConfig::parse(orEmpty(from.config));
  if (!config)
    return config.status();
  KernelConfig tileAlone;
  tileAlone.tile = config->tile;
  if (!(tileAlone == *config))
    return {StatusCode::InvalidArgument,
            "the configuration '" + std::string(from.config) + "' has keys that are no tile parameters"};
  request.kernel.tile = std::move(config->tile);
  return Status::ok();
}

void readGrid(const tawa_plan_request_t &from, PlanRequest &request) {
  if (std::ranges::all_of(from.grid, [](uint32_t extent) { return extent == 0; }))
    return;
  request.kernel.grid.emplace();
  std::ranges::transform(from.grid, request.kernel.grid->begin(), [](uint32_t extent) { return std::max(extent, 1U); });
}

/// All but the machine, of which `machine` is the description.
Status readRequest(const tawa_plan_request_t *given, PlanRequest &request, MachineText &machine) {
  tawa_plan_request_t from = TAWA_PLAN_REQUEST_INIT;
  if (Status status = readStruct(given, from); !status)
    return status;
  if (Status status = checkText(from.text, from.text_len); !status)
    return status;
  if (!from.machine)
    return nullArgument("machine");
  if (from.top > kMostPlans)
    return {StatusCode::InvalidArgument,
            std::to_string(from.top) + " plans, at most " + std::to_string(kMostPlans) + " are handed out"};
  request.kernel.text = {from.text, from.text_len};
  request.kernel.name = from.name ? from.name : "<kernel>";
  request.ranking.keep = from.top ? from.top : kDefaultTop;
  request.simulated = from.is_simulated ? request.ranking.keep : 0;
  readGrid(from, request);
  if (Status status = readConfig(from, request); !status)
    return status;
  if (Status status = readArguments(from, request); !status)
    return status;
  Result<MachineText> found = findMachine(from.machine);
  if (!found)
    return found.status();
  machine = std::move(*found);
  return Status::ok();
}

Result<KeptPlan> makePlan(PlanRequest &request, const MachineText &description) {
  auto make = [&]() -> Result<KeptPlan> {
    Result<mesh::Machine> machine = df::readMachine(description.text, description.name);
    if (!machine)
      return machine.status();
    request.machine = std::move(*machine);
    Result<Planned> planned = planKernel(request);
    if (!planned)
      return planned.status();
    return KeptPlan{planSummary(*planned, request), planJson(*planned, request)};
  };
  return onLargeStack(make);
}

/// What the store has under the key; a row that cannot be read is removed.
std::optional<KeptPlan> revive(store::Store &store, const store::Key &key, const std::string &payload) {
  Result<KeptPlan> plan = readPlan(payload);
  if (plan)
    return std::move(*plan);
  store.reject(key, plan.status().message());
  return std::nullopt;
}

struct FetchedPlan {
  KeptPlan plan;
  bool isFromStore = false;
};

/// From the store of the environment, since planning has no runtime; else made, and kept there.
Result<FetchedPlan> makeOrLoad(PlanRequest &request, const MachineText &machine) {
  Logger log(logLevelFromEnvironment());
  store::Store store(store::storeOptionsFromEnvironment(), log);
  store::Key key = planKey(request, machine.text, thisBuild());
  bool isKept = !thisBuild().empty(); // else builds could not be told apart
  store::Store::Claim claim;
  if (isKept)
    claim = store.findOrClaim(key);
  if (claim.payload)
    if (std::optional<KeptPlan> plan = revive(store, key, *claim.payload))
      return FetchedPlan{std::move(*plan), true};
  Result<KeptPlan> made = makePlan(request, machine);
  if (!made)
    return made.status();
  if (isKept && store.canWrite())
    static_cast<void>(store.put(key, writePlan(key, *made))); // a fault is logged and no more
  return FetchedPlan{std::move(*made), false};
}

Result<std::string> planAsJson(const tawa_plan_request_t *given) {
  auto begin = std::chrono::steady_clock::now();
  PlanRequest request;
  MachineText machine;
  if (Status status = readRequest(given, request, machine); !status)
    return status;
  Result<FetchedPlan> fetched = makeOrLoad(request, machine);
  if (!fetched)
    return fetched.status();
  double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return withAnswer(std::move(fetched->plan.json), fetched->isFromStore, seconds);
}

} // namespace

extern "C" {

tawa_status_t tawa_plan(const tawa_plan_request_t *request, char **json, tawa_error_t *error) {
  clear(json);
  return guard(error, [&]() -> Status {
    if (!json)
      return nullArgument("json");
    Result<std::string> made = planAsJson(request);
    return made ? handOut(*made, json) : made.status();
  });
}

tawa_status_t tawa_plan_machines(char **names, tawa_error_t *error) {
  clear(names);
  return guard(error, [&]() -> Status {
    if (!names)
      return nullArgument("names");
    std::string lines;
    for (const MachineText &machine : builtinMachines())
      lines += machine.name + "\n";
    return handOut(lines, names);
  });
}

} // extern "C"
