#include "capi/PlanJson.h"

#include "capi/Json.h"
#include "runtime/mesh/PlanText.h"
#include "runtime/mesh/core/NetworkLine.h"

#include <charconv>
#include <cmath>

namespace tawa::capi {
namespace {

std::string number(double value) {
  if (!std::isfinite(value))
    return "null";
  char text[32];
  return {text, std::to_chars(text, text + sizeof(text), value).ptr};
}

std::string number(int64_t value) { return std::to_string(value); }

/// Members are values as JSON.
class Object {
public:
  Object &add(std::string_view key, const std::string &json) {
    text += (text.empty() ? "" : ",") + quoted(key) + ":" + json;
    return *this;
  }
  Object &add(std::string_view key, double value) { return add(key, number(value)); }
  Object &add(std::string_view key, int64_t value) { return add(key, number(value)); }
  std::string str() const { return "{" + text + "}"; }

private:
  std::string text;
};

template <typename Range, typename Element> std::string array(const Range &range, Element element) {
  std::string text;
  for (const auto &item : range)
    text += (text.empty() ? "" : ",") + element(item);
  return "[" + text + "]";
}

std::string numbers(const std::vector<int64_t> &values) {
  return array(values, [](int64_t value) { return number(value); });
}

std::string machineJson(const mesh::Machine &machine) {
  auto dimension = [&](int dim) {
    return Object().add("name", quoted(machine.dims[dim].name)).add("size", machine.dims[dim].size).str();
  };
  return Object()
      .add("name", quoted(machine.name))
      .add("text", quoted(machine.str()))
      .add("clock", machine.clock)
      .add("cores", array(machine.coreDims, dimension))
      .add("networks", array(machine.networks, [](const mesh::Network &network) { return quoted(network.name); }))
      .str();
}

std::string tileJson(const std::map<std::string, int64_t> &tile) {
  Object object;
  for (const auto &[name, value] : tile)
    object.add(name, value);
  return object.str();
}

/// How a load gets to the cores: which of them read it, and from which to which it is sent on.
class Travel {
public:
  Travel(const mesh::LoadPlan &load, const mesh::Machine &machine) : all(machine) {
    std::string why;
    for (size_t i = 0; i < load.along.size(); ++i)
      if (std::optional<mesh::NetworkLine> line =
              mesh::lineAlong(machine, load.networks[i], all.coordinateOf(load.along[i]), why))
        lines.push_back(std::move(*line));
  }

  std::vector<int64_t> readers() const {
    std::vector<int64_t> cores;
    for (int64_t core = 0; core < all.count(); ++core)
      if (isRoot(core, 0))
        cores.push_back(core);
    return cores;
  }

  /// Pairs of cores, one after the other. A stage starts at cores that are roots of all later ones.
  std::vector<std::pair<int64_t, int64_t>> sends() const {
    std::vector<std::pair<int64_t, int64_t>> pairs;
    for (size_t stage = 0; stage < lines.size(); ++stage)
      for (int64_t core = 0; core < all.count(); ++core)
        if (isRoot(core, stage + 1) && all.coordinatesOf(core)[lines[stage].along] != lines[stage].last())
          pairs.emplace_back(core, next(core, lines[stage]));
    return pairs;
  }

private:
  bool isRoot(int64_t core, size_t firstStage) const {
    std::vector<int64_t> place = all.coordinatesOf(core);
    return std::all_of(lines.begin() + static_cast<std::ptrdiff_t>(firstStage), lines.end(),
                       [&](const mesh::NetworkLine &line) { return place[line.along] == line.root(); });
  }

  int64_t next(int64_t core, const mesh::NetworkLine &line) const {
    std::vector<int64_t> place = all.coordinatesOf(core);
    place[line.along] = *std::next(std::ranges::find(line.order, place[line.along]));
    return all.numberOf(place);
  }

