#!/usr/bin/env python3
"""Kernels that serving engines are made of, in Triton's language as people write them, printed as Triton IR for text_bench.py: weights of
4 and 8 bits, FP8 with scales by block, experts of a mixture, decoding with the keys in parts or in pages, latent attention.

usage: serving_kernels.py FOLDER

Needs Triton and a GPU, which prints each text once. A text's `// run:` line has its launch, and `bytes=` what a perfect kernel moves.
"""

import sys

import kernel_texts
import triton
import triton.language as tl
from kernel_texts import words

# ---- products --------------------------------------------------------------------------------------------------------------


@triton.jit
def w4a16_packed_k(a, words, scales, c, m, n, k, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr,
                   GROUP: tl.constexpr):
    """Eight consecutive k share a word, as GPTQ packs them; a scale for GROUP of them."""
    row = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    column = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    total = tl.zeros((BLOCK_M, BLOCK_N), tl.float32)
    for first in range(0, k, BLOCK_K):
        at = first + tl.arange(0, BLOCK_K)
        left = tl.load(a + row[:, None] * k + at[None, :], mask=row[:, None] < m, other=0.0)
        packed = tl.load(words + (at[:, None] // 8) * n + column[None, :])
        scale = tl.load(scales + (first // GROUP) * n + column)
        right = (((packed >> ((at % 8) * 4)[:, None]) & 15) - 8).to(tl.float16) * scale[None, :]
        total = tl.dot(left, right, total)
    tl.store(c + row[:, None] * n + column[None, :], total.to(tl.float16), mask=row[:, None] < m)


@triton.jit
def w4a16_packed_n(a, words, scales, c, m, n, k, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr,
                   GROUP: tl.constexpr):
    """Eight consecutive columns share a word, as AWQ packs them."""
    row = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    column = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    word = tl.program_id(1) * (BLOCK_N // 8) + tl.arange(0, BLOCK_N // 8)
    shifts = (tl.arange(0, BLOCK_N) % 8) * 4
    total = tl.zeros((BLOCK_M, BLOCK_N), tl.float32)
    for first in range(0, k, BLOCK_K):
        at = first + tl.arange(0, BLOCK_K)
        left = tl.load(a + row[:, None] * k + at[None, :], mask=row[:, None] < m, other=0.0)
        packed = tl.load(words + at[:, None] * (n // 8) + word[None, :])
        packed = tl.interleave(packed, packed)
        packed = tl.interleave(packed, packed)
        packed = tl.interleave(packed, packed)
        scale = tl.load(scales + (first // GROUP) * n + column)
        right = (((packed >> shifts[None, :]) & 15) - 8).to(tl.float16) * scale[None, :]
        total = tl.dot(left, right, total)
    tl.store(c + row[:, None] * n + column[None, :], total.to(tl.float16), mask=row[:, None] < m)


@triton.jit
def w8a16(a, weights, scales, c, m, n, k, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr):
    """Weights [n, k] in int8 with a scale for each column of the result."""
    row = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    column = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    total = tl.zeros((BLOCK_M, BLOCK_N), tl.float32)
    for first in range(0, k, BLOCK_K):
        at = first + tl.arange(0, BLOCK_K)
        left = tl.load(a + row[:, None] * k + at[None, :], mask=row[:, None] < m, other=0.0)
        right = tl.load(weights + column[None, :] * k + at[:, None]).to(tl.bfloat16)
        total = tl.dot(left, right, total)
    total *= tl.load(scales + column)[None, :]
    tl.store(c + row[:, None] * n + column[None, :], total.to(tl.bfloat16), mask=row[:, None] < m)


@triton.jit
def fp8_by_block(a, b, a_scales, b_scales, c, m, n, k, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr):
    """A scale for 128 of a row of A and for 128 x 128 of B; B is [n, k]."""
    row = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    column = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    here = row % m
    total = tl.zeros((BLOCK_M, BLOCK_N), tl.float32)
    blocks = k // 128
    for first in range(0, k, BLOCK_K):
        at = first + tl.arange(0, BLOCK_K)
        left = tl.load(a + here[:, None] * k + at[None, :])
        right = tl.load(b + column[None, :] * k + at[:, None])
        scale_a = tl.load(a_scales + here * blocks + first // 128)
        scale_b = tl.load(b_scales + (column // 128) * blocks + first // 128)
        total += tl.dot(left, right) * scale_a[:, None] * scale_b[None, :]
    tl.store(c + row[:, None] * n + column[None, :], total.to(tl.bfloat16), mask=row[:, None] < m)


@triton.jit
def mixture(a, b, c, tokens, experts, n, k, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr):
    """Rows in the order of their experts, a block of them to one expert; A's rows are gathered."""
    slot = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    column = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    token = tl.load(tokens + slot)
    expert = tl.load(experts + tl.program_id(0)).to(tl.int64)
    weights = b + expert * n * k
    total = tl.zeros((BLOCK_M, BLOCK_N), tl.float32)
    for first in range(0, k, BLOCK_K):
        at = first + tl.arange(0, BLOCK_K)
        left = tl.load(a + token[:, None] * k + at[None, :])
        right = tl.load(weights + column[None, :] * k + at[:, None])
        total = tl.dot(left, right, total)
    tl.store(c + slot[:, None] * n + column[None, :], total.to(tl.bfloat16))


# ---- decoding --------------------------------------------------------------------------------------------------------------


@triton.jit
def decode_split(q, keys, values, partial, weights, length, scale, HEADS: tl.constexpr, SHARED: tl.constexpr, DIM: tl.constexpr,
                 BLOCK_H: tl.constexpr, BLOCK_N: tl.constexpr, SPLITS: tl.constexpr):
    """A part of the keys of one sequence for the heads that share them; parts are combined elsewhere."""
    batch, group, split = tl.program_id(0), tl.program_id(1), tl.program_id(2)
    lane = tl.arange(0, BLOCK_H)
    head, columns = group * SHARED + lane, tl.arange(0, DIM)
    each = tl.cdiv(length, SPLITS)
    begin, end = split * each, tl.minimum(split * each + each, length)
    query = tl.load(q + (batch * HEADS + head)[:, None] * DIM + columns[None, :], mask=lane[:, None] < SHARED, other=0.0)
    most, sums = tl.full((BLOCK_H,), -float("inf"), tl.float32), tl.zeros((BLOCK_H,), tl.float32)
    total = tl.zeros((BLOCK_H, DIM), tl.float32)
    base = (batch * (HEADS // SHARED) + group).to(tl.int64) * length * DIM
    for first in range(begin, end, BLOCK_N):
        key = first + tl.arange(0, BLOCK_N)
        k = tl.load(keys + base + key[None, :] * DIM + columns[:, None], mask=key[None, :] < end, other=0.0)
        scores = tl.where(key[None, :] < end, tl.dot(query, k) * scale, -float("inf"))
        next_most = tl.maximum(most, tl.max(scores, 1))
        p, factor = tl.exp(scores - next_most[:, None]), tl.exp(most - next_most)
        v = tl.load(values + base + key[:, None] * DIM + columns[None, :], mask=key[:, None] < end, other=0.0)
        total = total * factor[:, None] + tl.dot(p.to(v.dtype), v)
        sums, most = sums * factor + tl.sum(p, 1), next_most
    at = (batch * HEADS + head) * SPLITS + split
    tl.store(partial + at[:, None] * DIM + columns[None, :], total / sums[:, None], mask=lane[:, None] < SHARED)
    tl.store(weights + at, most + tl.log(sums), mask=lane < SHARED)


@triton.jit
def decode_paged(q, keys, values, pages, lengths, partial, weights, scale, most_pages, HEADS: tl.constexpr, SHARED: tl.constexpr,
                 DIM: tl.constexpr, BLOCK_H: tl.constexpr, BLOCK_N: tl.constexpr, PAGE: tl.constexpr, SPLITS: tl.constexpr):
    """The same with keys in pages of PAGE tokens, [page, token, group, column], and lengths in memory."""
    batch, group, split = tl.program_id(0), tl.program_id(1), tl.program_id(2)
    lane = tl.arange(0, BLOCK_H)
    head, columns = group * SHARED + lane, tl.arange(0, DIM)
    length = tl.load(lengths + batch)
    each = tl.cdiv(tl.cdiv(length, SPLITS), BLOCK_N) * BLOCK_N
    begin, end = split * each, tl.minimum(split * each + each, length)
    if end <= begin:
        return
    query = tl.load(q + (batch * HEADS + head)[:, None] * DIM + columns[None, :], mask=lane[:, None] < SHARED, other=0.0)
    most, sums = tl.full((BLOCK_H,), -float("inf"), tl.float32), tl.zeros((BLOCK_H,), tl.float32)
    total = tl.zeros((BLOCK_H, DIM), tl.float32)
    row: tl.constexpr = (HEADS // SHARED) * DIM
    for first in range(begin, end, BLOCK_N):
        key = first + tl.arange(0, BLOCK_N)
        page = tl.load(pages + batch * most_pages + key // PAGE, mask=key < end, other=0).to(tl.int64)
        place = (page * PAGE + key % PAGE) * row + group * DIM
        k = tl.load(keys + place[None, :] + columns[:, None], mask=key[None, :] < end, other=0.0)
        scores = tl.where(key[None, :] < end, tl.dot(query, k) * scale, -float("inf"))
        next_most = tl.maximum(most, tl.max(scores, 1))
        p, factor = tl.exp(scores - next_most[:, None]), tl.exp(most - next_most)
        v = tl.load(values + place[:, None] + columns[None, :], mask=key[:, None] < end, other=0.0)
        total = total * factor[:, None] + tl.dot(p.to(v.dtype), v)
        sums, most = sums * factor + tl.sum(p, 1), next_most
    at = (batch * HEADS + head) * SPLITS + split
    tl.store(partial + at[:, None] * DIM + columns[None, :], total / sums[:, None], mask=lane[:, None] < SHARED)
    tl.store(weights + at, most + tl.log(sums), mask=lane < SHARED)


@triton.jit
def decode_latent(q, q_rope, latent, pages, partial, weights, length, scale, HEADS: tl.constexpr, BLOCK_H: tl.constexpr,
                  BLOCK_N: tl.constexpr, SPLITS: tl.constexpr):
    """Latent attention: a token has 512 columns that are keys and values of all heads, and 64 with positions."""
    batch, group, split = tl.program_id(0), tl.program_id(1), tl.program_id(2)
    head = group * BLOCK_H + tl.arange(0, BLOCK_H)
    columns, places = tl.arange(0, 512), tl.arange(0, 64)
    each = tl.cdiv(length, SPLITS)
    begin, end = split * each, tl.minimum(split * each + each, length)
    query = tl.load(q + (batch * HEADS + head)[:, None] * 512 + columns[None, :])
    query_rope = tl.load(q_rope + (batch * HEADS + head)[:, None] * 64 + places[None, :])
    most, sums = tl.full((BLOCK_H,), -float("inf"), tl.float32), tl.zeros((BLOCK_H,), tl.float32)
    total = tl.zeros((BLOCK_H, 512), tl.float32)
    for first in range(begin, end, BLOCK_N):
        key = first + tl.arange(0, BLOCK_N)
        place = tl.load(pages + batch * length + key, mask=key < end, other=0).to(tl.int64) * 576
        k = tl.load(latent + place[None, :] + columns[:, None], mask=key[None, :] < end, other=0.0)
        k_rope = tl.load(latent + place[None, :] + 512 + places[:, None], mask=key[None, :] < end, other=0.0)
        scores = (tl.dot(query, k) + tl.dot(query_rope, k_rope)) * scale
        scores = tl.where(key[None, :] < end, scores, -float("inf"))
        next_most = tl.maximum(most, tl.max(scores, 1))
        p, factor = tl.exp(scores - next_most[:, None]), tl.exp(most - next_most)
        total = total * factor[:, None] + tl.dot(p.to(k.dtype), tl.trans(k))
        sums, most = sums * factor + tl.sum(p, 1), next_most
    at = (batch * HEADS + head) * SPLITS + split
    tl.store(partial + at[:, None] * 512 + columns[None, :], total / sums[:, None])
    tl.store(weights + at, most + tl.log(sums))


# ---- texts -----------------------------------------------------------------------------------------------------------------

SCALE = 0.08838834764831845
ROWS = {16: (16, 64), 64: (64, 64), 256: (128, 128)}  # of a product: rows and columns of a tile
SIZE = 4096
LAYERS = (28672, 8192), (8192, 28672)  # columns and K of larger weights, as those of a model of 70 billion


def weight_products(n, k, rows):
    """Products with weights of 4 and 8 bits: (name, kernel, grid, arguments, constants, warps, stages)"""
    layer = "" if n == k == SIZE else f"_{n}x{k}"
    for m in rows:
        block_m, block_n = ROWS[m]
        grid, tile = (-(-m // block_m), n // block_n, 1), {"BLOCK_M": block_m, "BLOCK_N": block_n}
        warps, sizes = (8 if block_n > 64 else 4), [f"i32:{m}", f"i32:{n}", f"i32:{k}"]
        any_word = "-2147483648..2147483647"
        for kernel, shape in ((w4a16_packed_k, (k // 8, n)), (w4a16_packed_n, (k, n // 8))):
            arguments = [words("f16", m, k), words("i32", *shape, values=any_word), words("f16", k // 128, n), words("f16", m, n), *sizes]
            yield f"{kernel.__name__}_{m}{layer}", kernel, grid, arguments, tile | {"BLOCK_K": 64, "GROUP": 128}, warps, 3
        arguments = [words("bf16", m, k), words("i8", n, k), words("f32", n), words("bf16", m, n), *sizes]
        yield f"w8a16_{m}{layer}", w8a16, grid, arguments, tile | {"BLOCK_K": 64}, warps, 4


def products(size=SIZE):
    """(name, kernel, grid, arguments, constants, warps, stages)"""
    yield from weight_products(size, size, ROWS)
    for n, k in LAYERS:
        yield from weight_products(n, k, (16, 64))
    for m, (block_m, block_n) in {**ROWS, 4096: (128, 128)}.items():
        arguments = [words("f8e4m3", m, size), words("f8e4m3", size, size), words("f32", m, size // 128),
                     words("f32", size // 128, size // 128), words("bf16", m, size), f"i32:{m}", f"i32:{size}", f"i32:{size}"]
        yield (f"fp8_by_block_{m}", fp8_by_block, (-(-m // block_m), size // block_n, 1), arguments,
               {"BLOCK_M": block_m, "BLOCK_N": block_n, "BLOCK_K": 128}, 8 if block_n > 64 else 4, 3)


def mixtures(experts=64, n=2816, k=2048):
    for tokens, block_m, block_n, warps in ((512, 16, 128, 4), (8192, 64, 128, 4)):
        slots = 2 * tokens
        arguments = [words("bf16", tokens, k), words("bf16", experts, n, k), words("bf16", slots, n), words("i32", slots, values=f"0..{tokens}"),
                     words("i32", slots // block_m, values="permutation" if slots == experts * block_m else f"0..{experts}"), f"i32:{n}", f"i32:{k}"]
        yield (f"mixture_{tokens}", mixture, (slots // block_m, n // block_n, 1), arguments,
               {"BLOCK_M": block_m, "BLOCK_N": block_n, "BLOCK_K": 64}, warps, 3)


def decodes(batch=32, heads=32, shared=8, dim=128, length=4096, splits=8):
    groups, parts = heads // shared, [words("f32", batch, heads, splits, dim), words("f32", batch, heads, splits)]
    constants = {"HEADS": heads, "SHARED": shared, "DIM": dim, "BLOCK_H": 16, "BLOCK_N": 64, "SPLITS": splits}
    grid, q, cache = (batch, groups, splits), words("bf16", batch, heads, dim), words("bf16", batch * groups, length, dim)
    yield "decode_split", decode_split, grid, [q, cache, cache, *parts, f"i32:{length}", f"f32:{SCALE}"], constants, 4, 2
    for page in (1, 16):
        pages = batch * length // page
        arguments = [q, words("bf16", pages, page, groups, dim), words("bf16", pages, page, groups, dim), words("i32", batch, length // page, values="permutation"),
                     words("i32", batch, values=f"{length}..{length + 1}"), *parts, f"f32:{SCALE}", f"i32:{length // page}"]
        yield f"decode_paged_{page}", decode_paged, grid, arguments, constants | {"PAGE": page}, 4, 2
    heads, tokens = 128, batch * length
    for block_h, block_n in ((16, 32), (64, 32)):
        arguments = [words("bf16", batch, heads, 512), words("bf16", batch, heads, 64), words("bf16", tokens, 576), words("i32", batch, length, values="permutation"),
                     words("f32", batch, heads, splits, 512), words("f32", batch, heads, splits), f"i32:{length}", f"f32:{SCALE}"]
        yield (f"decode_latent_{block_h}", decode_latent, (batch, heads // block_h, splits), arguments,
               {"HEADS": heads, "BLOCK_H": block_h, "BLOCK_N": block_n, "SPLITS": splits}, 4 if block_h < 64 else 8, 2)


def main():
    kernel_texts.write(sys.argv[1], (*products(), *mixtures(), *decodes()))


if __name__ == "__main__":
    main()
