#include "compiler/planner/affinize/MemoryOrder.h"

#include <algorithm>
#include <functional>
#include <numeric>

namespace tawa {
namespace {

using mesh::TileAccess;
using mesh::TileProgram;
using mesh::TileStep;

constexpr int64_t kMostCells = int64_t(1) << 24, kMostVisits = int64_t(1) << 27;

/// The accesses of one tensor, walked through in the order of the text, program by program.
class TensorOrder {
public:
  TensorOrder(const TileProgram &program, int tensor)
      : program(program), shape(program.tensors[tensor].shape), tensor(tensor), units(shape.size()) {}

  const TileAccess *findLate() {
    if (!divide())
      return &program.loads()[firstLoad].step->access;
    eachInstance(TileStep::Kind::Store, [&](const TileAccess &, size_t cell) {
      Cell &at = cells[cell];
      if (at.writer == kNobody)
        at = {number, time};
      else if (at.writer != number)
        at.writer = kSeveral;
    });
    const TileAccess *late = nullptr;
    eachInstance(TileStep::Kind::Load, [&](const TileAccess &access, size_t cell) {
      const Cell &at = cells[cell];
      if (!late && at.writer != kNobody && (at.writer != number || at.time < time))
        late = &access;
    });
    return late;
  }

private:
  static constexpr int64_t kNobody = -1, kSeveral = -2;
  struct Cell {
    int64_t writer = kNobody; ///< A program of the grid.
    int64_t time = 0;         ///< Of its first store, in steps of the program.
  };

  /// Chooses blocks of which all accesses consist. False where there are too many.
  bool divide() {
    int64_t visits = 0;
    auto places = program.loads();
    firstLoad =
        std::ranges::find(places, tensor, [](auto &place) { return place.step->access.tensor; }) - places.begin();
    std::ranges::copy(program.stores(), std::back_inserter(places));
    for (const TileProgram::Place &place : places)
      if (place.step->access.tensor == tensor)
        divideBy(place.step->access);
    int64_t count = 1;
    for (size_t dim = 0; dim < shape.size(); ++dim) {
      counts.push_back((shape[dim] + units[dim] - 1) / units[dim]);
      count *= counts[dim];
      if (count > kMostCells)
        return false;
    }
    for (const TileProgram::Place &place : places)
      if (place.step->access.tensor == tensor)
        visits += instancesOf(place) * cellsOf(place.step->access);
    cells.resize(count);
    return visits <= kMostVisits;
  }

  void divideBy(const TileAccess &access) {
    for (size_t dim = 0; dim < shape.size(); ++dim) {
      units[dim] = std::gcd(std::gcd(units[dim], access.block[dim]), access.start[dim].constant);
      for (int64_t coefficient : access.start[dim].coefficients)
        units[dim] = std::gcd(units[dim], coefficient);
    }
  }

  int64_t cellsOf(const TileAccess &access) const {
    int64_t count = 1;
    for (size_t dim = 0; dim < shape.size(); ++dim)
      count *= access.block[dim] / units[dim];
    return count;
  }

  int64_t instancesOf(const TileProgram::Place &place) const {
    int64_t count = 1;
    for (int index = 0; index < program.gridDims; ++index)
      count *= program.indices[index].extent;
    for (int loop : place.loops)
      count *= program.indices[loop].extent;
    return count;
  }

  using Visit = std::function<void(const TileAccess &access, size_t cell)>;

  void eachInstance(TileStep::Kind kind, const Visit &visit) {
    indices.assign(program.indices.size(), 0);
    for (number = 0;; ++number) {
      time = 0;
      walk(program.body, kind, visit);
      int dim = program.gridDims;
      while (dim > 0 && ++indices[dim - 1] == program.indices[dim - 1].extent)
        indices[--dim] = 0;
      if (dim == 0)
        return;
    }
  }

  void walk(const std::vector<TileStep> &body, TileStep::Kind kind, const Visit &visit) {
    for (const TileStep &step : body) {
      ++time;
      if (step.kind == TileStep::Kind::Loop) {
        const mesh::Index &loop = program.indices[step.index];
        int64_t length = loop.trips ? loop.trips->at(indices) : loop.extent;
        for (int64_t &at = indices[step.index] = 0; at < length; ++at)
          walk(step.body, kind, visit);
        indices[step.index] = 0;
      } else if (step.kind == kind && step.access.tensor == tensor) {
        eachCell(step.access, 0, 0, visit);
      }
    }
  }

  void eachCell(const TileAccess &access, size_t dim, size_t cell, const Visit &visit) {
    if (dim == shape.size())
      return visit(access, cell);
    int64_t first = access.start[dim].at(indices) / units[dim];
    for (int64_t at = std::max<int64_t>(0, first); at < std::min(first + access.block[dim] / units[dim], counts[dim]);
         ++at)
      eachCell(access, dim + 1, cell * counts[dim] + at, visit);
  }

  const TileProgram &program;
  const std::vector<int64_t> &shape;
  int tensor;
  ptrdiff_t firstLoad = 0;
  std::vector<int64_t> units, counts; ///< Of each dimension: elements of a block, blocks.
  std::vector<Cell> cells;
  std::vector<int64_t> indices;
  int64_t number = 0, time = 0; ///< Of the program of the grid; in it.
};

} // namespace

const TileAccess *findLateLoad(const TileProgram &program) {
  const auto loads = program.loads(), stores = program.stores();
  std::vector<int> tensors;
  for (const TileProgram::Place &load : loads) {
    const TileAccess &access = load.step->access;
    for (const TileProgram::Place &store : stores) {
      int other = store.step->access.tensor;
      if (program.tensors[other].argument != program.tensors[access.tensor].argument)
        continue;
      if (other != access.tensor) // the same memory in another form
        return &access;
      tensors.push_back(other);
    }
  }
  std::ranges::sort(tensors);
  tensors.erase(std::unique(tensors.begin(), tensors.end()), tensors.end());
  for (int tensor : tensors)
    if (const TileAccess *late = TensorOrder(program, tensor).findLate())
      return late;
  return nullptr;
}

} // namespace tawa
