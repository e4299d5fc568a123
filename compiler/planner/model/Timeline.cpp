#include "compiler/planner/model/TimelineCosts.h"

#include <algorithm>
#include <limits>

namespace tawa::mesh::planner {
namespace {

constexpr size_t kPeriods = 3; ///< The longest period of a loop, in iterations, that is looked for.
/// That one core can have requested and not got.
constexpr double kBytesUnderWay = 64 * kSpreadBytes;
/// Cores that wait for each other ask for their tiles at different times, some as early as the first of all: between
/// that time (0) and the time at which a class asks (1), when a resource begins to serve it.
constexpr double kInStep = 0.5;

/// A tile of one load that one class reads, at one resource: served for `cycles`, until `end`.
struct Passage {
  size_t load, of, tile;
  Ticks cycles, end;
};

/// One load while walking.
struct Fetches {
  size_t count = 0;
  std::vector<Ticks> pops;              ///< By slot and class: when the slot was freed.
  std::vector<Ticks> arrivals;          ///< By tile and class, of the last fetch.
  std::vector<Ticks> requests;          ///< By class: when the thread had asked.
  std::vector<std::vector<Ticks>> left; ///< By stage and class: when the last tile had left.
};

class Walk {
public:
  explicit Walk(const WalkInput &input)
      : input(input), costs(input), classes(costs.classes.count()), reader(classes), compute(classes), writer(classes),
        served(costs.resources), sentUntil(costs.resources), ownServed(classes * costs.resources),
        storePops(input.stores.size()), stored(input.stores.size()), passages(costs.resources) {
    for (std::vector<Ticks> &pops : storePops)
      pops.resize(2 * classes);
    for (const FetchCosts &load : costs.loads)
      fetches.push_back({0, std::vector<Ticks>(load.slots * classes), std::vector<Ticks>(load.tiles * classes),
                         std::vector<Ticks>(classes),
                         std::vector<std::vector<Ticks>>(load.stages.size(), std::vector<Ticks>(classes))});
  }

  double run() {
    walkBody(0, 0);
    Ticks end = 0;
    for (const std::vector<Ticks> *threads : {&reader, &compute, &writer})
      end = std::max(end, *std::ranges::max_element(*threads));
    return static_cast<double>(end) / kTicksPerCycle;
  }

private:
  void walkBody(int number, size_t depth) {
    const Body &at = input.bodies[number];
    for (size_t i = 0; i <= at.loops.size(); ++i) {
      const std::vector<size_t> &group = input.groups[at.firstGroup + i];
      if (!group.empty())
        issue(group);
      walkSegment(at.segments[i]);
      if (i < at.loops.size())
        walkLoop(at.loops[i], depth);
      release(group);
    }
  }

  void walkLoop(const Body::Inner &loop, size_t depth) {
    std::vector<std::vector<Ticks>> before;
    const int64_t extent = extentOf(loop);
    indices.resize(depth + 1);
    for (int64_t i = 0; i < extent; ++i) {
      indices[depth] = i;
      walkBody(loop.body, depth + 1);
      indices.resize(depth + 1);
      if (!loop.repeats || extent <= static_cast<int64_t>(kPeriods) + 1)
        continue;
      before.push_back(state());
      i += skip(before, extent - 1 - i);
      if (before.size() > kPeriods)
        before.erase(before.begin());
    }
    indices.resize(depth);
  }

  int64_t extentOf(const Body::Inner &loop) const {
    auto unequal = input.together.find(loop.index);
    if (unequal == input.together.end())
      return loop.extent;
    return input.view.lengths.at(loop.index, input.view.busiest, unequal->second, indices);
  }

  /// Iterations of those left that repeat the last ones. `states` are those after the last iterations.
  int64_t skip(std::vector<std::vector<Ticks>> &states, int64_t left) {
    for (size_t period = 1; period < states.size(); ++period) {
      Ticks shift = differenceOf(states[states.size() - 1 - period], states.back());
      if (shift <= 0)
        continue;
      int64_t times = left / static_cast<int64_t>(period);
      advance(shift * times);
      states.clear();
      return times * static_cast<int64_t>(period);
    }
    return 0;
  }

