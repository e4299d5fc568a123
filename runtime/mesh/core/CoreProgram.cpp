#include "runtime/mesh/core/CoreProgram.h"

namespace tawa::mesh {
namespace {

/// Bytes of a semaphore: the least that one transfer can write.
constexpr int64_t kSemaphoreBytes = 16;

template <typename Range, typename Text> std::string joined(const Range &range, const char *between, Text text) {
  std::string all;
  for (const auto &item : range)
    all += (all.empty() ? "" : between) + text(item);
  return all;
}

/// Prints operations of one program.
class Printer {
public:
  explicit Printer(const CoreProgram &program) : program(program) {}

  void list(const std::vector<Operation> &body, const std::string &indent) {
    for (const Operation &operation : body) {
      text += indent + line(operation) + "\n";
      if (auto *loop = std::get_if<Loop>(&operation.what))
        list(loop->body, indent + "  ");
      else if (auto *branch = std::get_if<If>(&operation.what))
        list(branch->body, indent + "  ");
    }
  }
  std::string line(const Operation &operation) const {
    return std::visit([&](const auto &what) { return str(what); }, operation.what);
  }

  std::string text;

private:
  std::string str(const Affine &affine) const { return affine.str(program.variables); }

  std::string str(const Guard &guard) const {
    Affine left = guard.value;
    left.constant = 0;
    if (guard.extent == Guard::kUnbounded)
      return str(left) + (guard.outside ? " < " : " >= ") + std::to_string(-guard.value.constant);
    int64_t bound = guard.extent - guard.value.constant;
    if (guard.extent == 1)
      return str(left) + (guard.outside ? " != " : " == ") + std::to_string(bound - 1);
    return str(left) + (guard.outside ? " >= " : " < ") + std::to_string(bound);
  }
  std::string str(const std::vector<Guard> &guards) const {
    return joined(guards, " and ", [&](const Guard &guard) { return str(guard); });
  }

  std::string str(const Coordinate &coordinate) const {
    std::string text = str(coordinate.affine);
    if (coordinate.divisor != 1)
      text = "(" + text + ") / " + std::to_string(coordinate.divisor);
    return coordinate.modulus == 0 ? text : "(" + text + ") % " + std::to_string(coordinate.modulus);
  }
  std::string str(const Destination &to) const {
    if (to.reach == Destination::Reach::Line)
      return "line " + program.variables[to.along];
    return "core (" + joined(to.core, ", ", [&](const Coordinate &c) { return str(c); }) + ")";
  }

  std::string slotOf(int buffer, const Affine &slot) const {
    return program.buffers[buffer].name + "[" + str(slot) + "]";
  }
  std::string str(const TileAccess &access) const {
    return program.tensors[access.tensor].name + "[" +
           joined(access.start, ", ", [&](const Affine &start) { return str(start); }) + "]";
  }
  std::string str(const std::vector<Compute::Tile> &tiles) const {
    return joined(tiles, ", ", [&](const Compute::Tile &tile) { return slotOf(tile.buffer, tile.slot); });
  }

  std::string str(const Loop &loop) const {
    return "for " + program.variables[loop.variable] + " in 0.." +
           (loop.trips ? loop.trips->str(program.variables) : std::to_string(loop.extent));
  }
  std::string str(const If &branch) const { return "if " + str(branch.guards); }
  std::string str(const Turn &turn) const {
    return program.variables[turn.variable] + " = " + str(turn.value) + ", in odd " + program.variables[turn.wave] +
           " " + std::to_string(turn.last) + " minus that";
  }
  std::string str(const BufferStep &step) const {
    static const char *const names[] = {"reserve", "push", "wait", "pop"};
    return std::string(names[static_cast<int>(step.kind)]) + " " + program.buffers[step.buffer].name + " " +
           str(step.tiles);
  }
  std::string str(const Read &read) const {
    return "read " + slotOf(read.buffer, read.slot) + " <- " + str(read.access) +
           (read.guards.empty() ? "" : " if " + str(read.guards));
  }
  std::string str(const Write &write) const {
    return "write " + str(write.access) + " <- " + slotOf(write.buffer, write.slot);
  }
  std::string str(const Forward &forward) const {
    return "forward " + slotOf(forward.buffer, forward.slot) + " to " + str(forward.to);
  }
  std::string str(const Barrier &barrier) const {
    return std::string("barrier ") + (barrier.kind == Barrier::Kind::Reads ? "reads" : "writes") + " of " +
           std::to_string(barrier.tag) + ", " + str(barrier.allowed) + " under way";
  }
  std::string str(const SemaphoreWait &wait) const {
    return "await " + program.semaphores[wait.semaphore] + " " + std::to_string(wait.count);
  }
  std::string str(const Signal &signal) const {
    return "signal " + program.semaphores[signal.semaphore] + " of " + str(signal.to);
  }
  std::string str(const Compute &compute) const {
    std::string text = "compute";
    for (const Compute::Operator &part : compute.operators)
      text += " " + part.op.name;
    if (!compute.consumes.empty())
      text += " from " + str(compute.consumes);
    return compute.produces.empty() ? text : text + " to " + str(compute.produces);
  }

  const CoreProgram &program;
};

} // namespace

const char *threadName(Thread thread) {
  static const char *const names[] = {"reader", "compute", "writer"};
  return names[static_cast<int>(thread)];
}

int64_t CoreProgram::localBytes() const {
  int64_t bytes = accumulatorBytes + kSemaphoreBytes * static_cast<int64_t>(semaphores.size());
  for (const CircularBuffer &buffer : buffers)
    bytes += buffer.slots * buffer.tileBytes;
  return bytes;
}

std::string CoreProgram::str() const {
  Printer printer(*this);
  printer.text = name + " on";
  for (size_t i = 0; i < coordinates.size(); ++i)
    printer.text += " " + variables[i] + " in 0.." + std::to_string(coordinates[i]);
  printer.text += "\n";
  for (const CircularBuffer &buffer : buffers)
    printer.text += "  buffer " + buffer.name + ": " + std::to_string(buffer.slots) + " x " +
                    std::to_string(buffer.tileBytes) + " bytes\n";
  for (const std::string &semaphore : semaphores)
    printer.text += "  semaphore " + semaphore + "\n";
  for (int thread = 0; thread < kThreads; ++thread) {
    printer.text += std::string("  ") + threadName(static_cast<Thread>(thread)) + ":\n";
    printer.list(threads[thread], "    ");
  }
  return printer.text;
}

std::string str(const Operation &operation, const CoreProgram &program) { return Printer(program).line(operation); }

} // namespace tawa::mesh
