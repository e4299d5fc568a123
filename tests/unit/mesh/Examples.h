// Machines and tile programs by hand, for tests of planner and simulator that need no IR.
#pragma once

#include "runtime/mesh/Plan.h"

namespace tawa::mesh::examples {

/// A grid of rows x columns cores ("y", "x") with rings along both dimensions, 1.5 MB of local memory each, and DRAM
/// channels each shared by four cores of a row.
Machine grid(int64_t rows, int64_t columns);

/// C[m, n] = A[m, k] * B[k, n] in f16 with f32 sums: grid (m, n), loop k, loads of A (0) and B (1), store of C (0).
struct GemmSizes {
  int64_t m = 0, n = 0, k = 0;
  int64_t blockM = 128, blockN = 128, blockK = 64;
};
TileProgram gemm(const GemmSizes &sizes);

/// O = softmax(Q K^T) V: grid (head, block of queries), Q loaded once, a loop over the keys with loads of K and V.
struct AttentionSizes {
  int64_t heads = 0, queries = 0, keys = 0, width = 64;
  int64_t blockQ = 128, blockK = 128;
};
TileProgram attention(const AttentionSizes &sizes);

} // namespace tawa::mesh::examples
