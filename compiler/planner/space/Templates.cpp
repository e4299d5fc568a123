#include "compiler/planner/space/Templates.h"

#include <algorithm>
#include <numeric>

namespace tawa::mesh::planner {
namespace {

constexpr int64_t kLibraryBlock = 128; ///< Rows and columns of a block that a library would like to give each core.

/// An input that depends on one dimension of the grid.
struct Input {
  int grid = -1;
  int64_t bytes = 0;
};

/// The two inputs of a product: of the loads that depend on exactly one dimension, the first for each of two.
std::optional<std::array<Input, 2>> inputsOf(const TileProgram &program) {
  std::vector<Input> inputs;
  for (const TileProgram::Place &load : program.loads()) {
    std::vector<int> grid;
    for (int dim = 0; dim < program.gridDims; ++dim)
      if (dependsOn(load.step->access, dim))
        grid.push_back(dim);
    if (grid.size() != 1 || (!inputs.empty() && inputs.front().grid == grid.front()))
      continue;
    inputs.push_back({grid.front(), program.tensors[load.step->access.tensor].bytes()});
  }
  return inputs.size() == 2 ? std::optional(std::array{inputs[0], inputs[1]}) : std::nullopt;
}

std::vector<int> usedDims(const Machine &machine) {
  std::vector<int> dims;
  for (int dim : machine.coreDims)
    if (machine.dims[dim].size > 1)
      dims.push_back(dim);
  return dims;
}

Mapping emptyMapping(const TileProgram &program) {
  Mapping mapping;
  mapping.splits.resize(program.gridDims);
  mapping.waves.resize(program.gridDims);
  std::iota(mapping.waves.begin(), mapping.waves.end(), 0);
  return mapping;
}

/// The route over the most dimensions with one of the movements; each core for itself where there is none.
auto pickWidest(const std::vector<Movement> &movements) {
  return [movements](const std::vector<Route> &routes) {
    Route best = routes.front();
    for (const Route &route : routes)
      if (std::ranges::find(movements, route.movement) != movements.end() && route.along.size() > best.along.size())
        best = route;
    return std::vector{best};
  };
}

Mapping lineMapping(int grid, const TileProgram &program, const Machine &machine) {
  Mapping mapping = emptyMapping(program);
  mapping.splits[grid].spatial = usedDims(machine);
  return mapping;
}

/// The last dimensions of the array to the last of the two dimensions of the grid.
Mapping planeMapping(int first, int second, const TileProgram &program, const Machine &machine) {
  Mapping mapping = emptyMapping(program);
  std::vector<int> dims = usedDims(machine);
  for (size_t i = 0; i < dims.size(); ++i)
    mapping.splits[i + 1 == dims.size() ? std::max(first, second) : std::min(first, second)].spatial.push_back(dims[i]);
  return mapping;
}

/// Elements of the output along a dimension of the grid.
int64_t outputExtent(const TileProgram &program, int grid) {
  for (const TileProgram::Place &store : program.stores()) {
    const TileAccess &access = store.step->access;
    for (size_t dim = 0; dim < access.start.size(); ++dim)
      if (access.start[dim].dependsOn(grid))
        return program.tensors[access.tensor].shape[dim];
  }
  return program.indices[grid].extent;
}

} // namespace

const char *nameOf(Template choice) {
  switch (choice) {
  case Template::Any:
    return "any";
  case Template::OneD:
    return "1d";
  case Template::OneDSmaller:
    return "1d-smaller";
  case Template::TwoD:
    return "2d";
  case Template::ByShape:
    return "by-shape";
  case Template::NoSpatialReuse:
    return "no-spatial-reuse";
  case Template::NoTemporalReuse:
    return "no-temporal-reuse";
  case Template::Reload:
    return "reload";
  }
  return "";
}

Template chooseByShape(const TileProgram &program, const Machine &machine) {
  auto inputs = inputsOf(program);
  if (!inputs)
    return Template::TwoD;
  int64_t side = 1;
  for (int dim : machine.coreDims)
    side = std::max(side, machine.dims[dim].size);
  int64_t shorter = std::min(outputExtent(program, (*inputs)[0].grid), outputExtent(program, (*inputs)[1].grid));
  return shorter < kLibraryBlock * side ? Template::OneD : Template::TwoD;
}

Result<TemplateRules> rulesOf(Template choice, const TileProgram &program, const Machine &machine) {
  TemplateRules rules;
  rules.filter.spatialReuse = choice != Template::NoSpatialReuse && choice != Template::Reload;
  rules.filter.temporalReuse = choice == Template::Any || choice == Template::NoSpatialReuse;
  if (choice == Template::ByShape)
    return rulesOf(chooseByShape(program, machine), program, machine);
  if (choice != Template::OneD && choice != Template::OneDSmaller && choice != Template::TwoD)
    return rules;
  auto inputs = inputsOf(program);
  if (!inputs)
    return Status(StatusCode::Unsupported, "template " + std::string(nameOf(choice)) +
                                               " is for kernels with two inputs " +
                                               "that depend on one dimension of the grid each; " + program.name +
                                               " has others: use template any");
  auto [a, b] = *inputs;
  bool isFirst = (a.bytes >= b.bytes) == (choice == Template::OneD);
  rules.mapping = choice == Template::TwoD ? planeMapping(a.grid, b.grid, program, machine)
                                           : lineMapping(isFirst ? a.grid : b.grid, program, machine);
  rules.filter.pick = choice == Template::TwoD ? pickWidest({Movement::Wavefront})
                                               : pickWidest({Movement::Broadcast, Movement::RowsThenColumns});
  return rules;
}

} // namespace tawa::mesh::planner
