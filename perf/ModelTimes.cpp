// tawa-model-times: what the performance model says of many launches, for one description of a GPU after the other.
// perf/harness/fit_rates.py fits the rates of a description with it. The compiler is asked once for each kernel,
// configuration and target; after that a description costs microseconds per launch.
//
// usage: tawa-model-times LAUNCHES.txt < descriptions
//
// LAUNCHES.txt, one word ahead of each line:
//   kernel PATH               begins a problem
//   grid X Y Z                where the text has no directive for it
//   warm                      the tensors are in L2 before the launch
//   argument NAME NUMBER...   the shape of a tensor, the value of a number; every argument of the kernel
//   config TEXT               a launch: this problem in this configuration
// Standard input has the path of a description a line. The answer is a line: of every launch the seconds, in their
// order, or `nan` where the configuration is refused; of a description with a mistake `refused:` and the mistake.
#include "compiler/pipeline/Compiler.h"
#include "runtime/artifact/ArgumentValue.h"
#include "runtime/hardware/Catalogue.h"
#include "runtime/hardware/TargetOf.h"
#include "runtime/tuner/space/SearchSpace.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <sstream>

using namespace tawa;

namespace {

[[noreturn]] void fail(const std::string &message) {
  std::fprintf(stderr, "tawa-model-times: %s\n", message.c_str());
  std::exit(1);
}

template <typename T> T need(Result<T> result) {
  return result ? std::move(*result) : (fail(result.status().message()), std::move(*result));
}

std::string readFile(const std::string &path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream)
    fail("cannot read " + path);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// One kernel with its arguments, and what the compiler has said of it.
struct Problem {
  std::string text;
  KernelSignature signature;
  std::vector<ArgumentValue> arguments;
  std::vector<KernelConfig> configs;
  std::array<uint32_t, 3> grid{};
  bool isWarm = false;
  std::map<std::string, Result<WorkSummary>> summaries; ///< By target and configuration.

  explicit Problem(const std::string &path) : text(readFile(path)), signature(need(readSignature(text, path))) {
    arguments.resize(signature.arguments.size());
  }

  void setArgument(const std::string &name, const std::vector<double> &numbers) {
    auto found = std::ranges::find(signature.arguments, name, &LogicalArgument::name);
    if (found == signature.arguments.end() || numbers.empty() || numbers.size() > kMaxRank)
      fail("the kernel has no argument " + name + " of that rank");
    ArgumentValue &value = arguments[static_cast<size_t>(found - signature.arguments.begin())];
    value.kind = found->kind;
    value.elementType = found->elementType;
    if (value.kind != LogicalArgument::Kind::Tensor) {
      value.bits = need(isFloat(value.elementType) ? floatBits(value.elementType, numbers[0])
                                                   : integerBits(value.elementType, int64_t(numbers[0])));
      return;
    }
    value.rank = static_cast<uint32_t>(numbers.size());
    std::ranges::transform(numbers, value.shape.begin(), [](double size) { return static_cast<int64_t>(size); });
    setContiguousStrides(value.shape.data(), value.rank, value.strides.data());
  }

  void addConfig(const std::string &words) {
    KernelConfig config = need(KernelConfig::parse(words));
    for (const auto &[name, values] : signature.tileParameters)
      config.tile.try_emplace(name, values.front());
    configs.push_back(std::move(config));
  }

  Result<WorkSummary> summarize(const KernelConfig &config, const Target &target) {
    std::string key = target.str() + " " + config.str();
    if (auto known = summaries.find(key); known != summaries.end())
      return known->second;
    CompileInput input;
    input.text = text;
    input.config = config;
    input.gpu = target;
    return summaries.emplace(key, summarizeKernel(input)).first->second;
  }

  /// Of each configuration.
  std::vector<double> times(const HardwareDescription &hardware) {
    SpaceInput input;
    input.tileParameters = signature.tileParameters;
    input.arguments = arguments;
    input.grid = grid;
    input.hardware = hardware;
    input.isWarm = isWarm;
    Target target = targetOf(hardware);
    input.summarize = [&](const KernelConfig &config) { return summarize(config, target); };
    SearchSpace space = need(judgeConfigs(input, configs));
    std::vector<double> result;
    for (const KernelConfig &config : configs) {
      auto found = std::ranges::find(space.candidates, config, &Candidate::config);
      bool isLegal = found != space.candidates.end() && found->isLegal();
      result.push_back(isLegal ? found->prediction.seconds : std::nan(""));
    }
    return result;
  }
};

void readLine(const std::string &line, std::vector<Problem> &problems) {
  std::istringstream words(line);
  std::string kind, name, rest;
  words >> kind;
  if (kind == "kernel" && words >> name)
    problems.emplace_back(name);
  else if (problems.empty())
    fail("a line before the first kernel: " + line);
  else if (kind == "config" && std::getline(words >> std::ws, rest))
    problems.back().addConfig(rest);
  else if (kind == "argument" && words >> name)
    problems.back().setArgument(name, {std::istream_iterator<double>(words), {}});
  else if (kind == "grid")
    words >> problems.back().grid[0] >> problems.back().grid[1] >> problems.back().grid[2];
  else if (kind == "warm")
    problems.back().isWarm = true;
  else
    fail("cannot read '" + line + "'");
}

} // namespace

int main(int count, char **arguments) {
  if (count != 2)
    fail("usage: tawa-model-times LAUNCHES.txt < descriptions");
  std::vector<Problem> problems;
  std::istringstream lines(readFile(arguments[1]));
  for (std::string line; std::getline(lines, line);)
    readLine(line, problems);
  HardwareCatalogue catalogue = need(HardwareCatalogue::fromEnvironment());
  for (std::string path; std::getline(std::cin, path);) {
    Result<HardwareDescription> hardware = catalogue.lookUp(path);
    if (!hardware)
      std::printf("refused: %s", hardware.status().message().c_str());
    for (size_t i = 0; hardware && i < problems.size(); ++i)
      for (double seconds : problems[i].times(*hardware))
        std::printf("%.9g ", seconds);
    std::printf("\n");
    std::fflush(stdout);
  }
  return 0;
}
