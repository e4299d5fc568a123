// Functions shared by the commands of Commands.h.
#include "bindings/cli/Commands.h"

#include <cstdio>

namespace tawa::cli {

std::optional<ExitCode> readCommandLine(const Command &command, Options &options, int count, char **arguments,
                                        std::vector<std::string> &positional, FileCount files) {
  std::optional<std::string> problem = options.parse(count, arguments, positional);
  if (options.helpWanted()) {
    std::printf("usage: tawa %s %s\n%s\n\n%s\nExamples:\n%s", command.name, command.arguments, command.summary,
                options.describe().c_str(), command.examples);
    return ExitCode::Ok;
  }
  if (!problem && positional.size() < files.fewest)
    problem = "no file given";
  if (!problem && positional.size() > files.most)
    problem = "unexpected argument '" + positional[files.most] + "'";
  if (!problem)
    return std::nullopt;
  std::fprintf(stderr, "tawa %s: %s\nusage: tawa %s %s (tawa %s --help)\n", command.name, problem->c_str(),
               command.name, command.arguments, command.name);
  return ExitCode::Usage;
}

bool parseGrid(const std::string &text, uint32_t (&grid)[3]) {
  std::vector<std::string> parts = split(text, ',');
  if (parts.size() > 3)
    return false;
  for (size_t i = 0; i < 3; ++i) {
    std::optional<long long> extent = i < parts.size() ? parseInteger(parts[i]) : 1;
    if (!extent || *extent < 1 || *extent > INT32_MAX)
      return false;
    grid[i] = static_cast<uint32_t>(*extent);
  }
  return true;
}

std::optional<std::string> gridProblem(const KernelSource &source, const std::string &grid) {
  uint32_t parsed[3];
  if (!grid.empty())
    return parseGrid(grid, parsed) ? std::nullopt : std::optional("--grid wants X[,Y[,Z]], got '" + grid + "'");
  if (*tawa_signature_grid(source.signature.get()))
    return std::nullopt;
  return source.path + " has no `tawa.grid` directive, so the number of CTAs must be given: --grid X[,Y[,Z]]";
}

std::string describeCheck(const GemmCheck &check, const HostTensor &output) {
  std::string text = format("%zu of %zu entries against a double-precision reference: relative error %.2e",
                            check.compared, output.elements(), check.relativeError);
  text += format(" (%.2e is rounding to %s), largest %.2e\n", check.outputRounding,
                 std::string(elementName(output.type)).c_str(), check.maxError);
  if (check.passed)
    return text + "PASSED: all finite, none outside the tolerance";
  text += format("FAILED: %zu outside the tolerance, %zu not finite", check.wrong, check.notFinite);
  return check.firstWrong.empty() ? text : text + "; first: " + check.firstWrong;
}

void writeCheck(JsonWriter &writer, const GemmCheck &check, const HostTensor &output) {
  writer.beginObject("check")
      .boolean("passed", check.passed)
      .integer("compared", static_cast<int64_t>(check.compared))
      .integer("entries", static_cast<int64_t>(output.elements()))
      .integer("wrong", static_cast<int64_t>(check.wrong))
      .integer("not_finite", static_cast<int64_t>(check.notFinite))
      .number("relative_error", check.relativeError)
      .number("output_rounding", check.outputRounding)
      .number("max_error", check.maxError)
      .text("first_wrong", check.firstWrong)
      .endObject();
}

} // namespace tawa::cli
