// Kernels for tests of affinization.
#pragma once

#include "compiler/planner/affinize/Affinize.h"
#include "compiler/planner/affinize/ArgumentFacts.h"

#include <string>
#include <vector>

namespace tawa {

/// A file of tests/kernels.
std::string kernelText(const std::string &name);

/// GEMM of the kernels with descriptors: a, b, c, M, N, K.
std::vector<ArgumentFacts> gemmArguments(int64_t m, int64_t n, int64_t k);

Result<AffineKernel> affinizeText(const std::string &text, std::vector<ArgumentFacts> arguments,
                                  std::optional<std::array<uint32_t, 3>> grid,
                                  std::map<std::string, int64_t> tile = {});

/// The tile program's text, or the error.
std::string describe(const Result<AffineKernel> &kernel);

} // namespace tawa
