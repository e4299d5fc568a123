// Names of a grid expression are looked up here; its grammar is runtime/support/Expression's.
#include "runtime/jit/Grid.h"

#include "runtime/support/Expression.h"

#include <algorithm>

namespace tawa {

namespace {

constexpr uint32_t kGridLimits[3] = {0x7fffffff, 0xffff, 0xffff}; // CUDA C++ programming guide, compute capability 9.0

/// The integer that a scalar or constant argument holds, its sign bit spread.
int64_t signedValue(const ArgumentValue &value) {
  unsigned unused = 64 - elementBits(value.elementType);
  return static_cast<int64_t>(value.bits << unused) >> unused;
}

/// Where the names of an expression get their values from.
struct Scope {
  const KernelArtifact &artifact;
  std::span<const ArgumentValue> arguments;

  const ArgumentValue *find(std::string_view name) const {
    for (size_t i = 0; i < arguments.size(); ++i)
      if (artifact.arguments[i].name == name)
        return &arguments[i];
    return nullptr;
  }
  std::optional<int64_t> name(std::string_view wanted) const {
    for (const auto &[parameter, value] : artifact.config.tile)
      if (parameter == wanted)
        return value;
    const ArgumentValue *value = find(wanted);
    bool isInteger = value && value->kind != LogicalArgument::Kind::Tensor && !isFloat(value->elementType);
    return isInteger ? std::optional(signedValue(*value)) : std::nullopt;
  }
  std::optional<int64_t> dimension(std::string_view tensor, int64_t index) const {
    const ArgumentValue *value = find(tensor);
    bool isThere = value && value->kind == LogicalArgument::Kind::Tensor && index >= 0 && index < value->rank;
    return isThere ? std::optional(value->shape[static_cast<size_t>(index)]) : std::nullopt;
  }
};

/// Cuts the text up to the next comma outside parentheses off its front. (evaluateList would do it too, but hands back
/// a vector, and a launch with new shapes must not allocate.)
std::string_view takeExpression(std::string_view &text) {
  int depth = 0;
  size_t at = 0;
  for (; at < text.size() && (depth > 0 || text[at] != ','); ++at)
    depth += text[at] == '(' ? 1 : text[at] == ')' ? -1 : 0;
  std::string_view expression = text.substr(0, at);
  text.remove_prefix(std::min(at + 1, text.size()));
  return expression;
}

Status wrongGrid(StatusCode code, const KernelArtifact &artifact, const std::string &what) {
  return {code, "grid of kernel '" + artifact.entry + "': " + what};
}

} // namespace

Result<std::array<uint32_t, 3>> evaluateGrid(const KernelArtifact &artifact, std::span<const ArgumentValue> arguments) {
  if (artifact.gridExpression.empty())
    return wrongGrid(StatusCode::InvalidArgument, artifact,
                     "its text has no tawa.grid directive; give the grid with the launch");
  Scope scope{artifact, arguments};
  std::array<uint32_t, 3> grid{1, 1, 1};
  std::string_view rest = artifact.gridExpression;
  for (size_t axis = 0; !rest.empty(); ++axis) {
    if (axis == grid.size())
      return wrongGrid(StatusCode::InvalidIR, artifact, "more than three expressions");
    Result<int64_t> count = evaluate(
        takeExpression(rest), [&scope](std::string_view name) { return scope.name(name); },
        [&scope](std::string_view tensor, int64_t index) { return scope.dimension(tensor, index); });
    if (!count)
      return wrongGrid(count.status().code(), artifact, count.status().message());
    if (*count > int64_t{kGridLimits[axis]})
      return wrongGrid(StatusCode::InvalidArgument, artifact,
                       std::to_string(*count) + " CTAs along axis " + std::to_string(axis) + " exceed " +
                           std::to_string(kGridLimits[axis]));
    grid[axis] = static_cast<uint32_t>(std::max<int64_t>(*count, 0));
  }
  return grid;
}

Status checkGrid(const KernelArtifact &artifact, const std::array<uint32_t, 3> &grid) {
  for (size_t axis = 0; axis < grid.size(); ++axis) {
    uint32_t cluster = artifact.launch.cluster[axis];
    if (grid[axis] > kGridLimits[axis])
      return wrongGrid(StatusCode::InvalidArgument, artifact,
                       std::to_string(grid[axis]) + " CTAs along axis " + std::to_string(axis) + " exceed " +
                           std::to_string(kGridLimits[axis]));
    if (cluster > 1 && grid[axis] % cluster != 0)
      return wrongGrid(StatusCode::InvalidArgument, artifact,
                       std::to_string(grid[axis]) + " CTAs along axis " + std::to_string(axis) +
                           " are no multiple of the cluster's " + std::to_string(cluster));
  }
  return Status::ok();
}

} // namespace tawa
