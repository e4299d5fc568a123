#!/usr/bin/env python3
"""Kernels of layers, their gradients and losses, in Triton's language as people write them for training and research, printed as Triton IR
for text_bench.py. They were written as a sample: before any of them was compiled by Tawa.

usage: layer_kernels.py FOLDER

Needs Triton and a GPU, which prints each text once. A text's `// run:` line has its launch, and `bytes=` what a perfect kernel moves.
"""

import sys

import kernel_texts
import triton
import triton.language as tl
from kernel_texts import words

# ---- products --------------------------------------------------------------------------------------------------------------


@triton.jit
def gated_pair(x, gate, up, y, m, n, k, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr, GROUP: tl.constexpr):
    """silu(x gate) * (x up): two products of one loop, tiles in groups of rows."""
    program, columns = tl.program_id(0), tl.cdiv(n, BLOCK_N)
    first = (program // (GROUP * columns)) * GROUP
    rows = tl.minimum(tl.cdiv(m, BLOCK_M) - first, GROUP)
    row = (first + program % rows) * BLOCK_M + tl.arange(0, BLOCK_M)
    column = ((program % (GROUP * columns)) // rows) * BLOCK_N + tl.arange(0, BLOCK_N)
    at = tl.arange(0, BLOCK_K)
    x_at = x + (row % m)[:, None] * k + at[None, :]
    gate_at, up_at = gate + at[:, None] * n + column[None, :], up + at[:, None] * n + column[None, :]
    left, right = tl.zeros((BLOCK_M, BLOCK_N), tl.float32), tl.zeros((BLOCK_M, BLOCK_N), tl.float32)
    for step in range(0, tl.cdiv(k, BLOCK_K)):
        tile = tl.load(x_at)
        left = tl.dot(tile, tl.load(gate_at), left)
        right = tl.dot(tile, tl.load(up_at), right)
        x_at += BLOCK_K
        gate_at += BLOCK_K * n
        up_at += BLOCK_K * n
    tl.store(y + row[:, None] * n + column[None, :], (left * tl.sigmoid(left) * right).to(tl.bfloat16), mask=row[:, None] < m)


@triton.jit
def weight_gradient(x, dy, dw, bias, m, n, k, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr, BLOCK_M: tl.constexpr):
    """dw [n, k] = dy^T x over m tokens, and the sums of dy over tokens, both operands along their columns."""
    row = tl.program_id(0) * BLOCK_N + tl.arange(0, BLOCK_N)
    column = tl.program_id(1) * BLOCK_K + tl.arange(0, BLOCK_K)
    total, sums = tl.zeros((BLOCK_N, BLOCK_K), tl.float32), tl.zeros((BLOCK_N,), tl.float32)
    for first in range(0, m, BLOCK_M):
        token = first + tl.arange(0, BLOCK_M)
        d = tl.load(dy + token[:, None] * n + row[None, :])
        total = tl.dot(tl.trans(d), tl.load(x + token[:, None] * k + column[None, :]), total)
        sums += tl.sum(d.to(tl.float32), 0)
    tl.store(dw + row[:, None] * k + column[None, :], total)
    tl.store(bias + row, sums, mask=row < n * (tl.program_id(1) == 0))


@triton.jit
def linear_odd(a, b, bias, c, m, n, k, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr):
    """Sizes that no tile divides: masks along all three dimensions, bias and GELU."""
    row = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    column = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    total = tl.zeros((BLOCK_M, BLOCK_N), tl.float32)
    for first in range(0, k, BLOCK_K):
        at = first + tl.arange(0, BLOCK_K)
        left = tl.load(a + row[:, None] * k + at[None, :], mask=(row[:, None] < m) & (at[None, :] < k), other=0.0)
        right = tl.load(b + at[:, None] * n + column[None, :], mask=(at[:, None] < k) & (column[None, :] < n), other=0.0)
        total += tl.dot(left, right)
    total += tl.load(bias + column, mask=column < n, other=0.0)[None, :]
    total = 0.5 * total * (1.0 + tl.erf(total * 0.7071067811865476))
    tl.store(c + row[:, None] * n + column[None, :], total.to(tl.float16), mask=(row[:, None] < m) & (column[None, :] < n))


@triton.jit
def int8_scaled(a, b, a_scale, b_scale, c, m, n, k, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr):
    """8-bit rows and columns with a scale each."""
    row = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    column = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    at = tl.arange(0, BLOCK_K)
    total = tl.zeros((BLOCK_M, BLOCK_N), tl.int32)
    for first in range(0, k, BLOCK_K):
        left = tl.load(a + row[:, None] * k + (first + at)[None, :], mask=row[:, None] < m, other=0)
        total += tl.dot(left, tl.load(b + column[None, :] * k + (first + at)[:, None]))
    scaled = total.to(tl.float32) * tl.load(a_scale + row, mask=row < m)[:, None] * tl.load(b_scale + column)[None, :]
    tl.store(c + row[:, None] * n + column[None, :], scaled.to(tl.bfloat16), mask=row[:, None] < m)


@triton.jit
def fp8_rows(a, b, a_scale, b_scale, c, m, n, k, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr, TILES: tl.constexpr):
    """FP8 with a scale for each row and column, by a launch of fewer programs than tiles."""
    rows = tl.cdiv(m, BLOCK_M)
    for tile in range(tl.program_id(0), rows * tl.cdiv(n, BLOCK_N), TILES):
        row = (tile % rows) * BLOCK_M + tl.arange(0, BLOCK_M)
        column = (tile // rows) * BLOCK_N + tl.arange(0, BLOCK_N)
        total = tl.zeros((BLOCK_M, BLOCK_N), tl.float32)
        for first in range(0, k, BLOCK_K):
            at = first + tl.arange(0, BLOCK_K)
            total = tl.dot(tl.load(a + row[:, None] * k + at[None, :]), tl.load(b + column[None, :] * k + at[:, None]), total)
        total = total * tl.load(a_scale + row)[:, None] * tl.load(b_scale + column)[None, :]
        tl.store(c + row[:, None] * n + column[None, :], total.to(tl.bfloat16))


@triton.jit
def split_sums(a, b, c, m, n, k, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr, SPLIT: tl.constexpr):
    """Few rows: programs share a tile and add to it."""
    column = tl.program_id(0) * BLOCK_N + tl.arange(0, BLOCK_N)
    row = tl.arange(0, BLOCK_M)
    total = tl.zeros((BLOCK_M, BLOCK_N), tl.float32)
    for first in range(tl.program_id(1) * BLOCK_K, k, BLOCK_K * SPLIT):
        at = first + tl.arange(0, BLOCK_K)
        left = tl.load(a + row[:, None] * k + at[None, :], mask=row[:, None] < m, other=0.0)
        total = tl.dot(left, tl.load(b + column[None, :] * k + at[:, None]), total)
    tl.atomic_add(c + row[:, None] * n + column[None, :], total, mask=row[:, None] < m)


@triton.jit
def block_sparse(counts, places, blocks, x, y, n, MOST: tl.constexpr, BLOCK: tl.constexpr, BLOCK_N: tl.constexpr):
    """Rows of blocks that are listed, times a dense matrix."""
    line, column = tl.program_id(0), tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    inner = tl.arange(0, BLOCK)
    total = tl.zeros((BLOCK, BLOCK_N), tl.float32)
    for each in range(0, tl.load(counts + line)):
        entry = line * MOST + each
        place = tl.load(places + entry)
        left = tl.load(blocks + entry.to(tl.int64) * BLOCK * BLOCK + inner[:, None] * BLOCK + inner[None, :])
        total = tl.dot(left, tl.load(x + (place * BLOCK + inner)[:, None] * n + column[None, :]), total)
    tl.store(y + (line * BLOCK + inner)[:, None] * n + column[None, :], total.to(tl.float16))


@triton.jit
def experts_gradient(starts, lengths, x, dy, dw, n, k, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr, BLOCK_M: tl.constexpr):
    """Gradients of the weights of a mixture's experts: each sums over its own tokens."""
    expert = tl.program_id(2)
    start, length = tl.load(starts + expert), tl.load(lengths + expert)
    row = tl.program_id(0) * BLOCK_N + tl.arange(0, BLOCK_N)
    column = tl.program_id(1) * BLOCK_K + tl.arange(0, BLOCK_K)
    total = tl.zeros((BLOCK_N, BLOCK_K), tl.float32)
    for first in range(0, length, BLOCK_M):
        token = first + tl.arange(0, BLOCK_M)
        inside, token = token < length, start + token
        d = tl.load(dy + token[None, :] * n + row[:, None], mask=inside[None, :], other=0.0)
        total = tl.dot(d, tl.load(x + token[:, None] * k + column[None, :], mask=inside[:, None], other=0.0), total)
    tl.store(dw + expert.to(tl.int64) * n * k + row[:, None] * k + column[None, :], total.to(tl.bfloat16))


@triton.jit
def adapters(x, which, a, y, n, k, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr):
    """The second half of a LoRA: blocks of tokens have an adapter each, K is its rank, results are added to what is there."""
    adapter = tl.load(which + tl.program_id(0))
    row = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    column = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    at = tl.arange(0, BLOCK_K)
    left = tl.load(x + row[:, None] * k + at[None, :], mask=at[None, :] < k, other=0.0).to(tl.bfloat16)
    right = tl.load(a + adapter * n * k + column[None, :] * k + at[:, None], mask=at[:, None] < k, other=0.0)
    there = y + row[:, None] * n + column[None, :]
    tl.store(there, (tl.load(there) + tl.dot(left, right)).to(tl.bfloat16))


@triton.jit
def lookup_weights(x, codes, table, largest, y, m, n, k, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr):
    """Weights of 4 bits by a table of 16 numbers, two in a byte, with the largest of 64."""
    row = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    column = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    total = tl.zeros((BLOCK_M, BLOCK_N), tl.float32)
    for first in range(0, k, BLOCK_K):
        at = first + tl.arange(0, BLOCK_K)
        code = tl.load(codes + column[:, None] * (k // 2) + (at // 2)[None, :]).to(tl.int32)
        code = (code >> ((1 - at % 2) * 4)[None, :]) & 15
        weight = tl.load(table + code) * tl.load(largest + column * (k // 64) + first // 64)[:, None]
        left = tl.load(x + row[:, None] * k + at[None, :], mask=row[:, None] < m, other=0.0)
        total = tl.dot(left, tl.trans(weight.to(tl.bfloat16)), total)
    tl.store(y + row[:, None] * n + column[None, :], total.to(tl.bfloat16), mask=row[:, None] < m)


# ---- attention -------------------------------------------------------------------------------------------------------------


@triton.jit
def attention_packed(q, k, v, o, starts, lengths, scale, heads, longest, SHARED: tl.constexpr, DIM: tl.constexpr, BLOCK_M: tl.constexpr,
                     BLOCK_N: tl.constexpr):
    """Causal, sequences of their own lengths one after another, heads that share keys, [token, head, DIM]."""
    sequence, head = tl.program_id(1), tl.program_id(2)
    start, length = tl.load(starts + sequence) * longest, tl.load(lengths + sequence)
    row = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    if tl.program_id(0) * BLOCK_M >= length:
        return
    column, key = tl.arange(0, DIM), tl.arange(0, BLOCK_N)
    groups = heads // SHARED
    query = tl.load(q + ((start + row)[:, None] * heads + head) * DIM + column[None, :], mask=row[:, None] < length, other=0.0)
    most, sums = tl.full((BLOCK_M,), -float("inf"), tl.float32), tl.zeros((BLOCK_M,), tl.float32)
    total = tl.zeros((BLOCK_M, DIM), tl.float32)
    for first in range(0, tl.minimum(tl.program_id(0) * BLOCK_M + BLOCK_M, length), BLOCK_N):
        here = first + key
        at = ((start + here) * groups + head // SHARED) * DIM
        keys = tl.load(k + at[None, :] + column[:, None], mask=here[None, :] < length, other=0.0)
        scores = tl.dot(query, keys) * scale
        scores = tl.where((row[:, None] >= here[None, :]) & (here[None, :] < length), scores, -1.0e6)
        next_most = tl.maximum(most, tl.max(scores, 1))
        p, factor = tl.exp2(scores - next_most[:, None]), tl.exp2(most - next_most)
        values = tl.load(v + at[:, None] + column[None, :], mask=here[:, None] < length, other=0.0)
        total = tl.dot(p.to(values.dtype), values, total * factor[:, None])
        sums, most = sums * factor + tl.sum(p, 1), next_most
    tl.store(o + ((start + row)[:, None] * heads + head) * DIM + column[None, :], (total / sums[:, None]).to(tl.bfloat16),
             mask=row[:, None] < length)


@triton.jit
def attention_sinks(q, k, v, sinks, o, length, scale, WINDOW: tl.constexpr, DIM: tl.constexpr, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr):
    """A window of keys and a learned score that takes part in the sum, [batch and head, length, DIM]."""
    head = tl.program_id(1)
    row, column, key = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M), tl.arange(0, DIM), tl.arange(0, BLOCK_N)
    base = head.to(tl.int64) * length * DIM
    query = tl.load(q + base + row[:, None] * DIM + column[None, :])
    sink = tl.load(sinks + head % 64).to(tl.float32) * 1.44269504
    most, sums = tl.zeros((BLOCK_M,), tl.float32) + sink, tl.full((BLOCK_M,), 1.0, tl.float32)
    total = tl.zeros((BLOCK_M, DIM), tl.float32)
    begin = tl.maximum(0, (tl.program_id(0) * BLOCK_M - WINDOW + 1) // BLOCK_N * BLOCK_N)
    for first in range(begin, (tl.program_id(0) + 1) * BLOCK_M, BLOCK_N):
        here = first + key
        keys = tl.load(k + base + here[:, None] * DIM + column[None, :])
        scores = tl.dot(query, tl.trans(keys)) * scale
        ahead = row[:, None] - here[None, :]
        scores = tl.where((ahead >= 0) & (ahead < WINDOW), scores, -float("inf"))
        next_most = tl.maximum(most, tl.max(scores, 1))
        p, factor = tl.exp2(scores - next_most[:, None]), tl.exp2(most - next_most)
        total = total * factor[:, None]
        total = tl.dot(p.to(tl.bfloat16), tl.load(v + base + here[:, None] * DIM + column[None, :]), total)
        sums, most = sums * factor + tl.sum(p, 1), next_most
    tl.store(o + base + row[:, None] * DIM + column[None, :], (total / sums[:, None]).to(tl.bfloat16))


@triton.jit
def decode_8bit(q, k, v, k_scale, v_scale, o, length, scale, DIM: tl.constexpr, SHARED: tl.constexpr, BLOCK_N: tl.constexpr):
    """One token beside keys and values of 8 bits with a scale each; heads that share keys are rows of a product."""
    group = tl.program_id(0)
    lane, column, key = tl.arange(0, SHARED), tl.arange(0, DIM), tl.arange(0, BLOCK_N)
    query = tl.load(q + (group * SHARED + lane)[:, None] * DIM + column[None, :])
    most, sums = tl.full((SHARED,), -float("inf"), tl.float32), tl.zeros((SHARED,), tl.float32)
    total = tl.zeros((SHARED, DIM), tl.float32)
    for first in range(0, length, BLOCK_N):
        at = group.to(tl.int64) * length + first + key
        keys = tl.load(k + at[None, :] * DIM + column[:, None]).to(tl.float16)
        scores = tl.dot(query, keys) * (tl.load(k_scale + at) * scale)[None, :]
        next_most = tl.maximum(most, tl.max(scores, 1))
        p, factor = tl.exp2(scores - next_most[:, None]), tl.exp2(most - next_most)
        sums = sums * factor + tl.sum(p, 1)
        values = tl.load(v + at[:, None] * DIM + column[None, :]).to(tl.float16)
        total = total * factor[:, None] + tl.dot((p * tl.load(v_scale + at)[None, :]).to(tl.float16), values)
        most = next_most
    tl.store(o + (group * SHARED + lane)[:, None] * DIM + column[None, :], (total / sums[:, None]).to(tl.float16))


@triton.jit
def gated_recurrence(q, k, v, gates, o, length, CHUNK: tl.constexpr, DIM: tl.constexpr, BLOCK_V: tl.constexpr):
    """Linear attention with a gate for each token, chunk by chunk: the state stays in the program."""
    head = tl.program_id(1)
    token, column, value = tl.arange(0, CHUNK), tl.arange(0, DIM), tl.program_id(0) * BLOCK_V + tl.arange(0, BLOCK_V)
    state = tl.zeros((DIM, BLOCK_V), tl.float32)
    base = head.to(tl.int64) * length * DIM
    for first in range(0, length, CHUNK):
        at = base + (first + token)[:, None] * DIM
        sums = tl.cumsum(tl.load(gates + head * length + first + token))
        last = tl.sum(tl.where(token == CHUNK - 1, sums, 0.0))
        query, keys, values = tl.load(q + at + column[None, :]), tl.load(k + at + column[None, :]), tl.load(v + at + value[None, :])
        scores = tl.dot(query, tl.trans(keys)) * tl.exp(sums[:, None] - sums[None, :])
        scores = tl.where(token[:, None] >= token[None, :], scores, 0.0)
        total = tl.dot(query, state.to(tl.bfloat16)) * tl.exp(sums)[:, None]
        total += tl.dot(scores.to(tl.bfloat16), values)
        tl.store(o + at + value[None, :], total.to(tl.bfloat16))
        weighted = (keys * tl.exp(last - sums)[:, None]).to(tl.bfloat16)
        state = state * tl.exp(last) + tl.dot(tl.trans(weighted), values)


# ---- rows ------------------------------------------------------------------------------------------------------------------


@triton.jit
def norm_to_fp8(x, weight, y, scales, residual, columns, eps, BLOCK: tl.constexpr, GROUP: tl.constexpr):
    """Adds a residual, normalizes by the root of the mean square, rounds to FP8 with a scale for GROUP numbers."""
    row, at = tl.program_id(0), tl.arange(0, BLOCK)
    values = tl.load(x + row * columns + at).to(tl.float32) + tl.load(residual + row * columns + at).to(tl.float32)
    tl.store(residual + row * columns + at, values.to(tl.bfloat16))
    values = values * tl.rsqrt(tl.sum(values * values) / columns + eps) * tl.load(weight + at).to(tl.float32)
    parts = tl.reshape(values, (BLOCK // GROUP, GROUP))
    scale = tl.maximum(tl.max(tl.abs(parts), 1), 1e-10) / 448.0
    tl.store(y + row * columns + at, tl.reshape(parts / scale[:, None], (BLOCK,)).to(tl.float8e4nv))
    tl.store(scales + row * (columns // GROUP) + tl.arange(0, BLOCK // GROUP), scale)


@triton.jit
def loss_and_gradient(logits, targets, losses, columns, weight, BLOCK: tl.constexpr):
    """Cross entropy of a long row in two passes; the gradient takes the place of the logits."""
    row = tl.program_id(0).to(tl.int64)
    line, target = logits + row * columns, tl.load(targets + row)
    chosen = tl.load(line + target).to(tl.float32)
    most, sums = -float("inf"), 0.0
    for first in range(0, columns, BLOCK):
        at = first + tl.arange(0, BLOCK)
        values = tl.load(line + at, mask=at < columns, other=-float("inf")).to(tl.float32)
        next_most = tl.maximum(most, tl.max(values))
        sums = sums * tl.exp(most - next_most) + tl.sum(tl.exp(values - next_most))
        most = next_most
    for first in range(0, columns, BLOCK):
        at = first + tl.arange(0, BLOCK)
        values = tl.load(line + at, mask=at < columns, other=-float("inf")).to(tl.float32)
        gradient = (tl.exp(values - most) / sums - tl.where(at == target, 1.0, 0.0)) * weight
        tl.store(line + at, gradient.to(tl.bfloat16), mask=at < columns)
    tl.store(losses + row, most + tl.log(sums) - chosen)


@triton.jit
def divergence(student, teacher, losses, gradient, columns, BLOCK: tl.constexpr):
    """Kullback and Leibler's divergence of log-probabilities, with its gradient."""
    row = tl.program_id(0).to(tl.int64)
    total = 0.0
    for first in range(0, columns, BLOCK):
        at = first + tl.arange(0, BLOCK)
        inside = at < columns
        target = tl.load(teacher + row * columns + at, mask=inside, other=-float("inf"))
        here = tl.load(student + row * columns + at, mask=inside, other=0.0)
        p = tl.exp(target)
        total += tl.sum(tl.where(inside, p * (target - here), 0.0))
        tl.store(gradient + row * columns + at, -p, mask=inside)
    tl.store(losses + row, total)


@triton.jit
def causal_convolution(x, weight, bias, y, length, width, TAPS: tl.constexpr, BLOCK_T: tl.constexpr, BLOCK_D: tl.constexpr):
    """Each channel over the TAPS tokens before it, then SiLU; [batch, length, width]."""
    token = tl.program_id(0) * BLOCK_T + tl.arange(0, BLOCK_T)
    channel = tl.program_id(1) * BLOCK_D + tl.arange(0, BLOCK_D)
    base = tl.program_id(2).to(tl.int64) * length * width
    total = tl.zeros((BLOCK_T, BLOCK_D), tl.float32) + tl.load(bias + channel)[None, :].to(tl.float32)
    for tap in tl.static_range(TAPS):
        before = token - (TAPS - 1) + tap
        values = tl.load(x + base + before[:, None] * width + channel[None, :], mask=before[:, None] >= 0, other=0.0).to(tl.float32)
        total += values * tl.load(weight + channel * TAPS + tap).to(tl.float32)[None, :]
    tl.store(y + base + token[:, None] * width + channel[None, :], (total * tl.sigmoid(total)).to(tl.bfloat16))


@triton.jit
def heads_turned(x, weight, cosines, sines, y, heads, eps, DIM: tl.constexpr, HEADS: tl.constexpr):
    """Each head's norm, then its turn by position."""
    token, head, half = tl.program_id(0), tl.program_id(1) * HEADS + tl.arange(0, HEADS), tl.arange(0, DIM // 2)
    base = (token * heads + head)[:, None] * DIM + half[None, :]
    low, high = tl.load(x + base).to(tl.float32), tl.load(x + base + DIM // 2).to(tl.float32)
    scale = tl.rsqrt((tl.sum(low * low, 1) + tl.sum(high * high, 1)) / DIM + eps)[:, None]
    low, high = low * scale * tl.load(weight + half)[None, :], high * scale * tl.load(weight + DIM // 2 + half)[None, :]
    cosine, sine = tl.load(cosines + token * (DIM // 2) + half)[None, :], tl.load(sines + token * (DIM // 2) + half)[None, :]
    tl.store(y + base, (low * cosine - high * sine).to(tl.bfloat16))
    tl.store(y + base + DIM // 2, (high * cosine + low * sine).to(tl.bfloat16))


@triton.jit
def embedding_gradient(tokens, dy, dw, width, BLOCK: tl.constexpr):
    """Rows are added to those of a table that tokens name."""
    at = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    token = tl.load(tokens + tl.program_id(0))
    tl.atomic_add(dw + token * width + at, tl.load(dy + tl.program_id(0) * width + at).to(tl.float32))


@triton.jit
def gate_of_experts(logits, weights, chosen, rows, EXPERTS: tl.constexpr, TOP: tl.constexpr, BLOCK_M: tl.constexpr):
    """A softmax over experts and the TOP largest, one after another."""
    row, expert = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M), tl.arange(0, EXPERTS)
    values = tl.load(logits + row[:, None] * EXPERTS + expert[None, :], mask=row[:, None] < rows, other=0.0).to(tl.float32)
    values = tl.exp(values - tl.max(values, 1)[:, None])
    values = values / tl.sum(values, 1)[:, None]
    for each in tl.static_range(TOP):
        best = tl.argmax(values, 1)
        tl.store(weights + row * TOP + each, tl.max(values, 1), mask=row < rows)
        tl.store(chosen + row * TOP + each, best, mask=row < rows)
        values = tl.where(expert[None, :] == best[:, None], -1.0, values)


@triton.jit
def products_of_rows(o, do, delta, length, DIM: tl.constexpr, BLOCK_M: tl.constexpr):
    """What the gradient of attention begins with."""
    row, column = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M), tl.arange(0, DIM)
    at = tl.program_id(1).to(tl.int64) * length * DIM + row[:, None] * DIM + column[None, :]
    tl.store(delta + tl.program_id(1) * length + row, tl.sum(tl.load(o + at).to(tl.float32) * tl.load(do + at).to(tl.float32), 1))


# ---- sizes -----------------------------------------------------------------------------------------------------------------


def products():
    """(name, kernel, grid, arguments, constants, warps, stages)"""
    m, n, k = 4096, 5632, 2048
    yield ("gated_pair", gated_pair, (m // 128 * (n // 128), 1, 1),
           [words("bf16", m, k), words("bf16", k, n), words("bf16", k, n), words("bf16", m, n), f"i32:{m}", f"i32:{n}", f"i32:{k}"],
           {"BLOCK_M": 128, "BLOCK_N": 128, "BLOCK_K": 64, "GROUP": 8}, 8, 3)
    m, n, k = 8192, 4096, 2048
    yield ("weight_gradient", weight_gradient, (n // 128, k // 128, 1),
           [words("bf16", m, k), words("bf16", m, n), words("f32", n, k), words("f32", n), f"i32:{m}", f"i32:{n}", f"i32:{k}"],
           {"BLOCK_N": 128, "BLOCK_K": 128, "BLOCK_M": 64}, 8, 3)
    m, n, k = 1000, 3000, 1500
    yield ("linear_odd", linear_odd, (-(-m // 64), -(-n // 128), 1),
           [words("f16", m, k), words("f16", k, n), words("f32", n), words("f16", m, n), f"i32:{m}", f"i32:{n}", f"i32:{k}"],
           {"BLOCK_M": 64, "BLOCK_N": 128, "BLOCK_K": 64}, 4, 3)
    n, k = 4096, 4096
    for kernel, dtype in ((int8_scaled, "i8"), (fp8_rows, "f8e4m3")):
        for m, block_m in ((128, 64), (2048, 128)):
            tiles = m // block_m * (n // 128)
            programs, constants = (min(tiles, 132), {"TILES": min(tiles, 132)}) if kernel is fp8_rows else (None, {})
            grid = (programs, 1, 1) if programs else (m // block_m, n // 128, 1)
            yield (f"{kernel.__name__}_{m}", kernel, grid, [words(dtype, m, k), words(dtype, n, k), words("f32", m), words("f32", n),
                                                             words("bf16", m, n), f"i32:{m}", f"i32:{n}", f"i32:{k}"],
                   {"BLOCK_M": block_m, "BLOCK_N": 128, "BLOCK_K": 128, **constants}, 8 if block_m > 64 else 4, 3)
    m, n, k, split = 16, 4096, 14336, 8
    yield ("split_sums", split_sums, (n // 64, split, 1), [words("bf16", m, k), words("bf16", n, k), words("f32", m, n), f"i32:{m}", f"i32:{n}", f"i32:{k}"],
           {"BLOCK_M": 16, "BLOCK_N": 64, "BLOCK_K": 128, "SPLIT": split}, 4, 4)
    lines, most, n = 64, 24, 4096
    yield ("block_sparse", block_sparse, (lines, n // 128, 1), [words("i32", lines, values="4..24"), words("i32", lines, most, values=f"0..{lines}"),
                                                                words("f16", lines * most, 64, 64), words("f16", lines * 64, n), words("f16", lines * 64, n), f"i32:{n}"],
           {"MOST": most, "BLOCK": 64, "BLOCK_N": 128}, 4, 3)
    experts, n, k = 16, 1408, 2048
    yield ("experts_gradient", experts_gradient, (n // 128, k // 128, experts),
           [words("i32", experts, values="0..7680"), words("i32", experts, values="0..513"), words("bf16", 8192, k), words("bf16", 8192, n), words("bf16", experts, n, k),
            f"i32:{n}", f"i32:{k}"], {"BLOCK_N": 128, "BLOCK_K": 128, "BLOCK_M": 64}, 8, 3)
    m, n, rank = 1024, 4096, 16
    yield ("adapters", adapters, (m // 16, n // 128, 1), [words("f32", m, rank), words("i32", m // 16, values="0..8"), words("bf16", 8, n, rank),
                                                          words("bf16", m, n), f"i32:{n}", f"i32:{rank}"],
           {"BLOCK_M": 16, "BLOCK_N": 128, "BLOCK_K": 16}, 4, 2)
    for m, block_m in ((16, 16), (512, 64)):
        n, k = 4096, 4096
        yield (f"lookup_weights_{m}", lookup_weights, (-(-m // block_m), n // 64, 1),
               [words("bf16", m, k), words("i8", n, k // 2), words("f32", 16), words("f32", n, k // 64), words("bf16", m, n), f"i32:{m}", f"i32:{n}", f"i32:{k}"],
               {"BLOCK_M": block_m, "BLOCK_N": 64, "BLOCK_K": 64}, 4, 3)


def attentions():
    sequences, longest, heads, shared, dim = 8, 2048, 32, 4, 128
    tokens = sequences * longest
    cache = words("bf16", tokens, heads // shared, dim)
    yield ("attention_packed", attention_packed, (longest // 128, sequences, heads),
           [words("bf16", tokens, heads, dim), cache, cache, words("bf16", tokens, heads, dim), words("i32", sequences, values="permutation"),
            words("i32", sequences, values=f"300..{longest}"), "f32:0.1275", f"i32:{heads}", f"i32:{longest}"],
           {"SHARED": shared, "DIM": dim, "BLOCK_M": 128, "BLOCK_N": 64}, 8, 3)
    heads, length, dim = 64, 4096, 64
    rows = words("bf16", heads, length, dim)
    for window in (128, 1024):
        yield (f"attention_sinks_{window}", attention_sinks, (length // 64, heads, 1), [rows, rows, rows, words("bf16", 64), rows, f"i32:{length}", "f32:0.18"],
               {"WINDOW": window, "DIM": dim, "BLOCK_M": 64, "BLOCK_N": 64}, 4, 3)
    groups, length, dim, shared = 256, 4096, 128, 16
    cache, scales = words("i8", groups, length, dim), words("f32", groups, length, values="0.01..0.02")
    yield ("decode_8bit", decode_8bit, (groups, 1, 1), [words("f16", groups * shared, dim), cache, cache, scales, scales, words("f16", groups * shared, dim),
                                                        f"i32:{length}", "f32:0.1275"], {"DIM": dim, "SHARED": shared, "BLOCK_N": 64}, 4, 3)
    heads, length, dim = 128, 4096, 128
    rows = words("bf16", heads, length, dim)
    yield ("gated_recurrence", gated_recurrence, (dim // 64, heads, 1), [rows, rows, rows, words("f32", heads, length, values="-0.1..0"), rows, f"i32:{length}"],
           {"CHUNK": 64, "DIM": dim, "BLOCK_V": 64}, 4, 2)


def rows():
    count, columns = 8192, 4096
    table = words("bf16", count, columns)
    yield ("norm_to_fp8", norm_to_fp8, (count, 1, 1), [table, words("bf16", columns), words("f8e4m3", count, columns), words("f32", count, columns // 128), table,
                                                       f"i32:{columns}", "f32:1e-6"], {"BLOCK": columns, "GROUP": 128}, 8, 1)
    count, columns = 4096, 32000
    yield ("loss_and_gradient", loss_and_gradient, (count, 1, 1), [words("bf16", count, columns), words("i64", count, values=f"0..{columns}"), words("f32", count),
                                                                   f"i32:{columns}", "f32:0.001"], {"BLOCK": 8192}, 16, 1)
    yield ("divergence", divergence, (count, 1, 1), [words("f32", count, columns, values="-12..-9"), words("f32", count, columns, values="-12..-9"), words("f32", count),
                                                     words("f32", count, columns), f"i32:{columns}"], {"BLOCK": 4096}, 8, 1)
    batch, length, width = 4, 4096, 2048
    states = words("bf16", batch, length, width)
    yield ("causal_convolution", causal_convolution, (length // 32, width // 128, batch), [states, words("bf16", width, 4), words("bf16", width), states,
                                                                                           f"i32:{length}", f"i32:{width}"], {"TAPS": 4, "BLOCK_T": 32, "BLOCK_D": 128}, 4, 1)
    tokens, heads, dim = 8192, 32, 128
    yield ("heads_turned", heads_turned, (tokens, heads // 8, 1), [words("bf16", tokens, heads, dim), words("f32", dim), words("f32", tokens, dim // 2),
                                                                   words("f32", tokens, dim // 2), words("bf16", tokens, heads, dim), f"i32:{heads}", "f32:1e-6"],
           {"DIM": dim, "HEADS": 8}, 4, 1)
    tokens, width, table = 8192, 4096, 32000
    yield ("embedding_gradient", embedding_gradient, (tokens, width // 1024, 1), [words("i64", tokens, values=f"0..{table}"), words("bf16", tokens, width),
                                                                                   words("f32", table, width), f"i32:{width}"], {"BLOCK": 1024}, 4, 1)
    tokens, experts, top = 8192, 64, 6
    yield ("gate_of_experts", gate_of_experts, (tokens // 16, 1, 1), [words("f32", tokens, experts), words("f32", tokens, top), words("i32", tokens, top), f"i32:{tokens}"],
           {"EXPERTS": experts, "TOP": top, "BLOCK_M": 16}, 4, 1)
    heads, length, dim = 64, 4096, 128
    states = words("bf16", heads, length, dim)
    yield ("products_of_rows", products_of_rows, (length // 128, heads, 1), [states, states, words("f32", heads, length), f"i32:{length}"],
           {"DIM": dim, "BLOCK_M": 128}, 4, 1)


if __name__ == "__main__":
    kernel_texts.write(sys.argv[1], (*products(), *attentions(), *rows()))
