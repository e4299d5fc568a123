// Caches as people handle them, without a runtime.
#include "capi/KeptPlan.h"
#include "capi/boundary/Guard.h"
#include "runtime/artifact/Serialize.h"
#include "runtime/store/Maintenance.h"

#include <mutex>

using namespace tawa;
using namespace tawa::capi;
using store::KeyKind;
using store::Row;

struct tawa_cache : RefCounted {
  std::mutex mutex; // of the layer, which serves one thread at a time
  std::unique_ptr<store::Layer> layer;
};

static_assert(static_cast<int>(KeyKind::Compile) == TAWA_CACHE_COMPILE);
static_assert(static_cast<int>(KeyKind::Tune) == TAWA_CACHE_TUNE);
static_assert(static_cast<int>(KeyKind::Load) == TAWA_CACHE_LOAD);
static_assert(static_cast<int>(KeyKind::Preset) == TAWA_CACHE_PRESET);
static_assert(static_cast<int>(KeyKind::Plan) == TAWA_CACHE_PLAN);

namespace {

std::string describe(const KernelArtifact &artifact) {
  return artifact.entry + " " + (artifact.target == TargetKind::Ptx ? architectureOf(artifact.gpu) : "emulator") + " " +
         artifact.config.str();
}

std::string describe(const TuneRow &row) {
  std::string text = row.config + " " + std::string(store::outcomeName(row.outcome));
  if (!row.reason.empty())
    return text + ": " + row.reason;
  double seconds = row.outcome == TuneRow::Outcome::Measured ? row.median : row.predicted;
  return text + " " + std::to_string(seconds * 1e6) + " us";
}

/// What is in a row, or what is wrong with it.
struct Contents {
  std::string summary, fault;

  explicit Contents(const Row &row) : fault(faultOf(row)) {
    if (!fault.empty())
      return;
    if (row.kind == KeyKind::Compile)
      read(deserialize(row.payload), [](const CompiledKernel &kernel) { return describe(kernel.artifact); });
    else if (row.kind == KeyKind::Tune || row.kind == KeyKind::Preset)
      read(store::readTuneRow(row.payload), [](const TuneRow &tuned) { return describe(tuned); });
    else if (row.kind == KeyKind::Plan)
      read(readPlan(row.payload), [](const KeptPlan &plan) { return plan.summary; });
    else
      summary = std::to_string(row.payload.size()) + " bytes of machine code";
  }

private:
  template <typename T, typename Describe> void read(const Result<T> &value, Describe say) {
    if (value)
      summary = say(*value);
    else
      fault = value.status().message();
  }
};

/// Runs body(layer) with the layer to ourselves.
template <typename Body> tawa_status_t onCache(tawa_cache_t cache, tawa_error_t *error, Body body) {
  return guard(error, [&]() -> Status {
    if (!cache)
      return nullArgument("cache");
    std::lock_guard lock(cache->mutex);
    return body(*cache->layer);
  });
}

/// A count handed out where it is wanted.
Status handOut(const Result<uint64_t> &count, uint64_t *into) {
  if (into)
    *into = count ? *count : 0;
  return count.status();
}

store::RowFilter filterOf(tawa_cache_kind_t kind) {
  return [kind](const Row &row) { return kind == TAWA_CACHE_ALL || static_cast<int>(row.kind) == kind; };
}

Status checkKind(tawa_cache_kind_t kind) {
  if (static_cast<unsigned>(kind) > TAWA_CACHE_PLAN)
    return {StatusCode::InvalidArgument, "kind " + std::to_string(kind) + " is no tawa_cache_kind_t"};
  return Status::ok();
}

} // namespace

