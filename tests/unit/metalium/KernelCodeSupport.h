// Kernels of tests/kernels as printed programs, and what they should compute.
#pragma once

#include "tests/unit/metalium/PrintedProgram.h"
#include "tests/unit/planner/AffinizeTestSupport.h"

namespace tawa::metalium::tests {

/// Rows over y, columns over x, without sharing; or one dimension over all cores.
mesh::Plan planOf(const mesh::TileProgram &program);
Code codeOf(const mesh::TileProgram &program);
/// Its code compiles, and runs with a main function of the body.
void expectRight(const Result<AffineKernel> &kernel, const std::string &mainBody);
void expectRight(const Code &code, const std::string &mainBody);

/// 200 x 300 x 160.
std::string mainOfGemm(const std::string &name);
/// Two heads of 128 rows, blocks of 64 x 64: two products in the loop, which carries maximum, sum and output.
extern const char *const kMainOfAttention;

} // namespace tawa::metalium::tests
