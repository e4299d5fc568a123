// ReferenceKernel: a kernel's text, read as the compiler reads it, for repeated evaluation. For programs without MLIR.
#pragma once

#include "compiler/reference/ReferenceArgument.h"
#include "runtime/support/Status.h"

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace tawa::reference {

class ReferenceKernel {
public:
  /// `tile` gives values to the text's `tawa.param` directives. A text that the compiler would refuse is an error here.
  static Result<ReferenceKernel> read(const std::string &text, const std::string &name,
                                      const std::map<std::string, int64_t> &tile = {});
  ReferenceKernel(ReferenceKernel &&) noexcept;
  ~ReferenceKernel();

  /// evaluate() of Evaluator.h.
  Status run(std::vector<ReferenceArgument> &args, std::array<uint32_t, 3> grid, uint64_t stepLimit,
             Perturbation perturbation = {}) const;
  /// evaluateProgram() of Evaluator.h.
  Status runProgram(std::vector<ReferenceArgument> &args, std::array<uint32_t, 3> grid, uint32_t number,
                    uint64_t stepLimit) const;

  /// The module's text after reading, without locations.
  std::string print() const;

private:
  struct Module;
  explicit ReferenceKernel(std::unique_ptr<Module> module);
  std::unique_ptr<Module> module;
};

} // namespace tawa::reference