extern "C" {

tawa_status_t tawa_cache_open(const char *path, tawa_cache_access_t access, tawa_cache_t *cache, tawa_error_t *error) {
  return guard(error, [&]() -> Status {
    if (!cache)
      return nullArgument("cache");
    *cache = nullptr;
    if (static_cast<unsigned>(access) > TAWA_CACHE_WRITE)
      return {StatusCode::InvalidArgument, "access " + std::to_string(access) + " is no tawa_cache_access_t"};
    store::LayerOptions options;
    options.path = path ? path : store::storeOptionsFromEnvironment().folder;
    options.isReadOnly = access == TAWA_CACHE_READ;
    options.maxBytes = UINT64_MAX; // what is brought in by hand stays
    if (options.path.empty())
      return {StatusCode::CacheIO, "there is no cache: TAWA_CACHE is off, or no folder for it is known"};
    Result<std::unique_ptr<store::Layer>> layer = store::Layer::open(options);
    if (!layer)
      return layer.status();
    auto opened = std::make_unique<tawa_cache>();
    opened->layer = std::move(*layer);
    *cache = opened.release();
    return Status::ok();
  });
}

const char *tawa_cache_file(tawa_cache_t cache) { return cache ? cache->layer->file().c_str() : ""; }

void tawa_cache_release(tawa_cache_t cache) {
  if (cache)
    cache->release();
}

tawa_status_t tawa_cache_visit(tawa_cache_t cache, tawa_cache_visit_fn visit, void *user, tawa_error_t *error) {
  return onCache(cache, error, [&](store::Layer &layer) -> Status {
    if (!visit)
      return nullArgument("visit");
    return layer.forEach(true, [&](Row &&row) {
      Contents contents(row);
      tawa_cache_entry_t entry = TAWA_CACHE_ENTRY_INIT;
      entry.kind = static_cast<tawa_cache_kind_t>(row.kind);
      entry.hash = row.hash.c_str();
      entry.key = row.keyText.c_str();
      entry.summary = contents.summary.c_str();
      entry.fault = contents.fault.c_str();
      entry.bytes = row.keyText.size() + row.payload.size();
      entry.made = row.made;
      entry.used = row.used;
      return visit(user, &entry) == 0;
    });
  });
}

tawa_status_t tawa_cache_verify(tawa_cache_t cache, uint32_t repair, uint64_t *bad, tawa_error_t *error) {
  return onCache(cache, error, [&](store::Layer &layer) -> Status {
    Result<std::string> broken = layer.integrity();
    if (!broken)
      return broken.status();
    if (!broken->empty())
      return {StatusCode::CacheCorrupt, layer.file() + ": " + *broken};
    uint64_t count = 0;
    auto fault = [&](const Row &row) {
      std::string text = Contents(row).fault;
      count += !text.empty();
      return text;
    };
    Status status = repair ? store::removeBadRows(layer, fault).status() : layer.forEach(true, [&](Row &&row) {
      fault(row);
      return true;
    });
    if (bad)
      *bad = count;
    return status;
  });
}

tawa_status_t tawa_cache_prune(tawa_cache_t cache, uint64_t max_bytes, int64_t unused_since, uint64_t *removed,
                               tawa_error_t *error) {
  return onCache(cache, error, [&](store::Layer &layer) -> Status {
    Result<uint64_t> old = layer.removeOlderThan(unused_since);
    if (!old)
      return handOut(old, removed);
    Result<uint64_t> excess = layer.shrink(max_bytes);
    return handOut(excess ? Result<uint64_t>(*old + *excess) : excess, removed);
  });
}

tawa_status_t tawa_cache_copy(tawa_cache_t from, tawa_cache_t to, tawa_cache_kind_t kind, uint64_t *copied,
                              tawa_error_t *error) {
  return guard(error, [&]() -> Status {
    if (!from || !to || from == to)
      return {StatusCode::InvalidArgument, "a copy needs two caches"};
    if (Status status = checkKind(kind); !status)
      return status;
    std::scoped_lock lock(from->mutex, to->mutex);
    return handOut(store::copyRows(*from->layer, *to->layer, filterOf(kind)), copied);
  });
}

tawa_status_t tawa_cache_export(tawa_cache_t cache, const char *file, tawa_cache_kind_t kind, uint32_t seal,
                                uint64_t *copied, tawa_error_t *error) {
  return onCache(cache, error, [&](store::Layer &layer) -> Status {
    if (!file)
      return nullArgument("file");
    if (Status status = checkKind(kind); !status)
      return status;
    return handOut(store::exportRows(layer, file, seal != 0, filterOf(kind)), copied);
  });
}

} // extern "C"
