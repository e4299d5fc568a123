#include "compiler/planner/model/Ranking.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <set>
#include <tuple>

namespace tawa::mesh::planner {
namespace {

/// Of the local memory, for the two semaphores of each stage of a movement: 16 bytes is the least that a transfer
/// writes.
constexpr int64_t kSemaphorePairBytes = int64_t{2} * 16;

int64_t bytesOf(const LoadPlan &load) {
  return load.bytes + kSemaphorePairBytes * static_cast<int64_t>(load.along.size());
}

/// The plans under one mapping of one candidate.
struct Context {
  size_t program;
  const TileProgram *tiles;
  const Work *work;
  Mapping mapping;
  const ChoiceFilter *filter;
  double compute; ///< Cycles of the busiest core's operators.
};

/// One plan of a context: numbers of its loads' choices.
struct Scored {
  double cycles;
  int64_t bytes;
  size_t context;
  std::vector<size_t> choices;
};

/// Faster; of equal ones that with fewer bytes, then the earlier one of the space.
struct IsBetter {
  bool operator()(const Scored &a, const Scored &b) const {
    return std::tie(a.cycles, a.bytes, a.context, a.choices) < std::tie(b.cycles, b.bytes, b.context, b.choices);
  }
};

/// The best plans so far.
class Kept {
public:
  Kept(size_t most, bool distinct) : most(most), distinct(distinct) {}
  /// Plans with more cycles are not kept.
  double limit() const {
    return best.size() < most || best.empty() ? std::numeric_limits<double>::infinity() : best.rbegin()->cycles;
  }
  void add(Scored plan) {
    if (plan.cycles > limit() || (distinct && !replacesEqual(plan)))
      return;
    best.insert(std::move(plan));
    if (best.size() > most)
      best.erase(std::prev(best.end()));
  }
  const std::set<Scored, IsBetter> &sorted() const { return best; }

private:
  /// Takes out the kept plan with as many cycles; false if that one is better.
  bool replacesEqual(const Scored &plan) {
    auto equal = best.lower_bound({plan.cycles, 0, 0, {}});
    if (equal == best.end() || equal->cycles != plan.cycles)
      return true;
    if (!IsBetter()(plan, *equal))
      return false;
    best.erase(equal);
    return true;
  }

  size_t most;
  bool distinct;
  std::set<Scored, IsBetter> best;
};

/// Estimates all combinations of the loads' choices under one mapping.
class ContextSearch {
public:
  ContextSearch(const Context &context, size_t number, const MachineModel &model, const RankOptions &options,
                Kept &kept, Ranking &ranking)
      : number(number), options(options), kept(kept), ranking(ranking), capacity(model.capacity),
        share(context.mapping, *context.tiles, model.machine, model.cores),
        lengths(context.mapping, *context.tiles, share, model),
        view{context.mapping, *context.tiles, share, model, lengths, lengths.busiest(*context.work)},
        time(context.mapping, view, *context.work, options.formula),
        space(enumerateLoads(context.mapping, share, *context.tiles, model.machine, model.lines, *context.filter)) {
    auto places = context.tiles->loads();
    for (size_t load = 0; load < places.size(); ++load) {
      std::vector<NestLoop> nest = nestOf(context.mapping, share, *context.tiles, places[load]);
      std::vector<LoadCost> &loadCosts = costs.emplace_back();
      for (const LoadPlan &choice : space.choices[load])
        loadCosts.push_back(costOf(choice, places[load].step->access, nest, view));
    }
  }

  void run() {
    ranking.pruned += space.pruned;
    combinations.assign(costs.size() + 1, 1);
    for (size_t load = costs.size(); load-- > 0;)
      combinations[load] = combinations[load + 1] * static_cast<int64_t>(costs[load].size());
    ranking.plans += combinations[0];
    chosen.assign(costs.size(), nullptr);
    numbers.assign(costs.size(), 0);
    for (const std::vector<LoadCost> &loadCosts : costs)
      orders.push_back(orderOf(loadCosts, orders.size()));
    if (combinations[0] > 0)
      descend(0, space.fixedBytes);
  }

private:
  /// The choices by their lower bound, so that good plans are found early and the others left out at once.
  struct Bound {
    size_t choice;
    double cycles;
  };
  std::vector<Bound> orderOf(const std::vector<LoadCost> &loadCosts, size_t load) {
    std::vector<Bound> bounds;
    for (size_t i = 0; i < loadCosts.size(); ++i) {
      chosen[load] = &loadCosts[i];
      bounds.push_back({i, options.exhaustive ? 0 : time.bound(chosen)});
    }
    chosen[load] = nullptr;
    std::ranges::sort(bounds, {}, [](const Bound &bound) { return std::tie(bound.cycles, bound.choice); });
    return bounds;
  }

  void descend(size_t load, int64_t bytes) {
    if (load == costs.size())
      return finish(bytes);
    for (size_t i = 0; i < orders[load].size(); ++i) {
      const Bound &bound = orders[load][i];
      if (!options.exhaustive && bound.cycles > kept.limit())
        return skip(PruneReason::BoundExceeded, load, orders[load].size() - i);
      int64_t sum = bytes + bytesOf(space.choices[load][bound.choice]);
      if (sum > capacity) {
        skip(PruneReason::PlanTooLarge, load, 1);
        continue;
      }
      chosen[load] = &costs[load][bound.choice];
      numbers[load] = bound.choice;
      bool isInner = load > 0 && load + 1 < costs.size();
      if (isInner && !options.exhaustive && time.bound(chosen) > kept.limit())
        skip(PruneReason::BoundExceeded, load, 1);
      else
        descend(load + 1, sum);
      chosen[load] = nullptr;
    }
  }

