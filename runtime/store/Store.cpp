// The stack of layers and its rule: a fault is a miss.
#include "runtime/store/Store.h"

#include "runtime/artifact/PayloadHead.h"
#include "runtime/support/Environment.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <thread>

namespace tawa::store {

static std::vector<std::string> splitPaths(const std::string &text) {
  std::vector<std::string> paths;
  for (size_t begin = 0; begin <= text.size();) {
    size_t end = std::min(text.find(':', begin), text.size());
    if (end > begin)
      paths.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return paths;
}

StoreOptions storeOptionsFromEnvironment() {
  StoreOptions options;
  if (env::flag(env::Variable::Cache, true))
    options.folder = env::get(env::Variable::CacheDir).value_or(env::userCacheFolder());
  options.readOnly = splitPaths(env::get(env::Variable::CacheReadOnly).value_or(""));
  options.maxBytes = env::bytes(env::Variable::CacheMaxSize).value_or(options.maxBytes);
  return options;
}

/// An empty file takes 32 KiB, a kernel up to a few hundred.
static constexpr uint64_t kLeastBytes = 1 << 20;

Store::Store(StoreOptions options, const Logger &log) : given(std::move(options)), log(log) {}

void Store::openLayers() {
  if (isOpen)
    return;
  isOpen = true;
  std::vector<LayerOptions> wanted;
  if (canWrite())
    wanted.push_back({given.folder, false, given.maxBytes, given.busyMilliseconds, given.touchAfterSeconds});
  for (const std::string &path : given.readOnly)
    wanted.push_back({path, true, given.maxBytes, given.busyMilliseconds, given.touchAfterSeconds});
  if (canWrite() && given.maxBytes < kLeastBytes)
    fault(nullptr, {StatusCode::CacheIO, "a size of " + std::to_string(given.maxBytes) + " bytes (" +
                                             env::name(env::Variable::CacheMaxSize) +
                                             ", cache_max_bytes) is too small to keep kernels; take at least 1M"});
  for (const LayerOptions &options : wanted) {
    Result<std::unique_ptr<Layer>> layer = Layer::open(options);
    if (!layer) {
      fault(nullptr, layer.status());
      continue;
    }
    if ((*layer)->wasBroken())
      fault(nullptr, {StatusCode::CacheCorrupt, (*layer)->file() + " was no database any more and was emptied"});
    layers.push_back(std::move(*layer));
  }
}

/// Logs it once; empties a file that SQLite itself finds broken, as nothing can be read from it any more.
void Store::fault(Layer *layer, const Status &status) {
  ++counts.faults;
  if (logged.insert(status.message()).second)
    log.warning([&] { return "cache: " + status.message() + "; going on without"; });
  if (layer && !layer->isReadOnly() && status.code() == StatusCode::Busy)
    restsUntil = std::chrono::steady_clock::now() + std::chrono::milliseconds(given.restMilliseconds);
  bool isFileBroken = status.code() == StatusCode::CacheCorrupt && status.message().starts_with("SQLite");
  if (layer && isFileBroken && !layer->isReadOnly())
    if (Status recreated = layer->recreate(); !recreated && logged.insert(recreated.message()).second)
      log.warning([&] { return "cache: " + recreated.message(); });
}

bool Store::isResting(const Layer &layer) const {
  return !layer.isReadOnly() && std::chrono::steady_clock::now() < restsUntil;
}

std::optional<std::string> Store::findIn(Layer &layer, const Key &key) {
  if (isResting(layer))
    return std::nullopt;
  Result<std::optional<Row>> row = layer.find(key);
  if (!row) {
    fault(&layer, row.status());
    return std::nullopt;
  }
  return *row ? std::optional(std::move((*row)->payload)) : std::nullopt;
}

std::optional<std::string> Store::find(const Key &key) {
  std::lock_guard lock(mutex);
  openLayers();
  for (const auto &layer : layers)
    if (std::optional<std::string> payload = findIn(*layer, key)) {
      ++counts.hits;
      return payload;
    }
  ++counts.misses;
  return std::nullopt;
}

Store::Claim Store::findOrClaim(const Key &key) {
  using namespace std::chrono;
  constexpr auto kPoll = milliseconds(5);
  Claim claim;
  claim.payload = find(key);
  if (claim.payload || !canWrite())
    return claim;
  claim.lock = lockFor(key);
  auto deadline = steady_clock::now() + milliseconds(given.buildWaitMilliseconds);
  while (true) {
    BuildLock::Answer answer = claim.lock.tryToBuild();
    if (answer == BuildLock::Answer::Held) {
      while (claim.lock.probe() == BuildLock::Answer::Held && steady_clock::now() < deadline)
        std::this_thread::sleep_for(kPoll);
    }
    claim.payload = find(key); // another one may have finished since we looked
    bool isLate = steady_clock::now() >= deadline;
    if (claim.payload || answer != BuildLock::Answer::Held || isLate)
      break;
  }
  if (claim.payload)
    claim.lock = BuildLock();
  return claim;
}

std::string Store::turnFile(std::string_view device) const {
  return canWrite() ? given.folder + "/" + std::string(device) + ".lock" : std::string();
}

BuildLock Store::lockFor(const Key &key) const {
  return canWrite() ? BuildLock(given.folder + "/build.lock", key.hash()) : BuildLock();
}

/// For a row to be written: a caller that confuses keys is detected here, and not by all readers.
static Status checkOwner(const Row &row) {
  if (madeFor(row.payload) == payloadOwner(row.hash, row.config))
    return Status::ok();
  return {StatusCode::Internal, std::string(kindName(row.kind)) + " row " + row.hash +
                                    ": its payload was made for another key; it was not written"};
}

Status Store::write(const Key &key, std::string config, std::string payload) {
  std::lock_guard lock(mutex);
  openLayers();
  if (layers.empty() || layers.front()->isReadOnly())
    return {StatusCode::CacheIO, "there is no cache that can be written"};
  if (isResting(*layers.front()))
    return {StatusCode::Busy, layers.front()->file() + " is held by a process that does not let go"};
  Row row;
  row.kind = key.kind();
  row.hash = key.hash();
  row.config = std::move(config);
  row.keyText = key.text();
  row.payload = std::move(payload);
  Status status = checkOwner(row);
  if (status)
    status = layers.front()->put(std::move(row));
  if (status)
    ++counts.writes;
  else
    fault(layers.front().get(), status);
  return status;
}

Status Store::put(const Key &key, std::string payload) { return write(key, "", std::move(payload)); }

Status Store::putTuneRow(const Key &key, const TuneRow &row) { return write(key, row.config, writeTuneRow(key, row)); }

void Store::reject(const Key &key, const std::string &why) {
  std::lock_guard lock(mutex);
  openLayers();
  fault(nullptr, {StatusCode::CacheCorrupt, std::string(kindName(key.kind())) + " row " + key.hash() + ": " + why});
  for (const auto &layer : layers)
    if (!layer->isReadOnly())
      static_cast<void>(layer->remove(key.kind(), key.hash(), ""));
}

void Store::collectTuneRows(Layer &layer, const Key &key, std::vector<TuneRow> &all) {
  std::vector<Status> bad;
  Result<std::vector<Row>> rows = layer.findAll(key, bad);
  for (const Status &status : bad)
    fault(&layer, status);
  if (!rows)
    return fault(&layer, rows.status());
  for (const Row &row : *rows) {
    Result<TuneRow> read = readTuneRow(row.payload);
    if (!read)
      fault(&layer, read.status());
    else if (!std::ranges::count(all, row.config, &TuneRow::config)) { // a layer above knows better
      read->made = row.made;
      all.push_back(std::move(*read));
    }
  }
}

std::vector<TuneRow> Store::tuneRows(const Key &key) {
  std::lock_guard lock(mutex);
  openLayers();
  std::vector<TuneRow> all;
  for (const auto &layer : layers)
    if (!isResting(*layer))
      collectTuneRows(*layer, key, all);
  return all;
}

std::vector<ProblemRows> Store::tuneRowsBeside(const Key &key, std::string_view fields) {
  std::lock_guard lock(mutex);
  openLayers();
  std::map<std::string, ProblemRows> problems; // by their keys
  auto add = [&](Row &&row) {
    auto [problem, isNew] = problems.try_emplace(std::move(row.keyText));
    if (isNew)
      problem->second.differences = differences(key.text(), problem->first);
    const std::vector<KeyDifference> &found = problem->second.differences;
    bool isBeside = !found.empty() && std::ranges::all_of(found, [&](const KeyDifference &difference) {
      return difference.name.starts_with(fields);
    });
    if (!isBeside || std::ranges::count(problem->second.rows, row.config, &TuneRow::config))
      return true;
    if (Result<TuneRow> read = readTuneRow(row.payload)) // bad ones are found where their own problem is asked for
      problem->second.rows.push_back(std::move(*read));
    return true;
  };
  for (const auto &layer : layers)
    if (Status status = isResting(*layer) ? Status::ok() : layer->forEachOf(key.kind(), add); !status)
      fault(layer.get(), status);
  std::vector<ProblemRows> beside;
  for (auto &[text, problem] : problems)
    if (!problem.rows.empty())
      beside.push_back(std::move(problem));
  return beside;
}

std::string Store::explainMiss(const Key &key) {
  std::lock_guard lock(mutex);
  openLayers();
  std::optional<std::vector<KeyDifference>> nearest;
  for (const auto &layer : layers)
    static_cast<void>(layer->forEach(false, [&](Row &&row) {
      if (row.kind != key.kind())
        return true;
      std::vector<KeyDifference> found = differences(key.text(), row.keyText);
      if (!nearest || found.size() < nearest->size())
        nearest = std::move(found);
      return true;
    }));
  if (!nearest)
    return "the cache has no " + std::string(kindName(key.kind())) + " entry at all";
  std::string text = "the nearest entry differs in";
  for (const KeyDifference &difference : *nearest)
    text += "\n  " + difference.name + ": " + (difference.here.empty() ? "(none)" : difference.here) + " here, " +
            (difference.there.empty() ? "(none)" : difference.there) + " there";
  return text;
}

StoreCounters Store::counters() const {
  std::lock_guard lock(mutex);
  return counts;
}

} // namespace tawa::store
