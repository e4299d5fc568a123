// Search: chooses the configuration of a request from stored rows, by the performance model, or by trials on the
// device, and stores the results. The compiler is passed in as functions.
#pragma once

#include "capi/service/Request.h"
#include "capi/service/TuneKey.h"
#include "runtime/tuner/space/SearchSpace.h"

#include <optional>

namespace tawa::capi {

/// The device that a configuration is chosen for.
struct SearchTarget {
  HardwareDescription hardware;
  TuneDevice device;
  bool isHere = true;  ///< The runtime's own: candidates can be tried.
  bool isHost = false; ///< The emulator.
};
/// By name as tawa_compile_to_cache() takes it; null: the runtime's device.
Result<SearchTarget> searchTarget(const tawa_runtime &runtime, const char *name);

/// Of what a request is made for and runs on: the runtime's device, with the description that the request names.
Result<SearchTarget> searchTargetOf(const tawa_runtime &runtime, const Request &request);

Provenance provenanceOf(const tawa_runtime &runtime);

/// Strings of request and options point to the caller's memory.
struct Search {
  Search(const tawa_runtime &runtime, Request &request, const tawa_tune_options_t &options, SearchTarget target);
  Search(const Search &) = delete;
  /// Reads what the caller gave. Call it first.
  Status read();
  /// Fails where the shape of a tensor is not known, without which nothing but a preset can be chosen.
  Status checkShapes() const;
  /// Rules and model. Nothing is kept.
  Result<SearchSpace> rank() const;
  /// Rows of what the model finds best without a search (runtime/tuner/space/Preset.h), the best first, which alone is
  /// kept, under keys of its own.
  Result<std::vector<TuneRow>> preset() const;
  /// Whether the model need not guess how much there is to do, from one question. Where that is in memory, the author's
  /// tile sizes are the better guess.
  bool knowsWork() const;
  /// What the model chose for sizes like these, unless it cannot run here, or the model expects much more time of it
  /// than it did there: one tile more may be another round of all multiprocessors.
  std::optional<TunedChoice> near() const;
  /// Rows of the model's first choices, the best first, which alone is kept, for sizes like these, too.
  Result<std::vector<TuneRow>> predict() const;
  /// Tries what the model likes and no row of ours is about, and keeps every row. The result has those rows first, then
  /// what rules and model say of all others.
  Status run(tawa_tune_result &result) const;

  const tawa_runtime &runtime;
  Request &request;
  const tawa_tune_options_t &options;
  SearchTarget target;
  Target gpu; ///< What the model's kernels are compiled for: the device, or the description that the options name.
  store::Key key;
  store::Key nearKey;      ///< Of the model's first choice for such sizes.
  store::Key presetKey;    ///< For such sizes.
  store::Key anyPresetKey; ///< For any; where nothing may be compiled, a kernel for other sizes is better than none.
  KernelSignature signature;
  std::vector<KernelConfig> configs; ///< Those that the caller names.
  SpaceInput space;
};

} // namespace tawa::capi
