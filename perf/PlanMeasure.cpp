#include "perf/PlanMeasure.h"

#include "compiler/planner/machines/Catalogue.h"
#include "compiler/planner/model/Choice.h"
#include "runtime/mesh/PlanText.h"
#include "runtime/mesh/simulator/Simulator.h"

#include <algorithm>
#include <fstream>

namespace tawa::perf {

using namespace mesh;
using namespace mesh::planner;

namespace {

std::string textOf(const Tile &tile) {
  std::string text;
  for (const auto &[name, value] : tile)
    text += (text.empty() ? "\"" : ", \"") + name + "\": " + std::to_string(value);
  return text;
}

} // namespace

Study::Study(const StudyOptions &options, const std::vector<std::string> &machines) : options(options) {
  for (const std::string &name : options.machines.empty() ? machines : options.machines)
    this->machines.push_back({name, need(lookUpMachine(name))});
  readEarlier();
}

/// Whole lines; the last one may have been cut.
void Study::readEarlier() {
  std::ifstream stream(options.skip);
  if (!options.skip.empty() && !stream)
    fail("cannot read " + options.skip);
  for (std::string line; std::getline(stream, line);) {
    size_t at = line.find("\"template\": \"");
    if (line.ends_with("}") && at != std::string::npos)
      ++earlier[line.substr(0, line.find('"', line.find("\": \"", at) + 4) + 1)];
  }
}

bool Study::isAccepted(const std::string &name, double operations) const {
  if (operations <= options.limit && clock.seconds() < options.seconds)
    return true;
  std::printf("{\"study\": \"%s\", %s, \"skipped\": true}\n", options.study.c_str(), name.c_str());
  return false;
}

void Study::measure(const Problem &all, const Named &on, Template only, RankOptions ranking, size_t simulated) {
  Problem problem = all.with(only, on.machine);
  if (problem.programs.empty())
    fail(std::string("template ") + nameOf(only) + " fits no block shape of " + all.name);
  std::string beginning = "{\"study\": \"" + options.study + "\", " + problem.name + ", \"machine\": \"" + on.name +
                          "\", \"template\": \"" + nameOf(only) + "\"";
  if (auto found = earlier.find(beginning); found != earlier.end() && found->second-- > 0)
    return;
  ranking.only = only;
  ranking.keep = std::max(simulated, kConsidered);
  Clock rankClock;
  Result<Ranking> ranked = rankPlans(problem.programs, on.machine, ranking);
  double rankSeconds = rankClock.seconds();
  std::printf("%s", beginning.c_str());
  if (!ranked) {
    std::printf(", \"refused\": \"%s\"}\n", ranked.status().message().c_str());
    return;
  }
  std::printf(", \"by_shape\": \"%s\", \"mappings\": %ld, \"space\": %ld, \"estimated\": %ld, \"rank_seconds\": %.3f",
              nameOf(chooseByShape(problem.programs[0], on.machine)), long(ranked->mappings), long(ranked->plans),
              long(ranked->estimated), rankSeconds);
  Clock simulateClock;
  std::printf(", \"plans\": [");
  printPlans(problem, on, ranked->best, simulated);
  std::printf("], \"simulate_seconds\": %.3f}\n", simulateClock.seconds());
  std::fflush(stdout);
}

/// Simulates as the planner does: some of the best, or all in their order. Returns the cycles.
double Study::printPlan(const Problem &problem, const Named &on, const RankedPlan &ranked, bool isLater) const {
  const TileProgram &program = problem.programs[ranked.program];
  SimulationResult result = simulatePlan(ranked.plan, program, on.machine);
  std::printf("%s{\"estimate\": %.0f, ", isLater ? ", " : "", ranked.plan.estimate.cycles);
  if (result.isFinished())
    std::printf("\"cycles\": %.0f, \"read\": %ld, \"events\": %ld, ", result.cycles, long(result.bytesRead),
                long(result.events));
  else
    std::printf("\"failed\": \"%s\", ", result.detail.c_str());
  std::printf("\"bound\": \"%s\", \"tile\": {%s}, \"plan\": \"%s\"}", ranked.plan.estimate.bound.c_str(),
              textOf(problem.tiles[ranked.program]).c_str(), summary(ranked.plan, program, on.machine).c_str());
  return result.cycles;
}

void Study::printPlans(const Problem &problem, const Named &on, const std::vector<RankedPlan> &best,
                       size_t simulated) const {
  PlanChoice choice(best);
  for (size_t i = 0; i < std::min(simulated, best.size()); ++i) {
    size_t next = simulated < kConsidered ? *choice.next() : i;
    double cycles = printPlan(problem, on, best[next], i > 0);
    if (simulated < kConsidered)
      choice.learn(next, cycles);
  }
}

} // namespace tawa::perf
