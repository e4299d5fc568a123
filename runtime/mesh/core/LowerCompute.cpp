// The compute and writer threads: segments of the body between loads, stores and loops, and what they wait for.
#include "runtime/mesh/core/LowerThreads.h"

#include <algorithm>
#include <limits>

namespace tawa::mesh {
namespace {

/// Position after all steps of a body.
constexpr int kEnd = std::numeric_limits<int>::max();

/// The last step of the body that reads a load at position `load` of it. What other steps than operators do with the
/// tile is not recorded: with a loop after it, or no operator that reads it, it is needed until the end.
int lastUse(const std::vector<TileStep> &body, int load) {
  int last = kEnd;
  for (int i = load + 1; i < static_cast<int>(body.size()); ++i) {
    if (body[i].kind == TileStep::Kind::Loop)
      return kEnd;
    if (body[i].kind == TileStep::Kind::Operator &&
        std::ranges::find(body[i].op.operands, load) != body[i].op.operands.end())
      last = i;
  }
  return last;
}

class ComputeLowering {
public:
  explicit ComputeLowering(const ThreadInput &input) : input(input) {}

  Operations wave(int depth) const {
    if (depth == input.nest.waves())
      return steps(input.program.body, 0, /*inLoop=*/-1, input.nest.active());
    Operations body;
    appendWave(body, input.nest, depth, wave(depth + 1));
    release(input.loadsAtWave(depth), body);
    return body;
  }

private:
  /// A body under way: the segment that is being collected, and own loads with the positions of their last uses.
  struct Segment {
    Compute compute;
    std::vector<std::pair<int, int>> inUse;
    std::vector<Guard> guards = {}; ///< Whether the core computes it.
    bool isEmpty() const { return compute.consumes.empty() && compute.produces.empty() && compute.operators.empty(); }
  };

  Operations steps(const std::vector<TileStep> &list, int depth, int inLoop, std::vector<Guard> guards) const {
    Operations body;
    Segment segment;
    segment.guards = std::move(guards);
    segment.compute.loop = inLoop;
    for (int position = 0; position < static_cast<int>(list.size()); ++position) {
      const TileStep &step = list[position];
      if (endsBefore(step, segment.compute))
        flush(segment, position, body);
      if (step.kind == TileStep::Kind::Loop)
        loop(step, depth, segment.guards, body);
      else
        add(step, position, list, depth, segment);
    }
    flush(segment, kEnd, body);
    releaseUsed(segment, std::numeric_limits<int64_t>::max(), body);
    return body;
  }

  /// A segment is loads, then operators, then stores.
  static bool endsBefore(const TileStep &step, const Compute &segment) {
    switch (step.kind) {
    case TileStep::Kind::Loop:
      return true;
    case TileStep::Kind::Load:
      return !segment.operators.empty() || !segment.produces.empty();
    case TileStep::Kind::Operator:
      return !segment.produces.empty();
    case TileStep::Kind::Store:
      return false;
    }
    return false;
  }

  void loop(const TileStep &step, int depth, std::vector<Guard> guards, Operations &body) const {
    NestLoop own = input.nest.ownLoop(step.index), shared = input.nest.bodyLoop(step.index);
    if (own != shared)
      guards.push_back(PlanNest::within(own));
    appendLoop(body, shared, steps(step.body, depth + 1, step.index, std::move(guards)));
    release(input.loadsAt(step, depth), body);
  }

  void add(const TileStep &step, int position, const std::vector<TileStep> &list, int depth, Segment &segment) const {
    if (step.kind == TileStep::Kind::Operator) {
      segment.compute.operators.push_back({step.op, position});
    } else if (step.kind == TileStep::Kind::Store) {
      int store = input.storeOf(step);
      segment.compute.produces.push_back({input.storeBuffer(store), {}, step.access.operation});
    } else {
      int load = input.loadOf(step);
      segment.compute.consumes.push_back({load, input.loads[load].slot, step.access.operation});
      if (!input.loadsAt(step, depth).empty())
        segment.inUse.push_back({load, lastUse(list, position)});
    }
  }

