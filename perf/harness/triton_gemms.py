"""Batched and grouped GEMM for Triton, as its users write them today: persistent, with TMA descriptors made on the host.

C[z] = A[z] B[z]^T, batches folded into rows. Grouped: consecutive tiles of rows share a B, named by a table.
"""

import triton
import triton.language as tl
from triton.tools.tensor_descriptor import TensorDescriptor

# BLOCK_M, BLOCK_N, BLOCK_K, warps, stages: those that win for f16 on a Hopper GPU.
CONFIGS = [(128, 256, 64, 8, 3), (128, 256, 64, 8, 4), (128, 128, 64, 4, 4), (256, 128, 64, 8, 3), (128, 128, 64, 8, 4)]
GROUP = 8


@triton.jit
def batched(a, b, c, batches, m, n, k, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr,
            GROUP: tl.constexpr, CTAS: tl.constexpr):
    m_tiles, n_tiles = tl.cdiv(m, BLOCK_M), tl.cdiv(n, BLOCK_N)
    each = m_tiles * n_tiles
    for tile in tl.range(tl.program_id(0), batches * each, CTAS, flatten=True):
        batch, inside = tile // each, tile % each
        width = GROUP * n_tiles
        first = inside // width * GROUP
        rows = tl.minimum(m_tiles - first, GROUP)
        row, column = first + inside % width % rows, inside % width // rows
        total = tl.zeros((BLOCK_M, BLOCK_N), tl.float32)
        for step in range(tl.cdiv(k, BLOCK_K)):
            left = a.load([batch * m + row * BLOCK_M, step * BLOCK_K])
            right = b.load([batch * n + column * BLOCK_N, step * BLOCK_K])
            total = tl.dot(left, right.T, total)
        c.store([batch * m + row * BLOCK_M, column * BLOCK_N], total.to(tl.float16))


@triton.jit
def grouped(a, b, c, group_of, m_tiles, n, k, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr,
            GROUP: tl.constexpr, CTAS: tl.constexpr):
    n_tiles = tl.cdiv(n, BLOCK_N)
    for tile in tl.range(tl.program_id(0), m_tiles * n_tiles, CTAS, flatten=True):
        width = GROUP * n_tiles
        first = tile // width * GROUP
        rows = tl.minimum(m_tiles - first, GROUP)
        row, column = first + tile % width % rows, tile % width // rows
        group = tl.load(group_of + row * BLOCK_M // 128)
        total = tl.zeros((BLOCK_M, BLOCK_N), tl.float32)
        for step in range(tl.cdiv(k, BLOCK_K)):
            left = a.load([row * BLOCK_M, step * BLOCK_K])
            right = b.load([group * n + column * BLOCK_N, step * BLOCK_K])
            total = tl.dot(left, right.T, total)
        c.store([row * BLOCK_M, column * BLOCK_N], total.to(tl.float16))


def descriptors(a, b, c, block_m, block_n, block_k):
    return (TensorDescriptor.from_tensor(a, [block_m, block_k]), TensorDescriptor.from_tensor(b, [block_n, block_k]),
            TensorDescriptor.from_tensor(c, [block_m, block_n]))


def launches(kernel, a, b, c, scalars_of, ctas):
    """{name: launch} of every configuration that compiles and runs; `scalars_of(BLOCK_M)` are the other arguments."""
    found = {}
    for block_m, block_n, block_k, warps, stages in CONFIGS:
        if kernel is grouped and block_m > 128:
            continue
        described, scalars = descriptors(a, b, c, block_m, block_n, block_k), scalars_of(block_m)

        def launch(described=described, scalars=scalars, sizes=(block_m, block_n, block_k), warps=warps, stages=stages):
            kernel[(ctas,)](*described, *scalars, *sizes, GROUP, ctas, num_warps=warps, num_stages=stages)

        try:
            launch()
            found[f"{block_m}x{block_n}x{block_k} warps={warps} stages={stages}"] = launch
        except Exception as failure:  # pylint: disable=broad-except  # out of resources, or what its compiler refuses
            print(f"triton {block_m}x{block_n}x{block_k}: {str(failure).splitlines()[0]}")
    return found