  /// By how much all entries differ, if by the same.
  static Ticks differenceOf(const std::vector<Ticks> &before, const std::vector<Ticks> &now) {
    Ticks shift = now.front() - before.front();
    for (size_t i = 1; i < now.size(); ++i)
      if (now[i] - before[i] != shift)
        return 0;
    return shift;
  }

  /// All that later times depend on. What is past counts as just past.
  std::vector<Ticks> state() const {
    std::vector<Ticks> all = reader;
    all.insert(all.end(), compute.begin(), compute.end());
    all.push_back(asking);
    for (size_t of = 0; of < classes; ++of)
      all.push_back(std::max(writer[of], compute[of]));
    for (const std::vector<Ticks> *queue : {&served, &sentUntil})
      for (Ticks until : *queue)
        all.push_back(std::max(until, earliest));
    for (size_t i = 0; i < ownServed.size(); ++i)
      all.push_back(std::max(ownServed[i], reader[i / costs.resources]));
    for (const Fetches &load : fetches)
      addState(load, all);
    for (size_t store = 0; store < storePops.size(); ++store)
      addRing(storePops[store], stored[store], compute, all);
    return all;
  }

  void addState(const Fetches &load, std::vector<Ticks> &all) const {
    addRing(load.pops, load.count, reader, all);
    for (const std::vector<Ticks> &left : load.left)
      for (size_t of = 0; of < classes; ++of)
        all.push_back(std::max(left[of], reader[of]));
    for (size_t of = 0; of < classes; ++of) {
      Ticks last = compute[of];
      for (size_t i = of; i < load.arrivals.size(); i += classes)
        last = std::max(last, load.arrivals[i]);
      all.push_back(last);
    }
  }

  /// The oldest slot first.
  void addRing(const std::vector<Ticks> &pops, size_t count, const std::vector<Ticks> &now,
               std::vector<Ticks> &all) const {
    for (size_t i = 0; i < pops.size(); ++i)
      all.push_back(std::max(pops[(i + count * classes) % pops.size()], now[i % classes]));
  }

  void advance(Ticks by) {
    auto add = [by](std::vector<Ticks> &times) {
      for (Ticks &time : times)
        time += by;
    };
    earliest += by, asking += by;
    for (std::vector<Ticks> *times : {&reader, &compute, &writer, &served, &sentUntil, &ownServed})
      add(*times);
    for (Fetches &load : fetches) {
      add(load.pops);
      add(load.arrivals);
      std::ranges::for_each(load.left, add);
    }
    std::ranges::for_each(storePops, add);
  }

  // The reading thread.
  void issue(const std::vector<size_t> &group) {
    Ticks before = asking;
    asking = *std::ranges::min_element(reader);
    earliest = isInStep() ? asking : before;
    for (size_t load : group)
      ask(load);
    serve();
    underWay.assign(classes, {});
    for (size_t load : group)
      for (size_t of = 0; of < classes; ++of)
        awaitRoom(load, of);
    for (size_t load : group)
      deliver(load);
  }

  bool isInStep() const { return !costs.classes.dims.empty(); }
  bool reads(size_t load, size_t of) const { return costs.loads[load].shares[of] > 0; }

  /// Reserves; then a core that reads asks for each tile, another one tells that it has room.
  void ask(size_t load) {
    Fetches &own = fetches[load];
    size_t slots = costs.loads[load].slots, slot = own.count++ % slots * classes;
    for (size_t of = 0; of < classes; ++of) {
      if (own.count > slots)
        reader[of] = std::max(reader[of], own.pops[slot + of]);
      if (reads(load, of))
        streams.push_back({load, of, 0, reader[of] + costs.message});
      reader[of] += reads(load, of) ? costs.message * static_cast<Ticks>(costs.loads[load].tiles) : costs.message;
      own.requests[of] = reader[of];
    }
  }

