// The reader thread: reads from global memory and the protocols between cores that share tiles.
#include "runtime/mesh/core/LowerThreads.h"

#include <algorithm>

namespace tawa::mesh {
namespace {

/// The reader's part of one load.
class LoadMovement {
public:
  LoadMovement(const ThreadInput &input, int number)
      : load(input.loads[number]), buffer(number), nest(input.nest), core(input.core) {}

  /// Names the two semaphores of each stage.
  void addSemaphores() {
    for (const MovementStage &stage : load.stages) {
      ready.push_back(static_cast<int>(core.semaphores.size()));
      std::string suffix = core.buffers[buffer].name + "_" + core.variables[stage.line.along];
      core.semaphores.push_back("ready_" + suffix);
      core.semaphores.push_back("valid_" + suffix);
    }
  }

  /// Reserves, and asks for the tiles.
  void request(Operations &body) const {
    Operations all;
    append(all, bufferStep(BufferStep::Kind::Reserve, buffer, constant(load.tiles)));
    for (size_t stage = 0; stage < load.stages.size(); ++stage) // what was sent from these slots has left them
      append(all, Barrier{Barrier::Kind::Writes, tag(stage),
                          constant(load.needed.empty() ? (load.slots - 1) * load.tiles : 0)});
    appendGuarded(all, isRoot(), eachTile({{read()}}));
    for (size_t stage = 0; stage < load.stages.size(); ++stage)
      appendGuarded(all, receives(stage), {{Signal{ready[stage], sender(stage)}}});
    appendGuarded(body, load.sharers, std::move(all));
  }

  /// Takes, forwards and pushes each tile.
  void deliver(Operations &body) const {
    Operations all;
    for (size_t stage = 0; stage < load.stages.size(); ++stage)
      appendGuarded(all, sends(stage), {{SemaphoreWait{ready[stage], receivers(stage)}}});
    Operations tile, needed;
    Affine underWay = load.slot;
    for (int64_t &coefficient : underWay.coefficients)
      coefficient = -coefficient;
    underWay.constant = load.tiles - 1;
    appendGuarded(needed, isRoot(), {{Barrier{Barrier::Kind::Reads, buffer, underWay}}});
    for (size_t stage = 0; stage < load.stages.size(); ++stage)
      appendGuarded(needed, receives(stage), {{SemaphoreWait{valid(stage), 1}}});
    for (size_t stage = 0; stage < load.stages.size(); ++stage)
      appendGuarded(needed, sends(stage),
                    {{Forward{buffer, {}, receiver(stage), tag(stage)}}, {Signal{valid(stage), receiver(stage)}}});
    appendGuarded(tile, load.needed, std::move(needed));
    append(tile, bufferStep(BufferStep::Kind::Push, buffer, constant(1)));
    std::ranges::move(eachTile(std::move(tile)), std::back_inserter(all));
    appendGuarded(body, load.sharers, std::move(all));
  }

  /// Waits until all that was forwarded has arrived.
  void finish(Operations &body) const {
    for (size_t stage = 0; stage < load.stages.size(); ++stage)
      append(body, Barrier{Barrier::Kind::Writes, tag(stage), {}});
  }

private:
  int valid(size_t stage) const { return ready[stage] + 1; }
  /// Transfers of each stage are counted apart: a core may send a tile in one of them or in both.
  int tag(size_t stage) const { return buffer + static_cast<int>(stage * core.buffers.size()); }

  Operations eachTile(Operations body) const {
    for (size_t i = load.kept.size(); i-- > 0;) {
      Operations outer;
      for (int depth = 0; depth < nest.waves(); ++depth)
        if (std::optional<Turn> turn = nest.turn(depth); turn && turn->wave == load.kept[i].variable)
          body.insert(body.begin(), {*turn});
      appendLoop(outer, load.kept[i], std::move(body));
      body = std::move(outer);
    }
    return body;
  }

  Read read() const {
    Read read{buffer, load.slot, nest.substitute(load.place.step->access), {}, buffer};
    for (const Guard &guard : load.sharers)
      if (std::ranges::any_of(load.kept, [&](const NestLoop &l) { return guard.value.dependsOn(l.variable); }))
        read.guards.push_back(guard);
    std::ranges::copy(load.needed, std::back_inserter(read.guards));
    return read;
  }

