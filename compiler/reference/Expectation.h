// Expectation: the contents of a kernel's tensors after a launch, and how far a correct kernel may deviate.
//
// The reference evaluator runs the text once exactly and, where rounding or order matters, again with perturbations
// that the text permits as well (compiler/reference/Evaluator.h): numbers that were rounded, approximated or summed in
// another order move a little, programs and lanes run in another order, undefined values change. An element may differ
// from the exact run by a few times the difference of these runs from it, and by one rounding. Tensors that do not move
// must be equal to the bit.
//
// Independent of MLIR.
#pragma once

#include "compiler/reference/ReferenceKernel.h"
#include "runtime/artifact/ElementType.h"

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tawa::reference {

/// One argument of a launch, with the initial contents of its memory.
struct LaunchArgument {
  enum class Kind { Tensor, Scalar, Constant, Addresses };
  Kind kind = Kind::Tensor;
  ElementType type = ElementType::F32;
  std::vector<int64_t> shape; ///< Of a dense row-major tensor.
  std::vector<char> bytes;
  double number = 0; ///< Of a scalar, whatever its type.
  int64_t integer = 0;
  std::vector<size_t> targets; ///< Of a tensor of addresses: those of these arguments, in turn.

  bool isTensor() const { return kind == Kind::Tensor || kind == Kind::Addresses; }
  size_t byteCount() const;
};

/// A kernel's text and one launch of it.
struct LaunchedText {
  std::string name;
  std::string text;
  std::string config; ///< As KernelConfig prints it; the values of tile parameters are taken from it.
  std::array<uint32_t, 3> grid = {1, 1, 1};
  std::vector<LaunchArgument> args;
};

/// Contents of every tensor after a launch, in the order of the arguments; empty for scalars.
using Outputs = std::vector<std::vector<char>>;

/// Results of the comparisons so far. Elements that the launch did not change do not count.
struct Tally {
  uint64_t equal = 0;     ///< To the bit.
  uint64_t close = 0;     ///< Within their tolerance.
  uint64_t undefined = 0; ///< The text does not say what they are.
};

class Expectation {
public:
  /// Evaluates; `status` says what is wrong with the text or the program.
  explicit Expectation(const LaunchedText &program, uint64_t stepLimit = uint64_t(1) << 31);

  const Status &status() const { return evaluated; }
  /// Contents of the tensors after the exact run.
  const Outputs &outputs() const { return exact; }
  /// Empty, or the first element that no right kernel computes.
  std::string compare(const Outputs &outputs, Tally &tally);

private:
  struct PerturbedRun {
    Outputs outputs;
    double tolerance; ///< How many times its distance from the exact run is allowed.
  };

  std::optional<Outputs> evaluate(Perturbation perturbation);
  void perturbUpTo(size_t count);
  /// Facts about an element from the perturbed runs: its tolerance, whether it is undefined, whether it may be this.
  bool moves(size_t argument) const;
  double toleranceOf(size_t argument, size_t element) const;
  bool isDefined(size_t argument, size_t element) const;
  bool isWithin(size_t argument, size_t element, const std::vector<char> &got) const;

  const LaunchedText &program; ///< The caller's.
  uint64_t stepLimit;
  Status evaluated;
  std::optional<ReferenceKernel> kernel;
  Outputs exact;
  std::vector<PerturbedRun> perturbed;
  size_t tried = 0; ///< Perturbations, including those whose evaluation failed.
};

} // namespace tawa::reference