  /// What all classes have asked for, in the order in which they did.
  void serve() {
    for (std::vector<Passage> &own : passages)
      own.clear();
    while (!streams.empty()) {
      auto next = std::ranges::min_element(streams, {}, &Stream::asked);
      const FetchCosts &load = costs.loads[next->load];
      double wait = isInStep() ? kInStep * static_cast<double>(next->asked - earliest) : 0;
      Ticks start = earliest + static_cast<Ticks>(wait), done = next->asked;
      for (size_t i = 0; i < costs.resources; ++i) {
        const Service &service = load.services[i];
        if (service.read == 0)
          continue;
        auto cycles = static_cast<Ticks>(static_cast<double>(service.read) * load.shares[next->of]);
        served[i] = std::max(served[i], start) + cycles;
        passages[i].push_back({next->load, next->of, next->tile, cycles, served[i]});
        Ticks &own = ownServed[next->of * costs.resources + i];
        own = std::max(own, next->asked) + service.own;
        done = std::max({done, served[i] + service.uneven, own});
      }
      fetches[next->load].arrivals[next->tile * classes + next->of] = done + load.latency;
      next->asked += costs.message;
      if (++next->tile == load.tiles)
        streams.erase(next);
    }
  }

  /// A core that has asked for as much as it can waits for its oldest tiles before it asks for more.
  void awaitRoom(size_t load, size_t of) {
    if (!reads(load, of))
      return;
    UnderWay &own = underWay[of];
    double bytes = costs.loads[load].cost->bytes / static_cast<double>(costs.loads[load].tiles);
    for (size_t tile = 0; tile < costs.loads[load].tiles; ++tile) {
      own.tiles.emplace_back(fetches[load].arrivals[tile * classes + of], bytes);
      own.bytes += bytes;
      for (; own.bytes > kBytesUnderWay && own.next + 1 < own.tiles.size(); ++own.next) {
        reader[of] = std::max(reader[of], own.tiles[own.next].first);
        own.bytes -= own.tiles[own.next].second;
      }
    }
  }

  /// Takes, sends on and publishes tile by tile.
  void deliver(size_t load) {
    const std::vector<ClassStage> &stages = costs.loads[load].stages;
    Fetches &own = fetches[load];
    for (const ClassStage &stage : stages)
      for (size_t of = 0; of < classes; ++of)
        if (sends(stage, of))
          reader[of] = std::max(reader[of], own.requests[of | stage.bit] + stage.back + costs.semaphore);
    for (size_t tile = 0; tile < costs.loads[load].tiles; ++tile) {
      for (size_t of = 0; of < classes; ++of)
        if (reads(load, of))
          reader[of] = std::max(reader[of], own.arrivals[tile * classes + of]);
      for (size_t stage = 0; stage < stages.size(); ++stage)
        send(load, stage, tile);
      std::ranges::copy(reader, own.arrivals.begin() + static_cast<ptrdiff_t>(tile * classes));
    }
  }

  static bool sends(const ClassStage &stage, size_t of) { return (of & (stage.bit | stage.absent)) == 0; }

  /// One tile after the other.
  void send(size_t load, size_t number, size_t tile) {
    const FetchCosts &cost = costs.loads[load];
    const ClassStage &stage = cost.stages[number];
    Ticks first = std::numeric_limits<Ticks>::max();
    for (size_t of = 0; of < classes; ++of)
      if (sends(stage, of))
        first = std::min(first, reader[of] + costs.message);
    for (size_t i = 0; i < costs.resources; ++i) {
      Ticks cycles = cost.services[i].sent / static_cast<Ticks>(cost.stages.size());
      served[i] += cycles;
      if (cycles > 0)
        holdUp(i, first, cycles, {load, tile});
    }
    for (size_t of = 0; of < classes; ++of) {
      if (!sends(stage, of))
        continue;
      Ticks &left = fetches[load].left[number][of];
      left = std::max(left, reader[of] + costs.message) + stage.transfer;
      reader[of] += 2 * costs.message; // The tile, and the signal that it is there.
      Ticks &receiver = reader[of | stage.bit];
      receiver = std::max(receiver, left + costs.message + stage.way + costs.semaphore);
    }
  }

  /// The packets of a tile that is sent are there at once: they pass a link before those reads that were asked for
  /// earlier but have not come that far. Tiles up to `sent` have arrived.
  void holdUp(size_t resource, Ticks first, Ticks cycles, std::pair<size_t, size_t> sent) {
    std::vector<Passage> &queue = passages[resource];
    auto next = std::ranges::find_if(queue, [&](const Passage &read) { return read.end - read.cycles >= first; });
    if (next == queue.end())
      return;
    Ticks before = next == queue.begin() ? first : std::prev(next)->end;
    Ticks until = sentUntil[resource] = std::max({first, sentUntil[resource], before}) + cycles;
    for (; next != queue.end() && until > next->end - next->cycles; ++next) {
      next->end = until = until + next->cycles;
      if (std::pair(next->load, next->tile) > sent)
        arriveAt(*next, until + costs.loads[next->load].services[resource].uneven);
    }
  }

