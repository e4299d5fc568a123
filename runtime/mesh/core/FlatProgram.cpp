#include "runtime/mesh/core/FlatProgram.h"

#include <algorithm>

namespace tawa::mesh {
namespace {

/// Flattens the threads of one core.
class Flattener {
public:
  Flattener(const CoreProgram &program, const CoreArray &array, const Machine &machine, int64_t core,
            std::string &fault)
      : program(program), array(array), machine(machine), core(core), coordinates(array.coordinatesOf(core)),
        fault(fault) {}

  FlatCore flatten() {
    FlatCore flat;
    flat.coordinates = coordinates;
    for (const Affine &index : program.indices)
      flat.indices.push_back(reduce(index));
    for (int thread = 0; thread < kThreads; ++thread) {
      out = &flat.threads[thread];
      list(program.threads[thread]);
      out->emplace_back();
    }
    return flat;
  }

private:
  using Kind = Instruction::Kind;

  FlatAffine reduce(const Affine &affine) const {
    FlatAffine flat{{}, affine.constant};
    for (size_t i = 0; i < affine.coefficients.size(); ++i)
      if (i < coordinates.size())
        flat.constant += affine.coefficients[i] * coordinates[i];
      else if (affine.coefficients[i] != 0)
        flat.terms.push_back({static_cast<int>(i), affine.coefficients[i]});
    return flat;
  }

  /// Guards that depend on loops; `holds` is false if one that does not fails.
  std::vector<FlatGuard> reduce(const std::vector<Guard> &guards, bool &holds) const {
    std::vector<FlatGuard> flat;
    holds = true;
    for (const Guard &guard : guards) {
      FlatGuard reduced{reduce(guard.value), guard.extent, guard.outside};
      if (reduced.value.terms.empty())
        holds = holds && reduced.holds({});
      else
        flat.push_back(std::move(reduced));
    }
    return flat;
  }

  void list(const std::vector<Operation> &body) {
    for (const Operation &operation : body) {
      current = &operation;
      std::visit([&](const auto &what) { add(what); }, operation.what);
    }
  }

  Instruction &emit(Kind kind, int object = -1) {
    Instruction instruction;
    instruction.kind = kind;
    instruction.object = object;
    instruction.operation = current;
    out->push_back(std::move(instruction));
    return out->back();
  }

  void add(const Loop &loop) {
    if (loop.extent <= 0)
      return;
    emit(Kind::LoopBegin, loop.variable);
    size_t first = out->size();
    list(loop.body);
    emit(Kind::LoopEnd, loop.variable).target = static_cast<int>(first);
    (*out)[first - 1].target = static_cast<int>(out->size());
    setLength((*out)[first - 1], loop);
    setLength(out->back(), loop);
  }

  void setLength(Instruction &instruction, const Loop &loop) const {
    instruction.count = loop.extent;
    if (!loop.trips)
      return;
    instruction.count = std::min(loop.extent, loop.trips->most);
    instruction.divisor = loop.trips->divisor;
    instruction.amount = reduce(loop.trips->affine);
  }

  void add(const If &branch) {
    bool holds = true;
    std::vector<FlatGuard> guards = reduce(branch.guards, holds);
    if (!holds)
      return;
    if (guards.empty())
      return list(branch.body);
    size_t at = out->size();
    emit(Kind::Branch).guards = std::move(guards);
    list(branch.body);
    (*out)[at].target = static_cast<int>(out->size());
  }

  void add(const Turn &turn) {
    Instruction &to = emit(Kind::Turn, turn.variable);
    to.amount = reduce(turn.value);
    to.count = turn.last;
    to.target = turn.wave;
  }

  void add(const BufferStep &step) {
    static constexpr Kind kinds[] = {Kind::Reserve, Kind::Push, Kind::Wait, Kind::Pop};
    emit(kinds[static_cast<int>(step.kind)], step.buffer).amount = reduce(step.tiles);
  }

  void add(const Read &read) {
    Instruction &to = emit(Kind::Read, read.buffer);
    to.amount = reduce(read.slot);
    to.tag = read.tag;
    bool holds = true;
    to.guards = reduce(read.guards, holds);
    if (!holds)
      to.guards.push_back({{{}, 0}, 0}); // never holds
    for (const Affine &start : read.access.start)
      to.starts.push_back(reduce(start));
  }

  void add(const Write &write) {
    Instruction &to = emit(Kind::Write, write.buffer);
    to.amount = reduce(write.slot);
    to.tag = write.tag;
    for (const Affine &start : write.access.start)
      to.starts.push_back(reduce(start));
  }

  void add(const Forward &forward) {
    Instruction &to = emit(Kind::Forward, forward.buffer);
    to.amount = reduce(forward.slot);
    to.tag = forward.tag;
    to.network = forward.to.network;
    to.receivers = receiversOf(forward.to);
  }

  void add(const Barrier &barrier) {
    Instruction &to = emit(barrier.kind == Barrier::Kind::Reads ? Kind::ReadBarrier : Kind::WriteBarrier);
    to.tag = barrier.tag;
    to.amount = reduce(barrier.allowed);
  }

  void add(const SemaphoreWait &wait) { emit(Kind::SemaphoreWait, wait.semaphore).count = wait.count; }

  void add(const Signal &signal) {
    Instruction &to = emit(Kind::Signal, signal.semaphore);
    to.network = signal.to.network;
    to.receivers = receiversOf(signal.to);
  }

  void add(const Compute &compute) {
    Instruction &to = emit(Kind::Compute);
    for (const Compute::Tile &tile : compute.consumes)
      to.slots.push_back(reduce(tile.slot));
  }

  std::vector<int> receiversOf(const Destination &to) {
    if (to.reach == Destination::Reach::Line)
      return lineFrom(to);
    int64_t receiver = array.numberOf(to.core, coordinates);
    if (receiver < 0 || (to.network >= 0 && array.numberOf(machine.networks[to.network].map, coordinates) != receiver))
      return fail();
    return {static_cast<int>(receiver)};
  }

  /// The other cores of the line, in the order of the links.
  std::vector<int> lineFrom(const Destination &to) {
    std::vector<int> reached;
    for (int64_t at = core;;) {
      at = array.numberOf(machine.networks[to.network].map, array.coordinatesOf(at));
      if (at < 0 || at == core || std::ranges::find(reached, at) != reached.end())
        break;
      reached.push_back(static_cast<int>(at));
    }
    return static_cast<int64_t>(reached.size()) + 1 == array.extents()[to.along] ? reached : fail();
  }

  std::vector<int> fail() {
    if (fault.empty())
      fault = "core " + std::to_string(core) + " does not reach the destination of: " + str(*current, program);
    return {};
  }

  const CoreProgram &program;
  const CoreArray &array;
  const Machine &machine;
  int64_t core;
  std::vector<int64_t> coordinates;
  std::string &fault;
  FlatThread *out = nullptr;
  const Operation *current = nullptr;
};

} // namespace

std::vector<FlatCore> flatten(const CoreProgram &program, const Machine &machine, std::string &fault) {
  CoreArray array(machine);
  std::vector<FlatCore> cores;
  fault.clear();
  cores.reserve(array.count());
  for (int64_t core = 0; core < array.count(); ++core)
    cores.push_back(Flattener(program, array, machine, core, fault).flatten());
  return cores;
}

} // namespace tawa::mesh
