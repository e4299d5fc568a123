// tawa-pass-bench: where the time from text to PTX goes, pass by pass, as a Markdown table with one column per kernel.
//
// Every kernel is compiled once in a process of its own ("first": LLVM's tables and page faults included, what a
// program waits for at start), then REPEATS times in this process; the passes' times are the medians of those. Nothing
// is known about the arguments, as for a service that compiles before it sees data.
//
// usage: tawa-pass-bench [--repeats N] K.mlir[;CONFIG]...
#include "compiler/pipeline/Compiler.h"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

namespace {

using namespace tawa;

/// What no pass accounts for: the context, the parser, and the verifier between passes.
constexpr const char *kRest = "rest (context, parser, verifier)";

struct Kernel {
  std::string path, name, text;
  KernelConfig config;
  double first = 0;          ///< Milliseconds of the first compilation of a process.
  std::vector<double> total; ///< Of the later ones.
  std::map<std::string, std::vector<double>> passes;

  explicit Kernel(const std::string &argument) {
    size_t semicolon = argument.find(';');
    path = argument.substr(0, semicolon);
    name = path.substr(path.rfind('/') + 1);
    name = name.substr(0, name.rfind('.'));
    std::ifstream file(path, std::ios::binary);
    text.assign(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
    if (!file)
      fail("cannot read " + path);
    if (semicolon == std::string::npos)
      return;
    Result<KernelConfig> parsed = KernelConfig::parse(argument.substr(semicolon + 1));
    if (!parsed)
      fail(parsed.status().message());
    config = *parsed;
  }

  [[noreturn]] static void fail(const std::string &message) {
    std::fprintf(stderr, "%s\n", message.c_str());
    std::exit(1);
  }

  /// Compiles to PTX; milliseconds. The passes' times are added up by name where a pass runs several times.
  double compile(std::map<std::string, double> &times, std::vector<std::string> &order) const {
    CompileInput input;
    input.text = text;
    input.name = path;
    input.config = config;
    auto begin = std::chrono::steady_clock::now();
    Result<CompileOutput> output = compileKernel(input);
    std::chrono::duration<double, std::milli> elapsed = std::chrono::steady_clock::now() - begin;
    if (!output)
      fail(output.status().message());
    for (const KernelReport::PhaseTime &pass : output->passes) {
      if (std::find(order.begin(), order.end(), pass.phase) == order.end())
        order.push_back(pass.phase);
      times[pass.phase] += pass.milliseconds;
    }
    double rest = elapsed.count();
    for (const auto &[pass, milliseconds] : times)
      rest -= milliseconds;
    times[kRest] = rest;
    return elapsed.count();
  }
};

double median(std::vector<double> samples) {
  std::sort(samples.begin(), samples.end());
  return samples.empty() ? 0 : samples[samples.size() / 2];
}

/// What the first compilation costs in a process that has compiled nothing.
double timeFirst(const Kernel &kernel) {
  int ends[2];
  if (pipe(ends) != 0)
    Kernel::fail("pipe failed");
  pid_t child = fork();
  if (child == 0) {
    std::map<std::string, double> times;
    std::vector<std::string> order;
    double milliseconds = kernel.compile(times, order);
    bool written = write(ends[1], &milliseconds, sizeof milliseconds) == sizeof milliseconds;
    _exit(written ? 0 : 1);
  }
  close(ends[1]);
  double milliseconds = 0;
  bool read = ::read(ends[0], &milliseconds, sizeof milliseconds) == sizeof milliseconds;
  close(ends[0]);
  waitpid(child, nullptr, 0);
  if (child < 0 || !read)
    Kernel::fail("the process for " + kernel.path + " failed");
  return milliseconds;
}

void printRow(const std::string &title, const std::vector<Kernel> &kernels, double (*cell)(const Kernel &)) {
  std::printf("| %s |", title.c_str());
  for (const Kernel &kernel : kernels)
    std::printf(" %.1f |", cell(kernel));
  std::printf("\n");
}

void printTable(const std::vector<Kernel> &kernels, const std::vector<std::string> &order) {
  std::printf("| ms |");
  for (const Kernel &kernel : kernels)
    std::printf(" %s |", kernel.name.c_str());
  std::printf("\n|---|");
  for (size_t i = 0; i < kernels.size(); ++i)
    std::printf("---|");
  std::printf("\n");
  printRow("**first of a process**", kernels, [](const Kernel &kernel) { return kernel.first; });
  printRow("**median**", kernels, [](const Kernel &kernel) { return median(kernel.total); });
  for (const std::string &pass : order) {
    bool matters = std::any_of(kernels.begin(), kernels.end(), [&](const Kernel &kernel) {
      auto found = kernel.passes.find(pass);
      return found != kernel.passes.end() && median(found->second) >= 0.05;
    });
    if (!matters)
      continue;
    std::printf("| %s |", pass.c_str());
    for (const Kernel &kernel : kernels) {
      auto found = kernel.passes.find(pass);
      std::printf(" %.1f |", found == kernel.passes.end() ? 0 : median(found->second));
    }
    std::printf("\n");
  }
}

} // namespace

int main(int count, char **arguments) {
  int repeats = 11, next = 1;
  if (count > 2 && std::strcmp(arguments[1], "--repeats") == 0) {
    repeats = std::atoi(arguments[2]);
    next = 3;
  }
  if (next >= count || repeats < 1) {
    std::fprintf(stderr, "usage: tawa-pass-bench [--repeats N] K.mlir[;CONFIG]...\n");
    return 1;
  }
  std::vector<Kernel> kernels(arguments + next, arguments + count);
  for (Kernel &kernel : kernels)
    kernel.first = timeFirst(kernel);
  std::vector<std::string> order;
  for (Kernel &kernel : kernels)
    for (int i = 0; i < repeats; ++i) {
      std::map<std::string, double> times;
      kernel.total.push_back(kernel.compile(times, order));
      for (const auto &[pass, milliseconds] : times)
        kernel.passes[pass].push_back(milliseconds);
    }
  order.push_back(kRest);
  printTable(kernels, order);
  return 0;
}
