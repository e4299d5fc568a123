// Reading of searches, the model's answer, and the order of a search: rank, leave out what is known, try, keep, choose.
#include "capi/service/Search.h"

#include "capi/service/CompileKey.h"
#include "capi/service/CompileOrLoad.h"
#include "capi/service/LargeStack.h"
#include "capi/service/SearchTrials.h"
#include "capi/service/SimilarProblems.h"
#include "runtime/tuner/space/Preset.h"

#include <iterator>
#include <map>
#include <set>
#include <span>
#include <thread>
#include <tuple>

namespace tawa::capi {

namespace {

/// Candidates for a place each. What short launches take is latencies, of which the model knows less, and they compile
/// faster.
constexpr size_t kTop = 12, kTopOfShort = 20;
constexpr double kShortSeconds = 50e-6;
/// Sizes that share a choice are an eighth apart at most, each of them.
constexpr double kNearLoss = 1.2;
constexpr size_t kPredicted = 4; // choices of the model, of which all but the first wait for a refusal of it
constexpr size_t kSpares = 3;    // candidates per place
constexpr size_t kPool = 600;    // of the ranking, among which neighbours of the fastest are looked for,
constexpr size_t kDepths = 3;    // of which so many at most differ in depths only

/// Tile parameters that a configuration leaves out take their first value.
void completeTile(KernelConfig &config, const KernelSignature &signature) {
  for (const auto &[name, values] : signature.tileParameters)
    config.tile.try_emplace(name, values.front());
}

Status readConfigs(Search &search) {
  std::string_view lines = orEmpty(search.options.configs);
  while (!lines.empty()) {
    size_t end = std::min(lines.find('\n'), lines.size());
    std::string_view line = lines.substr(0, end);
    lines.remove_prefix(std::min(end + 1, lines.size()));
    if (line.find_first_not_of(" \t\r") == line.npos)
      continue;
    Result<KernelConfig> config = KernelConfig::parse(line);
    if (!config)
      return config.status();
    completeTile(*config, search.signature);
    search.configs.push_back(std::move(*config));
  }
  return Status::ok();
}

Status readHardware(Search &search) {
  Result<HardwareCatalogue> catalogue = HardwareCatalogue::fromEnvironment();
  if (!catalogue)
    return catalogue.status();
  Result<HardwareDescription> found = catalogue->lookUp(search.options.hardware);
  if (!found)
    return found.status();
  search.target.hardware = std::move(*found);
  search.gpu = targetOf(search.target.hardware);
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

/// What may be tried, in that order, and how many right ones of it are wanted.
struct Candidates {
  std::vector<KernelConfig> configs;
  size_t wanted = 0;

  void add(const KernelConfig &config) {
    if (std::ranges::find(configs, config) == configs.end())
      configs.push_back(config);
  }
};

/// What neighbours of the fastest are picked from: the first of the ranking, which holds many that differ in depths
/// only.
void addPool(std::span<const Candidate> legal, Candidates &chosen) {
  size_t most = chosen.configs.size() + kPool;
  std::map<std::string, size_t> families;
  std::set<std::string> known;
  for (const KernelConfig &config : chosen.configs)
    known.insert(config.str());
  for (size_t i = 0; i < legal.size() && chosen.configs.size() < most; ++i) {
    KernelConfig family = legal[i].config;
    family.ringDepth = family.mmaDepth = family.epilogueStages = 1;
    if (++families[family.str()] <= kDepths && known.insert(legal[i].config.str()).second)
      chosen.configs.push_back(legal[i].config);
  }
}

/// The default, what is taken without a search, what was the fastest for similar sizes, then what the model likes: more
/// than are wanted, as some may fail, and as what is measured may point to others. A list of the caller's is taken as
/// it is.
Candidates chooseCandidates(const Search &search, const SearchSpace &space) {
  Candidates chosen;
  bool isListed = !search.configs.empty();
  KernelConfig byDefault = isListed ? search.configs.front() : search.request.input.config;
  completeTile(byDefault, search.signature);
  chosen.add(byDefault);
  bool isShort = space.legal > 0 && space.candidates.front().prediction.seconds < kShortSeconds;
  size_t top = search.options.top ? search.options.top : isShort ? kTopOfShort : kTop;
  auto legal = std::span(space.candidates).first(space.legal);
  std::vector<Candidate> ranked(legal.begin(), isListed ? legal.end() : legal.begin());
  if (!isListed) {
    if (Result<std::vector<Candidate>> unsearched = choosePreset(search.space))
      chosen.add(unsearched->front().config);
    for (const KernelConfig &config : fastestOfSimilar(*search.runtime.store, search.key))
      if (std::ranges::find(legal, config, &Candidate::config) != legal.end())
        chosen.add(config);
    ranked = selectTop(space, kSpares * top);
  }
  for (const Candidate &candidate : ranked)
    chosen.add(candidate.config);
  chosen.wanted = isListed ? chosen.configs.size() : std::min(chosen.configs.size(), top + 1);
  if (!isListed)
    addPool(legal, chosen);
  return chosen;
}

const TuneRow *rowFor(const std::vector<TuneRow> &rows, const std::string &config) {
  auto found = std::ranges::find(rows, config, &TuneRow::config);
  return found == rows.end() ? nullptr : &*found;
}

/// Rows of candidates that were tried, by any process.
std::vector<TuneRow> triedRows(const Search &search) {
  std::vector<TuneRow> rows = search.runtime.store->tuneRows(search.key);
  std::erase_if(rows, [](const TuneRow &row) { return !row.wasTried(); });
  return rows;
}

/// Those that this build tried with this driver.
std::vector<TuneRow> knownRows(const Search &search) {
  std::vector<TuneRow> rows = triedRows(search);
  Provenance ours = provenanceOf(search.runtime);
  std::erase_if(rows, [&](const TuneRow &row) { return !ours.isOf(row); });
  return rows;
}

/// The candidates without a row. Valid rows count among the wanted ones, failed ones do not.
Candidates missingOf(const Candidates &candidates, const std::vector<TuneRow> &rows) {
  Candidates missing;
  size_t places = candidates.wanted;
  for (const KernelConfig &config : candidates.configs) {
    const TuneRow *row = rowFor(rows, config.str());
    if (row && row->outcome == TuneRow::Outcome::Failed)
      continue;
    if (!row)
      missing.configs.push_back(config);
    if (places == 0)
      continue;
    --places;
    missing.wanted += !row;
  }
  return missing;
}

/// What the store is to say of a row beside what the trial found out.
void complete(const Search &search, const SearchSpace &space, const std::string &byDefault, TuneRow &row) {
  for (const Candidate &candidate : space.candidates)
    if (candidate.isLegal() && candidate.config.str() == row.config) {
      row.predicted = candidate.prediction.seconds;
      row.bound = candidate.prediction.bound;
      break;
    }
  Provenance ours = provenanceOf(search.runtime);
  row.isDefault = row.config == byDefault;
  row.isOfSpace = search.configs.empty();
  row.build = std::move(ours.build);
  row.driver = ours.driver;
}

/// Tries the candidates of which no row is known; returns all rows of the key.
Result<std::vector<TuneRow>> tryMissing(const Search &search, const SearchSpace &space, const Candidates &candidates,
                                        std::shared_ptr<Worker> started) {
  auto known = [&] { return search.options.again ? std::vector<TuneRow>() : knownRows(search); };
  std::vector<TuneRow> rows = known();
  if (missingOf(candidates, rows).wanted == 0)
    return rows;
  Result<TrialLease> lease = TrialLease::take(search);
  if (!lease)
    return lease.status();
  rows = known(); // another search may have ended meanwhile
  Candidates missing = missingOf(candidates, rows);
  auto keep = [&](TuneRow row) {
    complete(search, space, candidates.configs.front().str(), row);
    static_cast<void>(search.runtime.store->putTuneRow(search.key, row)); // a fault is logged and no more
    rows.push_back(std::move(row));
  };
  if (missing.wanted == 0)
    return rows;
  Status status = runTrials(search, space, missing.configs, missing.wanted, std::move(started), keep);
  return status ? Result<std::vector<TuneRow>>(std::move(rows)) : status;
}

/// Rows of trials before what the model says of all others.
void join(std::vector<TuneRow> tried, const SearchSpace &space, tawa_tune_result &result) {
  auto order = [](const TuneRow &row) { return std::tuple(row.samples == 0, row.median, row.predicted); };
  std::ranges::sort(tried, [&](const TuneRow &a, const TuneRow &b) { return order(a) < order(b); });
  for (const Candidate &candidate : space.candidates)
    if (TuneRow row = rowOf(candidate); !rowFor(tried, row.config))
      result.rows.push_back(std::move(row));
  result.rows.insert(result.rows.begin(), std::make_move_iterator(tried.begin()), std::make_move_iterator(tried.end()));
}

} // namespace

Result<SearchTarget> searchTarget(const tawa_runtime &runtime, const char *name) {
  Result<HardwareCatalogue> catalogue = HardwareCatalogue::fromEnvironment();
  if (!catalogue)
    return catalogue.status();
  const DeviceInfo &device = runtime.device->info();
  if (!name)
    return SearchTarget{catalogue->describe(device), tuneDevice(*catalogue, device), true, device.isEmulator};
  if (std::string_view(name) == "emulator") {
    DeviceInfo emulator = device.isEmulator ? device : DeviceInfo();
    emulator.isEmulator = true;
    return SearchTarget{catalogue->describe(emulator), tuneDevice(*catalogue, emulator), device.isEmulator, true};
  }
  Result<HardwareDescription> found = catalogue->find(name);
  if (!found)
    return found.status();
  return SearchTarget{*found, tuneDevice(*found), false};
}

Result<SearchTarget> searchTargetOf(const tawa_runtime &runtime, const Request &request) {
  Result<SearchTarget> target = searchTarget(runtime, request.madeFor.empty() ? nullptr : request.madeFor.c_str());
  if (target) {
    target->isHere = true;
    target->isHost = runtime.device->info().isEmulator;
  }
  return target;
}

Provenance provenanceOf(const tawa_runtime &runtime) { return {thisBuild(), runtime.device->info().driverVersion}; }

static std::vector<ArgumentFacts> withoutSizes(std::vector<ArgumentFacts> facts) {
  forgetShapes(facts);
  return facts;
}

Search::Search(const tawa_runtime &runtime, Request &request, const tawa_tune_options_t &options, SearchTarget target)
    : runtime(runtime), request(request), options(options), target(std::move(target)),
      key(tuneKey(request.input.text, request.input.arguments, request.buckets, this->target.device,
                  options.warm != 0)),
      nearKey(capi::nearKey(request.input.text, request.input.arguments, this->target.device, thisBuild(),
                            options.warm != 0)),
      presetKey(capi::presetKey(request.input.text, request.input.arguments, this->target.device, thisBuild())),
      anyPresetKey(capi::presetKey(request.input.text, withoutSizes(request.input.arguments), this->target.device,
                                   thisBuild())) {}

Status Search::read() {
  gpu = request.input.gpu;
  auto readIt = [this] { return readSignature(request.input.text, request.input.name); };
  Result<KernelSignature> found = onLargeStack(readIt);
  if (!found)
    return found.status();
  signature = std::move(*found);
  if (Status status = readConfigs(*this); !status)
    return status;
  if (options.hardware)
    if (Status status = readHardware(*this); !status)
      return status;
  space.tileParameters = signature.tileParameters;
  space.sizesAreFound = signature.sizesAreFound;
  space.arguments = request.values;
  std::copy(std::begin(options.grid), std::end(options.grid), space.grid.begin());
  space.hardware = target.hardware;
  space.isWarm = options.warm != 0;
  space.threads = options.threads ? options.threads : std::max(1u, std::thread::hardware_concurrency());
  space.summarize = [this](const KernelConfig &config) {
    CompileInput input = request.input;
    input.config = config;
    input.gpu = gpu;
    auto summarize = [&] { return summarizeKernel(input); };
    return onLargeStack(summarize);
  };
  return Status::ok();
}

Status Search::checkShapes() const {
  std::span<const ArgumentValue> values = request.values;
  for (size_t i = 0; i < values.size(); ++i) {
    auto end = values[i].shape.begin() + values[i].rank;
    bool isKnown = values[i].kind != LogicalArgument::Kind::Tensor ||
                   (values[i].rank > 0 && std::find(values[i].shape.begin(), end, kUnknownExtent) == end);
    if (!isKnown)
      return {StatusCode::InvalidArgument, "args[" + std::to_string(i) + "]: a search needs the shape of every tensor"};
  }
  return Status::ok();
}

Result<std::vector<TuneRow>> Search::preset() const {
  Result<std::vector<Candidate>> chosen = choosePreset(space);
  if (!chosen)
    return chosen.status();
  std::vector<TuneRow> rows;
  std::ranges::transform(*chosen, std::back_inserter(rows), rowOf);
  rows.front().build = thisBuild();
  for (const store::Key *kept : {&presetKey, &anyPresetKey})
    static_cast<void>(runtime.store->putTuneRow(*kept, rows.front()));
  return rows;
}

Result<SearchSpace> Search::rank() const {
  return configs.empty() ? enumerateSpace(space) : judgeConfigs(space, configs);
}

bool Search::knowsWork() const {
  KernelConfig first;
  completeTile(first, signature);
  Result<SearchSpace> judged = judgeConfigs(space, std::span(&first, 1));
  return !judged || judged->isComplete;
}

std::optional<TunedChoice> Search::near() const {
  std::vector<TuneRow> rows = runtime.store->tuneRows(nearKey);
  std::optional<TunedChoice> choice = choiceOf(rows, provenanceOf(runtime));
  if (!choice)
    return std::nullopt;
  Result<SearchSpace> judged = judgeConfigs(space, std::span(&choice->config, 1));
  if (!judged || judged->legal == 0)
    return std::nullopt;
  const TuneRow *there = rowFor(rows, choice->config.str());
  bool isSlow =
      there && there->predicted > 0 && judged->candidates.front().prediction.seconds > kNearLoss * there->predicted;
  return isSlow ? std::nullopt : choice;
}

Result<std::vector<TuneRow>> Search::predict() const {
  SpaceInput few = space;
  few.isFirstChoice = true;
  Result<SearchSpace> ranked = enumerateSpace(few);
  if (!ranked)
    return ranked.status();
  if (ranked->legal == 0)
    return Status(StatusCode::NoValidCandidate, "no configuration is legal");
  std::vector<TuneRow> rows;
  for (const Candidate &candidate : selectTop(*ranked, kPredicted, /*alike=*/1)) {
    rows.push_back(rowOf(candidate));
    complete(*this, *ranked, {}, rows.back());
  }
  static_cast<void>(runtime.store->putTuneRow(key, rows.front())); // a fault is logged and no more
  for (const store::Key *others : {&nearKey, &anyPresetKey})       // which the first choice of them serves
    if (runtime.store->tuneRows(*others).empty())
      static_cast<void>(runtime.store->putTuneRow(*others, rows.front()));
  return rows;
}

Status Search::run(tawa_tune_result &result) const {
  std::shared_ptr<Worker> started;
  if (!options.predict_only && (options.again || knownRows(*this).empty())) // else there is probably nothing to try
    started = startWorker(*this);
  Result<SearchSpace> ranked = rank();
  if (!ranked)
    return ranked.status();
  if (options.predict_only) {
    result.best = ranked->legal > 0 ? ranked->candidates.front().config.str() : std::string();
    join(triedRows(*this), *ranked, result);
    return Status::ok();
  }
  Candidates candidates = chooseCandidates(*this, *ranked);
  Result<std::vector<TuneRow>> rows = tryMissing(*this, *ranked, candidates, std::move(started));
  if (!rows)
    return rows.status();
  if (!configs.empty()) // of a list the best is one of the list
    std::erase_if(*rows, [&](const TuneRow &row) {
      return std::ranges::find(candidates.configs, row.config, &KernelConfig::str) == candidates.configs.end();
    });
  for (TuneRow &row : *rows)
    row.isDefault = row.config == candidates.configs.front().str();
  int chosen = chooseRow(*rows);
  if (chosen < 0 || !(*rows)[static_cast<size_t>(chosen)].wasTried())
    return {StatusCode::NoValidCandidate, "no candidate is right; the first: " + rows->front().reason};
  result.best = (*rows)[static_cast<size_t>(chosen)].config;
  join(std::move(*rows), *ranked, result);
  return Status::ok();
}

} // namespace tawa::capi