  void arriveAt(const Passage &read, Ticks time) {
    Ticks &arrival = fetches[read.load].arrivals[read.tile * classes + read.of];
    arrival = std::max(arrival, time + costs.loads[read.load].latency);
  }

  // The computing and the writing thread.
  void walkSegment(const Body::Segment &at) {
    for (size_t of = 0; of < classes; ++of) {
      for (size_t load : at.loads)
        if (costs.loads[load].cost)
          compute[of] = std::max(compute[of], fetches[load].arrivals[tileOf(load) * classes + of]);
      for (size_t store : at.stores)
        if (stored[store] > 1)
          compute[of] = std::max(compute[of], storePops[store][stored[store] % 2 * classes + of]);
      compute[of] += ticksOf(at.compute);
    }
    for (size_t store : at.stores)
      write(store);
  }

  /// The tile of a load's last fetch that the present iteration needs.
  size_t tileOf(size_t load) const {
    int64_t tile = 0;
    const std::vector<int64_t> &strides = costs.loads[load].cost->strides;
    for (size_t i = 0; i < strides.size() && i < indices.size(); ++i)
      tile += strides[i] * indices[i];
    return tile;
  }

  void write(size_t store) {
    Ticks first = 0, end = 0;
    for (size_t of = 0; of < classes; ++of)
      first = std::max(first, std::max(writer[of], compute[of]) + costs.message);
    for (size_t i = 0; i < costs.resources; ++i)
      if (Ticks cycles = costs.stores[store][i]; cycles > 0) {
        end = std::max(end, std::max(served[i], first) + cycles);
        served[i] += cycles;
      }
    end += ticksOf(input.stores[store].latency);
    for (size_t of = 0; of < classes; ++of)
      writer[of] = storePops[store][stored[store] % 2 * classes + of] = end;
    ++stored[store];
  }

  /// All tiles of the loads, which computation has waited for even where it does nothing with the last ones.
  void release(const std::vector<size_t> &group) {
    for (size_t load : group) {
      Fetches &own = fetches[load];
      size_t slot = (own.count - 1) % costs.loads[load].slots * classes;
      for (size_t of = 0; of < classes; ++of) {
        compute[of] = std::max(compute[of], own.arrivals[own.arrivals.size() - classes + of]);
        own.pops[slot + of] = compute[of];
      }
    }
  }

  /// What one class has asked for of one load: the next tile, and when.
  struct Stream {
    size_t load, of, tile;
    Ticks asked;
  };
  /// Tiles that a core has asked for in this issue: when each is there, and its bytes.
  struct UnderWay {
    std::vector<std::pair<Ticks, double>> tiles;
    size_t next = 0;
    double bytes = 0; ///< Of those from `next` on.
  };

  const WalkInput &input;
  const TimelineCosts costs;
  const size_t classes;
  std::vector<int64_t> indices;               ///< Of the loops around, outermost first.
  std::vector<Ticks> reader, compute, writer; ///< By class: when the thread goes on.
  std::vector<Ticks> served;                  ///< By resource: when it has served all that it took,
  std::vector<Ticks> sentUntil;               ///< and what cores have sent to each other until now.
  std::vector<Ticks> ownServed;               ///< By class and resource: what one core asked for.
  std::vector<Fetches> fetches;               ///< By load.
  std::vector<std::vector<Ticks>> storePops;  ///< By store; by slot and class.
  std::vector<size_t> stored;                 ///< By store.
  std::vector<Stream> streams;
  std::vector<std::vector<Passage>> passages; ///< By resource: of the last issue, in the order of service.
  std::vector<UnderWay> underWay;             ///< By class.
  Ticks asking = 0;                           ///< When the first core issued loads last.
  Ticks earliest = 0;                         ///< When resources could begin with what was asked for last.
};

} // namespace

double walkTimeline(const WalkInput &input) { return Walk(input).run(); }

} // namespace tawa::mesh::planner
