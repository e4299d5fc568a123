#include "compiler/planner/model/Traffic.h"

#include <algorithm>

namespace tawa::mesh::planner {
namespace {

bool isGrid(int index, const TileProgram &program) { return index < program.gridDims; }

/// Adds up the traffic of one load.
class LoadTraffic {
public:
  LoadTraffic(const LoadPlan &load, const TileAccess &access, const std::vector<NestLoop> &nest,
              const MappingView &view)
      : load(load), access(access), nest(nest), view(view), model(view.model), machine(view.model.machine) {
    bytes = static_cast<double>(tileBytesOf(access, view.program));
    for (size_t i = 0; i < load.along.size(); ++i)
      stages.push_back({&lineOf(load.along[i], load.networks[i]), &machine.networks[load.networks[i]]});
  }

  LoadCost measure() {
    cost.level = load.level;
    cost.tiles = static_cast<double>(load.tiles);
    cost.bytes = bytes * cost.tiles;
    for (int i = 0; i < load.level; ++i)
      cost.issues *= static_cast<double>(nest[i].extent);
    cost.busy.resize(model.resources.size());
    cost.variance.resize(model.resources.size());
    repeats = readersOfATile();
    cost.isRepeated = repeats > 1;
    for (int64_t core = 0; core < model.cores.count(); ++core)
      add(core);
    cost.issue = cost.tiles * machine.messageCycles;
    cost.untilLast = untilLast();
    for (size_t stage = 0; stage < stages.size(); ++stage)
      addWay(stage);
    return std::move(cost);
  }

private:
  struct Stage {
    const Line *line;
    const Network *network;
  };

  const Line &lineOf(int dim, int network) const {
    return *std::ranges::find_if(model.lines,
                                 [&](const Line &line) { return line.dim == dim && line.network == network; });
  }
  bool isChain() const { return load.movement == Movement::Wavefront; }
  int64_t position(int64_t core, const Stage &stage) const {
    const std::vector<int64_t> &order = stage.line->order;
    return std::ranges::find(order, model.cores.along(core, stage.line->dim)) - order.begin();
  }

  /// Tiles that the core needs over the run. Loops that are repeated further in than the load is issued count once.
  double tilesOf(int64_t core) const {
    double tiles = 1;
    for (size_t i = 0; i < nest.size(); ++i) {
      bool isWave = isGrid(nest[i].index, view.program);
      int64_t extent = isWave ? view.share.waves(core, nest[i].index) : nest[i].extent;
      bool counts = static_cast<int>(i) < load.level || dependsOn(access, nest[i].index);
      tiles *= static_cast<double>(counts ? extent : std::min<int64_t>(extent, 1));
    }
    return view.share.isIdle(core) ? 0 : tiles;
  }

  double untilLast() const {
    double position = 0, iterations = 1;
    for (size_t i = nest.size(); i-- > static_cast<size_t>(load.level);) {
      auto extent = static_cast<double>(nest[i].extent);
      if (dependsOn(access, nest[i].index))
        position += (extent - 1) * iterations;
      iterations *= extent;
    }
    return position / iterations;
  }

  /// Cores that read the same tile each for itself.
  double readersOfATile() const {
    double readers = 1;
    for (int grid = 0; grid < view.program.gridDims; ++grid)
      for (int dim : view.mapping.splits[grid].spatial)
        if (!dependsOn(access, grid) && std::ranges::find(load.along, dim) == load.along.end())
          readers *= static_cast<double>(view.share.activeAlong(dim));
    return readers;
  }

  void add(int64_t core) {
    int64_t first = core;
    for (const Stage &stage : stages)
      first = model.cores.moved(first, stage.line->dim, 0);
    double sum = bytes * tilesOf(first);
    if (sum == 0)
      return;
    bool takesPart = true;
    for (size_t i = stages.size(); i-- > 0;) {
      if (takesPart)
        addStage(core, stages[i], sum);
      takesPart &= position(core, stages[i]) == 0;
    }
    if (takesPart)
      addRead(core, sum);
  }