  /// Ends the segment before the step at `position`, and releases what no later one uses.
  void flush(Segment &segment, int position, Operations &body) const {
    if (!segment.isEmpty())
      appendGuarded(body, segment.guards, execute(segment.compute));
    segment.compute.consumes.clear();
    segment.compute.produces.clear();
    segment.compute.operators.clear();
    releaseUsed(segment, position, body);
  }

  Operations execute(const Compute &compute) const {
    Operations body;
    for (const Compute::Tile &tile : compute.consumes) {
      Affine upTo = tile.slot;
      ++upTo.constant;
      append(body, bufferStep(BufferStep::Kind::Wait, tile.buffer, upTo));
    }
    for (const Compute::Tile &tile : compute.produces)
      append(body, bufferStep(BufferStep::Kind::Reserve, tile.buffer, constant(1)));
    append(body, compute);
    for (const Compute::Tile &tile : compute.produces)
      append(body, bufferStep(BufferStep::Kind::Push, tile.buffer, constant(1)));
    return body;
  }

  void releaseUsed(Segment &segment, int64_t position, Operations &body) const {
    std::vector<int> done;
    for (auto [load, last] : segment.inUse)
      if (last < position)
        done.push_back(load);
    std::erase_if(segment.inUse, [&](const auto &use) { return use.second < position; });
    release(done, body);
  }

  /// Pops all tiles of the loads. A core that computes nothing with some of them has not waited for those yet.
  void release(const std::vector<int> &loads, Operations &body) const {
    for (int load : loads) {
      const PlacedLoad &placed = input.loads[load];
      Operations pop;
      bool mayIdle = !input.nest.active().empty();
      if (placed.isBeyond || (mayIdle && (placed.sharers != input.nest.active() || placed.level < input.nest.waves())))
        append(pop, bufferStep(BufferStep::Kind::Wait, load, constant(placed.tiles)));
      append(pop, bufferStep(BufferStep::Kind::Pop, load, constant(placed.tiles)));
      appendGuarded(body, placed.sharers, std::move(pop));
    }
  }

  const ThreadInput &input;
};

class WriterLowering {
public:
  explicit WriterLowering(const ThreadInput &input) : input(input) {}

  Operations wave(int depth) const {
    if (depth == input.nest.waves())
      return steps(input.program.body);
    Operations body;
    appendWave(body, input.nest, depth, wave(depth + 1));
    return body;
  }

private:
  Operations steps(const std::vector<TileStep> &list) const {
    Operations body;
    for (const TileStep &step : list)
      if (step.kind == TileStep::Kind::Loop)
        appendLoop(body, input.nest.ownLoop(step.index), steps(step.body));
      else if (step.kind == TileStep::Kind::Store)
        appendGuarded(body, input.nest.active(), store(step));
    return body;
  }

  Operations store(const TileStep &step) const {
    int buffer = input.storeBuffer(input.storeOf(step));
    Operations body;
    append(body, bufferStep(BufferStep::Kind::Wait, buffer, constant(1)));
    append(body, Write{buffer, {}, input.nest.substitute(step.access), buffer});
    append(body, Barrier{Barrier::Kind::Writes, buffer, {}});
    append(body, bufferStep(BufferStep::Kind::Pop, buffer, constant(1)));
    return body;
  }

  const ThreadInput &input;
};

} // namespace

void lowerCompute(const ThreadInput &input) {
  input.core.threads[static_cast<int>(Thread::Compute)] = ComputeLowering(input).wave(0);
}

void lowerWriter(const ThreadInput &input) {
  input.core.threads[static_cast<int>(Thread::Writer)] = WriterLowering(input).wave(0);
}

} // namespace tawa::mesh
