#include "runtime/mesh/simulator/SegmentTime.h"

#include <algorithm>
#include <map>

namespace tawa::mesh {
namespace {

int64_t ceilDiv(int64_t a, int64_t b) { return (a + b - 1) / b; }

Unit unitOf(const TileOperator &op, const Machine &machine) {
  if (op.unit == Unit::Matrix && machine.matrix)
    return Unit::Matrix;
  return op.unit != Unit::Scalar && machine.vector ? Unit::Vector : Unit::Scalar;
}

/// Cycles of the operator on the unit, start-up aside.
double workOf(const TileOperator &op, Unit unit, const Machine &machine) {
  int64_t elements = op.unit == Unit::Matrix ? op.m * op.n * op.k : std::max<int64_t>(op.elements, 1);
  if (unit == Unit::Matrix) {
    const MatrixUnit &matrix = *machine.matrix;
    int64_t instructions = ceilDiv(op.m, matrix.m) * ceilDiv(op.n, matrix.n) * ceilDiv(op.k, matrix.k);
    return instructions / (matrix.throughput * matrix.count);
  }
  if (unit == Unit::Vector)
    return ceilDiv(elements, machine.vector->width) / (machine.vector->throughput * machine.vector->count);
  return elements * (machine.scalar ? machine.scalar->latency : 1);
}

} // namespace

SegmentTime timeOf(const Compute &compute, const CoreProgram &program, const Machine &machine,
                   const SimulatorOptions &options) {
  SegmentTime time;
  std::array<Ticks, 3> free{};
  std::map<int, Ticks> ends; // by position in the body
  for (const Compute::Operator &part : compute.operators) {
    int unit = static_cast<int>(unitOf(part.op, machine));
    Ticks start = free[unit];
    for (int operand : part.op.operands)
      if (auto found = ends.find(operand); found != ends.end())
        start = std::max(start, found->second);
    Ticks work = ticksOf(options.operatorCycles + workOf(part.op, static_cast<Unit>(unit), machine));
    time.busy[unit] += work;
    free[unit] = ends[part.position] = start + work;
    time.total = std::max(time.total, start + work);
  }
  int local = machine.localMemory();
  double bandwidth = local < 0 ? 0 : machine.memories[local].bandwidth;
  for (const Compute::Tile &tile : compute.produces)
    if (bandwidth > 0)
      time.total += ticksOf(program.buffers[tile.buffer].tileBytes / bandwidth);
  return time;
}

} // namespace tawa::mesh
