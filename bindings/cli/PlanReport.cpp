#include "bindings/cli/PlanReport.h"

#include "bindings/cli/Console.h"

#include <algorithm>

namespace tawa::cli {
namespace {

constexpr size_t kBusiestShown = 8;

std::string microseconds(double cycles, const PlanFacts &facts) {
  constexpr double kMicroseconds = 1e6;
  return facts.clock > 0 ? format("%.1f us", cycles / facts.clock * kMicroseconds) : "";
}

std::string ownBlock(const PlanFacts &facts, const PlannedFacts &plan) {
  const std::string &tile = facts.programs.at(plan.program).first;
  return tile.empty() ? "-" : tile;
}

std::string estimateText(const PlanFacts &facts) {
  const PlannedFacts &plan = facts.best();
  std::string text = format("estimate: %.0f cycles (%s), %s bounds\n", plan.cycles,
                            microseconds(plan.cycles, facts).c_str(), plan.bound.c_str());
  for (const auto &[name, cycles] :
       {std::pair("compute", plan.compute), std::pair("load", plan.load), std::pair("store", plan.store)})
    text += format("  %-8s %12.0f cycles alone, %3.0f %%\n", name, cycles,
                   plan.cycles > 0 ? 100 * cycles / plan.cycles : 0);
  return text;
}

std::string spaceText(const PlanFacts &facts) {
  std::string text = format("space: %lld mappings, %lld plans, %lld of them estimated, in %.2f s\n",
                            static_cast<long long>(facts.mappings), static_cast<long long>(facts.combinations),
                            static_cast<long long>(facts.estimated), facts.rankSeconds);
  for (const auto &[count, reason] : facts.pruned)
    text += format("  %12lld left out: ", static_cast<long long>(count)) + reason + "\n";
  for (const auto &[tile, reason] : facts.refused)
    text += "  no tile program of " + tile + ": " + reason + "\n";
  return text;
}

std::string indices(const std::vector<int64_t> &values) {
  std::string text;
  for (int64_t value : values)
    text += (text.empty() ? "" : ", ") + std::to_string(value);
  return "(" + text + ")";
}

std::string placeOf(const ResourceFacts &resource) {
  std::string text = resource.kind == resource.name ? resource.name : resource.kind + " " + resource.name;
  text += " " + indices(resource.from);
  return resource.to.empty() ? text : text + " to " + indices(resource.to);
}

/// Of each name the busiest instance, and the mean over all.
std::string resourcesText(const PlanFacts &facts) {
  struct Group {
    const ResourceFacts *busiest;
    double sum = 0;
    int count = 0;
  };
  std::map<std::pair<std::string, std::string>, Group> groups;
  for (const ResourceFacts &resource : facts.resources) {
    Group &group = groups.try_emplace({resource.kind, resource.name}, Group{&resource}).first->second;
    group.sum += facts.share(resource);
    ++group.count;
    if (resource.busy > group.busiest->busy)
      group.busiest = &resource;
  }
  std::vector<Group> sorted;
  for (const auto &[name, group] : groups)
    if (group.busiest->busy > 0)
      sorted.push_back(group);
  std::ranges::sort(sorted, std::ranges::greater(), [](const Group &group) { return group.busiest->busy; });
  sorted.resize(std::min(sorted.size(), kBusiestShown));
  std::string text = "busiest resources, with the mean of their kind:\n";
  for (const Group &group : sorted)
    text += format("  %5.1f %%  %5.1f %%  ", 100 * facts.share(*group.busiest), 100 * group.sum / group.count) +
            placeOf(*group.busiest) + "\n";
  return text;
}

std::string stallsText(const PlanFacts &facts) {
  std::string text = "waiting of a core's threads, by what for, mean of all cores:\n";
  for (const auto &[thread, causes] : facts.stalls) {
    std::string line;
    for (const auto &[cause, cycles] : causes)
      if (cycles > 0)
        line += format("%s%s %.1f %%", line.empty() ? "" : ", ", cause.c_str(), 100 * cycles / facts.cycles);
    text += format("  %-8s ", thread.c_str()) + (line.empty() ? "never" : line) + "\n";
  }
  return text;
}

std::string simulationText(const PlanFacts &facts) {
  double error = facts.cycles > 0 ? 100 * (facts.best().cycles - facts.cycles) / facts.cycles : 0;
  return format("simulation: %.0f cycles (%s), the estimate is %+.1f %% off; %zu plans in %.1f s\n", facts.cycles,
                microseconds(facts.cycles, facts).c_str(), error,
                static_cast<size_t>(std::ranges::count_if(
                    facts.plans, [](const PlannedFacts &plan) { return plan.simulated.has_value(); })),
                facts.simulateSeconds) +
         resourcesText(facts) + stallsText(facts);
}

} // namespace

std::string planTable(const PlanFacts &facts) {
  size_t width = 5;
  for (const PlannedFacts &plan : facts.plans)
    width = std::max(width, ownBlock(facts, plan).size());
  int columns = static_cast<int>(width);
  std::string text = format("rank  %12s  %12s  %-8s  %-*s  mapping\n", "model", "simulated", "bound", columns, "block");
  for (size_t i = 0; i < facts.plans.size(); ++i) {
    const PlannedFacts &plan = facts.plans[i];
    std::string simulated = plan.simulated ? format("%.0f", *plan.simulated) : "-";
    text += format("%3zu%c  %12.0f  %12s  %-8s  %-*s  ", plan.rank, i == facts.chosen ? '*' : ' ', plan.cycles,
                   simulated.c_str(), plan.bound.c_str(), columns, ownBlock(facts, plan).c_str()) +
            plan.summary + "\n";
  }
  return text;
}

std::string explainPlan(const PlanFacts &facts) {
  std::string text = facts.machineText + "\n" + facts.programs.at(facts.best().program).second + "\n" +
                     facts.best().nest + "\n" + estimateText(facts) + "\n" + spaceText(facts);
  if (facts.isSimulated)
    text += "\n" + simulationText(facts);
  return text +
         format("\nanswer: %s in %.3f s\n", facts.isFromCache ? "from the cache" : "planned", facts.answerSeconds);
}

} // namespace tawa::cli