  static Guard isAt(int coordinate, int64_t value, bool outside) {
    Guard guard{{}, 1, outside};
    guard.value.coefficients.resize(coordinate + 1);
    guard.value.coefficients[coordinate] = 1;
    guard.value.constant = -value;
    return guard;
  }
  Guard atRoot(size_t stage, bool outside = false) const {
    const NetworkLine &line = load.stages[stage].line;
    return isAt(line.along, line.root(), outside);
  }
  /// The core takes part in a stage if it is the root of all later ones.
  std::vector<Guard> takesPart(size_t stage) const {
    std::vector<Guard> guards;
    for (size_t later = stage + 1; later < load.stages.size(); ++later)
      guards.push_back(atRoot(later));
    return guards;
  }
  std::vector<Guard> isRoot() const {
    std::vector<Guard> guards = takesPart(0);
    if (!load.stages.empty())
      guards.push_back(atRoot(0));
    return guards;
  }
  std::vector<Guard> receives(size_t stage) const {
    std::vector<Guard> guards = takesPart(stage);
    guards.push_back(atRoot(stage, /*outside=*/true));
    return guards;
  }
  std::vector<Guard> sends(size_t stage) const {
    std::vector<Guard> guards = takesPart(stage);
    const NetworkLine &line = load.stages[stage].line;
    guards.push_back(load.stages[stage].chain ? isAt(line.along, line.last(), /*outside=*/true) : atRoot(stage));
    return guards;
  }

  int64_t receivers(size_t stage) const {
    return load.stages[stage].chain ? 1 : static_cast<int64_t>(load.stages[stage].line.order.size()) - 1;
  }
  Destination receiver(size_t stage) const {
    const MovementStage &part = load.stages[stage];
    if (part.chain)
      return {Destination::Reach::Core, -1, part.line.next, part.network};
    return {Destination::Reach::Line, part.line.along, {}, part.network};
  }
  Destination sender(size_t stage) const {
    const MovementStage &part = load.stages[stage];
    Destination to{Destination::Reach::Core, -1, part.line.previous, -1};
    if (!part.chain)
      to.core[part.line.along] = {constant(part.line.root()), 1, 0};
    return to;
  }

  const PlacedLoad &load;
  int buffer;
  const PlanNest &nest;
  CoreProgram &core;
  std::vector<int> ready; ///< Of each stage; the semaphore after it is its valid one.
};

class ReaderLowering {
public:
  explicit ReaderLowering(const ThreadInput &input) : input(input) {
    for (int i = 0; i < static_cast<int>(input.loads.size()); ++i)
      movements.emplace_back(input, i).addSemaphores();
  }

  Operations lower() const {
    Operations body = wave(0);
    for (const LoadMovement &movement : movements)
      movement.finish(body);
    return body;
  }

private:
  Operations wave(int depth) const {
    if (depth == input.nest.waves())
      return steps(input.program.body, 0);
    Operations body;
    issue(input.loadsAtWave(depth), body);
    appendWave(body, input.nest, depth, wave(depth + 1));
    return body;
  }

  Operations steps(const std::vector<TileStep> &list, int depth) const {
    Operations body;
    std::vector<int> group;
    for (const TileStep &step : list) {
      std::ranges::copy(input.loadsAt(step, depth), std::back_inserter(group));
      if (step.kind != TileStep::Kind::Loop)
        continue;
      issue(group, body);
      group.clear();
      appendLoop(body, input.nest.bodyLoop(step.index), steps(step.body, depth + 1));
    }
    issue(group, body);
    return body;
  }

  void issue(const std::vector<int> &group, Operations &body) const {
    for (int load : group)
      movements[load].request(body);
    for (int load : group)
      movements[load].deliver(body);
  }

  const ThreadInput &input;
  std::vector<LoadMovement> movements;
};

} // namespace

void lowerReader(const ThreadInput &input) {
  input.core.threads[static_cast<int>(Thread::Reader)] = ReaderLowering(input).lower();
}

} // namespace tawa::mesh
