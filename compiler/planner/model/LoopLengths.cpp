#include "compiler/planner/model/LoopLengths.h"

#include <algorithm>

namespace tawa::mesh::planner {

LoopLengths::LoopLengths(const Mapping &mapping, const TileProgram &program, const GridShare &share,
                         const MachineModel &model)
    : mapping(mapping), program(program), model(model) {
  for (int grid = 0; grid < program.gridDims; ++grid) {
    differs.push_back(share.waves(grid) > 1 && std::ranges::any_of(program.indices, [&](const Index &index) {
                        return index.trips && index.trips->dependsOn(grid);
                      }));
    extents.push_back(differs.back() ? share.waves(grid) : 1);
    waves *= static_cast<size_t>(extents.back());
  }
  for (int64_t core = 0; core < model.cores.count(); ++core) {
    int64_t count = share.isIdle(core) ? 0 : 1;
    for (int grid = 0; grid < program.gridDims; ++grid)
      if (!differs[grid])
        count *= share.waves(core, grid);
    programs.push_back(count);
  }
}

LoopLengths::Table LoopLengths::ownTable(int loop) const {
  Table table;
  std::vector<int64_t> wave(extents.size());
  for (size_t number = 0; number < waves; ++number) {
    auto rest = static_cast<int64_t>(number);
    for (size_t grid = wave.size(); grid-- > 0; rest /= extents[grid])
      wave[grid] = rest % extents[grid];
    for (int64_t core = 0; core < model.cores.count(); ++core) {
      std::vector<int64_t> indices = gridIndices(mapping, model.machine, model.cores, core, wave);
      bool isInside = programs[core] > 0;
      for (int grid = 0; grid < program.gridDims; ++grid)
        isInside = isInside && indices[grid] < program.indices[grid].extent;
      table.push_back(isInside ? program.indices[loop].trips->at(indices) : -1);
    }
  }
  return table;
}

/// The longest of each line.
LoopLengths::Table LoopLengths::widened(Table table, int dim) const {
  Table most = table;
  int64_t cores = model.cores.count();
  for (size_t i = 0; i < table.size(); ++i) {
    auto core = static_cast<int64_t>(i) % cores;
    size_t wave = i - static_cast<size_t>(core);
    for (int64_t at = 0; at < model.machine.dims[dim].size; ++at)
      most[i] = std::max(most[i], table[wave + static_cast<size_t>(model.cores.moved(core, dim, at))]);
  }
  return most;
}

const LoopLengths::Table &LoopLengths::table(int loop, std::span<const int> along) const {
  std::vector<int> dims(along.begin(), along.end());
  std::ranges::sort(dims);
  auto [place, isNew] = tables.try_emplace({loop, dims});
  if (isNew) {
    Table made = ownTable(loop);
    for (int dim : dims)
      made = widened(std::move(made), dim);
    place->second = std::move(made);
  }
  return place->second;
}

double LoopLengths::mean(int loop, int64_t core, std::span<const int> along) const {
  const Table &lengths = table(loop, along);
  int64_t sum = 0, count = 0;
  for (size_t i = core; i < lengths.size(); i += model.cores.count())
    if (lengths[i] >= 0)
      sum += lengths[i], ++count;
  return count == 0 ? 0 : static_cast<double>(sum) / static_cast<double>(count);
}

double LoopLengths::most(int loop, int64_t core, std::span<const int> along) const {
  const Table &lengths = table(loop, along);
  int64_t most = 0;
  for (size_t i = core; i < lengths.size(); i += model.cores.count())
    most = std::max(most, lengths[i]);
  return static_cast<double>(most);
}

int64_t LoopLengths::at(int loop, int64_t core, std::span<const int> along, std::span<const int64_t> indices) const {
  size_t wave = 0;
  for (size_t grid = 0; grid < extents.size(); ++grid) {
    auto depth = std::ranges::find(mapping.waves, static_cast<int>(grid)) - mapping.waves.begin();
    int64_t index = extents[grid] > 1 ? indices[depth] : 0;
    wave = wave * static_cast<size_t>(extents[grid]) + static_cast<size_t>(index);
  }
  return std::max<int64_t>(0, table(loop, along)[wave * model.cores.count() + core]);
}

double LoopLengths::cyclesOfWave(const Work &work, size_t wave, int64_t core) const {
  return totalCycles(work, [&](const Work::Inner &loop) {
    int64_t length = isEqual(loop.index) ? loop.extent : table(loop.index, {})[wave * model.cores.count() + core];
    return static_cast<double>(std::max<int64_t>(0, length));
  });
}

double LoopLengths::cycles(const Work &work, int64_t core) const {
  auto isUnequal = [&](const Index &index) { return index.trips.has_value(); };
  auto first = std::ranges::find_if(program.indices, isUnequal);
  double sum = 0;
  for (size_t wave = 0; wave < waves; ++wave) {
    bool isIdle = first != program.indices.end() &&
                  table(static_cast<int>(first - program.indices.begin()), {})[wave * model.cores.count() + core] < 0;
    sum += isIdle ? 0 : cyclesOfWave(work, wave, core);
  }
  return sum * static_cast<double>(programs[core]);
}

int64_t LoopLengths::busiest(const Work &work) const {
  int64_t busiest = 0;
  double most = -1;
  for (int64_t core = 0; core < model.cores.count(); ++core)
    if (double own = cycles(work, core); own >= most)
      most = own, busiest = core;
  return busiest;
}

} // namespace tawa::mesh::planner
