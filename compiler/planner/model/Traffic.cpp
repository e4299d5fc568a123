#include "compiler/planner/model/Traffic.h"

#include <algorithm>

namespace tawa::mesh::planner {
namespace {

bool isGrid(int index, const TileProgram &program) { return index < program.gridDims; }

/// Of the blocks of all tiles, the part that lies inside of the tensor: what is outside is not transferred.
double insideOf(const TileAccess &access, const TileProgram &program) {
  double part = 1;
  for (size_t dim = 0; dim < access.block.size(); ++dim) {
    int64_t end = access.start[dim].constant + access.block[dim];
    for (size_t index = 0; index < program.indices.size(); ++index)
      if (access.start[dim].dependsOn(index))
        end += std::max<int64_t>(0, access.start[dim].coefficients[index] * (program.indices[index].extent - 1));
    part *= std::min(1.0, static_cast<double>(program.tensors[access.tensor].shape[dim]) / static_cast<double>(end));
  }
  return part;
}

/// The mean over the core's programs.
double iterationsOf(const NestLoop &loop, int64_t core, std::span<const int> along, const MappingView &view) {
  return view.lengths.isEqual(loop.index) ? static_cast<double>(loop.extent)
                                          : view.lengths.mean(loop.index, core, along);
}

/// Adds up the traffic of one load.
class LoadTraffic {
public:
  LoadTraffic(const LoadPlan &load, const TileAccess &access, const std::vector<NestLoop> &nest,
              const MappingView &view)
      : load(load), access(access), nest(nest), view(view), model(view.model), machine(view.model.machine) {
    bytes = static_cast<double>(tileBytesOf(access, view.program));
    inside = bytes * insideOf(access, view.program);
    for (size_t i = 0; i < load.along.size(); ++i)
      stages.push_back({&lineOf(load.along[i], load.networks[i]), &machine.networks[load.networks[i]]});
  }

  LoadCost measure() {
    cost.level = load.level;
    cost.tiles = static_cast<double>(load.tiles);
    cost.bytes = bytes * cost.tiles;
    for (int i = 0; i < load.level; ++i)
      cost.issues *= iterationsOf(nest[i], view.busiest, load.along, view);
    cost.issues = std::max(cost.issues, 1.0); // also of what only other cores need
    cost.busy.resize(model.resources.size());
    cost.sent.resize(model.resources.size());
    cost.readers.resize(model.resources.size());
    cost.variance.resize(model.resources.size());
    repeats = readersOfATile();
    for (int64_t core = 0; core < model.cores.count(); ++core)
      add(core);
    cost.issue = cost.tiles * machine.messageCycles;
    cost.strides = strides();
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
      double extent = isWave ? static_cast<double>(view.share.waves(core, nest[i].index))
                             : (isKeptForLongest(i) ? view.lengths.most(nest[i].index, core, load.along)
                                                    : iterationsOf(nest[i], core, load.along, view));
      tiles *= counts(i) ? extent : std::min(extent, 1.0);
    }
    return view.share.isIdle(core) ? 0 : tiles;
  }

  /// Whether the tiles of the loop's iterations, by its number in the nest, are fetched one after the other.
  bool counts(size_t loop) const { return static_cast<int>(loop) < load.level || dependsOn(access, nest[loop].index); }

  /// Whether waves in which the loop is not equally long use what was fetched once.
  bool isKeptForLongest(size_t loop) const {
    const auto &trips = view.program.indices[nest[loop].index].trips;
    for (size_t wave = 0; trips && wave < nest.size(); ++wave)
      if (isGrid(nest[wave].index, view.program) && trips->dependsOn(nest[wave].index) && !counts(wave))
        return true;
    return false;
  }

  std::vector<int64_t> strides() const {
    std::vector<int64_t> strides(nest.size());
    int64_t tiles = 1;
    for (size_t i = nest.size(); i-- > static_cast<size_t>(load.level);)
      if (dependsOn(access, nest[i].index)) {
        strides[i] = tiles;
        tiles *= nest[i].extent;
      }
    return strides;
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
      addRead(core, sum / bytes * inside);
  }

  void addRead(int64_t core, double sum) {
    const Way &way = model.reads[core];
    for (const Way::Share &share : way.shares) {
      double cycles = share.cyclesPerByte * sum, whole = model.resources.cyclesPerByte(share.resource);
      cost.busy[share.resource] += static_cast<float>(cycles);
      ++cost.readers[share.resource];
      // Binomial: each block passes the resource with this probability.
      double others = std::max(0.0, 1 - share.cyclesPerByte / whole);
      cost.variance[share.resource] +=
          static_cast<float>(cycles / cost.issues * kSpreadBytes * whole * others * repeats);
    }
    cost.latency = std::max(cost.latency, way.latency);
    cost.alone = std::max(cost.alone, way.slowest * inside * cost.tiles);
  }

  /// What a core of a line sends on and receives.
  void addStage(int64_t core, const Stage &stage, double sum) {
    int64_t at = position(core, stage);
    bool isLast = at + 1 == static_cast<int64_t>(stage.line->order.size());
    if (!isLast)
      send(model.resources.link(stage.line->network, core), sum / stage.network->bandwidth);
    double copies = (at > 0 ? 1 : 0) + (!isLast && (isChain() || at == 0) ? 1 : 0);
    send(model.resources.local(core), copies * sum / model.localBandwidth);
  }

  void send(size_t resource, double cycles) {
    cost.busy[resource] += static_cast<float>(cycles);
    cost.sent[resource] += static_cast<float>(cycles);
  }

  /// Hops to the last core of the line that has work.
  double lastActive(const Stage &stage) const {
    int64_t last = 0;
    for (int64_t i = 0; i < static_cast<int64_t>(stage.line->order.size()); ++i)
      if (stage.line->order[i] < view.share.activeAlong(stage.line->dim))
        last = i;
    return static_cast<double>(last);
  }

  /// A multicast passes the line at once; a chain stores each tile and sends it on. Receivers first tell that there is
  /// room, the sender then that the tile is there.
  void addWay(size_t number) {
    const Stage &stage = stages[number];
    auto hops = static_cast<double>(stage.line->order.size() - 1);
    double transfer = bytes / stage.network->bandwidth;
    double notices = machine.messageCycles + machine.semaphoreCycles, hop = stage.network->hopLatency;
    double once = notices + transfer + (isChain() ? hop : hops * hop);
    cost.stages.push_back({stage.line->dim, lastActive(stage), hop, transfer, isChain()});
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
  double bytes = 0, inside = 0, repeats = 1; ///< Bytes of a tile; of what lies inside of the tensor, the mean.
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
  bytes *= insideOf(access, view.program);
  for (const NestLoop &loop : nest)
    cost.issues *= iterationsOf(loop, view.busiest, {}, view);
  cost.issues = std::max(cost.issues, 1.0);
  for (int64_t core = 0; core < model.cores.count(); ++core) {
    if (view.share.isIdle(core))
      continue;
    double tiles = 1;
    for (const NestLoop &loop : nest)
      tiles *= isGrid(loop.index, view.program) ? static_cast<double>(view.share.waves(core, loop.index))
                                                : iterationsOf(loop, core, {}, view);
    for (const Way::Share &share : model.writes[core].shares)
      cost.busy[share.resource] += share.cyclesPerByte * static_cast<float>(tiles * bytes);
    cost.alone = std::max(cost.alone, model.writes[core].slowest * bytes);
    cost.latency = std::max(cost.latency, model.writes[core].latency);
  }
  return cost;
}

} // namespace tawa::mesh::planner
