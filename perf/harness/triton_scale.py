"""tests/kernels/scale.mlir in Triton's language, for launch_bench.py."""

import triton
import triton.language as tl

BLOCK = 64


@triton.jit
def scale(x, y, n, by, BLOCK: tl.constexpr):  # pylint: disable=redefined-outer-name
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + at, tl.load(x + at, mask=at < n) * by, mask=at < n)