  void addRead(int64_t core, double sum) {
    const Way &way = model.reads[core];
    for (const Way::Share &share : way.shares) {
      double cycles = share.cyclesPerByte * sum, whole = model.resources.cyclesPerByte(share.resource);
      cost.busy[share.resource] += static_cast<float>(cycles);
      // Binomial: each block passes the resource with this probability.
      double others = 1 - share.cyclesPerByte / whole;
      cost.variance[share.resource] +=
          static_cast<float>(cycles / cost.issues * kSpreadBytes * whole * others * repeats);
    }
    cost.latency = std::max(cost.latency, way.latency);
    cost.alone = std::max(cost.alone, way.slowest * bytes * cost.tiles);
  }

  /// What a core of a line sends on and receives.
  void addStage(int64_t core, const Stage &stage, double sum) {
    int64_t at = position(core, stage);
    bool isLast = at + 1 == static_cast<int64_t>(stage.line->order.size());
    if (!isLast)
      cost.busy[model.resources.link(stage.line->network, core)] += static_cast<float>(sum / stage.network->bandwidth);
    double copies = (at > 0 ? 1 : 0) + (!isLast && (isChain() || at == 0) ? 1 : 0);
    cost.busy[model.resources.local(core)] += static_cast<float>(copies * sum / model.localBandwidth);
  }

  /// A multicast passes the line at once; a chain stores each tile and sends it on. Receivers first tell that there is
  /// room, the sender then that the tile is there.
  void addWay(size_t number) {
    const Stage &stage = stages[number];
    auto hops = static_cast<double>(stage.line->order.size() - 1);
    double transfer = bytes / stage.network->bandwidth;
    double notices = machine.messageCycles + machine.semaphoreCycles, hop = stage.network->hopLatency;
    double once = notices + transfer + (isChain() ? hop : hops * hop);
    cost.way += isChain() ? hops * once : once;
    double back = notices + (isChain() ? hop : hops * hop);
    cost.handshake = std::max(cost.handshake, once + back + (cost.tiles - 1) * transfer);
    cost.isShared = true;
    cost.issue = std::max(cost.issue, 3 * cost.tiles * machine.messageCycles);
  }

  const LoadPlan &load;
  const TileAccess &access;
  const std::vector<NestLoop> &nest;
  const MappingView &view;
  const MachineModel &model;
  const Machine &machine;
  std::vector<Stage> stages;
  double bytes = 0, repeats = 1;
  LoadCost cost;
};

} // namespace

LoadCost costOf(const LoadPlan &load, const TileAccess &access, const std::vector<NestLoop> &nest,
                const MappingView &view) {
  return LoadTraffic(load, access, nest, view).measure();
}

StoreCost costOf(const TileAccess &access, const std::vector<NestLoop> &nest, const MappingView &view) {
  StoreCost cost;
  const MachineModel &model = view.model;
  auto bytes = static_cast<double>(tileBytesOf(access, view.program));
  cost.busy.resize(model.resources.size());
  cost.copy = bytes / model.localBandwidth;
  for (const NestLoop &loop : nest)
    cost.issues *= static_cast<double>(loop.extent);
  for (int64_t core = 0; core < model.cores.count(); ++core) {
    if (view.share.isIdle(core))
      continue;
    double tiles = 1;
    for (const NestLoop &loop : nest)
      tiles *= static_cast<double>(isGrid(loop.index, view.program) ? view.share.waves(core, loop.index) : loop.extent);
    for (const Way::Share &share : model.writes[core].shares)
      cost.busy[share.resource] += share.cyclesPerByte * static_cast<float>(tiles * bytes);
    cost.alone = std::max(cost.alone, model.writes[core].slowest * bytes);
    cost.latency = std::max(cost.latency, model.writes[core].latency);
  }
  return cost;
}

} // namespace tawa::mesh::planner
