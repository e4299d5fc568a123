// Plans as `tawa_plan()` hands them out, read from its JSON text for reports and pages.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tawa::cli {

/// How the tiles of one load get to the cores, which are numbered in row-major order.
struct LoadFacts {
  std::string tensor, movement;
  int64_t level = 0, tiles = 0, slots = 0, bytes = 0;
  std::vector<int64_t> readers;
  std::vector<std::pair<int64_t, int64_t>> sends;
};

struct PlannedFacts {
  size_t program = 0; ///< Of PlanFacts::programs.
  std::string summary, nest, bound;
  int64_t footprint = 0;
  size_t rank = 1;                                     ///< By the model.
  double cycles = 0, compute = 0, load = 0, store = 0; ///< Of the model.
  std::optional<double> simulated;
  std::vector<LoadFacts> loads;
};

/// One resource over the simulated run of the chosen plan.
struct ResourceFacts {
  std::string kind, name;
  std::vector<int64_t> from, to; ///< Indices: of the instance; of a link, of both ends.
  double busy = 0;               ///< Cycles.
  int64_t bytes = 0;
};

struct PlanFacts {
  std::string machine, machineText;
  double clock = 0;
  std::vector<std::pair<std::string, int64_t>> cores; ///< Dimensions of the array.
  /// A block shape, as "BLOCK_M=128 BLOCK_N=128", with its tile program or the reason why it has none.
  std::vector<std::pair<std::string, std::string>> programs, refused;
  int64_t mappings = 0, combinations = 0, estimated = 0;
  std::vector<std::pair<int64_t, std::string>> pruned; ///< With the reason.
  std::vector<PlannedFacts> plans;
  size_t chosen = 0;
  bool isSimulated = false;
  double cycles = 0; ///< Of the simulation.
  std::vector<ResourceFacts> resources;
  std::map<std::string, std::map<std::string, double>> stalls; ///< By thread and cause: mean cycles of a core.
  bool isFromCache = false;                                    ///< An earlier call made the plans.
  double answerSeconds = 0; ///< Of this call; the others are of the one that made the plans.
  double rankSeconds = 0, simulateSeconds = 0;

  const PlannedFacts &best() const { return plans[chosen]; }
  double share(const ResourceFacts &resource) const { return cycles > 0 ? resource.busy / cycles : 0; }
};

PlanFacts readPlan(const std::string &json);

} // namespace tawa::cli