  void skip(PruneReason reason, size_t load, size_t choices) {
    ranking.pruned.add(reason, static_cast<int64_t>(choices) * combinations[load + 1]);
  }

  void finish(int64_t bytes) {
    ++ranking.estimated;
    kept.add({time.cycles(chosen), bytes, number, numbers});
  }

  size_t number;
  const RankOptions &options;
  Kept &kept;
  Ranking &ranking;
  int64_t capacity;
  GridShare share;
  LoopLengths lengths;
  MappingView view;
  TimeModel time;
  LoadSpace space;
  std::vector<std::vector<LoadCost>> costs;
  std::vector<std::vector<Bound>> orders;
  std::vector<int64_t> combinations; ///< Of the loads from each one on.
  std::vector<const LoadCost *> chosen;
  std::vector<size_t> numbers;
};

Estimate estimateWith(const Plan &plan, const TileProgram &program, const MachineModel &model, Formula formula) {
  Mapping mapping{plan.splits, plan.waves};
  GridShare share(mapping, program, model.machine, model.cores);
  LoopLengths lengths(mapping, program, share, model);
  Work work = measureWork(program.body, program, model.machine);
  MappingView view{mapping, program, share, model, lengths, lengths.busiest(work)};
  TimeModel time(mapping, view, work, formula);
  std::vector<LoadCost> costs;
  std::vector<const LoadCost *> chosen;
  auto places = program.loads();
  costs.reserve(places.size());
  chosen.reserve(places.size());
  for (size_t load = 0; load < places.size(); ++load)
    costs.push_back(
        costOf(plan.loads[load], places[load].step->access, nestOf(mapping, share, program, places[load]), view));
  for (const LoadCost &cost : costs)
    chosen.push_back(&cost);
  return time.estimate(chosen);
}

Plan planOf(const Context &context, const Scored &scored, const MachineModel &model, Formula formula) {
  Plan plan;
  plan.splits = context.mapping.splits;
  plan.waves = context.mapping.waves;
  GridShare share(context.mapping, *context.tiles, model.machine, model.cores);
  LoadSpace space = enumerateLoads(context.mapping, share, *context.tiles, model.machine, model.lines, *context.filter);
  for (size_t load = 0; load < space.choices.size(); ++load)
    plan.loads.push_back(space.choices[load][scored.choices[load]]);
  plan.stores = space.stores;
  plan.footprint = footprintOf(plan, *context.tiles);
  plan.estimate = estimateWith(plan, *context.tiles, model, formula);
  return plan;
}

/// Waves of all dimensions of the grid: the programs of the busiest core.
double rounds(const Context &context, const MachineModel &model) {
  GridShare share(context.mapping, *context.tiles, model.machine, model.cores);
  double count = 1;
  for (int grid = 0; grid < context.tiles->gridDims; ++grid)
    count *= static_cast<double>(share.waves(grid));
  return count;
}

MappingSpace mappingsOf(const TileProgram &program, const Machine &machine, const TemplateRules &rules) {
  MappingSpace space = enumerateMappings(program, machine);
  if (!rules.mapping)
    return space;
  space.pruned.add(PruneReason::NotOfTemplate, static_cast<int64_t>(space.mappings.size()) - 1);
  space.mappings = {*rules.mapping};
  return space;
}

} // namespace

int64_t footprintOf(const Plan &plan, const TileProgram &program) {
  int64_t bytes = program.carriedBytes;
  for (const LoadPlan &load : plan.loads)
    bytes += bytesOf(load);
  for (const StorePlan &store : plan.stores)
    bytes += store.bytes;
  return bytes;
}

Result<Estimate> estimatePlan(const Plan &plan, const TileProgram &program, const Machine &machine, Formula formula) {
  Result<MachineModel> model = MachineModel::of(machine);
  if (!model)
    return model.status();
  return estimateWith(plan, program, *model, formula);
}

Result<Ranking> rankPlans(std::span<const TileProgram> candidates, const Machine &machine, const RankOptions &options) {
  Result<MachineModel> model = MachineModel::of(machine);
  if (!model)
    return model.status();
  Ranking ranking;
  std::vector<Work> works;
  std::vector<TemplateRules> rules;
  for (const TileProgram &program : candidates) {
    works.push_back(measureWork(program.body, program, machine));
    Result<TemplateRules> own = rulesOf(options.only, program, machine);
    if (!own)
      return own.status();
    rules.push_back(*own);
  }
  std::vector<Context> contexts;
  for (size_t i = 0; i < candidates.size(); ++i) {
    MappingSpace space = mappingsOf(candidates[i], machine, rules[i]);
    ranking.pruned += space.pruned;
    ranking.mappings += static_cast<int64_t>(space.mappings.size());
    for (const Mapping &mapping : space.mappings)
      contexts.push_back({i, &candidates[i], &works[i], mapping, &rules[i].filter, 0});
  }
  for (Context &context : contexts)
    context.compute = rounds(context, *model) * totalCycles(*context.work);
  std::vector<size_t> order(contexts.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, {}, [&](size_t i) { return std::pair(contexts[i].compute, i); });
  Kept kept(options.keep, options.distinct);
  for (size_t i : order)
    ContextSearch(contexts[i], i, *model, options, kept, ranking).run();
  for (const Scored &scored : kept.sorted()) {
    const Context &context = contexts[scored.context];
    ranking.best.push_back(
        {context.program, planOf(context, scored, *model, options.formula), ranking.best.size() + 1});
  }
  if (ranking.best.empty())
    return Status(StatusCode::NoValidCandidate,
                  "no plan fits the local memory of machine " + machine.name + ": use smaller blocks");
  return ranking;
}

} // namespace tawa::mesh::planner
