#include "runtime/mesh/TileProgram.h"

namespace tawa::mesh {
namespace {

void collect(const std::vector<TileStep> &body, TileStep::Kind kind, std::vector<int> &loops,
             std::vector<TileProgram::Place> &places) {
  for (const TileStep &step : body) {
    if (step.kind == kind)
      places.push_back({&step, loops});
    if (step.kind != TileStep::Kind::Loop)
      continue;
    loops.push_back(step.index);
    collect(step.body, kind, loops, places);
    loops.pop_back();
  }
}

std::string listOf(const std::vector<int64_t> &numbers) {
  std::string text;
  for (int64_t number : numbers)
    text += (text.empty() ? "" : " x ") + std::to_string(number);
  return text;
}

std::string strOf(const TileAccess &access, const TileProgram &program, const std::vector<std::string> &names) {
  std::string starts;
  for (const Affine &start : access.start)
    starts += (starts.empty() ? "" : ", ") + start.str(names);
  return program.tensors[access.tensor].name + "[" + starts + "], " + listOf(access.block) +
         (access.isMasked ? ", masked" : "");
}

std::string lengthOf(const Index &loop, const std::vector<std::string> &names) {
  return loop.trips ? loop.trips->str(names) : std::to_string(loop.extent);
}

std::string strOf(const TileOperator &op) {
  std::string size = op.unit == Unit::Matrix ? listOf({op.m, op.n, op.k}) : std::to_string(op.elements);
  return op.name + " " + size;
}

void print(const std::vector<TileStep> &body, const TileProgram &program, const std::vector<std::string> &names,
           const std::string &indent, std::string &text) {
  for (const TileStep &step : body) {
    text += indent;
    switch (step.kind) {
    case TileStep::Kind::Loop:
      text += "for " + names[step.index] + " in 0.." + lengthOf(program.indices[step.index], names) + "\n";
      print(step.body, program, names, indent + "  ", text);
      break;
    case TileStep::Kind::Load:
      text += "load " + strOf(step.access, program, names) + "\n";
      break;
    case TileStep::Kind::Store:
      text += "store " + strOf(step.access, program, names) + "\n";
      break;
    case TileStep::Kind::Operator:
      text += strOf(step.op) + "\n";
      break;
    }
  }
}

} // namespace

int64_t Tensor::bytes() const {
  int64_t size = elementBytes(type);
  for (int64_t extent : shape)
    size *= extent;
  return size;
}

int64_t TileAccess::elements() const {
  int64_t count = 1;
  for (int64_t extent : block)
    count *= extent;
  return count;
}

std::vector<TileProgram::Place> TileProgram::loads() const {
  std::vector<Place> places;
  std::vector<int> loops;
  collect(body, TileStep::Kind::Load, loops, places);
  return places;
}

std::vector<TileProgram::Place> TileProgram::stores() const {
  std::vector<Place> places;
  std::vector<int> loops;
  collect(body, TileStep::Kind::Store, loops, places);
  return places;
}

std::string TileProgram::str() const {
  std::vector<std::string> names;
  std::string text = name + ":";
  for (const Index &index : indices)
    names.push_back(index.name);
  for (int dim = 0; dim < gridDims; ++dim)
    text += " " + names[dim] + " in 0.." + std::to_string(indices[dim].extent);
  text += "\n";
  print(body, *this, names, "  ", text);
  return text;
}

} // namespace tawa::mesh
