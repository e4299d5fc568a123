#include "bindings/cli/PlanFacts.h"

#include "bindings/cli/JsonReader.h"

namespace tawa::cli {
namespace {

/// A value of the document; what is not there reads as nothing.
class View {
public:
  explicit View(const JsonValue *value) : value(value) {}

  View operator[](const char *member) const { return View(value ? value->member(member) : nullptr); }
  bool exists() const { return value != nullptr; }
  std::string text() const { return value && value->text() ? *value->text() : std::string(); }
  double number() const {
    const double *held = value ? std::get_if<double>(&value->value) : nullptr;
    return held ? *held : 0;
  }
  int64_t integer() const { return static_cast<int64_t>(number()); }

  template <typename Read> auto all(Read read) const {
    std::vector<decltype(read(View(nullptr)))> items;
    if (value && value->array())
      for (const JsonValue &item : *value->array())
        items.push_back(read(View(&item)));
    return items;
  }
  template <typename Visit> void members(Visit visit) const {
    if (value && value->object())
      for (const auto &[name, item] : *value->object())
        visit(name, View(&item));
  }

private:
  const JsonValue *value;
};

int64_t integerOf(View view) { return view.integer(); }

std::string tileOf(View tile) {
  std::string text;
  tile.members([&](const std::string &name, View value) {
    text += (text.empty() ? "" : " ") + name + "=" + std::to_string(value.integer());
  });
  return text;
}

LoadFacts loadOf(View view) {
  LoadFacts load;
  load.tensor = view["tensor"].text();
  load.movement = view["movement"].text();
  load.level = view["level"].integer();
  load.tiles = view["tiles"].integer();
  load.slots = view["slots"].integer();
  load.bytes = view["bytes"].integer();
  load.readers = view["readers"].all(integerOf);
  load.sends = view["sends"].all([](View pair) {
    std::vector<int64_t> ends = pair.all(integerOf);
    return std::pair(ends.at(0), ends.at(1));
  });
  return load;
}

PlannedFacts plannedOf(View view) {
  PlannedFacts plan;
  plan.program = static_cast<size_t>(view["program"].integer());
  plan.rank = static_cast<size_t>(view["rank"].integer());
  plan.summary = view["summary"].text();
  plan.nest = view["nest"].text();
  plan.footprint = view["footprint"].integer();
  View estimate = view["estimate"];
  plan.bound = estimate["bound"].text();
  plan.cycles = estimate["cycles"].number();
  plan.compute = estimate["compute"].number();
  plan.load = estimate["load"].number();
  plan.store = estimate["store"].number();
  if (view["simulated"].exists())
    plan.simulated = view["simulated"]["cycles"].number();
  plan.loads = view["loads"].all(loadOf);
  return plan;
}

ResourceFacts resourceOf(View view) {
  ResourceFacts resource;
  resource.kind = view["kind"].text();
  resource.name = view["name"].text();
  resource.from = view["from"].all(integerOf);
  resource.to = view["to"].all(integerOf);
  resource.busy = view["busy"].number();
  resource.bytes = view["bytes"].integer();
  return resource;
}

void readSimulation(View view, PlanFacts &facts) {
  facts.isSimulated = view.exists();
  facts.cycles = view["cycles"].number();
  facts.resources = view["resources"].all(resourceOf);
  view["stalls"].members([&](const std::string &thread, View causes) {
    causes.members([&](const std::string &cause, View cycles) { facts.stalls[thread][cause] = cycles.number(); });
  });
}

} // namespace

PlanFacts readPlan(const std::string &json) {
  JsonValue document;
  std::string problem;
  readJson(json, document, problem); // the library's own text
  View view(&document), machine = view["machine"], space = view["space"];
  PlanFacts facts;
  facts.machine = machine["name"].text();
  facts.machineText = machine["text"].text();
  facts.clock = machine["clock"].number();
  facts.cores = machine["cores"].all([](View dim) { return std::pair(dim["name"].text(), dim["size"].integer()); });
  facts.programs = view["programs"].all([](View item) { return std::pair(tileOf(item["tile"]), item["text"].text()); });
  facts.refused = view["refused"].all([](View item) { return std::pair(tileOf(item["tile"]), item["reason"].text()); });
  facts.mappings = space["mappings"].integer();
  facts.combinations = space["plans"].integer();
  facts.estimated = space["estimated"].integer();
  facts.pruned =
      space["pruned"].all([](View item) { return std::pair(item["count"].integer(), item["reason"].text()); });
  facts.plans = view["plans"].all(plannedOf);
  facts.chosen = static_cast<size_t>(view["chosen"].integer());
  readSimulation(view["simulation"], facts);
  facts.rankSeconds = view["seconds"]["rank"].number();
  facts.simulateSeconds = view["seconds"]["simulate"].number();
  facts.isFromCache = view["answer"]["from_cache"].integer() != 0;
  facts.answerSeconds = view["answer"]["seconds"].number();
  return facts;
}

} // namespace tawa::cli
