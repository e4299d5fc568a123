#include "runtime/mesh/PlanText.h"

#include "runtime/mesh/CoreArray.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace tawa::mesh {
namespace {

template <typename Range, typename Text> std::string joined(const Range &range, const char *between, Text text) {
  std::string all;
  for (const auto &item : range)
    all += (all.empty() ? "" : between) + text(item);
  return all;
}

std::string blockOf(const TileAccess &access) {
  return joined(access.block, " x ", [](int64_t extent) { return std::to_string(extent); });
}

std::string counted(int64_t count, const std::string &what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

class PlanPrinter {
public:
  PlanPrinter(const Plan &plan, const TileProgram &program, const Machine &machine)
      : plan(plan), program(program), machine(machine), loads(program.loads()), stores(program.stores()) {}

  std::string print() {
    head();
    for (size_t depth = 0; depth < plan.waves.size(); ++depth) {
      issue(static_cast<int>(depth), nullptr);
      int grid = plan.waves[depth];
      if (plan.waveExtent(grid, program, machine) > 1)
        open("for " + waveName(grid) + " in 0.." + std::to_string(plan.waveExtent(grid, program, machine)));
    }
    steps(program.body, static_cast<int>(plan.waves.size()));
    return text;
  }

  /// "(m_wave * 8 + y)"; parts with one value are left out.
  std::string indexOf(int grid) const {
    std::string index = plan.waveExtent(grid, program, machine) > 1 ? waveName(grid) : "";
    for (int dim : plan.splits[grid].spatial) {
      if (machine.dims[dim].size == 1)
        continue;
      if (index.find(' ') != std::string::npos)
        index = "(" + index + ")";
      index = (index.empty() ? "" : index + " * " + std::to_string(machine.dims[dim].size) + " + ") +
              machine.dims[dim].name;
    }
    return index.empty() ? "0" : index;
  }

  std::string directionOf(int grid) const { return plan.splits[grid].turns ? ", odd waves in reverse" : ""; }

private:
  std::string waveName(int grid) const { return program.indices[grid].name + "_wave"; }
  std::string tensorOf(const TileAccess &access) const { return program.tensors[access.tensor].name; }

  void line(const std::string &content) { text += indent + content + "\n"; }
  void open(const std::string &content) {
    line(content);
    indent += "  ";
  }

  void head() {
    line(program.name + " on " + machine.name + ": " + std::to_string(std::llround(plan.estimate.cycles)) +
         " cycles, " + plan.estimate.bound + " bounds; " + std::to_string(plan.footprint) +
         " bytes of each local memory");
    open("parallel " + joined(machine.coreDims, ", ", [&](int dim) {
           return machine.dims[dim].name + " in 0.." + std::to_string(machine.dims[dim].size);
         }));
    for (int grid = 0; grid < program.gridDims; ++grid)
      line(program.indices[grid].name + " = " + indexOf(grid) + " of " + std::to_string(program.indices[grid].extent) +
           directionOf(grid));
    for (int loop = program.gridDims; loop < static_cast<int>(program.indices.size()); ++loop)
      if (program.indices[loop].trips)
        work(loop);
  }

  /// Which core has the most to do in a loop that is not equally long.
  void work(int loop) {
    std::vector<int64_t> iterations = plan.iterationsOf(loop, program, machine);
    auto [least, most] = std::ranges::minmax(iterations);
    double sum = 0;
    for (int64_t count : iterations)
      sum += static_cast<double>(count);
    std::vector<int64_t> at =
        CoreArray(machine).coordinatesOf(std::ranges::find(iterations, most) - iterations.begin());
    char mean[32];
    std::snprintf(mean, sizeof(mean), "%.1f", sum / static_cast<double>(iterations.size()));
    line("iterations of " + program.indices[loop].name + ": " + std::to_string(least) + " to " + std::to_string(most) +
         " on a core, " + mean + " in the mean" +
         (least == most ? "" : "; most on (" + joined(at, ", ", [](int64_t coordinate) {
                                 return std::to_string(coordinate);
                               }) + ")"));
  }

  /// Whether the step is a load, or has it inside, at this level of its nest.
  static bool contains(const TileStep &step, const TileStep *load) {
    return &step == load ||
           std::ranges::any_of(step.body, [&](const TileStep &inner) { return contains(inner, load); });
  }

  /// The loads issued inside of `level` loops before a step; null stands for all of the body.
  void issue(int level, const TileStep *step) {
    for (size_t i = 0; i < loads.size(); ++i)
      if (plan.loads[i].level == level && (!step || contains(*step, loads[i].step)))
        load(plan.loads[i], loads[i].step->access);
  }

  void load(const LoadPlan &load, const TileAccess &access) {
    line("load " + tensorOf(access) + ": " + counted(load.tiles, "tile") + " of " + blockOf(access) + ", " +
         counted(load.slots, "slot") + ", " + std::to_string(load.bytes) + " bytes; " + str(load, machine));
  }

  void steps(const std::vector<TileStep> &body, int level) {
    for (const TileStep &step : body) {
      issue(level, &step);
      if (step.kind == TileStep::Kind::Loop)
        loop(step, level);
      else if (step.kind == TileStep::Kind::Store)
        store(step);
      else if (step.kind == TileStep::Kind::Operator)
        line(step.op.name);
      else if (auto found = std::ranges::find(loads, &step, &TileProgram::Place::step);
               plan.loads[found - loads.begin()].level < level)
        line("use " + tensorOf(step.access));
    }
  }

  void loop(const TileStep &step, int level) {
    const Index &index = program.indices[step.index];
    std::string before = indent;
    std::vector<std::string> names;
    for (const Index &each : program.indices)
      names.push_back(each.name);
    open("for " + index.name + " in 0.." + (index.trips ? index.trips->str(names) : std::to_string(index.extent)));
    steps(step.body, level + 1);
    indent = before;
  }

  void store(const TileStep &step) {
    auto found = std::ranges::find(stores, &step, &TileProgram::Place::step);
    const StorePlan &store = plan.stores[found - stores.begin()];
    line("store " + tensorOf(step.access) + ": " + blockOf(step.access) + ", " + counted(store.slots, "slot") + ", " +
         std::to_string(store.bytes) + " bytes");
  }

  const Plan &plan;
  const TileProgram &program;
  const Machine &machine;
  std::vector<TileProgram::Place> loads, stores;
  std::string text, indent;
};

} // namespace

std::string str(const LoadPlan &load, const Machine &machine) {
  static const char *const names[] = {"each core reads", "broadcast", "rows then columns", "wavefront"};
  std::string text = names[static_cast<int>(load.movement)];
  for (size_t i = 0; i < load.along.size(); ++i)
    text += (i == 0 ? " along " : ", then ") + machine.dims[load.along[i]].name + " on " +
            machine.networks[load.networks[i]].name;
  return text;
}

std::string summary(const Plan &plan, const TileProgram &program, const Machine &machine) {
  PlanPrinter printer(plan, program, machine);
  std::string text;
  for (int grid = 0; grid < program.gridDims; ++grid)
    text += (grid == 0 ? "" : ", ") + program.indices[grid].name + " = " + printer.indexOf(grid) +
            printer.directionOf(grid);
  std::string waves;
  for (int grid : plan.waves)
    if (int64_t extent = plan.waveExtent(grid, program, machine); extent > 1)
      waves +=
          (waves.empty() ? "; waves of " : ", ") + program.indices[grid].name + " (" + std::to_string(extent) + ")";
  text += waves;
  std::vector<TileProgram::Place> loads = program.loads();
  for (size_t i = 0; i < loads.size(); ++i)
    text += "; " + program.tensors[loads[i].step->access.tensor].name + ": " + str(plan.loads[i], machine) + ", " +
            counted(plan.loads[i].tiles, "tile") + " at level " + std::to_string(plan.loads[i].level);
  return text;
}

std::string str(const Plan &plan, const TileProgram &program, const Machine &machine) {
  return PlanPrinter(plan, program, machine).print();
}

} // namespace tawa::mesh
