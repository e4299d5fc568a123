// Evaluates a workload with compiler/reference, and compares tensors element by element.
#include "bindings/cli/ReferenceRun.h"

#include "bindings/cli/Commands.h"
#include "compiler/reference/Expectation.h"
#include "runtime/artifact/KernelConfig.h"
#include "runtime/support/Expression.h"

#include <algorithm>

namespace tawa::cli {
namespace {

using reference::Expectation;
using reference::LaunchArgument;
using reference::LaunchedText;

LaunchArgument describe(const Workload &workload, size_t index) {
  const tawa_arg_t &arg = workload.arguments()[index];
  LaunchArgument described;
  described.type = static_cast<ElementType>(arg.dtype);
  described.integer = arg.integer;
  described.number = arg.number;
  if (arg.kind != TAWA_ARG_TENSOR) {
    described.kind = LaunchArgument::Kind::Scalar;
    return described;
  }
  const HostTensor &tensor = workload.host(index);
  described.shape = tensor.shape;
  described.bytes.assign(tensor.bytes.begin(), tensor.bytes.end());
  return described;
}

/// The value of a name in the text's `tawa.grid`: a tile parameter or a numeric argument.
std::optional<int64_t> valueOf(std::string_view name, const Workload &workload, const KernelConfig &config) {
  const KernelSource &source = workload.source();
  if (auto found = config.tile.find(std::string(name)); found != config.tile.end())
    return found->second;
  for (uint32_t i = 0; i < tawa_signature_parameter_count(source.signature.get()); ++i) {
    tawa_parameter_info_t parameter = TAWA_PARAMETER_INFO_INIT;
    tawa_signature_parameter(source.signature.get(), i, &parameter);
    if (name == parameter.name && parameter.num_values)
      return parameter.values[0];
  }
  for (size_t i = 0; i < source.arguments.size(); ++i)
    if (name == source.arguments[i].name && workload.arguments()[i].kind != TAWA_ARG_TENSOR)
      return workload.arguments()[i].integer;
  return std::nullopt;
}

/// `--grid`, or the value of the text's directive.
Status chooseGrid(const Workload &workload, const KernelConfig &config, const std::string &grid,
                  std::array<uint32_t, 3> &chosen) {
  uint32_t parsed[3];
  if (!grid.empty() && parseGrid(grid, parsed)) {
    std::copy(std::begin(parsed), std::end(parsed), chosen.begin());
    return Status::ok();
  }
  auto dimension = [&](std::string_view tensor, int64_t dim) -> std::optional<int64_t> {
    const KernelSource &source = workload.source();
    for (size_t i = 0; i < source.arguments.size(); ++i)
      if (tensor == source.arguments[i].name && dim >= 0 && dim < workload.arguments()[i].rank)
        return workload.arguments()[i].shape[dim];
    return std::nullopt;
  };
  Result<std::vector<int64_t>> values = evaluateList(
      tawa_signature_grid(workload.source().signature.get()),
      [&](std::string_view name) { return valueOf(name, workload, config); }, dimension);
  if (!values)
    return values.status();
  for (size_t dim = 0; dim < std::min<size_t>(values->size(), 3); ++dim)
    chosen[dim] = static_cast<uint32_t>(std::clamp<int64_t>((*values)[dim], 0, INT32_MAX));
  return Status::ok();
}

Status describeLaunch(const Workload &workload, const std::string &config, const std::string &grid,
                      LaunchedText &launched) {
  Result<KernelConfig> parsed = KernelConfig::parse(config);
  if (!parsed)
    return parsed.status();
  launched.name = workload.source().path;
  launched.text = workload.source().text;
  launched.config = config;
  for (size_t i = 0; i < workload.arguments().size(); ++i)
    launched.args.push_back(describe(workload, i));
  return chooseGrid(workload, *parsed, grid, launched.grid);
}

} // namespace

std::optional<std::string> runReference(Workload &workload, const std::string &config, const std::string &grid) {
  LaunchedText launched;
  if (Status status = describeLaunch(workload, config, grid, launched); !status)
    return status.message();
  Expectation expectation(launched);
  if (!expectation.status())
    return expectation.status().message();
  for (size_t index : workload.tensors()) {
    HostTensor tensor = workload.host(index);
    const std::vector<char> &bytes = expectation.outputs()[index];
    tensor.bytes.assign(bytes.begin(), bytes.end());
    workload.setResult(index, std::move(tensor));
  }
  return std::nullopt;
}

std::optional<std::string> checkWithReference(Workload &workload, const std::string &config, const std::string &grid,
                                              ReferenceCheck &check) {
  LaunchedText launched;
  if (Status status = describeLaunch(workload, config, grid, launched); !status)
    return status.message();
  Expectation expectation(launched);
  if (!expectation.status())
    return "the reference evaluator: " + expectation.status().message();
  reference::Outputs outputs(launched.args.size());
  for (size_t index : workload.tensors()) {
    if (workload.runtime() && workload.download(index) != ExitCode::Ok)
      return "argument " + std::to_string(index) + " cannot be read back";
    const std::vector<unsigned char> &bytes = workload.result(index).bytes;
    outputs[index].assign(bytes.begin(), bytes.end());
  }
  reference::Tally tally;
  check.firstWrong = expectation.compare(outputs, tally);
  check.equal = tally.equal;
  check.close = tally.close;
  check.undefined = tally.undefined;
  if (check.passed() && tally.equal + tally.close == 0)
    check.firstWrong =
        "nothing could be compared: all results are NaN, as where a kernel adds to its output, which begins as NaN; "
        "give it numbers to begin with, as --arg f32[64]=0..1";
  return std::nullopt;
}

std::string describeCheck(const ReferenceCheck &check) {
  std::string text = format("against the reference evaluator: %llu elements equal, %llu close, %llu undefined\n",
                            static_cast<unsigned long long>(check.equal), static_cast<unsigned long long>(check.close),
                            static_cast<unsigned long long>(check.undefined));
  return text + (check.passed() ? "PASSED" : "FAILED: " + check.firstWrong);
}

void writeCheck(JsonWriter &writer, const ReferenceCheck &check) {
  writer.beginObject("reference_check")
      .boolean("passed", check.passed())
      .integer("equal", static_cast<int64_t>(check.equal))
      .integer("close", static_cast<int64_t>(check.close))
      .integer("undefined", static_cast<int64_t>(check.undefined))
      .text("first_wrong", check.firstWrong)
      .endObject();
}

} // namespace tawa::cli
