// See Expectation.h.
#include "compiler/reference/Expectation.h"

#include "compiler/reference/Elements.h"
#include "runtime/artifact/KernelConfig.h"

#include <cmath>
#include <cstring>
#include <sstream>

namespace tawa::reference {

namespace {

constexpr double kSpread = 4;
/// Perturbed runs that a first difference costs, and those that a difference must survive to be one.
constexpr size_t kFewRuns = 3, kManyRuns = 24;

std::vector<int64_t> denseStrides(const std::vector<int64_t> &shape) {
  std::vector<int64_t> strides(shape.size(), 1);
  for (size_t dim = shape.size(); dim-- > 1;)
    strides[dim - 1] = strides[dim] * shape[dim];
  return strides;
}

} // namespace

size_t LaunchArgument::byteCount() const {
  size_t count = elementBytes(type);
  for (int64_t size : shape)
    count *= static_cast<size_t>(size);
  return count;
}

Expectation::Expectation(const LaunchedText &program, uint64_t stepLimit) : program(program), stepLimit(stepLimit) {
  Result<KernelConfig> config = KernelConfig::parse(program.config);
  if (!config) {
    evaluated = config.status();
    return;
  }
  Result<ReferenceKernel> read = ReferenceKernel::read(program.text, program.name, config->tile);
  if (!read) {
    evaluated = read.status();
    return;
  }
  kernel.emplace(std::move(*read));
  if (std::optional<Outputs> outputs = evaluate(0))
    exact = std::move(*outputs);
}

std::optional<Outputs> Expectation::evaluate(uint32_t perturbation) {
  Outputs outputs(program.args.size());
  for (size_t i = 0; i < program.args.size(); ++i)
    outputs[i] = program.args[i].bytes;
  std::vector<ReferenceArgument> args;
  for (size_t i = 0; i < program.args.size(); ++i) {
    const LaunchArgument &arg = program.args[i];
    ReferenceArgument described;
    described.integer = arg.integer;
    described.real = arg.number;
    if (arg.isTensor()) {
      outputs[i].resize(arg.byteCount());
      described = ReferenceArgument::tensor(outputs[i].data(), outputs[i].size(), arg.shape, denseStrides(arg.shape));
    }
    args.push_back(std::move(described));
  }
  for (size_t i = 0; i < program.args.size(); ++i)
    for (size_t slot = 0; slot < outputs[i].size() / 8 && !program.args[i].targets.empty(); ++slot) {
      size_t target = program.args[i].targets[slot % program.args[i].targets.size()];
      auto address = reinterpret_cast<uint64_t>(outputs[target].data());
      std::memcpy(outputs[i].data() + 8 * slot, &address, 8);
    }
  Status status = kernel->run(args, program.grid, stepLimit, perturbation);
  if (perturbation == 0)
    evaluated = status;
  return status ? std::optional(std::move(outputs)) : std::nullopt;
}

/// A perturbation may lead a right program astray (a lock that another program holds); such runs say nothing.
void Expectation::perturbUpTo(size_t count) {
  for (; tried < count; ++tried)
    if (std::optional<Outputs> outputs = evaluate(static_cast<uint32_t>(tried + 1)))
      perturbed.push_back(std::move(*outputs));
}

bool Expectation::isWithin(size_t argument, size_t element, const std::vector<char> &got, bool &isDefined) const {
  ElementType type = program.args[argument].type;
  size_t size = elementBytes(type), at = element * size;
  double expected = readNumber(type, exact[argument].data() + at), here = readNumber(type, got.data() + at);
  double spread = 0;
  isDefined = true;
  for (const Outputs &run : perturbed) {
    double other = readNumber(type, run[argument].data() + at);
    if (std::memcmp(run[argument].data() + at, exact[argument].data() + at, size) == 0)
      continue;
    bool areFinite = std::isfinite(other) && std::isfinite(expected);
    isDefined &= isFloat(type) && (areFinite || (std::isnan(other) && std::isnan(expected)));
    spread = areFinite ? std::max(spread, std::fabs(other - expected)) : spread;
  }
  if (!isDefined)
    return true;
  if (!isFloat(type))
    return false;
  if (std::isnan(expected) || std::isnan(here))
    return std::isnan(expected) && std::isnan(here);
  if (here == expected) // zeros of either sign
    return true;
  double rounding = spread == 0 ? 0 : std::fabs(expected) * precisionOf(type).relative;
  return std::fabs(here - expected) <= kSpread * spread + rounding + precisionOf(type).smallest;
}

std::string Expectation::compare(const Outputs &outputs, Tally &tally) {
  for (size_t argument = 0; argument < program.args.size(); ++argument) {
    if (program.args[argument].kind != LaunchArgument::Kind::Tensor)
      continue;
    ElementType type = program.args[argument].type;
    size_t size = elementBytes(type);
    const std::vector<char> &got = outputs[argument], &expected = exact[argument],
                            &initial = program.args[argument].bytes;
    for (size_t i = 0; i < expected.size() / size; ++i) {
      if (std::memcmp(got.data() + i * size, expected.data() + i * size, size) == 0) {
        bool isWritten = std::memcmp(initial.data() + i * size, expected.data() + i * size, size) != 0;
        tally.equal += isWritten;
        continue;
      }
      bool isDefined = true;
      perturbUpTo(kFewRuns);
      bool isRight = isWithin(argument, i, got, isDefined);
      if (!isRight) {
        perturbUpTo(kManyRuns);
        isRight = isWithin(argument, i, got, isDefined);
      }
      if (!isRight) {
        std::ostringstream text;
        text << "argument " << argument << ", element " << i << " is " << readNumber(type, got.data() + i * size)
             << ", expected " << readNumber(type, expected.data() + i * size);
        return text.str();
      }
      ++(isDefined ? tally.close : tally.undefined);
    }
  }
  return {};
}

} // namespace tawa::reference
