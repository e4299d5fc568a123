// usage: tawa-language-survey [DEVICE [assemble]]
//
// Reads kernels from the standard input, each after a line `// case: NAME`, and says of each in a line, among those
// that kernels print:
//
//   case: NAME <tab> right | compiled | wrong | stopped | refused | unread <tab> reason
//
// right: compiled for a GPU (by ptxas too, with `assemble`) and for the device, and there as the reference evaluator
// computes it. A text with a line `// expects: ones`, which the evaluator cannot run, fills its last tensor with ones.
// compiled: for a GPU, refused for the device. refused: by the compiler for a GPU. stopped: by the device. unread: by
// the evaluator, or its `run` line.
#include "tests/conformance/TileProgram.h"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

namespace tawa::conformance {
namespace {

struct Outcome {
  std::string kind, reason;
};

std::string firstLine(std::string text) {
  std::replace(text.begin(), text.end(), '\t', ' ');
  return text.substr(0, text.find('\n'));
}

bool isOnes(const std::vector<char> &bytes) {
  return std::ranges::all_of(bytes, [](char byte) { return byte == 1; });
}

std::string compareWithEvaluator(const TileProgram &program, const Outputs &outputs, Status &status) {
  Expectation expectation(program);
  status = expectation.status();
  Tally tally;
  return status ? expectation.compare(outputs, tally) : "";
}

Outcome check(const TileProgram &program, const Outputs &outputs) {
  if (program.text.starts_with("// expects: ones"))
    return isOnes(outputs.back()) ? Outcome{"right", ""} : Outcome{"wrong", "not all ones"};
  Status status;
  std::string difference = compareWithEvaluator(program, outputs, status);
  if (!status)
    return {"unread", firstLine(status.message())};
  return difference.empty() ? Outcome{"right", ""} : Outcome{"wrong", firstLine(difference)};
}

Outcome survey(const Runtime &runtime, const std::string &name, const std::string &text, bool assembles) {
  TileProgram program;
  program.name = name;
  program.text = text;
  if (Status status = readLaunchOf(text, 20251123, program); !status)
    return {"unread", firstLine(status.message())};
  Outcome otherwise = {"refused", ""};
  try {
    assembles ? assemble(runtime, program) : emitPtx(runtime, program);
    otherwise.kind = "compiled";
    return check(program, runOn(runtime, program));
  } catch (const Error &error) {
    otherwise.reason = firstLine(error.what());
    if (error.status() == TAWA_E_EMULATOR || error.status() == TAWA_E_CUDA)
      otherwise.kind = "stopped";
    return otherwise;
  }
}

void surveyAll(std::istream &input, const char *device, bool assembles) {
  tawa_runtime_options_t options = TAWA_RUNTIME_OPTIONS_INIT;
  options.device = device;
  options.cache_dir = "";
  Runtime runtime = Runtime::create(options);
  const std::string marker = "// case: ";
  std::string all(std::istreambuf_iterator<char>(input), {});
  for (size_t at = all.find(marker); at != std::string::npos;) {
    size_t lineEnd = all.find('\n', at), next = all.find("\n" + marker, lineEnd);
    std::string name = all.substr(at + marker.size(), lineEnd - at - marker.size());
    std::string text = all.substr(lineEnd + 1, next == std::string::npos ? next : next - lineEnd);
    Outcome outcome = survey(runtime, name, text, assembles);
    std::cout << "case: " << name << '\t' << outcome.kind << '\t' << outcome.reason << std::endl;
    at = next == std::string::npos ? next : next + 1;
  }
}

} // namespace
} // namespace tawa::conformance

int main(int argc, char **argv) try {
  const char *device = argc > 1 ? argv[1] : "emulator";
  tawa::conformance::surveyAll(std::cin, device, argc > 2 && std::string(argv[2]) == "assemble");
  return 0;
} catch (const std::exception &failure) {
  std::fprintf(stderr, "%s\n", failure.what());
  return 1;
}