  mesh::CoreArray all;
  std::vector<mesh::NetworkLine> lines;
};

std::string loadJson(const mesh::LoadPlan &load, const std::string &tensor, const mesh::Machine &machine) {
  Travel travel(load, machine);
  auto pair = [](const std::pair<int64_t, int64_t> &send) {
    return "[" + number(send.first) + "," + number(send.second) + "]";
  };
  return Object()
      .add("tensor", quoted(tensor))
      .add("movement", quoted(str(load, machine)))
      .add("level", int64_t{load.level})
      .add("tiles", load.tiles)
      .add("slots", int64_t{load.slots})
      .add("bytes", load.bytes)
      .add("readers", numbers(travel.readers()))
      .add("sends", array(travel.sends(), pair))
      .str();
}

std::string estimateJson(const mesh::Estimate &estimate) {
  return Object()
      .add("cycles", estimate.cycles)
      .add("compute", estimate.compute)
      .add("load", estimate.load)
      .add("store", estimate.store)
      .add("bound", quoted(estimate.bound))
      .str();
}

std::string planJson(const Planned &planned, size_t index, const mesh::Machine &machine) {
  const mesh::planner::RankedPlan &ranked = planned.ranking.best[index];
  const mesh::TileProgram &program = planned.kernelOf(ranked).program;
  std::vector<mesh::TileProgram::Place> places = program.loads();
  std::string loads;
  for (size_t i = 0; i < places.size(); ++i)
    loads +=
        (i ? "," : "") + loadJson(ranked.plan.loads[i], program.tensors[places[i].step->access.tensor].name, machine);
  Object plan;
  plan.add("program", static_cast<int64_t>(ranked.program))
      .add("rank", static_cast<int64_t>(ranked.rank))
      .add("summary", quoted(summary(ranked.plan, program, machine)))
      .add("nest", quoted(str(ranked.plan, program, machine)))
      .add("footprint", ranked.plan.footprint)
      .add("estimate", estimateJson(ranked.plan.estimate))
      .add("loads", "[" + loads + "]");
  if (index < planned.simulated.size()) {
    const mesh::SimulationResult &result = planned.simulated[index].result;
    plan.add("simulated", Object()
                              .add("cycles", result.cycles)
                              .add("bytes_read", result.bytesRead)
                              .add("bytes_written", result.bytesWritten)
                              .str());
  }
  return plan.str();
}

std::string spaceJson(const mesh::planner::Ranking &ranking) {
  std::string pruned;
  for (size_t i = 0; i < mesh::planner::kPruneReasons; ++i) {
    auto reason = static_cast<mesh::planner::PruneReason>(i);
    if (int64_t count = ranking.pruned.of(reason))
      pruned += (pruned.empty() ? "" : ",") + Object().add("count", count).add("reason", quoted(textOf(reason))).str();
  }
  return Object()
      .add("mappings", ranking.mappings)
      .add("plans", ranking.plans)
      .add("estimated", ranking.estimated)
      .add("pruned", "[" + pruned + "]")
      .str();
}

std::string resourceJson(const mesh::ResourceUse &use) {
  return Object()
      .add("kind", quoted(name(use.kind)))
      .add("name", quoted(use.name))
      .add("from", numbers(use.from))
      .add("to", numbers(use.to))
      .add("busy", use.busy)
      .add("bytes", use.bytes)
      .str();
}

/// Waiting by thread and cause: the mean over all cores.
std::string stallsJson(const mesh::SimulationResult &result) {
  std::string text;
  for (int thread = 0; thread < mesh::kThreads; ++thread) {
    Object causes;
    for (int cause = 0; cause < mesh::kStallCauses; ++cause) {
      double sum = 0;
      for (const auto &core : result.cores)
        sum += core[thread].stalls[cause];
      causes.add(name(static_cast<mesh::StallCause>(cause)), sum / static_cast<double>(result.cores.size()));
    }
    text += (thread ? "," : "") + quoted(threadName(static_cast<mesh::Thread>(thread))) + ":" + causes.str();
  }
  return "{" + text + "}";
}

std::string simulationJson(const mesh::SimulationResult &result) {
  return Object()
      .add("cycles", result.cycles)
      .add("resources", array(result.resources, resourceJson))
      .add("stalls", stallsJson(result))
      .str();
}

} // namespace

std::string planJson(const Planned &planned, const PlanRequest &request) {
  auto program = [](const PlanCandidate &candidate) {
    return Object().add("tile", tileJson(candidate.tile)).add("text", quoted(candidate.kernel.program.str())).str();
  };
  auto refused = [&](const auto &shape) {
    std::string_view reason = shape.second.message(), file = request.kernel.name;
    if (reason.starts_with(file) && reason.substr(file.size()).starts_with(":"))
      reason.remove_prefix(file.size() + 1);
    return Object().add("tile", tileJson(shape.first)).add("reason", quoted(reason)).str();
  };
  std::string plans;
  for (size_t i = 0; i < planned.ranking.best.size(); ++i)
    plans += (i ? "," : "") + planJson(planned, i, request.machine);
  Object all;
  all.add("machine", machineJson(request.machine))
      .add("programs", array(planned.candidates, program))
      .add("refused", array(planned.refused, refused))
      .add("space", spaceJson(planned.ranking))
      .add("plans", "[" + plans + "]")
      .add("chosen", static_cast<int64_t>(planned.fastest));
  if (!planned.simulated.empty())
    all.add("simulation", simulationJson(planned.simulated[planned.fastest].result));
  all.add("seconds", Object().add("rank", planned.rankSeconds).add("simulate", planned.simulateSeconds).str());
  return all.str();
}

std::string withAnswer(std::string planJson, bool isFromCache, double seconds) {
  std::string answer = Object().add("from_cache", int64_t{isFromCache}).add("seconds", seconds).str();
  planJson.back() = ','; // of an object with members
  return planJson + quoted("answer") + ":" + answer + "}";
}

std::string planSummary(const Planned &planned, const PlanRequest &request) {
  const mesh::planner::RankedPlan &chosen = planned.ranking.best[planned.fastest];
  std::string nest = str(chosen.plan, planned.kernelOf(chosen).program, request.machine);
  return nest.substr(0, nest.find('\n')); // which is of the model; the simulator may have chosen
}

} // namespace tawa::capi
