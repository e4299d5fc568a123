// Runs the evaluator exactly and with perturbed rounding, and derives a tolerance for every element.
#include "compiler/reference/Expectation.h"

#include "compiler/reference/Elements.h"
#include "runtime/artifact/KernelConfig.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <sstream>

namespace tawa::reference {

namespace {

/// Scale of the perturbations, relative to the errors permitted to devices: full, then less and more in turn. Where a
/// number is near a tie in rounding, or near a comparison, a device may get to its other side; some run must too. Small
/// steps find the ties that are close, while large ones move everything else so much that they hide them.
constexpr double kScales[] = {1, 1, 1, 0.25, 0.0625, 4};
/// Permitted multiples of the runs' difference from the exact one, in general and for large differences.
constexpr double kSpread = 4, kLargeSpread = 1.5;
/// Perturbed runs that the first difference triggers, and those through which a difference must persist.
constexpr size_t kFewRuns = 3, kManyRuns = 36;

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
  if (std::optional<Outputs> outputs = evaluate({}))
    exact = std::move(*outputs);
}

std::optional<Outputs> Expectation::evaluate(Perturbation perturbation) {
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
  if (perturbation.seed == 0)
    evaluated = status;
  return status ? std::optional(std::move(outputs)) : std::nullopt;
}

/// A perturbation may break a correct program (a lock that another program holds); such runs are ignored.
void Expectation::perturbUpTo(size_t count) {
  for (; tried < count; ++tried) {
    Perturbation perturbation{static_cast<uint32_t>(tried + 1), kScales[tried % std::size(kScales)]};
    if (std::optional<Outputs> outputs = evaluate(perturbation))
      perturbed.push_back({std::move(*outputs), perturbation.scale > 1 ? kLargeSpread : kSpread});
  }
}

bool Expectation::moves(size_t argument) const {
  return std::any_of(perturbed.begin(), perturbed.end(),
                     [&](const PerturbedRun &run) { return run.outputs[argument] != exact[argument]; });
}

/// One rounding more than the difference of the runs, in tensors that are not exact throughout.
double Expectation::toleranceOf(size_t argument, size_t element) const {
  ElementType type = program.args[argument].type;
  size_t at = element * elementBytes(type);
  double expected = readNumber(type, exact[argument].data() + at), tolerance = 0;
  for (const PerturbedRun &run : perturbed) {
    double difference = std::fabs(readNumber(type, run.outputs[argument].data() + at) - expected);
    tolerance = std::isfinite(difference) ? std::max(tolerance, difference * run.tolerance) : tolerance;
  }
  return moves(argument) ? tolerance + std::fabs(expected) * precisionOf(type).relative : 0;
}

/// Integers that differ at all, and floats that are finite in some runs only, are undefined.
bool Expectation::isDefined(size_t argument, size_t element) const {
  ElementType type = program.args[argument].type;
  size_t size = elementBytes(type), at = element * size;
  double expected = readNumber(type, exact[argument].data() + at);
  for (const PerturbedRun &run : perturbed) {
    double other = readNumber(type, run.outputs[argument].data() + at);
    if (std::memcmp(run.outputs[argument].data() + at, exact[argument].data() + at, size) == 0)
      continue;
    bool isSameKind = (std::isfinite(other) && std::isfinite(expected)) || (std::isnan(other) && std::isnan(expected));
    if (!isFloat(type) || !isSameKind)
      return false;
  }
  return true;
}

bool Expectation::isWithin(size_t argument, size_t element, const std::vector<char> &got) const {
  ElementType type = program.args[argument].type;
  size_t at = element * elementBytes(type);
  double expected = readNumber(type, exact[argument].data() + at), here = readNumber(type, got.data() + at);
  if (!isFloat(type))
    return false;
  if (std::isnan(expected) || std::isnan(here))
    return std::isnan(expected) && std::isnan(here);
  if (here == expected) // zeros of either sign
    return true;
  return std::fabs(here - expected) <= toleranceOf(argument, element) + precisionOf(type).smallest;
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
      perturbUpTo(kFewRuns);
      bool isRight = !isDefined(argument, i) || isWithin(argument, i, got);
      if (!isRight) {
        perturbUpTo(kManyRuns);
        isRight = !isDefined(argument, i) || isWithin(argument, i, got);
      }
      if (!isRight) {
        std::ostringstream text;
        text << "argument " << argument << ", element " << i << " is " << readNumber(type, got.data() + i * size)
             << ", expected " << readNumber(type, expected.data() + i * size) << " (" << perturbed.size()
             << " perturbed runs allow a difference of " << toleranceOf(argument, i) << ")";
        return text.str();
      }
      ++(isDefined(argument, i) ? tally.close : tally.undefined);
    }
  }
  return {};
}

} // namespace tawa::reference
