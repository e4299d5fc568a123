#include "compiler/planner/Planner.h"

#include "compiler/frontend/text/Directives.h"
#include "compiler/planner/model/Choice.h"
#include "runtime/mesh/core/LowerPlan.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <set>

namespace tawa {

namespace {

using Tile = std::map<std::string, int64_t>;

double secondsSince(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// Whether plans with this value are asked for. Extents between powers of two are there to fill the last wave of a GPU;
/// a plan spreads tiles over cores itself, and takes long to find for odd numbers of tiles.
bool isTried(const TileParameter &parameter, int64_t value) {
  return value == parameter.values.front() || std::has_single_bit(static_cast<uint64_t>(value));
}

/// All combinations of the values of the text's tile parameters, but for those that keep one.
Result<std::vector<Tile>> tilesOf(const AffinizeInput &kernel) {
  Result<TemplateText> source = parseDirectives(kernel.text, kernel.name);
  if (!source)
    return source.status();
  std::vector<Tile> tiles(1, kernel.tile);
  for (const TileParameter &parameter : source->parameters) {
    if (kernel.tile.contains(parameter.name))
      continue;
    std::vector<Tile> more;
    for (const Tile &tile : tiles)
      for (int64_t value : parameter.values) {
        if (!isTried(parameter, value))
          continue;
        more.push_back(tile);
        more.back()[parameter.name] = value;
        if (parameter.isSetting) // is the caller's; left out, it is the first
          break;
      }
    tiles = std::move(more);
  }
  return tiles;
}

/// Affinizes the block shapes; those that are the same tile program as another, as with another order of programs, are
/// left out.
Status affinizeAll(const PlanRequest &request, const std::vector<Tile> &tiles, Planned &planned) {
  std::set<std::string> known;
  for (const Tile &tile : tiles) {
    AffinizeInput input = request.kernel;
    input.tile = tile;
    Result<AffineKernel> kernel = affinize(input);
    if (!kernel)
      planned.refused.emplace_back(tile, kernel.status());
    else if (known.insert(kernel->program.str()).second)
      planned.candidates.push_back({tile, std::move(*kernel)});
  }
  return planned.candidates.empty() ? planned.refused.front().second : Status::ok();
}

Status rank(const PlanRequest &request, Planned &planned) {
  auto begin = std::chrono::steady_clock::now();
  std::vector<mesh::TileProgram> programs;
  programs.reserve(planned.candidates.size());
  for (const PlanCandidate &candidate : planned.candidates)
    programs.push_back(candidate.kernel.program);
  mesh::planner::RankOptions options = request.ranking;
  if (request.simulated > 0)
    options.keep = std::max(request.simulated, mesh::planner::kConsidered);
  Result<mesh::planner::Ranking> ranking = mesh::planner::rankPlans(programs, request.machine, options);
  if (!ranking)
    return ranking.status();
  planned.ranking = std::move(*ranking);
  planned.rankSeconds = secondsSince(begin);
  return Status::ok();
}

std::string whyNot(const mesh::SimulationResult &result) {
  return result.detail.empty() ? "the simulation deadlocks" : result.detail;
}

Result<SimulatedPlan> simulateOne(const PlanRequest &request, const mesh::planner::RankedPlan &ranked,
                                  const Planned &planned) {
  mesh::Lowered lowered = mesh::lowerPlan(ranked.plan, planned.kernelOf(ranked).program, request.machine);
  if (!lowered.isOk())
    return Status(StatusCode::Internal, "a ranked plan has no program: " + lowered.detail);
  mesh::SimulationResult result = mesh::simulate(lowered.program, request.machine, request.simulator);
  if (!result.isFinished())
    return Status(StatusCode::Internal, "a ranked plan does not run: " + whyNot(result));
  return SimulatedPlan{ranked, std::move(result)};
}

Status simulateSome(const PlanRequest &request, Planned &planned) {
  if (request.simulated == 0)
    return Status::ok();
  auto begin = std::chrono::steady_clock::now();
  mesh::planner::PlanChoice choice(planned.ranking.best);
  while (planned.simulated.size() < request.simulated) {
    std::optional<size_t> next = choice.next();
    if (!next)
      break;
    Result<SimulatedPlan> plan = simulateOne(request, planned.ranking.best[*next], planned);
    if (!plan)
      return plan.status();
    choice.learn(*next, plan->result.cycles);
    planned.simulated.push_back(std::move(*plan));
  }
  std::ranges::sort(planned.simulated, {}, [](const SimulatedPlan &plan) { return plan.ranked.rank; });
  planned.ranking.best.clear();
  for (const SimulatedPlan &plan : planned.simulated)
    planned.ranking.best.push_back(plan.ranked);
  auto cycles = [](const SimulatedPlan &plan) { return plan.result.cycles; };
  planned.fastest = std::ranges::min_element(planned.simulated, {}, cycles) - planned.simulated.begin();
  planned.simulateSeconds = secondsSince(begin);
  return Status::ok();
}

} // namespace

Result<Planned> planKernel(const PlanRequest &request) {
  std::vector<Tile> tiles = request.tiles;
  if (tiles.empty()) {
    Result<std::vector<Tile>> all = tilesOf(request.kernel);
    if (!all)
      return all.status();
    tiles = std::move(*all);
  }
  Planned planned;
  if (Status status = affinizeAll(request, tiles, planned); !status)
    return status;
  if (Status status = rank(request, planned); !status)
    return status;
  if (Status status = simulateSome(request, planned); !status)
    return status;
  return planned;
}

} // namespace tawa
