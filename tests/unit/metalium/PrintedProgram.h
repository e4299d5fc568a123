// Code of a plan in a folder: compiled alone against the declarations of tests/planner/metalium, and run on their
// model.
#pragma once

#include "compiler/planner/metalium/Metalium.h"

#include "tests/unit/mesh/Examples.h"

namespace tawa::metalium::tests {

/// Lowers and prints; a plan that has no core program is a failure of the test.
Code print(const mesh::Plan &plan, const mesh::TileProgram &program, const mesh::Machine &machine);

/// examples::gemm with its operands.
mesh::TileProgram exactGemm(const mesh::examples::GemmSizes &sizes);
mesh::TileOperand step(int position);
mesh::TileOperand constant(double value);

class PrintedProgram {
public:
  /// Writes the files to a folder of the test that runs.
  explicit PrintedProgram(const Code &code);

  /// Each file alone, without warnings. Empty, or what the compiler says.
  std::string compile() const;
  /// All of it with a main function of the body, which has `run()`; empty, or what failed.
  std::string run(const std::string &mainBody) const;

private:
  void writeKernels() const;
  std::string command(const std::string &line) const;

  std::string folder;
};

} // namespace tawa::metalium::tests
