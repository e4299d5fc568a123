#include "compiler/planner/model/ComputeTime.h"

#include <algorithm>
#include <cmath>

namespace tawa::mesh::planner {
namespace {

double ceilDiv(int64_t a, int64_t b) { return std::ceil(static_cast<double>(a) / static_cast<double>(b)); }

double matrixCycles(const TileOperator &op, const MatrixUnit &unit) {
  double instructions = ceilDiv(op.m, unit.m) * ceilDiv(op.n, unit.n) * ceilDiv(op.k, unit.k);
  return std::ceil(instructions / (static_cast<double>(unit.count) * unit.throughput));
}

double vectorCycles(int64_t elements, const VectorUnit &unit) {
  return std::ceil(ceilDiv(elements, unit.width) / (static_cast<double>(unit.count) * unit.throughput));
}

int64_t elementsOf(const TileOperator &op) { return op.unit == Unit::Matrix ? op.m * op.n * op.k : op.elements; }

/// Position of each operator in the chain of those it depends on, within its segment.
std::vector<int> depthsOf(const std::vector<TileStep> &body, size_t begin, size_t end) {
  std::vector<int> depths(body.size());
  for (size_t i = begin; i < end; ++i)
    for (int operand : body[i].op.operands)
      if (operand >= static_cast<int>(begin) && body[operand].kind == TileStep::Kind::Operator)
        depths[i] = std::max(depths[i], depths[operand] + 1);
  return depths;
}

/// Adds the operators between two loops: those of equal depth run beside each other on different units.
void addSegment(const std::vector<TileStep> &body, size_t begin, size_t end, const Machine &machine, Work &work) {
  std::vector<int> depths = depthsOf(body, begin, end);
  std::vector<std::array<double, kUnits>> levels;
  for (size_t i = begin; i < end; ++i) {
    if (body[i].kind != TileStep::Kind::Operator)
      continue;
    levels.resize(std::max(levels.size(), static_cast<size_t>(depths[i]) + 1));
    auto unit = static_cast<size_t>(unitOf(body[i].op, machine));
    levels[depths[i]][unit] += cyclesOf(body[i].op, machine);
  }
  work.segments.push_back(0);
  for (const std::array<double, kUnits> &level : levels) {
    work.segments.back() += *std::ranges::max_element(level);
    for (size_t unit = 0; unit < kUnits; ++unit)
      work.busy[unit] += level[unit];
  }
  work.cycles += work.segments.back();
}

} // namespace

Unit unitOf(const TileOperator &op, const Machine &machine) {
  if (op.unit == Unit::Matrix && machine.matrix)
    return Unit::Matrix;
  return op.unit != Unit::Scalar && machine.vector ? Unit::Vector : Unit::Scalar;
}

double cyclesOf(const TileOperator &op, const Machine &machine) {
  switch (unitOf(op, machine)) {
  case Unit::Matrix:
    return matrixCycles(op, *machine.matrix);
  case Unit::Vector:
    return vectorCycles(elementsOf(op), *machine.vector);
  case Unit::Scalar:
    break;
  }
  return static_cast<double>(elementsOf(op)) * (machine.scalar ? machine.scalar->latency : 1);
}

Work measureWork(const std::vector<TileStep> &body, const TileProgram &program, const Machine &machine) {
  Work work;
  size_t begin = 0;
  for (size_t i = 0; i < body.size(); ++i) {
    if (body[i].kind != TileStep::Kind::Loop)
      continue;
    addSegment(body, begin, i, machine, work);
    auto inner = std::make_unique<Work>(measureWork(body[i].body, program, machine));
    work.loops.push_back({body[i].index, program.indices[body[i].index].extent, std::move(inner)});
    begin = i + 1;
  }
  addSegment(body, begin, body.size(), machine, work);
  return work;
}

std::array<double, kUnits> totalBusy(const Work &work, const LoopLength &length) {
  std::array<double, kUnits> busy = work.busy;
  for (const Work::Inner &loop : work.loops) {
    std::array<double, kUnits> inner = totalBusy(*loop.body, length);
    for (size_t unit = 0; unit < kUnits; ++unit)
      busy[unit] += length(loop) * inner[unit];
  }
  return busy;
}

double totalCycles(const Work &work, const LoopLength &length) {
  double cycles = work.cycles;
  for (const Work::Inner &loop : work.loops)
    cycles += length(loop) * totalCycles(*loop.body, length);
  return cycles;
}

} // namespace tawa::mesh::planner
